"""One conversation in OpenAI message form to drafts: a draft a turn, a draft a run of tool calls.

Every chat format is turned into this form first. Positions are those of the messages in the saga, doubled,
so that a message that is refused or skipped moves no other: even for a turn, odd for a run of tool calls.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memstrata.errors import Misplaced
from memstrata.instants import Precision, StatedTime
from memstrata.intake.json_text import dump
from memstrata.intake.messages import read_message
from memstrata.intake.times import NotATime
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memstrata.intake.json_text import Value
    from memstrata.intake.messages import Call, Message
    from memstrata.intake.notes import Notes, Place
    from memstrata.intake.options import Options
    from memstrata.intake.times import TimeReader
    from memstrata.model import Json

_ASSISTANT: Final = Speaker(id="assistant", role=Role.ASSISTANT)
_USER: Final = Speaker(id="user", role=Role.USER)
_TIME_KEYS: Final = ("created_at", "timestamp", "createdAt", "create_time")
_NOT_SAID: Final = frozenset({"system", "developer"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """Messages that belong together.

    `place` is that of the list, `places` are those of the messages where each stands by itself. `key` is
    the conversation's own id, `saga` what the drafts carry. The first `seen` messages were imported with an
    earlier record; `offset` is the index of the first one in its saga.
    """

    place: Place
    messages: Sequence[Value]
    source: str
    format: str
    saga: str
    key: str | None = None
    time: StatedTime | None = None
    metadata: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    trace_metadata: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    seen: int = 0
    offset: int = 0
    places: tuple[Place, ...] = ()

    def place_of(self, index: int) -> Place:
        """Where a message stands: on a line of its own, or in the list."""
        return self.places[index] if self.places else self.place.within(f"[{index}]")


@dataclass(slots=True, kw_only=True)
class _CallMade:
    """A call, and its result once it is there. Its id may occur again: some logs repeat ids."""

    call: Call
    result: Message | None = None


@dataclass(slots=True, kw_only=True)
class _Run:
    """A run of tool calls, open for results; `last` is the index of the last message that touched it."""

    first: int
    last: int
    message: Message
    time: StatedTime
    time_source: TimeSource
    native: str | None
    steps: list[list[_CallMade]] = field(default_factory=list)

    def trace(self) -> str:
        """The run as a JSON list of messages: each step's calls, then their results in the calls' order."""
        messages: list[Json] = []
        for step in self.steps:
            calls = [made.call.wire() for made in step]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            for made in step:
                if made.result is not None:
                    told = {"role": "tool", "tool_call_id": made.call.id, "content": made.result.text}
                    messages.append(told)
        return dump(messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Turn:
    """A message with words."""

    index: int
    message: Message
    time: StatedTime
    time_source: TimeSource


def drafts_of(
    conversation: Conversation, options: Options, *, notes: Notes, times: TimeReader
) -> Iterator[tuple[Place, Draft]]:
    """The drafts of a conversation in its order; faulty messages are refused by themselves."""
    reader = _Reader(conversation=conversation, options=options, notes=notes, times=times)
    if not reader.has_time():
        mend = "pass --reference-time"
        notes.refuse(conversation.place.fault("no message and no option gives a time", mend=mend))
        return
    for index, given in enumerate(conversation.messages):
        try:
            reader.take(index, given)
        except Misplaced as fault:
            if index >= conversation.seen:
                notes.refuse(fault)
    yield from reader.drafts()


@dataclass(slots=True, kw_only=True)
class _Reader:
    """Goes through one conversation; `entries` keeps turns and runs in the order in which they began."""

    conversation: Conversation
    options: Options
    notes: Notes
    times: TimeReader
    entries: list[_Turn | _Run] = field(default_factory=list)
    open_run: _Run | None = None
    waiting: list[tuple[_CallMade, _Run]] = field(default_factory=list)
    natives: Counter[str] = field(default_factory=Counter)
    clock: StatedTime | None = None

    def has_time(self) -> bool:
        """Whether anything at all says when the conversation was."""
        if self.conversation.time is not None or self.options.reference_time is not None:
            return True
        messages = self.conversation.messages
        return any(isinstance(m, dict) and m.get(key) is not None for m in messages for key in _TIME_KEYS)

    def take(self, index: int, given: Value) -> None:
        """Reads one message into an entry. Raises `Misplaced`."""
        at = self.conversation.place_of(index)
        message = read_message(given, at=at, notes=self.notes, fresh_id=f"call_{index}")
        time, time_source = self._time_of(message, at)
        if message.role in _NOT_SAID:
            self._skip(message.role, index)
        elif message.role in {"tool", "function"}:
            self._add_result(message, index, at)
        else:
            if message.text:
                self.open_run = None
                self.entries.append(_Turn(index=index, message=message, time=time, time_source=time_source))
            if message.calls:
                self._add_calls(message, index, time, time_source)
            elif not message.text:
                self._skip("empty", index)

    def drafts(self) -> Iterator[tuple[Place, Draft]]:
        """The entries that are new, as drafts."""
        user = next((speaker_of(e.message) for e in self.entries if e.message.role == "user"), None)
        for entry in self.entries:
            if isinstance(entry, _Turn):
                speaker = speaker_of(entry.message)
                user = speaker if speaker.role is Role.USER else user
                if entry.index >= self.conversation.seen:
                    addressee = _ASSISTANT if speaker.role is Role.USER else user
                    yield (
                        self.conversation.place_of(entry.index),
                        self._turn_draft(entry, speaker, addressee),
                    )
            elif entry.last >= self.conversation.seen:
                yield self.conversation.place_of(entry.first), self._run_draft(entry)

    def _skip(self, kind: str, index: int) -> None:
        if index >= self.conversation.seen:
            self.notes.skip(kind)

    def _add_calls(self, message: Message, index: int, time: StatedTime, time_source: TimeSource) -> None:
        run = self.open_run
        if run is None:
            native = self._native_of(message)
            run = _Run(
                first=index, last=index, message=message, time=time, time_source=time_source, native=native
            )
            self.open_run = run
            self.entries.append(run)
        step = [_CallMade(call=call) for call in message.calls]
        run.steps.append(step)
        run.last = index
        self.waiting.extend((made, run) for made in step)

    def _native_of(self, message: Message) -> str | None:
        """The id of a run: that of its first call or message, numbered if the conversation repeats it."""
        native = message.calls[0].given_id or (message.id and f"{message.id}:calls")
        if not native:
            return None
        self.natives[native] += 1
        count = self.natives[native]
        return native if count == 1 else f"{native}#{count}"

    def _add_result(self, message: Message, index: int, at: Place) -> None:
        for position, (made, run) in enumerate(self.waiting):
            if _answers(message, made.call):
                del self.waiting[position]
                made.result = message
                run.last = index
                return
        if message.role == "tool":
            problem, step = (
                f"no call before it waits for a result with the id {message.result_of!r}",
                "tool_call_id",
            )
        else:
            problem, step = f"no call of {message.name!r} before it waits for a result", "name"
        raise at.within(step).fault(problem, mend="a result stands after its call")

    def _time_of(self, message: Message, at: Place) -> tuple[StatedTime, TimeSource]:
        for key in _TIME_KEYS:
            value = message.given.get(key)
            if value is not None:
                try:
                    self.clock = self.times.read(value)
                except NotATime as error:
                    raise at.within(key).fault(str(error)) from None
                return self.clock, TimeSource.OWN
        if self.clock is not None:
            return self.clock, TimeSource.INHERITED
        if self.conversation.time is not None:
            return self.conversation.time, TimeSource.RECORD
        if self.options.reference_time is not None:
            return StatedTime(self.options.reference_time.astimezone(UTC)), TimeSource.OPTION
        raise at.fault("neither it nor a message before it has a time", mend="pass --reference-time")

    def _turn_draft(self, turn: _Turn, speaker: Speaker, addressee: Speaker | None) -> Draft:
        return self._draft(
            turn,
            SourceType.MESSAGE,
            content=turn.message.text,
            position=2 * (self.conversation.offset + turn.index),
            native=turn.message.id,
            speaker=speaker,
            addressee=addressee,
        )

    def _run_draft(self, run: _Run) -> Draft:
        return self._draft(
            run,
            SourceType.JSON,
            content=run.trace(),
            position=2 * (self.conversation.offset + run.first) + 1,
            native=run.native,
            speaker=speaker_of(run.message),
            addressee=None,
        )

    def _draft(  # noqa: PLR0913 (the fields in which turns and runs differ)
        self, entry: _Turn | _Run, source_type: SourceType, *, content: str, position: int,
        native: str | None, speaker: Speaker, addressee: Speaker | None,
    ) -> Draft:  # fmt: skip
        told = self.conversation
        native_id = None if native is None or told.key is None else f"{told.format}:{told.key}:{native}"
        return Draft(
            group_id=self.options.group_id,
            source=told.source,
            source_type=source_type,
            content=content,
            reference_time=entry.time.at,
            time_source=entry.time_source,
            saga=told.saga,
            position=position,
            native_id=native_id,
            speaker=speaker,
            addressee=addressee,
            metadata=self._metadata(entry),
        )

    def _metadata(self, entry: _Turn | _Run) -> dict[str, Json]:
        metadata = dict(self.conversation.metadata)
        if isinstance(entry, _Run):
            metadata.update(self.conversation.trace_metadata)
        if entry.time.precision is not Precision.INSTANT:
            metadata["reference_time_precision"] = entry.time.precision.value
        if entry.message.model is not None:
            metadata["model"] = entry.message.model
        if entry.message.attachments:
            metadata["attachments"] = list(entry.message.attachments)
        return metadata


def _answers(result: Message, call: Call) -> bool:
    """Whether it is the call's result: by the id, or in the legacy form, which has none, by the name."""
    return call.id == result.result_of if result.result_of is not None else call.name == result.name


def speaker_of(message: Message) -> Speaker:
    """Who said a message: the account it names, else the user or the assistant."""
    if message.role == "user":
        return _USER if message.name is None else Speaker(id=message.name, name=message.name)
    if message.name is None:
        return _ASSISTANT
    return Speaker(id=message.name, name=message.name, role=Role.ASSISTANT)
