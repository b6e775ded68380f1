"""Summaries and procedures of the reference store: rows over system time, apart from the projection."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from memstrata.ports import Subject
from memstrata.stores.memory.rows import Kept, now_standing
from memstrata.stores.searched import text_of
from memstrata.stores.semantic_codec import in_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Procedure, Summary
    from memstrata.ports import Handle
    from memstrata.stores.memory.rows import Row

_T = TypeVar("_T")
_S = TypeVar("_S", "Summary", "Procedure")


class MemorySemantic(Kept):
    """See `ports.SemanticMemory`."""

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""
        latest = (row.value for row in now_standing(self._summaries.get(group_id, [])))
        return {one.entity_id: one.input_hash for one in latest}

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on; all or none."""
        for one in summaries:
            rows = self._summaries.setdefault(one.group_id, [])
            others = [row for row in rows if row.value.entity_id != one.entity_id]
            before = [row for row in rows if row.value.entity_id == one.entity_id]
            rows[:] = [*others, *_ended(before, one.created_at), self._made(one, one.created_at)]

    def summaries_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Summary]:
        """The summaries of those handles; unknown ones are absent."""
        rows = self._everywhere(Subject.SUMMARY)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def procedures_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Procedure]:
        """The procedures of those handles."""
        rows = self._everywhere(Subject.PROCEDURE)
        return {row.handle: row.value for row in rows if row.handle in handles}

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""
        rows = self._summaries.get(group_id, [])
        found = [row.value for row in rows if row.value.entity_id == entity_id and row.stands(at)]
        return found[0] if found else None

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""
        wanted = {one.procedure_id: one for one in procedures}
        rows = self._procedures.setdefault(group_id, [])
        kept = [row for row in now_standing(rows) if wanted.get(row.value.procedure_id) == row.value]
        staying = {row.value.procedure_id for row in kept}
        ended = _ended([row for row in rows if row not in kept], at)
        new = [self._made(one, at) for name, one in wanted.items() if name not in staying]
        rows[:] = [*ended, *kept, *new]

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
        return in_order(row.value for row in self._procedures.get(group_id, []) if row.stands(at))

    def _made(self, value: _S, created_at: datetime) -> Row[_S]:
        text = text_of(value)
        return self._row(value, self._passages([(text, text)] if text else []), created_at)


def _ended(rows: Iterable[Row[_T]], at: datetime) -> list[Row[_T]]:
    """Rows that stand no more from then on: those that began no earlier never stood."""
    return [
        row if row.expired_at is not None else replace(row, expired_at=at)
        for row in rows
        if row.expired_at is not None or (row.created_at is not None and row.created_at < at)
    ]
