"""What becomes of messages: a turn of words, or a run of tool calls with their results."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from memstrata.intake.json_text import dump
from memstrata.model import SourceType

if TYPE_CHECKING:
    from memstrata.instants import StatedTime
    from memstrata.intake.messages import Call, Message
    from memstrata.model import Json, TimeSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """A message with words, and its index among the messages of its record."""

    source_type: ClassVar = SourceType.MESSAGE

    first: int
    message: Message
    time: StatedTime
    time_source: TimeSource

    @property
    def last(self) -> int:
        """The index of the last message that touched it: its own."""
        return self.first

    @property
    def order(self) -> int:
        """Where it stands in its saga, from the index of the record's first message: always even."""
        return 2 * self.first

    @property
    def native(self) -> str | None:
        """The message's own id."""
        return self.message.id

    def content(self) -> str:
        """The words."""
        return self.message.text


@dataclass(slots=True, kw_only=True)
class CallMade:
    """A call, and its result once it is there. Its id may occur again: some logs repeat ids."""

    call: Call
    result: Message | None = None

    def is_answered_by(self, result: Message) -> bool:
        """Whether it is this call's result: by its id, or in the legacy form without one by the name."""
        if result.result_of is not None:
            return self.call.id == result.result_of
        return self.call.name == result.name


@dataclass(slots=True, kw_only=True)
class Run:
    """A run of tool calls, open for results; `last` is the index of the last message that touched it."""

    source_type: ClassVar = SourceType.JSON

    first: int
    last: int
    message: Message
    time: StatedTime
    time_source: TimeSource
    native: str | None
    steps: list[list[CallMade]] = field(default_factory=list)

    @property
    def order(self) -> int:
        """Where it stands in its saga: after the words of its first message, hence odd."""
        return 2 * self.first + 1

    def content(self) -> str:
        """A JSON list of messages: each step's calls, then their results in the calls' order."""
        messages: list[Json] = []
        for step in self.steps:
            calls = [made.call.wire() for made in step]
            messages.append({"role": "assistant", "content": None, "tool_calls": calls})
            for made in step:
                if made.result is not None:
                    told = {"role": "tool", "tool_call_id": made.call.id, "content": made.result.text}
                    messages.append(told)
        return dump(messages)
