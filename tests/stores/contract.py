"""What every graph store promises (memstrata/ports), role by role; each store's own tests subclass this."""

from __future__ import annotations

from contract_commits import CommitContract
from contract_filters import FilterContract
from contract_groups import GroupContract
from contract_neighbourhood import NeighbourhoodContract
from contract_passages import PassageContract
from contract_reading import ReadingContract
from contract_semantic import SemanticContract
from contract_vectors import VectorContract
from contract_words import WordContract
from contract_world import MODEL, NOW, asked, embed, everything, unit

__all__ = ["MODEL", "NOW", "GraphStoreContract", "asked", "embed", "everything", "unit"]


class GraphStoreContract(
    CommitContract,
    NeighbourhoodContract,
    WordContract,
    VectorContract,
    ReadingContract,
    FilterContract,
    PassageContract,
    SemanticContract,
    GroupContract,
):
    """Subclasses have a fixture `store`: an empty graph."""
