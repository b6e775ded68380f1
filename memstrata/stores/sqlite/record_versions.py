"""Extractor versions in the record index: what each has come to, and which is in force where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memstrata.stores.sqlite.connection import fetch, statement
from memstrata.stores.sqlite.record_rows import PromotionRow, VersionRow

if TYPE_CHECKING:
    import apsw

    from memstrata.stores.sqlite.connection import Connections
    from memstrata.stores.sqlite.record_rows import DayRange, DecisionRow


class VersionTable:
    """Reads of versions; see `ports.ExtractionLog`. Bodies are records as JSON."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def versions(self, group_id: str) -> list[VersionRow]:
        """What the group has extractions of, the latest kept last."""
        return [VersionRow(*row) for row in self._rows("versions", {"g": self._group(group_id)})]

    def coverage(self, group_id: str, version: str, days: DayRange) -> tuple[int, int, int, int, int]:
        """How many episodes are (ready, in force, failed, waiting, lacking)."""
        [row] = self._rows("coverage", self._asked(group_id, version, days))
        ready, in_force, failed, waiting, lacking = row
        return ready, in_force, failed, waiting, lacking

    def standing(self, group_id: str, decision_id: str) -> int:
        """For how many episodes what the promotion put into force still is."""
        wanted = {"g": self._group(group_id), "decision_id": decision_id}
        count: int = self._rows("standing", wanted)[0][0]
        return count

    def lacking(
        self, group_id: str, version: str, days: DayRange, *, after: int, limit: int
    ) -> list[tuple[int, int, int, bytes]]:
        """(place, row, number last asked for, body) of what has nothing current of the version."""
        wanted = self._asked(group_id, version, days) | {"after": after, "limit": limit}
        return self._rows("lacking", wanted)

    def promotable(
        self, group_id: str, version: str, days: DayRange, *, after: int, limit: int
    ) -> list[tuple[int, bytes, bytes]]:
        """(place, episode, extraction) of what a promotion would bring into force."""
        wanted = self._asked(group_id, version, days) | {"after": after, "limit": limit}
        return self._rows("promotable", wanted)

    def _asked(self, group_id: str, version: str, days: DayRange) -> dict[str, Any]:
        since, until = days
        return {"g": self._group(group_id), "version": version, "since": since, "until": until}

    def _group(self, group_id: str) -> int | None:
        found: int | None = self._connections.here().execute(statement("record/group"), (group_id,)).get
        return found

    def _rows(self, name: str, values: dict[str, Any]) -> list[Any]:
        return fetch(self._connections.here(), f"record/{name}", values)


def switch(db: apsw.Connection, g: int, row: DecisionRow, *, again: bool) -> None:
    """Does what a promotion or a rollback asks for, in the transaction of the caller.

    An index that is built `again` leaves failures alone: those of then are gone, others may have come.
    """
    own = {"decision_id": row.decision_id, "g": g}
    if isinstance(row.switch, PromotionRow):
        made = {"d": db.execute(statement("record/decision_row"), own).get}
        since, until = row.switch.days
        asked = {"g": g, "version": row.switch.version, "since": since, "until": until}
        db.execute(statement("record/promote"), made | asked)
        db.execute(statement("record/put_into_force"), made)
        if not again:
            db.execute(statement("record/forget_promoted_failures"), made)
    elif row.switch is not None:
        undone = {"d": db.execute(statement("record/decision_row"), own | {"decision_id": row.switch}).get}
        db.execute(statement("record/roll_back"), undone)
        db.execute(statement("record/hand_down"), undone)
        db.execute(statement("record/forget_promotion"), undone)
