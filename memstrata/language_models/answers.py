"""What an endpoint answered, read: the text meant, how it ended and what it took.

The body is read here and not by the package `openai`, which takes whatever comes for a reply.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ValidationError

from memstrata.ports import Finish
from memstrata.secrecy import excerpt

_CUT_OFF: Final = frozenset(
    ("length", "max_tokens", "max_output_tokens", "model_length", "model_context_window_exceeded")
)
_REFUSED: Final = (
    "content_filter",
    "refusal",
    "safety",
    "recitation",
    "blocklist",
    "prohibited_content",
    "spii",
)
#: Where the endpoint itself gave up: OpenRouter, vLLM, DeepSeek, Gemini.
_BROKEN: Final = frozenset(
    ("error", "abort", "insufficient_system_resource", "malformed_function_call", "malformed_response")
)
_THOUGHT = re.compile(
    r"\A\s*(<(think|thinking|reasoning|thought)>.*?(</\2>|\Z)|\[THINK\].*?(\[/THINK\]|\Z))",
    re.DOTALL | re.IGNORECASE,
)
_THOUGHT_END = re.compile(r"\A.*</(think|thinking|reasoning|thought)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"\A```\w*\s*\n(.*?)(?:\n\s*```\s*\Z|\Z)", re.DOTALL)
_BYTES_A_TOKEN: Final = 4


class NoAnswerError(Exception):
    """The body is no chat completion; the message says what it is instead."""


class ErrorInAnswerError(Exception):
    """The body, kept in `body`, is an error, whatever its status: OpenRouter and LM Studio send such."""

    def __init__(self, body: str) -> None:
        self.body = body
        super().__init__()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One completion; tokens are None where the endpoint did not count them."""

    text: str
    finish: Finish
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int = 0


def _joined(content: object) -> object:
    """Text that comes in parts, as one."""
    if not isinstance(content, list):
        return content
    parts = (part.get("text", "") for part in content if isinstance(part, dict))
    return "".join(part for part in parts if isinstance(part, str))


def _written(arguments: object) -> object:
    """Arguments as the text that they should be; some servers send them read, or none."""
    if isinstance(arguments, dict):
        return json.dumps(arguments, ensure_ascii=False)
    return "" if arguments is None else arguments


class _Function(BaseModel):
    arguments: Annotated[str, BeforeValidator(_written)] = ""


class _ToolCall(BaseModel):
    function: _Function = _Function()


class _Message(BaseModel):
    content: Annotated[str | None, BeforeValidator(_joined)] = None
    refusal: str | None = None
    tool_calls: list[_ToolCall] | None = None


class _Choice(BaseModel):
    """`message` is left out by some where nothing was said, as of what a filter has stopped."""

    message: _Message | None = None
    finish_reason: str | None = None
    error: object = None


class _Completion(BaseModel):
    choices: list[_Choice]


def read_answer(body: str, *, as_json: bool) -> Answer:
    """The answer in a body; of JSON only the JSON is taken, not the thoughts and fences around it.

    Of several choices the first counts, of the same tool call repeated one. Raises `NoAnswerError`, or
    `ErrorInAnswerError` for an error that was sent as a success.
    """
    try:
        told = json.loads(body)
    except (ValueError, RecursionError):
        raise NoAnswerError(f"what is no JSON: {excerpt(body, 80)!r}") from None
    if isinstance(told, dict) and told.get("error") and not told.get("choices"):
        raise ErrorInAnswerError(body)
    choice = _first_choice(told)
    reason = (choice.finish_reason or "").lower()
    if reason in _BROKEN:
        raise NoAnswerError(f"a reply that it broke off (finish_reason {reason})")
    if choice.message is None and not reason.startswith(_REFUSED):
        raise NoAnswerError(f"a chat completion without a message (finish_reason {reason or 'none'})")
    message = choice.message or _Message()
    given, taken, cached = _usage(told)
    if message.refusal or reason.startswith(_REFUSED):
        text, finish = message.refusal or message.content or f"finish_reason {reason}", Finish.REFUSED
    else:
        text = _without_thoughts(message.content or "") or _called(message.tool_calls or [])
        text = _json_in(text) if as_json else text
        finish = Finish.CUT_OFF if reason in _CUT_OFF else Finish.WHOLE
    return Answer(text=text, finish=finish, input_tokens=given, output_tokens=taken, cached_tokens=cached)


def _first_choice(told: object) -> _Choice:
    try:
        choices = _Completion.model_validate(told).choices
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the whole"
        raise NoAnswerError(f"what is no chat completion ({where}: {first['msg']})") from None
    if not choices:
        raise NoAnswerError("a chat completion without a choice")
    if choices[0].error:
        raise ErrorInAnswerError(json.dumps({"error": choices[0].error}))
    return choices[0]


def tokens_in(text: str) -> int:
    """About how many tokens a text has: one for four bytes of its UTF-8."""
    return -(-len(text.encode("utf-8", "replace")) // _BYTES_A_TOKEN)


def _called(calls: list[_ToolCall]) -> str:
    """What a tool was called with, by a model that took the schema for a tool."""
    arguments = list(dict.fromkeys(call.function.arguments for call in calls))
    if len(arguments) > 1:
        raise NoAnswerError(f"{len(arguments)} different tool calls where one reply was asked for")
    return arguments[0] if arguments else ""


def _without_thoughts(text: str) -> str:
    """The text after what a reasoning model thought aloud; nothing, if it never came to an end of that."""
    after = _THOUGHT.sub("", text)
    if after == text and not text.lstrip().startswith(("{", "[")):
        after = _THOUGHT_END.sub("", text, count=1)  # some templates open the thought in the prompt
    return after.strip()


def _json_in(text: str) -> str:
    """The JSON object in a text with fences or words around it; the text itself, if there is none."""
    bare = text.strip()
    fenced = _FENCED.match(bare)
    bare = fenced.group(1).strip() if fenced else bare
    start = bare.find("{")
    if start < 0 or bare.startswith("["):
        return bare
    try:
        _, end = json.JSONDecoder(strict=False).raw_decode(bare, start)
    except (ValueError, RecursionError):
        return bare[start:]  # cut off, broken, or opened over and over: from where it begins
    return bare[start:end]


def _usage(told: object) -> tuple[int | None, int | None, int]:
    """Tokens read, tokens written, and those of the read ones that the endpoint had read before.

    No prompt is of no tokens: who says so has not counted.
    """
    usage = told.get("usage") if isinstance(told, dict) else None
    counts = usage if isinstance(usage, dict) else {}
    given, taken = _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))
    if not given:
        given, taken = None, taken or None
    details = counts.get("prompt_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return given, taken, min(cached or 0, given or 0)


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
