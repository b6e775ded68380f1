"""OpenAI-style message lists: request logs, fine-tuning and preference rows, batch files, agents' runs.

Containers: a list of messages; a line a message; {messages}, {traj}; {custom_id, body} and
{custom_id, response} of the Batch API; a response {choices}; {input, preferred_output}. A record may name
its conversation, its time, a task and how it went.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced
from memstrata.ids import canonical_json
from memstrata.intake.conversation import Conversation, drafts_of
from memstrata.intake.json_text import kind_of
from memstrata.intake.sources import values
from memstrata.intake.times import NotATime

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.instants import StatedTime
    from memstrata.intake.formats import Input
    from memstrata.intake.json_text import Value
    from memstrata.intake.notes import Place
    from memstrata.intake.sources import Located, Sample
    from memstrata.model import Draft, Json

NAME: Final = "openai_chat"
_LISTS: Final = ("messages", "traj")
_CONVERSATION_KEYS: Final = ("conversation_id", "thread_id", "session_id")
_RECORD_KEYS: Final = ("custom_id", "id")  # unique in their file only: every batch has its request-1
_TIME_KEYS: Final = ("created_at", "timestamp", "createdAt", "create_time", "created")
_SUCCESS: Final = 1
_SHAPES: Final = (
    ("role", "content"),
    ("role", "tool_calls"),
    ("role", "function_call"),
    ("messages",),
    ("traj",),
    ("custom_id", "body"),
    ("custom_id", "response"),
    ("input", "preferred_output"),
    ("choices", "created"),
)


def recognises(sample: Sample) -> bool:
    """Whether an object is a message, or holds a list of messages."""
    return any(sample.has(*keys) for keys in _SHAPES)


def read(given: Input) -> Iterator[tuple[Place, Draft]]:
    """The drafts of every conversation of a file, in its order."""
    threads = _Threads()
    number = 0
    for record in _records(values(given.source, given.sample, given.notes)):
        number += 1
        try:
            told = _conversation(record, number=number, given=given)
        except Misplaced as fault:
            given.notes.refuse(fault)
            continue
        if told is not None:
            told = threads.placed(told)
            if told.seen:
                given.notes.skip("repeated", told.seen)
            yield from drafts_of(told, given.options, notes=given.notes, times=given.times)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """One conversation's record and where it stands; `places` are for messages on lines of their own."""

    place: Place
    value: Value
    places: tuple[Place, ...] = ()


def _records(located: Iterator[Located]) -> Iterator[_Record]:
    """Every record; a bare list of messages, or messages that stand one a line, make up one together.

    A conversation is held in memory, a file never.
    """
    for thread, run in groupby(located, key=lambda item: _thread_of(item[1])):
        if thread is not None:
            lines = list(run)
            first = lines[0][1]
            record: dict[str, Value] = {
                key: first[key] for key in _CONVERSATION_KEYS if isinstance(first, dict) and key in first
            }
            messages = [value for _, value in lines]
            places = tuple(place for place, _ in lines)
            yield _Record(place=places[0], value={"messages": messages, **record}, places=places)
            continue
        for at, value in run:
            if isinstance(value, list) and not _is_conversation(value):
                yield from (_Record(place=at.within(f"[{i}]"), value=item) for i, item in enumerate(value))
            else:
                yield _Record(place=at, value=value)


def _thread_of(value: Value) -> str | None:
    """Which conversation a message on a line of its own belongs to; None for any other value."""
    if not isinstance(value, dict) or "role" not in value or any(key in value for key in _LISTS):
        return None
    return next((str(value[key]) for key in _CONVERSATION_KEYS if value.get(key) is not None), "")


def _is_conversation(value: list[Value]) -> bool:
    return any(isinstance(item, dict) and "role" in item for item in value)


def _conversation(record: _Record, *, number: int, given: Input) -> Conversation | None:
    """The conversation of a record; None where it holds none (an error of a batch), which is counted."""
    value, at = record.value, record.place
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, dict):
        raise at.fault(f"a record must be an object or a list of messages, is {kind_of(value)}")
    found = _messages(value, at)
    if found is None:
        given.notes.skip("error")
        return None
    if "non_preferred_output" in value:
        given.notes.skip("non_preferred_output")
    place, messages, body = found
    name = given.source.path.name
    key, own = _first_id(value, _CONVERSATION_KEYS), _first_id(value, _RECORD_KEYS)
    is_whole = bool(record.places) or (number == 1 and at.line is None and at.field is None)
    number = number if at.line is None else at.line
    return Conversation(
        place=place,
        places=record.places,
        messages=messages,
        source=given.options.source or (name if key is None else NAME),
        format=NAME,
        saga=given.options.saga or key or (name if is_whole else f"{name}#{own or number}"),
        key=key or own,
        goes_on=key is not None or given.options.saga is not None,
        time=_record_time(value, body, at=at, given=given),
        metadata=_metadata(value, body, name),
        trace_metadata=_outcome(value),
    )


def _first_id(value: dict[str, Value], keys: tuple[str, ...]) -> str | None:
    return next((str(value[key]) for key in keys if _is_id(value.get(key))), None)


