"""Summaries and procedures of the reference store, in plain lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.semantic_codec import in_order

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Procedure, Summary


class MemorySemantic:
    """What consolidation has made of the facts."""

    def __init__(self) -> None:
        self._summaries: dict[tuple[str, str], list[Summary]] = {}
        self._procedures: dict[str, list[tuple[datetime, tuple[Procedure, ...]]]] = {}

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""
        return {
            entity_id: written[-1].input_hash
            for (group, entity_id), written in self._summaries.items()
            if group == group_id
        }

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on."""
        for one in summaries:
            written = self._summaries.setdefault((one.group_id, one.entity_id), [])
            written[:] = [*(before for before in written if before.created_at < one.created_at), one]

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""
        written = self._summaries.get((group_id, entity_id), [])
        return next((one for one in reversed(written) if at is None or one.created_at <= at), None)

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""
        put = self._procedures.setdefault(group_id, [])
        put[:] = [*(before for before in put if before[0] < at), (at, in_order(procedures))]

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
        put = self._procedures.get(group_id, [])
        return next((found for since, found in reversed(put) if at is None or since <= at), ())
