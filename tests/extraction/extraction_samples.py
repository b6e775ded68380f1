from __future__ import annotations

from datetime import UTC, datetime

from memstrata.ids import digest
from memstrata.model import Episode, Role, SourceType, Speaker, TimeSource

NOON = datetime(2025, 7, 24, 12, tzinfo=UTC)
ANA = Speaker(id="u-ana", name="Ana Ribeiro")
BOT = Speaker(id="a-1", name=None, role=Role.ASSISTANT)


def episode(content: str, **changes: object) -> Episode:
    said: dict[str, object] = {
        "episode_id": "e1",
        "revision": 1,
        "group_id": "g",
        "source": "test",
        "source_type": SourceType.TEXT,
        "content": content,
        "reference_time": NOON,
        "time_source": TimeSource.OWN,
        "ingested_at": NOON,
        "content_hash": digest(content),
    }
    return Episode(**(said | changes))  # type: ignore[arg-type]
