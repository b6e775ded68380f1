"""Records as the rows that the index registers."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.ports.promoting import Promotion, switch_of
from memstrata.stores.lake.codec import dump
from memstrata.stores.sqlite.record_rows import (
    NO_POSITION,
    CommitRow,
    DecisionRow,
    EpisodeRow,
    Place,
    PromotionRow,
    day_number,
    ticks_of,
)

if TYPE_CHECKING:
    from datetime import date, datetime

    from memstrata.model import Commit, Decision, Episode
    from memstrata.ports.promoting import Days
    from memstrata.stores.sqlite.record_rows import DayRange

_EVER: Final = 2**40


def utc_day(instant: datetime) -> date:
    """The UTC day of an instant."""
    return instant.astimezone(UTC).date()


def episode_row(episode: Episode) -> EpisodeRow:
    """An episode with its revision, as a row."""
    return EpisodeRow(
        key=(episode.group_id, episode.episode_id),
        revision=episode.revision,
        content_hash=episode.content_hash,
        day=day_number(utc_day(episode.ingested_at)),
        saga=episode.saga,
        position=NO_POSITION if episode.position is None else episode.position,
        reference=ticks_of(episode.reference_time),
        body=dump(episode),
    )


def place_of(episode: Episode) -> Place | None:
    """Where an episode stands in its saga; None without one."""
    if episode.saga is None:
        return None
    position = NO_POSITION if episode.position is None else episode.position
    return Place(
        episode.group_id, episode.saga, position, ticks_of(episode.reference_time), episode.episode_id
    )


def day_range(days: Days) -> DayRange:
    """The days as numbers, those without a bound as ones that no day reaches."""
    return (
        -_EVER if days.since is None else day_number(days.since),
        _EVER if days.until is None else day_number(days.until),
    )


def _switch(decision: Decision) -> PromotionRow | str | None:
    """What the decision switches; nothing if nobody can tell: the log takes in what was decided."""
    try:
        found = switch_of(decision)
    except Incorrect:
        return None
    if isinstance(found, Promotion):
        return PromotionRow(version=found.version, days=day_range(found.days))
    return None if found is None else found.decision_id


def decision_row(decision: Decision) -> DecisionRow:
    """A decision as a row."""
    return DecisionRow(
        group_id=decision.group_id,
        decision_id=decision.decision_id,
        kind=decision.kind.value,
        day=day_number(utc_day(decision.at)),
        body=dump(decision),
        switch=_switch(decision),
    )


def commit_row(commit: Commit) -> CommitRow:
    """A commit as a row."""
    return CommitRow(
        group_id=commit.group_id,
        seq=commit.seq,
        episodes=tuple(
            (one.episode_id, one.revision, one.context_hash, one.version) for one in commit.episodes
        ),
        decisions=commit.decisions,
        body=dump(commit),
    )
