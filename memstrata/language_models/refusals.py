"""What an endpoint's error means: try again, ask otherwise, ask less, ask nobody now, or give up.

The protocol names few codes, and each server has words of its own; those known are here, with their owners.
"""

from __future__ import annotations

import email.utils
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from enum import Enum, auto
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from memstrata.language_models.echoes import without_echo

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.language_models.abilities import Abilities


class Meaning(Enum):
    """What an error asks for."""

    PASSING = auto()  # try again; if it stays, nobody is asked now
    BREAKING = auto()  # try again; if it stays, it may be this prompt that breaks the server
    TOO_LONG = auto()
    FILTERED = auto()  # the prompt was refused for what it says
    KEY = auto()
    QUOTA = auto()
    MODEL = auto()  # no such model, or no such path
    WRONG = auto()  # something in the request, perhaps a parameter that is not taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An error of an endpoint: what it means, what it said, and how long it asks to wait, in seconds."""

    meaning: Meaning
    said: str = ""
    status: int | None = None
    wait: float | None = None
    param: str = ""

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be about this prompt alone; if it stays, another prompt tells."""
        if self.meaning in (Meaning.KEY, Meaning.PASSING):
            return self.status in _MAY_BE_THE_PROMPTS
        return self.meaning in (Meaning.BREAKING, Meaning.WRONG)

    @property
    def is_passing(self) -> bool:
        """Whether trying again may help."""
        return self.meaning in (Meaning.PASSING, Meaning.BREAKING)


_OVERLOADED: Final = 529  # Anthropic's, beyond the standard
_SERVERS: Final = 500  # from here on it is the server's fault
#: What may be refused for a prompt's own sake: by a firewall that reads it, or because it broke the server.
_MAY_BE_THE_PROMPTS: Final = (HTTPStatus.FORBIDDEN, HTTPStatus.BAD_GATEWAY, None)
_BY_STATUS: Final = {
    402: Meaning.QUOTA,
    **dict.fromkeys((401, 403, 407), Meaning.KEY),
    413: Meaning.TOO_LONG,
    **dict.fromkeys((404, 405), Meaning.MODEL),
    **dict.fromkeys((408, 409, 425, 429, 502, 503, _OVERLOADED), Meaning.PASSING),
}

_TOO_LONG = re.compile(
    "context_length_exceeded|string_above_max_length|exceed_context_size"  # codes: OpenAI, llama.cpp
    "|maximum context length|maximum model length|max_tokens must be at least 1"  # OpenAI, vLLM
    "|available context size|context (length|window|size|limit)"  # llama.cpp, LM Studio, Ollama, Anthropic
    "|prompt is too long|input is too long|input length exceeds|too many (input )?tokens"  # Anthropic
    "|token count .{0,40}exceeds the maximum",  # Gemini
    re.IGNORECASE,
)
#: OpenAI's, Groq's and Anthropic's limits of one request: no waiting makes it smaller.
_TOO_LARGE = re.compile("request too large|request_too_large", re.IGNORECASE)
_QUOTA = re.compile(
    "insufficient_quota|billing_hard_limit|billing_not_active|credit balance is too low"
    "|insufficient (balance|credits)|out of credits|specified API usage limits",
    re.IGNORECASE,
)
_KEY_WORDS = re.compile(
    "invalid_api_key|api key not valid|API_KEY_INVALID|incorrect api key", re.IGNORECASE
)
_MODEL = re.compile(
    r"model_not_found|unknown_model|no models? (is )?loaded"
    r"|\b(unknown model|invalid model identifier|invalid model:"  # GitHub, LM Studio, Mistral
    r"|model not exist)"  # DeepSeek
    r"|\bmodel\b.{0,80}\b(not found|does not exist|is not available)",
    re.IGNORECASE,
)
_NO_PATH = re.compile("unexpected endpoint or method", re.IGNORECASE)  # LM Studio, with status 200
_FILTERED = re.compile(
    "content_filter|content management policy|content_policy_violation"
    "|input was flagged|data_inspection_failed",  # OpenRouter, Alibaba
    re.IGNORECASE,
)
_LIMIT = re.compile(r"max_(completion_|output_)?tokens", re.IGNORECASE)
_FORM = re.compile(
    r"response_?format|response_?schema|json_?(schema|object|mode)|structured.output|\bstrict\b|grammar"
    r"|additional_?properties|invalid schema|guided",
    re.IGNORECASE,
)
_TEMPERATURE = re.compile(r"\btemperature\b", re.IGNORECASE)
_SEED = re.compile(r"\bseed\b", re.IGNORECASE)
_SYSTEM = re.compile(
    r"system.{0,20}(role|message|instruction)|(role|instruction).{0,20}system", re.IGNORECASE
)
_RETRY_DELAY = re.compile(r'"retryDelay":\s*"([\d.]+)s"')


def read_refusal(error: Exception, *, sent: Sequence[str], now: float) -> Refusal | None:
    """What an exception of the package, or of its HTTP client, means; None for any other.

    `sent` are the parts of the prompt: what a server repeats of them says nothing about the server. `now`
    is the time that dates of Retry-After are held to.
    """
    import openai

    kinds = {kind.__name__ for kind in type(error).__mro__}  # which client it is differs by version
    if isinstance(error, openai.APITimeoutError | TimeoutError) or "TimeoutException" in kinds:
        return Refusal(meaning=Meaning.BREAKING, said="no answer in time (MEMSTRATA_LLM_TIMEOUT)")
    if not isinstance(error, openai.APIStatusError):
        passing = isinstance(error, openai.OpenAIError) or "RequestError" in kinds
        return Refusal(meaning=Meaning.PASSING, said="the connection failed") if passing else None
    text = error.response.text
    refusal = refusal_in(text, status=error.response.status_code, sent=sent)
    wait = asked_to_wait(error.response.headers, now)
    delay = _RETRY_DELAY.search(text) if wait is None else None
    return replace(refusal, wait=float(delay.group(1)) if delay else wait)


def refusal_in(text: str, *, status: int, sent: Sequence[str]) -> Refusal:
    """What the body of an error means; of one that came as a success by the status that it names."""
    said, codes, param = _said(text)
    said = without_echo(said, *sent) or f"status {status}"
    named = re.search(r"\b[45]\d\d\b", codes)
    if status < HTTPStatus.BAD_REQUEST:
        status = int(named[0]) if named else _SERVERS
    return Refusal(
        meaning=_meaning(status, f"{codes} {said}"),
        said=said,
        status=status,
        param=param,
    )


def asked_to_wait(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds that `retry-after-ms` or `Retry-After` (seconds or a date) ask for; None for neither."""
    for name, of_a_second in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            asked = float(headers[name]) / of_a_second
        except (KeyError, ValueError):
            continue
        if math.isfinite(asked):
            return max(0.0, asked)
    try:
        date = email.utils.parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError, OverflowError):
        return None
    date = date if date.tzinfo else date.replace(tzinfo=UTC)  # HTTP knows no other (RFC 9110, 5.6.7)
    return max(0.0, date.timestamp() - now)


