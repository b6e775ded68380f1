"""Language models behind any endpoint that speaks OpenAI's protocol: OpenAI, Azure, vLLM, llama.cpp.

The package `openai` sends; what may be tried again, how long to wait, and how a schema is asked for is
decided here, so that all of it is counted and told, errors included. Neither the key nor a user and
password in the address is in any error, nor a secret or a piece of the prompt that the endpoint repeated.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, Final

from memstrata.endpoint import check_askable, connected
from memstrata.errors import Away, Effort, Fault, MemstrataError, TooLong
from memstrata.language_models.abilities import Abilities, Form, RememberedAbilities, ability_key
from memstrata.language_models.answers import (
    Answer,
    ErrorInAnswerError,
    NoAnswerError,
    read_answer,
    tokens_in,
)
from memstrata.language_models.echoes import without_echo
from memstrata.language_models.limiting import Limiter, Rates
from memstrata.language_models.patience import Patience
from memstrata.language_models.refusals import Meaning, Refusal, adapted, read_refusal, refusal_in
from memstrata.language_models.requests import PROBE, Request
from memstrata.language_models.schemas import keeps_to, restored, strict_schema
from memstrata.language_models.timing import Timing
from memstrata.ports import Finish, Reply

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from threading import Event

    from openai import OpenAI

    from memstrata.endpoint import Endpoint
    from memstrata.model import Json
    from memstrata.ports import LanguageModel, Prompt

#: What a reply is taken to cost before it has come, if nothing bounds it.
_EXPECTED_TOKENS: Final = 1_000

#: Where the limit of tokens has had its newer name since 2024; elsewhere the older one is known to more.
_NEWER: Final = ("api.openai.com", ".openai.azure.com", ".services.ai.azure.com")

_OFFLINE: Final = "; or unset MEMSTRATA_LLM_MODEL: offline extraction needs neither model nor key"

_FAMILIES: Final[dict[Meaning, tuple[type[MemstrataError], str]]] = {
    Meaning.KEY: (Away, "refuses the key: {said}; set OPENAI_API_KEY to one that is good for it"),
    Meaning.QUOTA: (Away, "has no credit left: {said}; pay, or set another OPENAI_API_KEY"),
    Meaning.MODEL: (
        Away,
        "has no such model or path: {said}; check MEMSTRATA_LLM_MODEL and OPENAI_BASE_URL (ends in /v1)",
    ),
    Meaning.TOO_LONG: (TooLong, "cannot take a prompt of about {tokens} tokens: {said}; send less at once"),
    Meaning.PASSING: (
        Away,
        "cannot be asked now, after {tries}: {said}; see that it runs (OPENAI_BASE_URL), or wait",
    ),
    Meaning.BREAKING: (
        Away,
        "answers nothing now, after {tries}: {said}; check OPENAI_BASE_URL, or wait",
    ),
    Meaning.WRONG: (
        Away,
        "refuses whatever it is asked: {said}; check MEMSTRATA_LLM_MODEL and its settings",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How a model is asked: nothing here changes where, and None leaves it to the model.

    `most_wait` is the longest Retry-After, in seconds, that is waited for.
    """

    temperature: float | None = 0.0
    most_tokens: int | None = None
    concurrency: int = 4
    most_wait: float = 60.0
    rates: Rates = field(default_factory=Rates)


@dataclass(slots=True, kw_only=True)
class _Tally:
    """What one prompt has taken so far, and what tells that nobody waits for it any more."""

    given_up: Event | None = None
    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    seconds: float = 0.0

    @property
    def effort(self) -> Effort | None:
        """As an error tells of it."""
        if not self.requests:
            return None
        return Effort(
            requests=self.requests,
            input_tokens=self.input_tokens,
            output_tokens=self.output_tokens,
            cached_tokens=self.cached_tokens,
            seconds=self.seconds,
        )


