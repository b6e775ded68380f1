"""Vectors: kept as float32 BLOBs, one a passage; searched in a cache of this process (`vector_cache`)."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memstrata.errors import Conflict
from memstrata.ports import Hit, Subject, VectorModel
from memstrata.stores.searched import text_of
from memstrata.stores.semantic_codec import load_procedure, load_summary
from memstrata.stores.sqlite import scopes
from memstrata.stores.sqlite.connection import fetch, fetch_each, integers, reading, writing
from memstrata.stores.sqlite.filtering import Sieve
from memstrata.stores.sqlite.vector_cache import vectors_for
from memstrata.stores.vector_tables import PLURAL, expect_model, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import apsw

    from memstrata.ports import Handle, Scope, Vectors
    from memstrata.stores.sqlite.connection import Connections
    from memstrata.stores.sqlite.scopes import Times
    from memstrata.stores.sqlite.vector_cache import GroupVectors

#: Rows of all groups that stay in memory together (1.6 kB each at 384 dimensions); one group always may.
_CACHED_ROWS: Final = 400_000
#: How many times the limit is looked at first where not everything passes, and how many times more in a
#: large group as long as that promises enough; else everything in scope is asked whether it passes, at half
#: a microsecond each.
_SIFTED: Final = 8
_WIDER: Final = 8
_PROMISED: Final = 2
_LARGE: Final = 60_000


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
        """Texts that have no vector yet, each with the handle that `put` takes for it, oldest first."""
        found = fetch(self._connections.here(), f"{PLURAL[subject]}_without_vector", (limit,))
        if subject is Subject.SUMMARY:
            return tuple((handle, text_of(load_summary(body))) for handle, body in found)
        if subject is Subject.PROCEDURE:
            return tuple((handle, text_of(load_procedure(body))) for handle, body in found)
        return tuple((handle, text) for handle, text in found)

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle; handles that are not there any more are passed over.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """
        table = table_of(model, handles, vectors)
        with writing(self._connections.here()) as connection:
            expect_model(_stored_model(connection), model)
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
            for place in scopes.places(connection, scope, subject):
                cache = self._cache(connection, place.key, subject, model)
                if scope.filters or subject in scopes.SEMANTIC:
                    sieve = Sieve(connection, subject, place.group_id, scope)
                    found = _passing(cache, sieve, asked, times, limit=limit)
                else:
                    found = cache.nearest(asked, times, limit)
                hits += [Hit(*one) for one in found]
        return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.handle))[:limit])

    def vectors_of(self, subject: Subject, handles: Sequence[Handle]) -> Mapping[Handle, Vectors]:
        """The stored vectors of what was found, each of shape (dimension,); what has none is absent.

        Of an episode it is the first passage's.
        """
        some = integers(scopes.rows_of(handles))
        found = [] if some is None else fetch(self._connections.here(), f"vectors_of_{subject}", (some,))
        return {handle: np.frombuffer(vector, np.float32) for handle, vector in found}

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
            cache = self._cached[key] = vectors_for(group_key, subject, model.dimension)
        self._cached.move_to_end(key)
        cache.refresh(connection)
        while len(self._cached) > 1 and sum(map(len, self._cached.values())) > _CACHED_ROWS:
            self._cached.popitem(last=False)
        return cache


def _passing(
    cache: GroupVectors, sieve: Sieve, vector: Vectors, times: Times, *, limit: int
) -> list[tuple[int, float]]:
    """The nearest that pass."""
    many = _SIFTED * limit
    while True:
        found = cache.nearest(vector, times, many)
        passing = sieve.passing(handle for handle, _ in found)
        best = [one for one in found if one[0] in passing]
        if len(best) >= limit or len(found) < many:
            return best[:limit]
        if len(cache) < _LARGE or len(best) * _WIDER < _PROMISED * limit:
            return cache.nearest_among(vector, times, sieve.passing(cache.handles_in(times)), limit)
        many *= _WIDER


def _stored_model(connection: apsw.Connection) -> VectorModel | None:
    found: list[Any] = fetch(connection, "vector_model")
    return VectorModel(**json.loads(found[0][0])) if found else None
