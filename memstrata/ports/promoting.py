"""What decides which extractor version is in force: its promotion over some days, and taking that back."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import DecisionKind

if TYPE_CHECKING:
    from memstrata.model import Decision, Episode, Extraction, Json

#: The decisions that change what is in force as soon as the record takes them in.
SWITCHES: Final = frozenset({DecisionKind.PROMOTE_EXTRACTOR, DecisionKind.ROLLBACK_EXTRACTOR})


@dataclass(frozen=True, slots=True, kw_only=True)
class Days:
    """Days of acceptance (UTC), `until` exclusive; None: no bound."""

    since: date | None = None
    until: date | None = None

    def __post_init__(self) -> None:
        """Raises `Incorrect` if they hold no day."""
        if self.since is not None and self.until is not None and self.since >= self.until:
            raise Incorrect(
                f"no day from {self.since} until {self.until}, which is exclusive; give a later `until`"
            )

    def __str__(self) -> str:
        """As one says it after "of" or "for"."""
        match self.since, self.until:
            case None, None:
                return "all days"
            case None, until:
                return f"the days before {until}"
            case since, None:
                return f"the days since {since}"
            case since, until:
                return f"the days from {since} until before {until}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """That what is kept of a version comes into force for the episodes of some days."""

    version: str
    days: Days

    def target(self) -> dict[str, Json]:
        """How a decision names it."""
        return {
            "version": self.version,
            "since": _written(self.days.since),
            "until": _written(self.days.until),
        }


@dataclass(frozen=True, slots=True)
class Rollback:
    """That what a promotion put into force is in force no more, where nothing newer has come."""

    decision_id: str

    def target(self) -> dict[str, Json]:
        """How a decision names it."""
        return {"decision_id": self.decision_id}


def switch_of(decision: Decision) -> Promotion | Rollback | None:
    """What a decision of the `SWITCHES` switches; None for any other.

    Raises `Incorrect` for a target that names nothing to switch.
    """
    if decision.kind is DecisionKind.PROMOTE_EXTRACTOR:
        return promotion_of(decision.target)
    if decision.kind is DecisionKind.ROLLBACK_EXTRACTOR:
        return rollback_of(decision.target)
    return None


def promotion_of(target: object) -> Promotion:
    """Reads the target of a promotion; raises `Incorrect` if it is none."""
    match target:
        case {"version": str(version), "since": str() | None as since, "until": str() | None as until} if (
            version
        ):
            return Promotion(version=version, days=Days(since=_day(since), until=_day(until)))
        case _:
            raise Incorrect(
                f"the target of a promotion is {target}; expected version, since and until, the days as "
                "2024-05-01 or null"
            )


def rollback_of(target: object) -> Rollback:
    """Reads the target of a rollback; raises `Incorrect` if it is none."""
    match target:
        case {"decision_id": str(decision_id)} if decision_id:
            return Rollback(decision_id)
        case _:
            raise Incorrect(
                f"the target of a rollback is {target}; expected the decision_id of a promotion"
            )


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError as error:
        raise Incorrect(f"{text!r} is no day; expected one like 2024-05-01") from error


def _written(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How far a version has come with a group's episodes of some days: latest revisions, not retracted.

    Each stands in one of: `in_force`; `ready`, kept and current, so that a promotion brings it into force;
    `failed`, tried in vain, so that it stays as it is; `waiting` for extraction anyway, or a dead letter;
    `lacking`, which has something else in force.
    """

    in_force: int = 0
    ready: int = 0
    failed: int = 0
    waiting: int = 0
    lacking: int = 0

    @property
    def episodes(self) -> int:
        """All of them."""
        return self.in_force + self.ready + self.failed + self.waiting + self.lacking


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptVersion:
    """How many of a group's episodes one extractor version has something for, in their latest revision.

    `in_force`: those whose extraction in force is of this version; `committed`: those for which the graph
    rests on it; `failed`: those that it was tried on in vain. Days are days of acceptance.
    """

    version: str
    kept: int
    in_force: int
    committed: int
    failed: int
    first_day: date
    last_day: date


#: An episode's place in the order of acceptance, the episode, and what would come into force for it.
Promotable = tuple[int, "Episode", "Extraction"]