class OpenAIModel:
    """A model behind `chat/completions`, for several threads at once; `folder` keeps what was learnt."""

    def __init__(
        self,
        model: str,
        endpoint: Endpoint,
        folder: Path,
        *,
        manner: Manner | None = None,
        timing: Timing | None = None,
    ) -> None:
        """Asks nothing yet, and needs neither package nor key until then."""
        self.name = model
        self._endpoint = endpoint
        self._manner = manner or Manner()
        self._timing = timing or Timing()
        self._patience = Patience(
            tries_again=endpoint.tries_again, most_wait=self._manner.most_wait, timing=self._timing
        )
        self._remembered = RememberedAbilities(folder / "abilities.json", self._timing)
        self._key = ability_key(endpoint.shown, model)
        limits = folder / f"limits-{self._key}.json"
        self._limiter = Limiter(limits, self._manner.rates, self._timing)
        self._places = BoundedSemaphore(self._manner.concurrency)
        self._lock = Lock()
        self._client: OpenAI | None = None

    def complete(self, prompt: Prompt) -> Reply:
        """Answers one prompt; a schema is asked for in the best way that the endpoint has.

        Raises `Away` when nothing can be asked now (no answer, no credit, a refused key, no such model),
        `TooLong` for a prompt that does not fit, `Fault` for what failed with this prompt alone, `Missing`
        without the package `openai`, or without a key for OpenAI's own server; each with its `effort`.
        """
        return self._complete(prompt, _Tally())

    def until(self, given_up: Event) -> LanguageModel:
        """See `ports.Patient`."""
        return _Until(model=self, given_up=given_up)

    def _complete(self, prompt: Prompt, tally: _Tally) -> Reply:
        check_askable(self._endpoint, f"MEMSTRATA_LLM_MODEL = {self.name!r}", instead=_OFFLINE)
        known, presumed = self._recalled(prompt)
        try:
            with self._places:
                answer, seen = self._settled(prompt, presumed, tally)
        except MemstrataError as error:
            error.effort = tally.effort
            if type(error) is Fault and presumed.is_proved:
                self._remember(prompt, replace(presumed, is_proved=False))  # or the endpoint has changed
            raise
        if seen != known:
            self._remember(prompt, seen)
        return Reply(
            text=restored(answer.text, prompt.schema) if prompt.schema is not None else answer.text,
            input_tokens=tally.input_tokens,
            output_tokens=tally.output_tokens,
            cached_tokens=tally.cached_tokens,
            finish=answer.finish,
            retries=max(0, tally.requests - 1),
            seconds=tally.seconds,
        )

    def _recalled(self, prompt: Prompt) -> tuple[Abilities | None, Abilities]:
        """What is known of the model with this schema, if anything, and what it is taken to be able to."""
        if prompt.schema is not None:
            known = self._remembered.recall(self._schema_key(prompt.schema))
            if known is not None:
                return known, known
        of_any = self._remembered.recall(self._key)
        host = self._endpoint.shown.partition("://")[2].partition("/")[0].partition(":")[0]
        presumed = of_any or Abilities(
            limit="max_completion_tokens" if host.endswith(_NEWER) else "max_tokens"
        )
        if prompt.schema is None:
            return of_any, presumed
        if presumed.form is Form.STRICT and strict_schema(prompt.schema) is None:
            presumed = replace(presumed, form=Form.SCHEMA)
        return None, presumed

    def _remember(self, prompt: Prompt, seen: Abilities) -> None:
        """Keeps what was seen, for this schema; and for others the best form that was had with any."""
        with suppress(Fault, OSError):  # a reply that was paid for is worth more than a note on it
            of_any = self._remembered.recall(self._key)
            if prompt.schema is not None:
                self._remembered.remember(self._schema_key(prompt.schema), seen)
                if seen.form is Form.SCHEMA and strict_schema(prompt.schema) is None:
                    seen = replace(seen, form=Form.STRICT)  # it was the schema that could not be
            best = seen.form if of_any is None else min(of_any.form, seen.form)
            self._remembered.remember(self._key, replace(seen, form=best, is_proved=False))

    def _schema_key(self, schema: Mapping[str, Json]) -> str:
        return ability_key(self._endpoint.shown, self.name, schema)

    def _settled(self, prompt: Prompt, first: Abilities, tally: _Tally) -> tuple[Answer, Abilities]:
        """The answer, and the abilities that it was had with: lesser ones than were presumed, perhaps."""
        limited, abilities, tried = True, first, {first}
        doubted: Abilities | None = None
        while True:
            request = self._request(prompt, abilities, limited=limited)
            outcome = self._patiently(request, tally)
            if isinstance(outcome, Answer):
                if not _ignores_schema(outcome, prompt, abilities):
                    if _keeps(outcome, prompt, abilities):
                        return outcome, replace(abilities, is_proved=True)
                    return (
                        outcome,
                        doubted or abilities,
                    )  # no form had it of the model: forms are not to blame
                doubted = abilities
                abilities = replace(abilities, form=Form.OBJECT)  # where the schema is told in words
            elif outcome.meaning is Meaning.FILTERED:
                refused = Answer(text=self._endpoint.told(outcome.said), finish=Finish.REFUSED)
                return refused, doubted or abilities
            elif outcome.meaning is Meaning.TOO_LONG and limited and request.most_tokens is not None:
                limited = False  # some count the room for the reply: it may fit without
            else:
                lesser = adapted(abilities, outcome, has_schema=prompt.schema is not None)
                if lesser in tried:  # it takes the limit of tokens under neither name
                    lesser = replace(lesser, limit="")
                if lesser is None and outcome.meaning is Meaning.WRONG and not first.is_proved:
                    lesser = replace(
                        first, limit="", temperature=False, seed=False
                    )  # it may be one of those
                if lesser is None or lesser in tried:
                    raise self._error(outcome, request, tally) from None
                abilities = lesser
                tried.add(abilities)

    def _request(self, prompt: Prompt, abilities: Abilities, *, limited: bool) -> Request:
        bounds = [bound for bound in (prompt.most_tokens, self._manner.most_tokens) if bound is not None]
        return Request(
            model=self.name,
            prompt=prompt,
            abilities=abilities,
            most_tokens=min(bounds) if bounds and limited and abilities.limit else None,
            temperature=self._manner.temperature,
        )

    def _patiently(self, request: Request, tally: _Tally) -> Answer | Refusal:
        """What came of the request, after as many tries as its passing faults are worth."""
        tried = 0
        while True:
            outcome = self._once(request, tally)
            if isinstance(outcome, Answer):
                return outcome
            wait = self._patience.wait_for(outcome, tried)
            if wait is None:
                return outcome
            if outcome.wait:
                self._limiter.hold_back(outcome.wait)
            self._timing.rest(wait, tally.given_up)
            tried += 1

    def _once(self, request: Request, tally: _Tally) -> Answer | Refusal:
        """One request over the wire, in its turn."""
        given = tokens_in(request.text)
        expected = given + (request.most_tokens or _EXPECTED_TOKENS)
        client = self._connected()
        self._limiter.wait(expected, tally.given_up)
        tally.requests += 1
        began = self._timing.monotonic()
        try:
            outcome = self._outcome(client, request, began)
        finally:
            tally.seconds += self._timing.monotonic() - began
        if isinstance(outcome, Refusal):
            if outcome.status is not None:  # it wrote nothing; what became of one in silence nobody knows
                self._limiter.correct(estimated=expected, taken=given)
            return outcome
        given = given if outcome.input_tokens is None else outcome.input_tokens
        taken = tokens_in(outcome.text) if outcome.output_tokens is None else outcome.output_tokens
        self._limiter.correct(estimated=expected, taken=given + taken)
        tally.input_tokens += given
        tally.output_tokens += taken
        tally.cached_tokens += outcome.cached_tokens
        return outcome

    def _outcome(self, client: OpenAI, request: Request, began: float) -> Answer | Refusal:
        """What the endpoint answers, read; whatever goes wrong with it is a refusal."""
        try:
            body = self._heard(client, request, began)
            return read_answer(body, as_json=request.prompt.schema is not None)
        except NoAnswerError as error:
            said = without_echo(f"it gave {error}", *request.sent)
            return Refusal(meaning=Meaning.BREAKING, said=said, status=HTTPStatus.OK)
        except ErrorInAnswerError as error:
            return refusal_in(error.body, status=HTTPStatus.OK, sent=request.sent)
        except Exception as error:
            refusal = read_refusal(error, sent=request.sent, now=self._timing.wall())
            if refusal is None:
                raise
            return refusal

    def _heard(self, client: OpenAI, request: Request, began: float) -> str:
        """The body of a response, which must end in time too: some servers send blanks for minutes."""
        with client.chat.completions.with_streaming_response.create(**request.body()) as response:
            pieces: list[bytes] = []
            for piece in response.iter_bytes():
                pieces.append(piece)
                if self._timing.monotonic() - began > self._endpoint.seconds:
                    raise TimeoutError
        return b"".join(pieces).decode("utf-8", "replace")

    def _error(self, refusal: Refusal, request: Request, tally: _Tally) -> MemstrataError:
        """What a refusal that stays means for whoever asked."""
        said = self._endpoint.told(refusal.said)
        where = f"the language model at {self._endpoint.shown} (model {self.name})"
        if refusal.is_passing and refusal.wait is not None and refusal.wait > self._manner.most_wait:
            return Away(
                f"{where} asks to be left alone for {refusal.wait:.0f} s, more than "
                f"MEMSTRATA_LLM_MAX_WAIT = {self._manner.most_wait:g}: {said}; run again then"
            )
        tries = f"{tally.requests} {'try' if tally.requests == 1 else 'tries'}"
        if refusal.is_doubtful and self._answers_others(request.abilities, tally):
            return Fault(f"{where} fails with this prompt, though it answers others: {said}")
        family, told = _FAMILIES[refusal.meaning]
        return family(f"{where} {told.format(said=said, tries=tries, tokens=tokens_in(request.text))}")

    def _answers_others(self, abilities: Abilities, tally: _Tally) -> bool:
        """Whether the least of prompts is answered: then it is the prompt before that cannot be."""
        plain = Abilities(temperature=False, seed=False, system=abilities.system)
        probe = Request(model=self.name, prompt=PROBE, abilities=plain)
        return isinstance(self._once(probe, tally), Answer)

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                self._client = connected(self._endpoint, tries_again=0)
            return self._client


@dataclass(frozen=True, slots=True, kw_only=True)
class _Until:
    """The model for whoever may give up."""

    model: OpenAIModel
    given_up: Event

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, prompt: Prompt) -> Reply:
        return self.model._complete(prompt, _Tally(given_up=self.given_up))  # noqa: SLF001 (of this module)


def _ignores_schema(answer: Answer, prompt: Prompt, abilities: Abilities) -> bool:
    """Whether a reply shows that the endpoint takes no notice of schemas; not asked once it has."""
    if prompt.schema is None or abilities.is_proved or abilities.form > Form.SCHEMA:
        return False
    return _is_whole(answer) and not _keeps(answer, prompt, abilities)


def _keeps(answer: Answer, prompt: Prompt, abilities: Abilities) -> bool:
    """Whether a whole reply is of the schema, as far as the form lets it be seen."""
    if prompt.schema is None or not _is_whole(answer):
        return False
    return keeps_to(answer.text, prompt.schema, is_strict=abilities.form is Form.STRICT)


def _is_whole(answer: Answer) -> bool:
    return answer.finish is Finish.WHOLE and bool(answer.text)
