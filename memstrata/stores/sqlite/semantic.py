"""Summaries and procedures over system time; independent of commits, so a rebuild keeps them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.semantic_codec import dumped, in_order, load_procedure, load_summary
from memstrata.stores.sqlite.connection import fetch, reading, statement, writing
from memstrata.stores.sqlite.rows import OPEN, micros, micros_or

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Procedure, Summary
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
            connection.executemany(statement("drop_summary"), keys)
            connection.executemany(statement("expire_summary"), keys)
            connection.executemany(
                statement("add_summary"),
                [(*key, one.input_hash, dumped(one)) for key, one in zip(keys, summaries, strict=True)],
            )

    def summary(self, group_id: str, entity_id: str, *, at: datetime | None = None) -> Summary | None:
        """The entity's summary as of a system instant (None: the latest); None if there was none."""
        with reading(self._connections.here()) as connection:
            found = fetch(connection, "summary_when", (group_id, entity_id, micros_or(at, _LATEST)))
        return load_summary(found[0][0]) if found else None

    def put_procedures(self, group_id: str, procedures: Sequence[Procedure], at: datetime) -> None:
        """Makes these the group's procedures from `at` on; those not among them end there."""
        instant = micros(at)
        wanted = {one.procedure_id: dumped(one) for one in procedures}
        with writing(self._connections.here()) as connection:
            standing = dict(fetch(connection, "standing_procedures", (group_id,)))
            ending = [(group_id, id_, instant) for id_, body in standing.items() if wanted.get(id_) != body]
            connection.executemany(statement("drop_procedure"), ending)
            connection.executemany(statement("expire_procedure"), ending)
            connection.executemany(
                statement("add_procedure"),
                [
                    (group_id, id_, instant, body)
                    for id_, body in wanted.items()
                    if standing.get(id_) != body
                ],
            )

    def procedures(self, group_id: str, *, at: datetime | None = None) -> tuple[Procedure, ...]:
        """The group's procedures as of a system instant: by support, then length, then id."""
        with reading(self._connections.here()) as connection:
            found = fetch(connection, "procedures_when", (group_id, micros_or(at, _LATEST)))
        return in_order(load_procedure(body) for (body,) in found)
