"""What the record index takes and gives, as values; bodies are records as JSON, which it does not read."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

#: (group id, episode id)
EpisodeKey = tuple[str, str]

#: Days as `day_number` counts them, the second exclusive.
DayRange = tuple[int, int]

#: The position of a turn without one: after all that have one.
NO_POSITION: Final = 2**63 - 1

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FIRST_DAY: Final = _EPOCH.date().toordinal()


def ticks_of(instant: datetime) -> int:
    """Microseconds since 1970, UTC."""
    return (instant - _EPOCH) // _MICROSECOND


def instant_of(ticks: int) -> datetime:
    """The instant that `ticks_of` counted."""
    return _EPOCH + ticks * _MICROSECOND


def day_number(day: date) -> int:
    """Days since 1970."""
    return day.toordinal() - _FIRST_DAY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a turn stands in its saga."""

    group_id: str
    saga: str
    position: int
    reference: int
    episode_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The latest revision of an episode, as the index knows it; `withdrawn` is the latest retracted one."""

    revision: int
    content_hash: str
    withdrawn: int
    place: Place | None
    row: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """One revision, about to be registered."""

    key: EpisodeKey
    revision: int
    content_hash: str
    day: int
    saga: str | None
    position: int
    reference: int
    body: bytes

    @property
    def place(self) -> Place | None:
        """Where it stands in its saga; None without one."""
        if self.saga is None:
            return None
        return Place(self.key[0], self.saga, self.position, self.reference, self.key[1])


@dataclass(frozen=True, slots=True, kw_only=True)
class PromotionRow:
    """That a version comes into force for the episodes accepted on some days."""

    version: str
    days: DayRange


@dataclass(frozen=True, slots=True)
class VersionRow:
    """What a group has of one extractor version, counted in episodes; days as numbers."""

    version: str
    kept: int
    in_force: int
    committed: int
    failed: int
    first_day: int
    last_day: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    """One decision, about to be registered.

    `switch` is what it changes of the versions in force: a promotion, or the id of the one it takes back.
    """

    group_id: str
    decision_id: str
    kind: str
    day: int
    body: bytes
    switch: PromotionRow | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitRow:
    """One commit, about to be registered."""

    group_id: str
    seq: int
    episodes: tuple[tuple[str, int, str, str], ...]
    decisions: tuple[str, ...]
    body: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionRow:
    """One extraction of the episode in row `head`, about to be registered.

    `seen` is the number that its episode bore in the queue when it was handed out: if that has changed
    since, the episode still awaits extraction. One of a candidate is negative: `candidate(asked)`, where
    `asked` is the number of the compaction that had asked last for the episode's extraction.
    """

    head: int
    seen: int
    revision: int
    context_hash: str
    version: str
    body: bytes = b""
    failed: bool = False

    @property
    def is_candidate(self) -> bool:
        """Whether it is kept beside what is in force."""
        return self.seen < 0

    @property
    def asked(self) -> int:
        """The number of the compaction that asked for it; 0 if that is not known."""
        return -1 - self.seen if self.is_candidate else self.seen


def candidate(asked: int) -> int:
    """What stands for the number in the queue where a candidate is kept: below zero, and told apart."""
    return -1 - asked


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A failure of a stage; `at` is the time as its log writes it."""

    key: EpisodeKey
    revision: int
    stage: str
    reason: str
    at: str
    attempts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An episode of some id, in one of the groups that have one."""

    group_id: str
    row: int
    awaiting: int
    asked: int
    day: date


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one compaction registers, all in one transaction.

    `episodes` are in order of acceptance; `withdrawn` names the latest retracted revisions; `known` is what
    the index said before of all that are concerned. `again`: all this was registered once.
    """

    number: int
    parts: tuple[str, ...]
    sources: tuple[str, ...]
    context_turns: int
    episodes: tuple[EpisodeRow, ...] = ()
    withdrawn: Mapping[EpisodeKey, int] = field(default_factory=dict)
    decisions: tuple[DecisionRow, ...] = ()
    known: dict[EpisodeKey, Head] = field(default_factory=dict)
    again: bool = False


def day_of(number: int) -> date:
    """The day that `day_number` counted."""
    return date.fromordinal(number + _FIRST_DAY)
