"""Summaries and procedures over system time; independent of commits, so a rebuild keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports import Subject
from memstrata.stores.records import OPEN, micros, micros_or
from memstrata.stores.searched import text_of
from memstrata.stores.semantic_codec import dumped, in_order, load_procedure, load_summary
from memstrata.stores.sqlite.connection import fetch, fetch_each, integers, reading, writing
from memstrata.stores.sqlite.indexing import indexed
from memstrata.stores.sqlite.scopes import rows_of
from memstrata.stores.sqlite.terms import next_row
from memstrata.stores.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    import apsw

    from memstrata.model import Procedure, Summary
    from memstrata.ports import Handle
    from memstrata.stores.sqlite.connection import Connections

_LATEST = OPEN - 1


class SqliteSemantic:
    """What consolidation has made of the facts."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def summary_hashes(self, group_id: str) -> Mapping[str, str]:
        """The input hash of each entity's latest summary, by entity id."""
        with reading(self._connections.here()) as connection:
            return dict(fetch(connection, "summary_hashes", (group_id,)))

    def put_summaries(self, summaries: Sequence[Summary]) -> None:
        """Makes each the entity's latest, from its `created_at` on; all or none."""
        keys = [(one.group_id, one.entity_id, micros(one.created_at)) for one in summaries]
        with writing(self._connections.here()) as connection:
            for key, one in zip(keys, summaries, strict=True):
                _drop(connection, Subject.SUMMARY, fetch(connection, "drop_summary", key))
                fetch(connection, "expire_summary", key)
                ((row,),) = fetch(connection, "add_summary", (*key, one.input_hash, dumped(one)))
                index_row(
                    connection, Subject.SUMMARY, semantic_key(connection, one.group_id), row, text_of(one)
                )

    def summaries_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Summary]:
        """The summaries of those handles (of `match` and `nearest`); unknown ones are absent."""
        return {row: load_summary(body) for row, body in self._bodies("summaries_at", handles)}

    def procedures_at(self, handles: Sequence[Handle]) -> Mapping[Handle, Procedure]:
        """The procedures of those handles."""
        return {row: load_procedure(body) for row, body in self._bodies("procedures_at", handles)}

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""
        with reading(self._connections.here()) as connection:
            found = fetch(connection, "summary_when", (group_id, entity_id, micros_or(at, _LATEST)))
        return load_summary(found[0][0]) if found else None

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""
        instant = micros(at)
        wanted = {one.procedure_id: (dumped(one), one) for one in procedures}
        with writing(self._connections.here()) as connection:
            standing = dict(fetch(connection, "standing_procedures", (group_id,)))
            same = {id_ for id_, body in standing.items() if id_ in wanted and wanted[id_][0] == body}
            ending = [(group_id, id_, instant) for id_ in standing if id_ not in same]
            _drop(connection, Subject.PROCEDURE, fetch_each(connection, "drop_procedure", ending))
            fetch_each(connection, "expire_procedure", ending)
            key = semantic_key(connection, group_id)
            for id_, (body, one) in wanted.items():
                if id_ not in same:
                    ((row,),) = fetch(connection, "add_procedure", (group_id, id_, instant, body))
                    index_row(connection, Subject.PROCEDURE, key, row, text_of(one))

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
        with reading(self._connections.here()) as connection:
            found = fetch(connection, "procedures_when", (group_id, micros_or(at, _LATEST)))
        return in_order(load_procedure(body) for (body,) in found)

    def _bodies(self, name: str, handles: Sequence[Handle]) -> list[Any]:
        wanted = integers(rows_of(handles))
        return [] if wanted is None else fetch(self._connections.here(), name, (wanted,))


def semantic_key(connection: apsw.Connection, group_id: str) -> int:
    """The integer of a group of summaries and procedures, added if it is new."""
    found = fetch(connection, "semantic_group", (group_id,))
    return int((found or fetch(connection, "add_semantic_group", (group_id,)))[0][0])


def index_row(connection: apsw.Connection, subject: str, group_key: int, row: int, text: str) -> None:
    """Makes a summary or procedure findable by its words, and asks for its vector; not without words."""
    if not text.strip():
        return
    fetch(connection, f"add_{subject}_words", (row, indexed(group_key, words(text))))
    passage = next_row(connection, "passage")
    fetch(connection, "add_passage", (passage, group_key, subject, row, 0, 0, 0, None))


def _drop(connection: apsw.Connection, subject: Subject, rows: Iterable[Sequence[int]]) -> None:
    """Takes what was deleted out of every index."""
    for (row,) in rows:
        fetch(connection, f"drop_{subject}_words", (row,))
        for _, passage, _ in fetch(connection, f"passage_of_{subject}", (row,)):
            fetch(connection, "drop_vector", (passage,))
            fetch(connection, "drop_passage", (passage,))
