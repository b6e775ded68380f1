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
from memstrata.intake.messages import read_message
from memstrata.intake.times import NotATime
from memstrata.intake.turns import CallMade, Run, Turn
from memstrata.model import Draft, Role, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memstrata.intake.json_text import Value
    from memstrata.intake.messages import Message
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
    the conversation's own id, `saga` what the drafts carry; where it `goes_on`, other records continue it.
    The first `seen` messages were read in an earlier record; `offset` is the index of the first one in its
    saga.
    """

    place: Place
    messages: Sequence[Value]
    source: str
    format: str
    saga: str
    key: str | None = None
    goes_on: bool = False
    time: StatedTime | None = None
    metadata: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    trace_metadata: Mapping[str, Json] = field(default_factory=lambda: MappingProxyType({}))
    seen: int = 0
    offset: int = 0
    places: tuple[Place, ...] = ()

    def place_of(self, index: int) -> Place:
        """Where a message stands: on a line of its own, or in the list."""
        return self.places[index] if self.places else self.place.within(f"[{index}]")


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
    entries: list[Turn | Run] = field(default_factory=list)
    open_run: Run | None = None
    waiting: list[tuple[CallMade, Run]] = field(default_factory=list)
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
                self.entries.append(Turn(first=index, message=message, time=time, time_source=time_source))
            if message.calls:
                self._add_calls(message, index, time, time_source)
            elif not message.text:
                self._skip("empty", index)

    def drafts(self) -> Iterator[tuple[Place, Draft]]:
        """The entries that are new, as drafts. The assistant speaks to the user who spoke last."""
        user = next((speaker_of(e.message) for e in self.entries if e.message.role == "user"), None)
        for entry in self.entries:
            speaker = speaker_of(entry.message)
            user = speaker if speaker.role is Role.USER else user
            if entry.last >= self.conversation.seen:
                addressee = _ASSISTANT if speaker.role is Role.USER else user
                yield self.conversation.place_of(entry.first), self._draft(entry, speaker, addressee)

    def _skip(self, kind: str, index: int) -> None:
        if index >= self.conversation.seen:
            self.notes.skip(kind)

    def _add_calls(self, message: Message, index: int, time: StatedTime, time_source: TimeSource) -> None:
        run = self.open_run
        if run is None:
            native = self._native_of(message)
            run = Run(
                first=index, last=index, message=message, time=time, time_source=time_source, native=native
            )
            self.open_run = run
            self.entries.append(run)
        step = [CallMade(call=call) for call in message.calls]
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
            if made.is_answered_by(message):
                del self.waiting[position]
                made.result = message
                run.last = index
                return
        if message.role == "tool":
            at, called = at.within("tool_call_id"), f"with the id {message.result_of!r}"
        else:
            at, called = at.within("name"), f"of {message.name!r}"
        raise at.fault(f"no call {called} waits for a result", mend="a result stands after its call")

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

    def _draft(self, entry: Turn | Run, speaker: Speaker, addressee: Speaker | None) -> Draft:
        told = self.conversation
        has_id = told.key is not None and entry.native is not None
        return Draft(
            group_id=self.options.group_id,
            source=told.source,
            source_type=entry.source_type,
            content=entry.content(),
            reference_time=entry.time.at,
            time_source=entry.time_source,
            saga=told.saga,
            position=2 * told.offset + entry.order,
            native_id=f"{told.format}:{told.key}:{entry.native}" if has_id else None,
            speaker=speaker,
            addressee=addressee if entry.source_type is SourceType.MESSAGE else None,
            metadata=self._metadata(entry),
        )

    def _metadata(self, entry: Turn | Run) -> dict[str, Json]:
        metadata = dict(self.conversation.metadata)
        if isinstance(entry, Run):
            metadata.update(self.conversation.trace_metadata)
        if entry.time.precision is not Precision.INSTANT:
            metadata["reference_time_precision"] = entry.time.precision.value
        if entry.message.model is not None:
            metadata["model"] = entry.message.model
        if entry.message.attachments:
            metadata["attachments"] = list(entry.message.attachments)
        return metadata


def speaker_of(message: Message) -> Speaker:
    """Who said a message: the account it names, else the user or the assistant."""
    if message.role == "user":
        return _USER if message.name is None else Speaker(id=message.name, name=message.name)
    if message.name is None:
        return _ASSISTANT
    return Speaker(id=message.name, name=message.name, role=Role.ASSISTANT)
