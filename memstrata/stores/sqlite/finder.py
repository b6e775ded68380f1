"""All arms asked at once: words, vectors and names see one state of the file."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memstrata.ports import Candidates, Filters, Subject
from memstrata.stores.sqlite.connection import reading
from memstrata.stores.sqlite.text import SqliteText
from memstrata.stores.sqlite.vectors import SqliteVectors

if TYPE_CHECKING:
    from memstrata.ports import Scope, Sought
    from memstrata.stores.sqlite.connection import Connections

_NAMED = (Subject.FACT, Subject.ENTITY)


class SqliteFinder(SqliteText, SqliteVectors):
    """Search by words, by meaning, and by both at once."""

    def __init__(self, connections: Connections) -> None:
        SqliteText.__init__(self, connections)
        SqliteVectors.__init__(self, connections)

    def find(self, subject: Subject, sought: Sought, scope: Scope, *, limit: int) -> Candidates:
        """At most `limit` hits an arm, as `match`, `nearest` and `named` give them; names are of entities.

        When facts are sought, `names` are the entities that the query calls by name, whether they pass
        the filters or not; of other subjects `names` is empty.
        """
        unfiltered = scope if subject is Subject.ENTITY else replace(scope, filters=Filters())
        with reading(self._connections.here()):
            return Candidates(
                words=self.match(subject, sought.words, scope, limit=limit),
                vectors=()
                if sought.vector is None
                else self.nearest(subject, sought.vector, scope, limit=limit),
                names=self.named(sought.names, unfiltered, limit=limit) if subject in _NAMED else (),
            )
