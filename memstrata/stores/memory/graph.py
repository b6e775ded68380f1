"""All roles of the graph behind one object."""

from __future__ import annotations

from typing import Self

from memstrata.stores.memory.exporting import MemoryExporter
from memstrata.stores.memory.neighbourhood import MemoryNeighbourhood
from memstrata.stores.memory.projecting import MemoryProjector
from memstrata.stores.memory.reading import MemoryReader
from memstrata.stores.memory.searching import MemorySearch
from memstrata.stores.memory.semantic import MemorySemantic
from memstrata.stores.without_cypher import WithoutCypher


class MemoryGraph(
    MemoryNeighbourhood,
    MemoryProjector,
    MemorySearch,
    MemoryReader,
    MemoryExporter,
    MemorySemantic,
    WithoutCypher,
):
    """The graph in one process's memory, for one thread at a time.

    Everything is found by looking at everything, so that what a role promises can be read off the code.
    """

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
