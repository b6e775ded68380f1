"""What stores answer that have no Cypher."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from memstrata.errors import Unsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Json

_WHY = (
    "this store has no Cypher; build the graph in Neo4j from the same log (memstrata project --to neo4j) "
    "and set MEMSTRATA_STORE to it. Search, facts, timeline, path and history answer on every store"
)


class WithoutCypher:
    """Refuses queries, and says where they can be asked."""

    def schema(self, group_id: str) -> NoReturn:
        """Raises `Unsupported`."""
        del group_id
        raise Unsupported(_WHY)

    def run_cypher(
        self, text: str, parameters: Mapping[str, Json], *, limit: int, seconds: float, size: int
    ) -> NoReturn:
        """Raises `Unsupported`."""
        del text, parameters, limit, seconds, size
        raise Unsupported(_WHY)