def _messages(value: dict[str, Value], at: Place) -> tuple[Place, list[Value], dict[str, Value]] | None:
    """Where the messages of a record are, and the object that stands around them."""
    if isinstance(value.get("response"), dict) or ("custom_id" in value and "response" in value):
        return _response(value, at)
    if isinstance(value.get("choices"), list):
        return _choice(value, at)
    if isinstance(value.get("body"), dict):
        return _listed(value["body"], at.within("body"))
    if "preferred_output" in value:
        asked, answer = value.get("input"), value["preferred_output"]
        if not isinstance(answer, list):
            raise at.within("preferred_output").fault(f"must be a list of messages, is {kind_of(answer)}")
        place, messages, body = _listed(asked, at.within("input"))
        return place, [*messages, *answer], body
    return _listed(value, at)


def _response(value: dict[str, Value], at: Place) -> tuple[Place, list[Value], dict[str, Value]] | None:
    response = value.get("response")
    if not isinstance(response, dict) or response.get("status_code", 200) != 200:  # noqa: PLR2004 (HTTP's OK)
        return None
    body = response.get("body", response)
    if not isinstance(body, dict):
        raise at.within("response.body").fault(f"must be an object, is {kind_of(body)}")
    return _choice(body, at.within("response.body"))


def _choice(body: dict[str, Value], at: Place) -> tuple[Place, list[Value], dict[str, Value]]:
    """The first choice of a response: the others were not said."""
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise at.within("choices").fault("must be a list with at least one choice")
    first = choices[0]
    if not isinstance(first, dict) or not isinstance(message := first.get("message"), dict):
        raise at.within("choices[0].message").fault("missing")
    own: dict[str, Value] = {key: body[key] for key in ("id", "model") if key in body}
    return at.within("choices"), [{**own, **message}], body


def _listed(value: Value, at: Place) -> tuple[Place, list[Value], dict[str, Value]]:
    if not isinstance(value, dict):
        raise at.fault(f"must be an object, is {kind_of(value)}")
    for name in _LISTS:
        messages = value.get(name)
        if isinstance(messages, list):
            return at.within(name), messages, value
        if messages is not None:
            raise at.within(name).fault(f"must be a list of messages, is {kind_of(messages)}")
    raise at.fault(
        "holds no messages", mend=f"expected one of: {', '.join(_LISTS)}, choices, body, response"
    )


def _record_time(
    value: dict[str, Value], body: dict[str, Value], *, at: Place, given: Input
) -> StatedTime | None:
    for holder in (value, body, value.get("metadata")):
        if not isinstance(holder, dict):
            continue
        for key in _TIME_KEYS:
            if holder.get(key) is not None:
                try:
                    return given.times.read(holder[key])
                except NotATime as error:
                    raise at.within(key).fault(str(error)) from None
    return None


def _metadata(value: dict[str, Value], body: dict[str, Value], name: str) -> dict[str, Json]:
    metadata: dict[str, Json] = {"format": NAME, "file": name}
    if isinstance(model := value.get("model") or body.get("model"), str):
        metadata["model"] = model
    if isinstance(record := value.get("metadata"), dict) and record:
        metadata["record"] = record
    return metadata


def _outcome(value: dict[str, Value]) -> dict[str, Json]:
    """The task of a record and whether it went well, where the record or its metadata says so."""
    outcome: dict[str, Json] = {}
    metadata = value.get("metadata")
    for holder in (metadata if isinstance(metadata, dict) else {}, value):
        for key in ("task_id", "task"):
            if _is_id(holder.get(key)):
                outcome["task"] = str(holder[key])
        success, reward = holder.get("success"), holder.get("reward")
        if isinstance(success, bool):
            outcome["success"] = success
        elif isinstance(reward, (int, float)) and not isinstance(reward, bool):
            outcome["success"] = reward >= _SUCCESS
    return outcome


def _is_id(value: Value) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool) and value != ""


@dataclass(slots=True, kw_only=True)
class _Threads:
    """How far each saga that goes on over records has come: its number of messages and a digest of them.

    Logs of requests repeat the history in each record: messages that begin exactly like all those before
    are not told again. Two lone messages that are equal are two.
    """

    known: dict[str, tuple[int, bytes]] = field(default_factory=dict)

    def placed(self, told: Conversation) -> Conversation:
        """The conversation with `seen` and `offset` set."""
        if not told.goes_on:
            return told
        count, chain = self.known.get(told.saga, (0, b""))
        total = len(told.messages)
        repeats = 0 < count <= total and total > 1
        if repeats and _chain(b"", told.messages[:count]) == chain:
            self.known[told.saga] = (total, _chain(chain, told.messages[count:]))
            return replace(told, seen=count)
        self.known[told.saga] = (count + total, _chain(chain, told.messages))
        return replace(told, offset=count)


def _chain(start: bytes, messages: Sequence[Value]) -> bytes:
    chain = start
    for message in messages:
        said = canonical_json(message).encode("utf-8", "surrogatepass")
        chain = hashlib.blake2b(said, key=chain, digest_size=16).digest()
    return chain
