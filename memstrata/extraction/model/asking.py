"""Calls to the model, each noted; and the cache of replies, looked into before asking.

A reply is kept under the digest of the model and the whole prompt, as its part would be asked for alone: so
it is found again in whatever company the part is asked for next. Only what was read whole and stood is
kept, and no secret.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memstrata.errors import MemstrataError
from memstrata.ids import canonical_json, digest
from memstrata.ports import Patient, Purpose, Reply, Spending
from memstrata.secrecy import holds_secret

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from threading import Event

    from memstrata.extraction.model.sharing import Unit
    from memstrata.model import Json
    from memstrata.ports import Budget, CallLog, Clock, LanguageModel, Prompt, ReplyCache, Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Books:
    """Where calls are noted and replies kept; none of it changes what is taken.

    `parameters` are those of the model that its replies depend on, such as its temperature and address.
    Each call is made within `budget`, which raises `OverBudget` where it is spent.
    """

    calls: CallLog | None = None
    clock: Clock | None = None
    replies: ReplyCache | None = None
    budget: Budget | None = None
    parameters: str = field(default="", repr=False)  # an address may hold a password


class Asking:
    """Calls of one model for an extractor of one version."""

    def __init__(self, model: LanguageModel, version: str, books: Books) -> None:
        self._model = model
        self._version = version
        self._books = books

    @property
    def model(self) -> str:
        """The model's name."""
        return self._model.name

    def until(self, given_up: Event) -> Asking:
        """The same, for whoever may give up waiting."""
        if not isinstance(self._model, Patient):
            return self
        return Asking(self._model.until(given_up), self._version, self._books)

    def ask(self, prompt: Prompt, stage: Stage, unit: Unit) -> tuple[Reply, Spending]:
        """The answer and what it took; noted in equal shares of the episodes. Raises as the model.

        A call that ends in an error is noted with what is known to have been spent on it.
        """
        group_id = unit[0].episode.group_id  # parts that share a call are of one saga
        with self._within_budget(group_id, prompt):
            try:
                reply = self._model.complete(prompt)
            except MemstrataError as error:
                self._note(Spending.in_vain(error), stage, unit)
                raise
            spent = Spending.on(reply)
            self._note(spent, stage, unit)
        return reply, spent

    def _within_budget(self, group_id: str, prompt: Prompt) -> AbstractContextManager[None]:
        budget = self._books.budget
        return nullcontext() if budget is None else budget.spending(group_id, self.model, prompt)

    def key(self, prompt: Prompt) -> str:
        """The digest of everything that determines the reply."""
        schema = None if prompt.schema is None else dict(prompt.schema)
        asked = [prompt.system, prompt.user, schema, prompt.most_tokens]
        return digest([self._model.name, self._books.parameters, asked])

    def known(self, prompt: Prompt) -> str | None:
        """The kept reply to such a prompt."""
        if self._books.replies is None:
            return None
        kept = self._books.replies.get(self.key(prompt))
        return None if kept is None else kept.text

    def keep(self, prompt: Prompt, told: Json, spent: Spending, unit: Unit) -> None:
        """Keeps a reply that stood, for the episodes of the unit and the turns that they were shown.

        One with a secret in it is not kept: it is asked for again where it is needed again.
        """
        if self._books.replies is None or holds_secret(told):
            return
        reply = Reply(
            text=canonical_json(told),
            input_tokens=round(spent.input_tokens),
            output_tokens=round(spent.output_tokens),
        )
        told_of = [turn for part in unit for turn in (part.episode, *part.shown)]
        episodes = dict.fromkeys((turn.group_id, turn.episode_id) for turn in told_of)
        self._books.replies.put(self.key(prompt), reply, tuple(episodes))

    def _note(self, spent: Spending, stage: Stage, unit: Unit) -> None:
        books = self._books
        if books.calls is None or books.clock is None or not spent.calls:
            return
        of = Purpose(at=books.clock.now(), stage=stage, version=self._version, model=self._model.name)
        share = spent.shared(len(unit))
        books.calls.note([share.noted(of, part.episode.group_id, part.episode.episode_id) for part in unit])
