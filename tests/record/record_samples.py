"""Records to try things with, and a way to look at everything that an index says."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from memstrata.model import (
    By,
    Commit,
    CommittedEpisode,
    Decision,
    DecisionKind,
    Episode,
    Extraction,
    ExtractionStatus,
    SourceType,
    TimeSource,
)

if TYPE_CHECKING:
    from memstrata.stores.lake import Record

START = datetime(2026, 3, 1, 12, tzinfo=UTC)
VERSION = "v1"

_EPISODE = Episode(
    episode_id="",
    revision=0,
    group_id="g",
    source="test",
    source_type=SourceType.TEXT,
    content="",
    reference_time=START,
    time_source=TimeSource.OWN,
    ingested_at=START,
    content_hash="",
)


def episode(
    name: str, content: str = "one", *, second: float = 0, group: str = "g", **more: object
) -> Episode:
    """An episode accepted `second` seconds after the start; its content hash is its content."""
    return replace(
        _EPISODE,
        episode_id=name,
        content=content,
        content_hash=f"hash of {content}",
        group_id=group,
        ingested_at=START + timedelta(seconds=second),
        **more,
    )


def turn(number: int, *, saga: str = "talk", **more: object) -> Episode:
    """The turn of a saga at that position."""
    return episode(f"{saga}-{number}", saga=saga, position=number, **more)


def retraction(
    name: str, *, second: float = 0, group: str = "g", decision_id: str | None = None
) -> Decision:
    """The decision to retract an episode."""
    return Decision(
        decision_id=decision_id or f"retract {name} at {second}",
        group_id=group,
        kind=DecisionKind.RETRACT,
        at=START + timedelta(seconds=second),
        by=By.PERSON,
        who="ann",
        target={"episode_id": name},
    )


def extraction(of: Episode, *, context: str = "c", version: str = VERSION) -> Extraction:
    """An extraction that found nothing."""
    return Extraction(
        episode_id=of.episode_id,
        revision=of.revision,
        context_hash=context,
        version=version,
        status=ExtractionStatus.NOTHING,
        group_id=of.group_id,
    )


def promotion(
    version: str,
    *,
    second: float = 0,
    days: tuple[str | None, str | None] = (None, None),
    group: str = "g",
) -> Decision:
    """The decision to promote a version over some days."""
    return Decision(
        decision_id=f"promote {version} at {second}",
        group_id=group,
        kind=DecisionKind.PROMOTE_EXTRACTOR,
        at=START + timedelta(seconds=second),
        by=By.PERSON,
        who="ann",
        target={"version": version, "since": days[0], "until": days[1]},
    )


def rollback(of: str, *, second: float = 0, group: str = "g") -> Decision:
    """The decision to take a promotion back."""
    return Decision(
        decision_id=f"roll back {of} at {second}",
        group_id=group,
        kind=DecisionKind.ROLLBACK_EXTRACTOR,
        at=START + timedelta(seconds=second),
        by=By.PERSON,
        who="ann",
        target={"decision_id": of},
    )


def commit_of(record: Record, group: str = "g", *, limit: int = 100) -> Commit:
    """The next commit of a group: all that is pending."""
    pending = record.pending(group, limit=limit)
    seq = 1 + max((one.seq for one in record.commits(group)), default=0)
    return Commit(
        seq=seq,
        group_id=group,
        instant=START + timedelta(hours=seq),
        episodes=tuple(
            CommittedEpisode(
                episode_id=one.episode_id,
                revision=one.revision,
                context_hash=found.context_hash,
                version=found.version,
            )
            for one, found in pending.episodes
        ),
        decisions=tuple(one.decision_id for one in pending.decisions),
        extractor_version=pending.episodes[0][1].version if pending.episodes else VERSION,
        ontology_hash="o",
        resolver_version="r",
    )


def extract_all(record: Record, *, context: str = "c") -> list[str]:
    """Keeps an extraction of all that awaits one; their ids, in order."""
    found = record.awaiting(limit=1000)
    record.keep([extraction(one, context=context) for one in found])
    return [one.episode_id for one in found]


def ids(episodes: tuple[Episode, ...]) -> list[str]:
    """The ids, in order."""
    return [one.episode_id for one in episodes]


_QUESTIONS = {
    "heads": """SELECT o.group_id, t.episode_id, t.n, t.revision, t.content_hash, t.day, t.saga, t.position,
        t.reference, t.retracted, t.withdrawn, t.awaiting, t.dead,
        (SELECT revision || context_hash || version FROM extractions WHERE x = t.extracted),
        (SELECT revision || context_hash || version FROM extractions WHERE x = t.committed)
        FROM heads t JOIN groups o ON o.g = t.g ORDER BY 1, 2""",
    "episodes": "SELECT n, revision, day, body FROM episodes ORDER BY n",
    "extractions": """SELECT t.episode_id, x.revision, x.context_hash, x.version, x.body, x.seen = t.asked,
        x.failed FROM extractions x JOIN heads t ON t.h = x.h ORDER BY 1, 2, 3, 4, 5""",
    "promotions": """SELECT s.decision_id, t.episode_id, t.g,
        (SELECT revision || context_hash || version FROM extractions WHERE x = p.before),
        (SELECT revision || context_hash || version FROM extractions WHERE x = p.after)
        FROM promotions p JOIN decisions s ON s.d = p.d JOIN heads t ON t.h = p.h ORDER BY 1, 3, 2""",
    "decisions": """SELECT o.group_id, s.decision_id, s.kind, s.day, s.body, s.seq, s.place
        FROM decisions s JOIN groups o ON o.g = s.g ORDER BY 1, 2""",
    "commits": "SELECT o.group_id, c.seq, c.body FROM commits c JOIN groups o ON o.g = c.g ORDER BY 1, 2",
    "parts": "SELECT path, number FROM parts ORDER BY path",
    "sources": "SELECT source FROM sources ORDER BY source",
    "intended": "SELECT path FROM intended ORDER BY path",
}


def everything(record: Record) -> dict[str, list[tuple[object, ...]]]:
    """All that the index of a record says, row numbers aside."""
    connection = record._index._connections.here()
    return {name: list(connection.execute(question)) for name, question in _QUESTIONS.items()}