def _said(text: str) -> tuple[str, str, str]:
    """Message, codes and parameter of an error's body.

    OpenAI nests them, Gemini puts a list around, OpenRouter adds what the provider behind it has said.
    """
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return ("a page of HTML" if text.lstrip()[:1] == "<" else text, "", "")
    body = body[0] if isinstance(body, list) and body else body
    error = body.get("error", body) if isinstance(body, Mapping) else body
    if not isinstance(error, Mapping):
        return str(error), "", ""
    codes = " ".join(str(error.get(name) or "") for name in ("code", "type", "status"))
    behind = error.get("metadata")
    raw = behind.get("raw") if isinstance(behind, Mapping) else None
    message = str(error.get("message") or text)
    return f"{message}: {raw}" if raw else message, codes, str(error.get("param") or "")


def _meaning(status: int, words: str) -> Meaning:
    """What is said goes before the status: many send a plain 400, or a 500, for everything."""
    known = _BY_STATUS.get(status)
    by_words = [
        (_QUOTA, Meaning.QUOTA),
        (_KEY_WORDS, Meaning.KEY),
        (_FILTERED, Meaning.FILTERED),
        (_TOO_LARGE, Meaning.TOO_LONG),
        *([] if known is Meaning.PASSING else [(_TOO_LONG, Meaning.TOO_LONG)]),
    ]
    if status not in (HTTPStatus.UNAUTHORIZED, HTTPStatus.NOT_FOUND):
        for pattern, meaning in by_words:
            if pattern.search(words):
                return meaning
    if known is not None:
        return known
    if _NO_PATH.search(words):
        return Meaning.MODEL
    if status >= _SERVERS:
        return Meaning.BREAKING
    is_of_model = _MODEL.search(words) and not _FORM.search(words)  # or the model has not that form
    return Meaning.MODEL if is_of_model else Meaning.WRONG


def adapted(abilities: Abilities, refusal: Refusal, *, has_schema: bool) -> Abilities | None:
    """Abilities without what the refusal says is not taken; None if it names nothing to leave out.

    What a schema-bound request is refused for without a name may be its form, until one has been taken.
    """
    if refusal.meaning not in (Meaning.WRONG, Meaning.BREAKING) or refusal.status == HTTPStatus.OK:
        return None
    words = f"{refusal.param} {refusal.said}"
    if abilities.limit and _LIMIT.search(words):
        return replace(abilities, limit=_next_limit(abilities.limit, words))
    taken = replace(
        abilities,
        temperature=abilities.temperature and not _TEMPERATURE.search(words),
        seed=abilities.seed and not _SEED.search(words),
        system=abilities.system and not _SYSTEM.search(words),
    )
    if taken != abilities:
        return taken
    guessed = refusal.meaning is Meaning.WRONG and not abilities.is_proved
    if has_schema and not abilities.is_last and (_FORM.search(words) or guessed):
        return abilities.lowered()
    return None


def _next_limit(name: str, words: str) -> str:
    """The other name of the limit where it is asked for; none where the number is what is refused."""
    other = "max_completion_tokens" if name == "max_tokens" else "max_tokens"
    return other if other in words.lower() or "unsupported" in words.lower() else ""
