"""How far readers are behind the door: what waits for which stage, and how long the last commits took."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from memstrata.ports import SWITCHES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from memstrata.ports import Installation

#: Of each group's last commits as many are looked at as took in so many episodes together.
_EPISODES: Final = 500
_COMMITS: Final = 50
_NO_TIME: Final = timedelta()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What waits for one stage, and for how long the oldest has waited since it was accepted."""

    name: str
    waiting: int
    oldest: timedelta | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lag:
    """The stages in order; and from acceptance to commit, of the `episodes` committed last.

    Of what waits for a vector it is not known since when.
    """

    stages: tuple[Stage, ...]
    episodes: int = 0
    p50: timedelta | None = None
    p95: timedelta | None = None


def lag_of(installation: Installation) -> Lag:
    """The lag now, over all groups."""
    now = installation.clock.now()
    backlog = installation.record.backlog()
    queues = (
        ("compaction", backlog.compaction),
        ("extraction", backlog.extraction),
        ("commit", backlog.commit),
    )
    stages = [
        Stage(
            name=name,
            waiting=queue.count,
            oldest=None if queue.since is None else max(now - queue.since, now - now),
        )
        for name, queue in queues
    ]
    if installation.embedder is not None:
        counts = installation.graph.counts()
        stages.append(Stage(name="vectors", waiting=sum(one.facts_without_vector for one in counts)))
    times = sorted(
        time for group_id in installation.record.groups() for time in last_lags(installation, group_id)
    )
    return Lag(
        stages=tuple(stages),
        episodes=len(times),
        p50=_quantile(times, 0.5),
        p95=_quantile(times, 0.95),
    )


def last_lags(
    installation: Installation, group_id: str, *, after: int | None = None
) -> Iterator[timedelta]:
    """From acceptance to commit, of the episodes that the group's last commits took in.

    With `after`, of all commits after that `seq`. An episode that was taken in again counts from its own
    acceptance only in the first commit that has its revision. Left out are those committed at an instant
    before their acceptance (an import keeps the instants of the memory that it comes from), and those with
    another extractor version promoted or taken back in between: most of them are taken in anew.
    """
    record = installation.record
    since = max(0, installation.graph.last_seq(group_id) - _COMMITS) if after is None else after
    first: dict[tuple[str, int], datetime] = {}
    for commit in record.commits(group_id, after=since):
        for one in commit.episodes:
            first.setdefault((one.episode_id, one.revision), commit.instant)
    switched = [one.at for _, one in record.committed_decisions(group_id, SWITCHES)]
    wanted = list(first)[-_EPISODES:] if after is None else list(first)
    for episode in record.episodes(group_id, wanted):
        committed = first[episode.episode_id, episode.revision]
        lag = committed - episode.ingested_at
        if lag >= _NO_TIME and not any(episode.ingested_at < at <= committed for at in switched):
            yield lag


def _quantile(ordered: Sequence[timedelta], share: float) -> timedelta | None:
    """The nearest rank."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None
