"""What tests of the adapter share: a clock that nobody waits by, and a model before a scripted server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memstrata.endpoint import Endpoint
from memstrata.language_models.openai_compatible import Manner, OpenAIModel
from memstrata.language_models.timing import Timing
from memstrata.ports import Prompt

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.language_models.scripted_server import ScriptedServer

KEY = "sk-secret-of-the-tests-123456"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"names": {"type": "array", "items": {"type": "string"}}},
    "required": ["names"],
    "additionalProperties": False,
}
PROMPT = Prompt(system="You read.", user="Tom met Ann.")
AS_JSON = Prompt(system="You read.", user="Tom met Ann.", schema=SCHEMA, name="names")


@dataclass(slots=True, kw_only=True)
class ClockByHand:
    """A clock that sleeping moves; `slept` are the waits, chance always draws the same."""

    now: float = 1_800_000_000.0
    drawn: float = 1.0
    slept: list[float] = field(default_factory=list)

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    @property
    def timing(self) -> Timing:
        return Timing(wall=lambda: self.now, sleep=self.sleep, chance=lambda: self.drawn)


def model_at(
    server: ScriptedServer, folder: Path, *, clock: ClockByHand | None = None, **more: Any
) -> OpenAIModel:
    endpoint = Endpoint(
        url=server.url, key=KEY, tries_again=more.pop("tries_again", 3), seconds=more.pop("seconds", 5.0)
    )
    timing = (clock or ClockByHand()).timing
    return OpenAIModel(more.pop("model", "a-model"), endpoint, folder, manner=Manner(**more), timing=timing)
