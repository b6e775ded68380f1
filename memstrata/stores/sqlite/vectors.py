"""Vectors: kept as float32 BLOBs, one a passage; searched in a cache of this process (`vector_cache`)."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memstrata.errors import Conflict
from memstrata.ports import Hit, Subject, VectorModel
from memstrata.stores.sqlite import rows, scopes
from memstrata.stores.sqlite.applying_sources import text_of
from memstrata.stores.sqlite.connection import fetch, fetch_each, reading, writing
from memstrata.stores.sqlite.vector_cache import GroupVectors

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from memstrata.ports import Handle, Scope, Vectors
    from memstrata.stores.sqlite.connection import Connections

#: Rows of all groups that stay in memory together (1.6 kB each at 384 dimensions); one group always may.
_CACHED_ROWS: Final = 400_000
_PLURAL: Final = {Subject.FACT: "facts", Subject.ENTITY: "entities", Subject.EPISODE: "episodes"}


class SqliteVectors:
    """Nearest neighbours by cosine, within a scope."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._lock = threading.Lock()
        self._cached: OrderedDict[tuple[int, str, str], GroupVectors] = OrderedDict()

    def model(self) -> VectorModel | None:
        """The model of the vectors stored; None while there are none."""
        return _stored_model(self._connections.here())

    def without_vector(self, subject: Subject, *, limit: int) -> tuple[tuple[Handle, str], ...]:
        """Handles and texts that have no vector yet, oldest first."""
        found = fetch(self._connections.here(), f"{_PLURAL[subject]}_without_vector", (limit,))
        if subject is Subject.EPISODE:
            return tuple((row[0], text_of(rows.episode(row[1:]))) for row in found)
        return tuple((handle, text) for handle, text in found)

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle; handles that are not there any more are passed over.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """
        table = _checked(model, handles, vectors)
        with writing(self._connections.here()) as connection:
            _expect_model(_stored_model(connection), model)
            if not handles:
                return
            given = {"name": model.name, "dimension": model.dimension, "engine": model.engine}
            fetch(connection, "set_setting", ("vector_model", json.dumps(given)))
            found = fetch_each(connection, f"passage_of_{subject}", ((handle,) for handle in handles))
            passages = {handle: (passage, group_key) for handle, passage, group_key in found}
            kept = [
                (*passages[handle][::-1], str(subject), model.engine, row.tobytes())
                for handle, row in zip(handles, table, strict=True)
                if handle in passages
            ]
            fetch_each(connection, "put_vector", kept)
            fetch_each(connection, "mark_embedded", ((row[1],) for row in kept))

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by cosine, best first, ties by handle; exact up to 4,000 in scope.

        Pending episodes have no vectors. Raises `Conflict` for a vector of another dimension.
        """
        asked = np.ascontiguousarray(vector, np.float32).reshape(-1)
        times = scopes.times_of(scope)
        hits: list[Hit] = []
        with self._lock, reading(self._connections.here()) as connection:
            model = _stored_model(connection)
            if model is None:
                return ()
            if model.dimension != asked.size:
                raise Conflict(
                    f"the vector has {asked.size} dimensions, those stored have {model.dimension} "
                    f"({model.name}); ask with that model"
                )
            for group_key in scopes.group_keys(connection, scope.groups):
                cache = self._cache(connection, group_key, subject, model)
                hits += [Hit(*found) for found in cache.nearest(asked, times, limit)]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.handle))[:limit])

    def forget(self) -> None:
        """Drops all vectors (before another model's are put)."""
        with writing(self._connections.here()) as connection:
            for name in ("forget_vectors", "forget_embedded", "forget_model"):
                fetch(connection, name)
            fetch(connection, "next_epoch")

    def _cache(
        self, connection: apsw.Connection, group_key: int, subject: Subject, model: VectorModel
    ) -> GroupVectors:
        epoch = fetch(connection, "setting", ("vector_epoch",))
        key = (group_key, str(subject), epoch[0][0] if epoch else "0")
        cache = self._cached.get(key)
        if cache is None:
            cache = self._cached[key] = GroupVectors(group_key, str(subject), model.dimension)
        self._cached.move_to_end(key)
        cache.refresh(connection)
        while len(self._cached) > 1 and sum(map(len, self._cached.values())) > _CACHED_ROWS:
            self._cached.popitem(last=False)
        return cache


def _stored_model(connection: apsw.Connection) -> VectorModel | None:
    found: list[Any] = fetch(connection, "vector_model")
    return VectorModel(**json.loads(found[0][0])) if found else None


def _expect_model(stored: VectorModel | None, given: VectorModel) -> None:
    """Engines may differ: the same model on another engine gives vectors of the same space."""
    if stored and (stored.name, stored.dimension) != (given.name, given.dimension):
        raise Conflict(
            f"vectors of {stored.name} ({stored.dimension} dimensions) are stored, vectors of {given.name} "
            f"({given.dimension}) were given; drop the stored ones (forget), then embed everything again"
        )


def _checked(model: VectorModel, handles: Sequence[Handle], vectors: Vectors) -> Vectors:
    table = np.ascontiguousarray(vectors, np.float32).reshape(len(handles), -1) if handles else vectors
    if len(handles) and table.shape[1] != model.dimension:
        raise Conflict(
            f"the vectors have {table.shape[1]} dimensions, {model.name} is said to have {model.dimension}"
        )
    lengths = np.linalg.norm(table, axis=1) if len(handles) else np.ones(0)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        wrong = int(np.flatnonzero(~(np.isfinite(lengths) & (lengths > 0)))[0])
        raise Conflict(f"vector {wrong} of {len(handles)} is zero or not finite: it has no direction")
    return table
