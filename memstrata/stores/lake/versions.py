"""Extractor versions as readers of the record get them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports.promoting import Coverage, KeptVersion
from memstrata.stores.lake.codec import load_episode, load_extraction
from memstrata.stores.lake.rows import day_range
from memstrata.stores.sqlite.record_rows import day_of

if TYPE_CHECKING:
    from memstrata.ports.promoting import Promotable, Promotion
    from memstrata.stores.sqlite.record_index import RecordIndex


def kept_versions(index: RecordIndex, group_id: str) -> tuple[KeptVersion, ...]:
    """See `ports.ExtractionLog.versions`."""
    return tuple(
        KeptVersion(
            version=row.version,
            kept=row.kept,
            in_force=row.in_force,
            committed=row.committed,
            failed=row.failed,
            first_day=day_of(row.first_day),
            last_day=day_of(row.last_day),
        )
        for row in index.versions.versions(group_id)
    )


def coverage(index: RecordIndex, group_id: str, promotion: Promotion) -> Coverage:
    """See `ports.ExtractionLog`."""
    ready, in_force, failed, waiting, lacking = index.versions.coverage(
        group_id, promotion.version, day_range(promotion.days)
    )
    return Coverage(ready=ready, in_force=in_force, failed=failed, waiting=waiting, lacking=lacking)


def promotable(
    index: RecordIndex, group_id: str, promotion: Promotion, *, after: int, limit: int
) -> tuple[Promotable, ...]:
    """See `ports.ExtractionLog`."""
    found = index.versions.promotable(
        group_id, promotion.version, day_range(promotion.days), after=after, limit=limit
    )
    return tuple((place, load_episode(one), load_extraction(taken)) for place, one, taken in found)
