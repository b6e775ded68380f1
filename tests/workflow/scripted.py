"""An extractor whose reply is the episode itself: one statement a line, and what the turn before was about.

Episodes are texts of JSON Lines. The subject `$before` is the first subject of the last turn shown, so that
a late turn changes what the next ones say. Episodes that hold a word of `failing` raise.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from memstrata.extraction.assembly import assemble
from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.extractor import context_hash, shown_context
from memstrata.instants import Precision, StatedTime
from memstrata.model import Draft, Kind, SourceType, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.model import Episode, Extraction, Json, Speaker

START = datetime(2024, 1, 1, tzinfo=UTC)
BEFORE = "$before"


def on(day: int) -> datetime:
    """Midnight so many days after the first."""
    return START + timedelta(days=day)


class RealClock:
    """The time of the machine."""

    def now(self) -> datetime:
        """See `ports.Clock`."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """One statement; `object` is a literal if `is_literal`. Days count from `START`; None: not stated."""

    subject: str
    predicate: str
    object: str
    kind: Kind = Kind.HOLDS
    valid: tuple[int, Precision] | None = None
    invalid: tuple[int, Precision] | None = None
    confidence: float = 1.0
    types: tuple[str | None, str | None] = (None, None)
    attributes: tuple[tuple[str, str], ...] = ()
    is_literal: bool = False

    def line(self) -> str:
        """As an episode holds it."""
        return json.dumps(
            {
                "s": [self.subject, self.types[0], self.attributes],
                "p": self.predicate,
                "o": self.object if self.is_literal else [self.object, self.types[1], ()],
                "k": self.kind,
                "v": self.valid,
                "i": self.invalid,
                "c": self.confidence,
            }
        )


def works(who: str, where: str, kind: Kind = Kind.HOLDS) -> Says:
    """That a person works at an organization."""
    return Says(
        subject=who, predicate="works_at", object=where, kind=kind, types=("person", "organization")
    )


def draft(
    key: str,
    *said: Says,
    day: int,
    group: str = "g",
    saga: str | None = None,
    position: int | None = None,
    speaker: Speaker | None = None,
) -> Draft:
    """An episode that says so, spoken on a day."""
    return Draft(
        group_id=group,
        source="test",
        source_type=SourceType.TEXT,
        content="\n".join(one.line() for one in said) or "{}",
        reference_time=on(day),
        time_source=TimeSource.OWN,
        episode_id=key,
        saga=saga,
        position=position,
        speaker=speaker,
    )


@dataclass(slots=True)
class ScriptedExtractor:
    """Reads what `draft` writes."""

    failing: set[str] = field(default_factory=set)
    version: str = "scripted-1"
    context_turns: int = 2
    at_once: int = 1_000
    calls: int = 0

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """See `ports.Extractor`."""
        for episode, context in items:
            self.calls += 1
            yield self.extract(episode, context)

    def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
        """What one episode says. Raises `ValueError` if it holds a failing word."""
        if any(word in episode.content for word in self.failing):
            raise ValueError("this episode cannot be read")
        shown = shown_context(episode, context, self.context_turns)
        found = (_candidate(line, episode.speaker, shown) for line in episode.content.splitlines())
        return assemble(
            episode,
            [one for one in found if one is not None],
            version=self.version,
            context_hash=context_hash(shown),
        )


def _candidate(line: str, speaker: Speaker | None, shown: Sequence[Episode]) -> Candidate | None:
    said = json.loads(line)
    subject = said.get("s")
    if subject is None or (subject[0] == BEFORE and (subject := _first_subject(shown)) is None):
        return None
    target = said["o"]
    called = target if isinstance(target, str) else target[0]
    return Candidate(
        subject=_name(subject, speaker),
        predicate=said["p"],
        object=target if isinstance(target, str) else _name(target, speaker),
        kind=Kind(said["k"]),
        fact=f"{subject[0]} {said['p']} {called} ({said['k']})",
        valid_at=_time(said["v"]),
        invalid_at=_time(said["i"]),
        confidence=said["c"],
        quote=line,
    )


def _first_subject(shown: Sequence[Episode]) -> list[Any] | None:
    for turn in reversed(shown):
        subject = json.loads(turn.content.splitlines()[0]).get("s")
        if subject is not None and subject[0] != BEFORE:
            return list(subject)
    return None


def _name(said: Sequence[Any], speaker: Speaker | None) -> Name:
    name, kind, attributes = said
    return Name(
        text=name, type=kind, speaker=speaker, attributes={key: (value,) for key, value in attributes}
    )


def _time(said: Json) -> StatedTime | None:
    if not isinstance(said, list):
        return None
    day, precision = said
    return StatedTime(on(int(str(day))), Precision(str(precision)))
