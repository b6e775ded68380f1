"""The reference store's search: words, names and vectors, by looking at everything."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from memstrata.errors import Conflict
from memstrata.ports import Candidates, Filters, Hit, Subject
from memstrata.stores.memory.rows import Kept
from memstrata.stores.memory.seeing import Sight
from memstrata.stores.words import same_name, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.model import Entity
    from memstrata.ports import Handle, Scope, Sought, VectorModel, Vectors
    from memstrata.stores.memory.rows import Row

_K = TypeVar("_K")
_K1, _B = 1.2, 0.75  # BM25's usual constants


class MemorySearch(Kept):
    """See `ports.TextIndex`, `ports.VectorIndex` and `ports.Finder`."""

    def find(self, subject: Subject, sought: Sought, scope: Scope, *, limit: int) -> Candidates:
        """At most `limit` hits an arm, as `match`, `nearest` and `named` give them."""
        near, names = (
            sought.vector,
            scope if subject is Subject.ENTITY else replace(scope, filters=Filters()),
        )
        by_name = subject in (Subject.FACT, Subject.ENTITY)
        return Candidates(
            words=self.match(subject, sought.words, scope, limit=limit),
            vectors=() if near is None else self.nearest(subject, near, scope, limit=limit),
            names=self.named(sought.names, names, limit=limit) if by_name else (),
        )

    # --- TextIndex ---

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words."""
        hits = []
        for group_id in set(scope.groups):
            scores = _scores(self._rows(group_id, subject), words)
            hits += [Hit(row.handle, scores[row.handle]) for row in self._seen(group_id, subject, scope)]
        return _best((hit for hit in hits if hit.score > 0), limit)

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """Entities whose name or alias equals one of the names, case and accents aside; all score 1."""
        wanted = {same_name(name) for name in names if name.strip()}
        hits = []
        for group_id in set(scope.groups):
            for row in self._seen(group_id, Subject.ENTITY, scope):
                entity: Entity = row.value
                if wanted & {same_name(name) for name in (entity.name, *entity.aliases)}:
                    hits.append(Hit(row.handle, 1.0))
        return _best(hits, limit)

    # --- VectorIndex ---

    def model(self) -> VectorModel | None:
        """The model of the vectors stored; None while there are none."""
        return self._model

    def without_vector(self, subject: Subject, *, limit: int) -> tuple[tuple[Handle, str], ...]:
        """Texts that have no vector yet, oldest first, each with the handle that `put` takes for it."""
        waiting = {
            passage.number: passage.embedded
            for row in self._everywhere(subject)
            if row.created_at is not None
            for passage in row.passages
            if passage.number not in self._vectors
        }
        return tuple(sorted(waiting.items())[:limit])

    def put(
        self, subject: Subject, model: VectorModel, handles: Sequence[Handle], vectors: Vectors
    ) -> None:
        """Stores unit vectors, one row a handle; handles that are gone by now are passed over.

        Raises `Conflict` if vectors of another model or dimension are stored, or a row is zero.
        """
        stored = self._model
        if stored and (stored.name, stored.dimension) != (model.name, model.dimension):
            raise Conflict(f"vectors of {stored.name} are stored, vectors of {model.name} were given")
        table = [np.asarray(vector, np.float32) for vector in vectors]
        for vector in table:
            if vector.size != model.dimension or not np.isfinite(vector).all() or not vector.any():
                raise Conflict(f"a vector is zero, not finite or not of {model.dimension} dimensions")
        there = {passage.number for row in self._everywhere(subject) for passage in row.passages}
        for handle, vector in zip(handles, table, strict=True):
            if handle in there:
                self._vectors[int(handle)] = vector
                self._model = model

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by exact cosine, best first, ties by handle."""
        asked = np.asarray(vector, np.float32).reshape(-1)
        if self._model is None:
            return ()
        if asked.size != self._model.dimension:
            raise Conflict(f"the vector has {asked.size} dimensions, those stored {self._model.dimension}")
        near = {
            row.handle: [float(one @ asked) for one in self._vectors_of(row)]
            for group_id in set(scope.groups)
            for row in self._seen(group_id, subject, scope)
        }
        return _best((Hit(handle, max(scores)) for handle, scores in near.items() if scores), limit)

    def vectors_of(self, subject: Subject, handles: Sequence[Handle]) -> Mapping[Handle, Vectors]:
        """The stored vectors of what was found: of an episode, its first passage's."""
        return {
            row.handle: self._vectors[row.passages[0].number]
            for row in self._everywhere(subject)
            if row.handle in handles and row.passages and row.passages[0].number in self._vectors
        }

    def forget(self) -> None:
        """Drops all vectors."""
        self._vectors.clear()
        self._model = None

    def _seen(self, group_id: str, subject: Subject, scope: Scope) -> list[Row[Any]]:
        return Sight(self._group(group_id), scope).passing(self._rows(group_id, subject))

    def _vectors_of(self, row: Row[Any]) -> list[Vectors]:
        return [self._vectors[one.number] for one in row.passages if one.number in self._vectors]


def _scores(rows: Sequence[Row[Any]], asked: Iterable[str]) -> dict[int, float]:
    """The score of each row, by handle: that of its best passage among all passages."""
    texts = {(row.handle, n): words(one.words) for row in rows for n, one in enumerate(row.passages)}
    scores = dict.fromkeys((row.handle for row in rows), 0.0)
    for (handle, _), score in _bm25(texts, asked).items():
        scores[handle] = max(scores[handle], score)
    return scores


def _bm25(texts: Mapping[_K, Sequence[str]], asked: Iterable[str]) -> dict[_K, float]:
    """Robertson's BM25 of each text; an asked word that holds several is a phrase."""
    phrases = {tuple(found) for word in asked if (found := words(word))}
    average = sum(map(len, texts.values())) / max(1, len(texts)) or 1.0
    times = {phrase: {key: _times(phrase, text) for key, text in texts.items()} for phrase in phrases}
    scores = dict.fromkeys(texts, 0.0)
    for counted in times.values():
        holding = sum(map(bool, counted.values()))
        weight = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
        for key, often in counted.items():
            length = 1 - _B + _B * len(texts[key]) / average
            scores[key] += weight * often * (_K1 + 1) / (often + _K1 * length)
    return scores


def _times(phrase: tuple[str, ...], text: Sequence[str]) -> int:
    size = len(phrase)
    return sum(tuple(text[start : start + size]) == phrase for start in range(len(text) - size + 1))


def _best(hits: Iterable[Hit], limit: int) -> tuple[Hit, ...]:
    """The hits with the highest scores, ties by handle."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.handle))[:limit])
