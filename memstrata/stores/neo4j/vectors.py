"""Vectors: kept on what they are of, in the model's full precision; looked for in `finder`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import numpy as np

from memstrata.ports import VectorModel
from memstrata.stores.neo4j import vector_indexes
from memstrata.stores.neo4j.connection import run, statement
from memstrata.stores.vector_tables import PLURAL, expect_model, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import neo4j

    from memstrata.ports import Handle, Subject, Vectors
    from memstrata.stores.neo4j.connection import Connection

#: Vectors that one transaction writes: 1,000 of 384 dimensions are 3.5 MB on the way.
_BATCH: Final = 1_000
#: For how long a model that was seen is taken for the one that is stored.
SEEN_SECONDS: Final = 1.0
_FORGOTTEN: Final = (
    "facts", "facts_ended", "entities", "entities_ended", "episodes", "episodes_ended", "summaries",
    "procedures", "model",
)  # fmt: skip


class _NothingWrittenError(Exception):
    """Undoes a transaction that would have left a model without vectors."""


class SeenModel:
    """The model of the stored vectors as it was seen last, for `SEEN_SECONDS`: a search asks for it first.

    Each search by vector sees it anew. "None are stored" is never remembered.
    """

    def __init__(self) -> None:
        self._seen: tuple[VectorModel, float] | None = None

    def see(self, model: VectorModel | None) -> None:
        """Remembers it from now on; None forgets."""
        self._seen = None if model is None else (model, time.monotonic())

    def recent(self) -> VectorModel | None:
        """The model, if it was seen just now."""
        seen = self._seen
        return seen[0] if seen and time.monotonic() - seen[1] < SEEN_SECONDS else None


class Neo4jVectors:
    """See `ports.VectorIndex`."""

    def __init__(self, connection: Connection, seen: SeenModel) -> None:
        self._connection = connection
        self._seen = seen

    def model(self) -> VectorModel | None:
        """The model of the vectors stored; None while there are none.

        What another process changes is noticed by the next search, within a second at the latest.
        """
        return self._seen.recent() or self._stored_model()

    def _stored_model(self) -> VectorModel | None:
        found = self._connection.fetch("vectors/model")
        model = VectorModel(**found[0]) if found else None
        self._seen.see(model)
        return model

    def without_vector(self, subject: Subject, *, limit: int) -> tuple[tuple[Handle, str], ...]:
        """Texts that have no vector yet, oldest first, each with the handle that `put` takes for it."""
        found = self._connection.fetch(f"vectors/await_{PLURAL[subject]}", limit=limit)
        return tuple((row["handle"], row["text"]) for row in found)

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle; handles that are gone by now are passed over.

        The first makes the indexes. Raises `Conflict` if vectors of another model or dimension are stored,
        or a row is zero.
        """
        table = table_of(model, handles, vectors)
        stored = self._stored_model()
        expect_model(stored, model)
        rows = [
            {"handle": handle, "vector": vector}
            for handle, vector in zip(handles, table.tolist(), strict=True)
        ]
        for start in range(0, len(rows), _BATCH):
            self._put(subject, model, rows[start : start + _BATCH])
        if stored is None:
            vector_indexes.make_ready(self._connection)

    def _put(self, subject: Subject, model: VectorModel, rows: list[dict[str, object]]) -> None:
        def write(transaction: neo4j.ManagedTransaction) -> None:
            given = {"model": model.name, "dimension": model.dimension, "engine": model.engine}
            expect_model(VectorModel(**run(transaction, "vectors/set_model", **given)[0]), model)
            written = run(transaction, f"vectors/put_{PLURAL[subject]}", rows=rows)
            if not written[0]["written"]:
                raise _NothingWrittenError

        try:
            self._connection.write(write)
        except _NothingWrittenError:
            return

    def vectors_of(self, subject: Subject, handles: Sequence[Handle]) -> Mapping[Handle, Vectors]:
        """The stored vectors of what was found, each of shape (dimension,); of an episode the first."""
        if not handles:
            return {}
        found = self._connection.fetch(f"vectors/of_{PLURAL[subject]}", handles=list(handles))
        return {row["handle"]: np.asarray(row["vector"], np.float32) for row in found}

    def forget(self) -> None:
        """Drops all vectors (before another model's are put)."""
        try:
            for name in _FORGOTTEN:
                self._connection.execute(statement(f"vectors/forget_{name}"))
        finally:
            self._seen.see(None)
