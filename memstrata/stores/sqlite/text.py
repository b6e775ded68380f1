"""Search by words: BM25 over the full-text tables, filtered by group and both times in one statement."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Final, NamedTuple

from memstrata.ports import Hit, Subject
from memstrata.stores.sqlite import scopes
from memstrata.stores.sqlite.connection import fetch, reading
from memstrata.stores.sqlite.filtering import Sieve, sifted
from memstrata.stores.sqlite.indexing import indexed, name_indexed
from memstrata.stores.words import words as words_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import apsw

    from memstrata.ports import Scope
    from memstrata.stores.sqlite.connection import Connections

#: A word in more rows than this says too little to be worth walking its rows, if a rarer one was given.
_COMMON: Final = 1_000
#: How far rows are counted to tell common words from very common ones.
_COUNTED: Final = 20_000
#: How many rows a question may walk, at about a microsecond each. Of several words the rarest that together
#: stand in no more are looked for; of common words alone the two rarest, in so many of the newest rows.
_RANKED: Final = 3_000
_KEPT_COMMON: Final = 2
_REMEMBERED: Final = 10_000
_ALL: Final = -1


class _Query(NamedTuple):
    """Quoted phrases of which any may match, and how many of the newest matches to rank."""

    phrases: Sequence[str]
    ranked: int


class SqliteText:
    """BM25 over words."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._common: dict[tuple[str, str], int] = {}

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words.

        A word that holds several (`e-mail`) is looked for as a phrase. Words that stand in more than
        1,000 texts of the group, or in so many that with the rarer ones it would be more than 3,000, are
        left out when rarer ones were given; of common words alone, the newest 3,000 matches in scope are
        ranked (under filters all of them). An episode scores as the best of its passages.
        """
        wanted = {" ".join(found): None for word in words if (found := words_of(word))}
        hits: list[Hit] = []
        with reading(self._connections.here()) as connection:
            for place in scopes.places(connection, scope, subject):
                phrases = [f'"{indexed(place.key, phrase.split())}"' for phrase in wanted]
                query = self._telling(connection, subject, phrases)
                sieve = Sieve(connection, subject, place.group_id, scope) if scope.filters else None
                hits += _found(connection, f"match_{subject}", query, scope, limit=limit, sieve=sieve)
        return _best(hits, limit)

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """Entities whose name or alias equals one of the names, case and accents aside; all score 1."""
        hits: list[Hit] = []
        with reading(self._connections.here()) as connection:
            for place in scopes.places(connection, scope):
                phrases = sorted({f'"{name_indexed(place.key, name)}"' for name in names if name.strip()})
                sieve = Sieve(connection, Subject.ENTITY, place.group_id, scope) if scope.filters else None
                query = _Query(phrases, limit)
                hits += _found(connection, "match_name", query, scope, limit=limit, sieve=sieve)
        return _best([Hit(hit.handle, 1.0) for hit in hits], limit)

    def _telling(self, connection: apsw.Connection, subject: Subject, phrases: Sequence[str]) -> _Query:
        """The rarest phrases that together stand in few enough rows; else the two rarest."""
        counts = {phrase: self._count(connection, subject, phrase) for phrase in phrases}
        found = sorted((phrase for phrase in phrases if counts[phrase]), key=counts.__getitem__)
        rare = [phrase for phrase in found if counts[phrase] <= _COMMON]
        walked = list(accumulate(counts[phrase] for phrase in rare))
        kept = bisect_right(walked, _RANKED)
        return _Query(rare[:kept] or found[:_KEPT_COMMON], _RANKED)

    def _count(self, connection: apsw.Connection, subject: Subject, phrase: str) -> int:
        """In how many texts a phrase stands, up to `_COUNTED`; common ones are remembered."""
        known = self._common.get((subject, phrase))
        if known is not None:
            return known
        count = int(fetch(connection, f"count_{subject}_matches", (phrase, _COUNTED))[0][0])
        if count > _COMMON:
            if len(self._common) >= _REMEMBERED:
                self._common.clear()
            self._common[subject, phrase] = count
        return count


def _found(
    connection: apsw.Connection, name: str, query: _Query, scope: Scope, *, limit: int, sieve: Sieve | None
) -> list[Hit]:
    if not query.phrases:
        return []
    values = {
        "query": " OR ".join(query.phrases),
        "pending": int(scopes.shows_pending(scope)),
        **scopes.times_of(scope),
    }

    def look(many: int) -> list[tuple[int, float]]:
        # What does not pass must not stand in the way of what does, however new it is.
        most = query.ranked if sieve is None else _ALL
        return fetch(connection, name, {**values, "most": most, "limit": many})

    found = look(limit) if sieve is None else sifted(sieve, look, limit=limit, at_first=4 * limit)
    return [Hit(handle, -score) for handle, score in found]


def _best(hits: list[Hit], limit: int) -> tuple[Hit, ...]:
    return tuple(sorted(hits, key=lambda hit: (-hit.score, hit.handle))[:limit])
