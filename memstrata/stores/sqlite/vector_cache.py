"""The vectors of one group and subject in this process, kept current by watermarks, searched by numpy.

Exact for small groups. For larger ones the signs of the centred vectors, as bits, choose candidates by
Hamming distance, and the full vectors rank those.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from memstrata.ports import Subject
from memstrata.stores.records import ALWAYS
from memstrata.stores.sqlite.connection import fetch, fetch_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import apsw
    from numpy.typing import DTypeLike, NDArray

    from memstrata.stores.sqlite.scopes import Times

#: Up to so many rows in scope all are compared exactly.
EXACT: Final = 4_000
#: How many candidates the bits choose: a share of the rows, and at least so many; more if fewer than that
#: are in scope. Recall@10 of generated vectors at 500,000 rows: .998 for vague questions at .7 and at 1 %,
#: 1.0 at 1.5 %; for clear ones 1.0 at each.
_CANDIDATES: Final = 1_000
_FEWEST: Final = 500
_SHARE: Final = 0.007
_WIDER: Final = 4
#: The best so many times the limit are put in order, where there are more.
_SORTED: Final = 4
#: How many rows are enough to tell how far a share of all rows reaches.
_SAMPLED: Final = 20_000
#: A prime step far longer than most arrays: multiples of it, modulo a length, fall all over it.
_FAR: Final = 2_654_435_761
_BLOCK: Final = 32_768
_LOADED_AT_ONCE: Final = 8_192
#: How much room is made for the vectors that are there, and those that come.
_ROOM: Final = 1.25


class _Growing:
    """An array that is appended to; doubles its room when that is used up."""

    def __init__(self, dtype: DTypeLike, *shape: int) -> None:
        self._room: NDArray[Any] = np.empty((1024, *shape), dtype)
        self._length = 0

    @property
    def values(self) -> NDArray[Any]:
        return self._room[: self._length]

    def reserve(self, length: int) -> None:
        """Makes room for so many at once: while it grows an array takes its place twice."""
        if length > len(self._room):
            grown = np.empty((length, *self._room.shape[1:]), self._room.dtype)
            grown[: self._length] = self.values
            self._room = grown

    def append(self, values: NDArray[Any]) -> None:
        end = self._length + len(values)
        if end > len(self._room):
            self.reserve(max(end, 2 * len(self._room)))
        self._room[self._length : end] = values
        self._length = end


class GroupVectors:
    """The vectors and the times of everything of one subject in one group.

    A *place* pairs a handle with a row of the matrix. Here each version of a fact or an entity has one
    place, and versions that read alike share a row.
    """

    def __init__(self, group_key: int, subject: Subject, dimension: int) -> None:
        self._group_key = group_key
        self._subject = subject
        self._dimension = dimension
        self._last_vector = 0
        self._last_instant = ALWAYS
        self._matrix = _Growing(np.float32, dimension)
        self._row_of: dict[int, int] = {}
        self._valid_at, self._invalid_at = _Growing(np.int64), _Growing(np.int64)
        self._created_at, self._expired_at = _Growing(np.int64), _Growing(np.int64)
        self._handles = _Growing(np.int64)
        self._place_of: dict[int, int] = {}
        self._rows = _Growing(np.int64)  # of the matrix; -1 while there is no vector
        self._waiting: dict[int, list[int]] = {}
        self._mean: NDArray[np.float32] = np.zeros(dimension, np.float32)
        self._bits: list[_Growing] = []  # one array a word of 64 bits
        self._centred_on = 0

    def __len__(self) -> int:
        return len(self._row_of)

    def refresh(self, connection: apsw.Connection) -> None:
        """Takes in what was committed and embedded since; one read transaction is the caller's business."""
        self._take_versions(connection)
        key = (self._group_key, str(self._subject))
        if not self._last_vector:
            self._matrix.reserve(int(_ROOM * fetch(connection, "count_vectors", key)[0][0]))
        while new := fetch(connection, "vectors_after", (*key, self._last_vector, _LOADED_AT_ONCE)):
            passages = [row[1] for row in new]
            self._add_vectors(passages, b"".join(row[3] for row in new))
            self._place(passages, [row[2] for row in new])
            self._last_vector = new[-1][0]
        if len(self) > EXACT:
            self._add_bits()

    def nearest(self, vector: NDArray[np.float32], times: Times, limit: int) -> list[tuple[int, float]]:
        """(handle, cosine) of the nearest in scope, best first, ties by handle; each handle once."""
        if self._bits and len(self) > EXACT:
            found = self._best(vector, self._candidates(vector, times, limit), limit)
            if len(found) == limit:
                return found
        return self._best(vector, self._places_in(times), limit)

    def nearest_among(
        self, vector: NDArray[np.float32], times: Times, handles: Collection[int], limit: int
    ) -> list[tuple[int, float]]:
        """As `nearest`, of those handles alone."""
        places = self._places_in(times)
        wanted = np.fromiter(handles, np.int64, len(handles))
        return self._best(vector, places[np.isin(self._handles.values[places], wanted)], limit)

    def handles_in(self, times: Times) -> list[int]:
        """Everything in scope that has a vector; a handle may come more than once."""
        found: list[int] = self._handles.values[self._places_in(times)].tolist()
        return found

    def _places_in(self, times: Times) -> NDArray[np.int64]:
        return self._in_scope(times, np.flatnonzero(self._rows.values >= 0))

    def _best(
        self, vector: NDArray[np.float32], places: NDArray[np.int64], limit: int
    ) -> list[tuple[int, float]]:
        # Not `@`: on a busy machine BLAS waits 20 ms for its threads, where one needs .4 ms.
        scores = np.einsum("ij,j->i", self._matrix.values[self._rows.values[places]], vector)
        handles = self._handles.values[places]
        if len(scores) > _SORTED * limit:  # a handle may come more than once, but seldom so often
            high = np.flatnonzero(scores >= np.partition(scores, -_SORTED * limit)[-_SORTED * limit])
            found = _best_of(handles[high], scores[high], limit)
            if len(found) == limit:
                return found
        return _best_of(handles, scores, limit)

    def _in_scope(self, times: Times, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the places that are in scope."""
        mask = self._created_at.values[places] <= times["system"]
        if not times["history"]:
            mask &= self._expired_at.values[places] > times["system"]
        if times["last"] is not None and times["first"] is not None:
            valid_at, invalid_at = self._valid_at.values[places], self._invalid_at.values[places]
            mask &= self._is_true(valid_at, invalid_at, times["first"], times["last"])
        return places[mask]

    def _is_true(
        self, valid_at: NDArray[np.int64], invalid_at: NDArray[np.int64], first: int, last: int
    ) -> NDArray[np.bool_]:
        return (valid_at <= last) & (invalid_at > first) & (invalid_at > valid_at)

    def _candidates(self, vector: NDArray[np.float32], times: Times, limit: int) -> NDArray[np.int64]:
        """The places in scope among the nearest rows by their bits; more rows as long as those are few.

        What is in scope is asked of these few alone: asked of all it would cost as much as the bits.
        """
        distances = self._distances(vector)
        sample = distances[_spread_over(len(distances))]
        within = np.cumsum(np.bincount(sample, minlength=self._dimension + 1))
        enough = max(_FEWEST, 4 * limit)
        share = max(_CANDIDATES / len(distances), _SHARE)
        rows = self._rows.values
        while True:
            # The smallest distance within which enough rows lie: quicker than a partition of all rows.
            near = distances <= np.searchsorted(within, share * len(sample))
            places = np.flatnonzero(near[rows])
            places = self._in_scope(times, places[rows[places] >= 0])
            if len(places) >= enough or share >= 1:
                return places
            share *= _WIDER

    def _distances(self, vector: NDArray[np.float32]) -> NDArray[np.uint16]:
        """In how many bits each row differs; in blocks that stay in the processor's cache."""
        asked = _signs((vector - self._mean)[np.newaxis])[:, 0]
        words = [word.values for word in self._bits]
        distances = np.zeros(len(words[0]), np.uint16)
        for start in range(0, len(distances), _BLOCK):
            block = slice(start, start + _BLOCK)
            for word, asked_word in zip(words, asked, strict=True):
                distances[block] += np.bitwise_count(word[block] ^ asked_word)
        return distances

    def _take_versions(self, connection: apsw.Connection) -> None:
        found = fetch(connection, "group_instant", (self._group_key,))
        instant = found[0][0] if found else self._last_instant
        if instant > self._last_instant:
            since = (self._group_key, self._last_instant)
            self._drop(connection, since)
            self._expire(fetch(connection, f"{self._subject}_versions_expired", since))
            created = f"{self._subject}_versions_created"
            for rows in fetch_parts(connection, created, since, size=_LOADED_AT_ONCE):
                self._add_versions(rows)
            self._last_instant = instant

    def _drop(self, connection: apsw.Connection, since: tuple[int, int]) -> None:
        """Vectors of facts and entities stay as long as anything reads like them."""

    def _place(self, passages: Sequence[int], handles: Sequence[int]) -> None:
        """Gives rows to the places that have waited for the vectors of those passages."""
        del handles  # their versions said which passage is theirs
        rows = self._rows.values
        for passage in passages:
            for place in self._waiting.pop(passage, ()):
                rows[place] = self._row_of[passage]

    def _expire(self, expired: Sequence[tuple[int, int]]) -> None:
        ends = self._expired_at.values
        for handle, expired_at in expired:
            place = self._place_of.get(handle)
            if place is not None:
                ends[place] = expired_at

    def _add_versions(self, created: Sequence[tuple[int, ...]]) -> None:
        """Rows of (handle, passage, valid_at, invalid_at, created_at, expired_at)."""
        new = [row for row in created if row[0] not in self._place_of]
        if not new:
            return
        start = len(self._handles.values)
        table = np.array(new, np.int64)
        self._add_places(table[:, 0], table[:, 2:], [self._row_of.get(row[1], -1) for row in new])
        for place, row in enumerate(new, start):
            self._place_of[row[0]] = place
            if row[1] not in self._row_of:
                self._waiting.setdefault(row[1], []).append(place)

    def _add_places(
        self, handles: NDArray[np.int64], times: NDArray[np.int64], rows: Sequence[int]
    ) -> None:
        self._handles.append(handles)
        columns = (self._valid_at, self._invalid_at, self._created_at, self._expired_at)
        for column, values in zip(columns, times.T, strict=True):
            column.append(values)
        self._rows.append(np.array(rows, np.int64))

    def _add_vectors(self, passages: Sequence[int], blob: bytes) -> None:
        matrix = np.frombuffer(blob, np.float32).reshape(len(passages), self._dimension)
        fresh = [n for n, passage in enumerate(passages) if passage not in self._row_of]
        for n, passage in enumerate(passages):
            if passage in self._row_of:  # put again
                self._matrix.values[self._row_of[passage]] = matrix[n]
                self._centred_on = 0
        start = len(self._matrix.values)
        self._matrix.append(matrix[fresh])
        for row, n in enumerate(fresh, start):
            self._row_of[passages[n]] = row

    def _add_bits(self) -> None:
        """Bits for the rows that have none; all again once the group has doubled, around its new mean."""
        vectors = self._matrix.values
        if len(vectors) >= 2 * self._centred_on:
            self._mean = vectors.mean(axis=0)
            self._centred_on = len(vectors)
            self._bits = [_Growing(np.uint64) for _ in range(-(-self._dimension // 64))]
        for start in range(len(self._bits[0].values), len(vectors), _LOADED_AT_ONCE):
            signs = _signs(vectors[start : start + _LOADED_AT_ONCE] - self._mean)
            for word, column in zip(self._bits, signs, strict=True):
                word.append(column)


class PassageVectors(GroupVectors):
    """Summaries and procedures: of each passage a place for its handle, whatever its times."""

    def _take_versions(self, connection: apsw.Connection) -> None:
        """Whoever asks tests what stands: these change apart from commits."""

    def _in_scope(self, times: Times, places: NDArray[np.int64]) -> NDArray[np.int64]:
        del times
        return places

    def _place(self, passages: Sequence[int], handles: Sequence[int]) -> None:
        new = [(p, h) for p, h in zip(passages, handles, strict=True) if p not in self._place_of]
        start = len(self._handles.values)
        times = np.zeros((len(new), 4), np.int64)
        rows = [self._row_of[passage] for passage, _ in new]
        self._add_places(np.array([handle for _, handle in new], np.int64), times, rows)
        self._place_of.update((passage, place) for place, (passage, _) in enumerate(new, start))


class EpisodeVectors(GroupVectors):
    """Episodes: several places to a handle, one a passage; a passage may give way to another."""

    def __init__(self, group_key: int, subject: Subject, dimension: int) -> None:
        super().__init__(group_key, subject, dimension)
        self._times_of: dict[int, tuple[int, ...]] = {}
        self._places_of: dict[int, list[int]] = {}

    def _in_scope(self, times: Times, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of the places that are in scope: in a period, what happened in it."""
        places = super()._in_scope(times, places)
        if times["since"] is None:
            return places
        return places[self._valid_at.values[places] >= times["since"]]

    def _drop(self, connection: apsw.Connection, since: tuple[int, int]) -> None:
        rows = self._rows.values
        for (passage,) in fetch(connection, "passages_replaced", since):
            if passage in self._place_of:
                rows[self._place_of[passage]] = -1

    def _expire(self, expired: Sequence[tuple[int, int]]) -> None:
        ends = self._expired_at.values
        for handle, expired_at in expired:
            if handle in self._times_of:
                self._times_of[handle] = (*self._times_of[handle][:3], expired_at)
                ends[self._places_of.get(handle, [])] = expired_at

    def _add_versions(self, created: Sequence[tuple[int, ...]]) -> None:
        for handle, _, *times in created:
            self._times_of.setdefault(handle, tuple(times))

    def _place(self, passages: Sequence[int], handles: Sequence[int]) -> None:
        new = [
            (passage, handle)
            for passage, handle in zip(passages, handles, strict=True)
            if passage not in self._place_of and handle in self._times_of
        ]
        if not new:
            return
        start = len(self._handles.values)
        times = np.array([self._times_of[handle] for _, handle in new], np.int64)
        rows = [self._row_of[passage] for passage, _ in new]
        self._add_places(np.array([handle for _, handle in new], np.int64), times, rows)
        for place, (passage, handle) in enumerate(new, start):
            self._place_of[passage] = place
            self._places_of.setdefault(handle, []).append(place)


_KINDS: Final = {
    Subject.FACT: GroupVectors,
    Subject.ENTITY: GroupVectors,
    Subject.EPISODE: EpisodeVectors,
    Subject.SUMMARY: PassageVectors,
    Subject.PROCEDURE: PassageVectors,
}


def vectors_for(group_key: int, subject: Subject, dimension: int) -> GroupVectors:
    """An empty cache for one subject of one group."""
    return _KINDS[subject](group_key, subject, dimension)


def _best_of(
    handles: NDArray[np.int64], scores: NDArray[np.float32], limit: int
) -> list[tuple[int, float]]:
    """The first `limit` handles by score, ties by handle, each with its best score."""
    best = np.lexsort((handles, -scores))
    found: dict[int, float] = {}
    for start in range(0, len(best), max(limit, 1)):
        some = best[start : start + limit]
        for handle, score in zip(handles[some].tolist(), scores[some].tolist(), strict=True):
            found.setdefault(handle, score)
        if len(found) >= limit:
            break
    return list(found.items())[:limit]


@lru_cache(maxsize=64)
def _spread_over(length: int) -> NDArray[np.int64]:
    """Places all over an array, `_SAMPLED` at most; equal steps might keep time with what repeats in it."""
    if length <= _SAMPLED:
        return np.arange(length)
    return np.arange(_SAMPLED) * _FAR % length


def _signs(vectors: NDArray[np.float32]) -> NDArray[np.uint64]:
    """A bit a dimension, whether it is positive, in words of 64: one row a word, one column a vector."""
    packed = np.packbits(vectors > 0, axis=1)
    padded = np.zeros((len(vectors), 8 * -(-packed.shape[1] // 8)), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(padded.view(np.uint64).T)
