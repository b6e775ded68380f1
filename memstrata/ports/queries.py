"""The graph as somebody sees it who writes queries: what it holds, and rows of a query that may run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memstrata.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Property:
    """A property: how many of those looked at have it, of what types, and a few of its values."""

    name: str
    types: tuple[str, ...]
    count: int
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A label, or a relationship type with the labels that it joins."""

    name: str
    count: int
    properties: tuple[Property, ...]
    joins: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationMeaning:
    """A relation of the memory (`RELATES_TO.name`), as counted and as the ontology declares it."""

    name: str
    count: int
    description: str = ""
    cardinality: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSchema:
    """The live schema of one group; properties are counted and sampled over a thousand of each kind."""

    group_id: str
    labels: tuple[Kind, ...]
    types: tuple[Kind, ...]
    relations: tuple[RelationMeaning, ...] = ()

    def properties_of(self, names: Iterable[str], *, of_nodes: bool) -> frozenset[str]:
        """The properties of those labels or types; of all, for none."""
        wanted = set(names)
        kinds = self.labels if of_nodes else self.types
        return frozenset(
            one.name for kind in kinds if not wanted or kind.name in wanted for one in kind.properties
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What a query answered: whole rows, within the bounds asked for; `is_cut` if there were more.

    `is_too_large` says that it was their size that cut them, and not their number.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Json, ...], ...]
    is_cut: bool = False
    is_too_large: bool = False


class QueryProblem(Exception):
    """What the database says against a query, and at which character of it, as far as it says so."""

    def __init__(self, message: str, offset: int | None) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class CypherReader(Protocol):
    """Cypher, where the store has it. Both methods raise `Unsupported` where it has not."""

    def schema(self, group_id: str) -> GraphSchema:
        """What the group holds now, without the store's own bookkeeping; relations without meanings."""

    def run_cypher(
        self, text: str, parameters: Mapping[str, Json], *, limit: int, seconds: float, size: int
    ) -> Rows:
        """Runs a query that was made safe before, in a transaction that cannot write.

        Nodes and relationships come as maps of their properties, without vectors; rows as long as together
        they have at most `size` bytes as JSON. Raises `QueryProblem`
        when the database refuses the query, `Fault` when it took longer or the server is away.
        """
