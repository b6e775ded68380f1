"""Search: words, vectors and names in one statement and one round trip (`cypher/search`).

Neither of Neo4j's indexes filters, so each arm looks deeper than it was asked to, and the statement says
how much it saw. Where too little of that was in scope, the question is put again, deeper; how deep it had
to be is remembered. A vector index is asked for a group with many; of a small group all are compared.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypedDict

import numpy as np

from memstrata.errors import Conflict, Fault
from memstrata.ports import Candidates, Hit, Sought, Subject, VectorModel
from memstrata.stores.neo4j import lucene, rows, schema, scopes
from memstrata.stores.neo4j.connection import UNFILTERED
from memstrata.stores.neo4j.vector_indexes import is_about_an_index, make_ready

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memstrata.ports import Edge, Scope, Vectors
    from memstrata.stores.neo4j.connection import Connection
    from memstrata.stores.neo4j.scopes import Value
    from memstrata.stores.neo4j.vectors import SeenModel

#: Up to so many of a group all its vectors are compared: there that is quicker than the index, and exact.
SMALL: Final = 700
#: How many neighbours the index is asked for at least, and at most. Its vectors are whole (not quantized):
#: of 10,000 facts all of the best ten are found with 50. What each costs: the search in the index, and
#: reading what it found, are half as dear with 100 as with 200.
LEAST_REACH: Final = 120
MOST_REACH: Final = 4_000
#: How many of those must be in scope, or the index is asked for more.
_ENOUGH: Final = 30
#: Words look by so much deeper than the limit, and so many times deeper again at most where that is not
#: enough. Each hit is read, for its times: three times the limit costs twice as much.
_DEEPER: Final = 1.3
_AGAIN: Final = 16
_EVERYTHING: Final = 1 << 30
#: Of a group that was found to be large, no vectors are compared, nor is it counted again.
_NOTHING: Final = -1
_REMEMBERED: Final = 4_096
#: After so many questions the depth is found anew: groups grow.
_TRUSTED: Final = 256

_STATEMENTS: Final = {
    Subject.FACT: "facts",
    Subject.ENTITY: "entities",
    Subject.EPISODE: "episodes",
    Subject.SUMMARY: "summaries",
    Subject.PROCEDURE: "procedures",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Depth:
    """How deep to look: full-text hits, neighbours of the index, and up to which size all are compared."""

    words: int
    reach: int
    small: int
    trusted: int = _TRUSTED


class _Starts(TypedDict, total=False):
    """What `Candidates` says of where traversal starts."""

    starts: tuple[str, ...]
    edges: tuple[Edge, ...]


@dataclass(slots=True)
class _Arm:
    """What one arm gave: (handle, score) in scope, and how much it saw."""

    hits: list[list[Any]]
    seen: int
    edges: list[list[Any]] | None = None


class Neo4jFinder:
    """See `ports.TextIndex`, `ports.VectorIndex.nearest` and `ports.Finder`."""

    def __init__(self, connection: Connection, seen: SeenModel) -> None:
        self._connection = connection
        self._seen = seen
        self._depths: OrderedDict[tuple[object, ...], _Depth] = OrderedDict()

    def find(self, subject: Subject, sought: Sought, scope: Scope, *, limit: int) -> Candidates:
        """At most `limit` hits an arm, as `match`, `nearest` and `named` give them; names are of entities.

        With facts come the first edges of what was named, if they are wanted. Raises `Conflict` for a
        vector of another dimension than those stored.
        """
        if limit < 1:
            return Candidates()
        phrases = lucene.phrases(sought.words)
        names = _names(sought.names) if subject in {Subject.FACT, Subject.ENTITY} else []
        asked = (
            None if sought.vector is None else np.asarray(sought.vector, np.float32).reshape(-1).tolist()
        )
        if not (phrases or names or asked):
            return Candidates()
        values = {"starts": sought.starts, "edges": sought.edges}
        parts = [
            self._find(subject, _values(subject, phrases, names, asked, part) | values, part, limit)
            for part in _few_groups_each(scope, phrases, names)
        ]
        if len(parts) == 1:
            return parts[0]
        return Candidates(
            words=_best((hit for part in parts for hit in part.words), limit),
            vectors=_best((hit for part in parts for hit in part.vectors), limit),
            names=_best((hit for part in parts for hit in part.names), limit),
        )

    def match(self, subject: Subject, words: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The best hits for any of the words, best first, ties by handle; () for no words.

        An episode scores as the best of its passages.
        """
        return self.find(subject, Sought(words=tuple(words)), scope, limit=limit).words

    def named(self, names: Sequence[str], scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """Entities whose name or alias equals one of the names, case and accents aside; all score 1."""
        return self.find(Subject.ENTITY, Sought(names=tuple(names)), scope, limit=limit).names

    def nearest(self, subject: Subject, vector: Vectors, scope: Scope, *, limit: int) -> tuple[Hit, ...]:
        """The nearest in scope, by cosine, best first, ties by handle; exact for small groups.

        Pending episodes have no vectors. Raises `Conflict` for a vector of another dimension.
        """
        return self.find(subject, Sought(vector=vector), scope, limit=limit).vectors

    def _find(self, subject: Subject, values: dict[str, Any], scope: Scope, limit: int) -> Candidates:
        key = (subject, scope.groups, scope.filters, scopes.is_present(scope))
        depth = self._depths.get(key) or _Depth(words=0, reach=LEAST_REACH, small=SMALL)
        depth = replace(depth, words=max(depth.words, int(_DEEPER * limit)))
        name = f"search/{_STATEMENTS[subject]}{'' if scopes.is_present(scope) else '_ever'}"
        name = name if scope.filters else f"{name}{UNFILTERED}"
        while True:
            arms = self._ask(name, {**values, "limit": limit}, depth)
            deeper = _deeper(depth, arms, limit)
            if deeper == depth:
                break
            depth = deeper
        self._remember(key, replace(depth, small=_NOTHING) if "index" in arms else depth)
        near = [*_hits(arms, "exact"), *_hits(arms, "index")]
        return Candidates(
            words=_best(_hits(arms, "words"), limit),
            vectors=_best(near, limit),
            names=_best(_hits(arms, "names"), limit),
            **_starts(subject, arms, values["starts"]),
        )

    def _ask(self, name: str, values: dict[str, Any], depth: _Depth) -> dict[str, _Arm]:
        # One map: the server plans a statement anew for each mix of types among its parameters.
        given = {**values, "deep": depth.words, "reach": depth.reach, "probe": depth.small + 1}
        try:
            found = self._connection.fetch(name, asked=given)
        except Fault as fault:
            if not is_about_an_index(fault):
                raise
            schema.prepare(self._connection)
            make_ready(self._connection)
            found = self._connection.fetch(name, asked=given)
        arms = {row["arm"]: _Arm(row["hits"], row["seen"], row.get("edges")) for row in found}
        if values["vectors"]:
            self._see(arms.get("model"), len(values["vectors"][0]))
        return arms

    def _see(self, found: _Arm | None, dimension: int) -> None:
        """Remembers the model that is stored. Raises `Conflict` where it has another dimension."""
        if found is None:
            self._seen.see(None)
            return
        name, engine = found.hits[0]
        self._seen.see(VectorModel(name=name, dimension=found.seen, engine=engine))
        if found.seen != dimension:
            raise Conflict(
                f"the vector has {dimension} dimensions, those stored have {found.seen} ({name}); ask with "
                "that model"
            )

    def _remember(self, key: tuple[object, ...], depth: _Depth) -> None:
        if not depth.trusted:
            self._depths.pop(key, None)
            return
        self._depths[key] = replace(depth, trusted=depth.trusted - 1)
        self._depths.move_to_end(key)
        while len(self._depths) > _REMEMBERED:
            self._depths.popitem(last=False)


def _deeper(depth: _Depth, arms: dict[str, _Arm], limit: int) -> _Depth:
    """The depth at which enough should be in scope; the same if enough is, or there is no more."""
    words, index = arms.get("words"), arms.get("index")
    if words is not None and len(words.hits) < limit and words.seen >= depth.words:
        more = min(_AGAIN, max(2, -(-2 * limit // max(1, len(words.hits)))))
        depth = replace(depth, words=depth.words * more)
    enough = min(limit, _ENOUGH)
    if index is not None and len(index.hits) < enough and index.seen >= depth.reach:
        reach = depth.reach * -(-2 * enough // max(1, len(index.hits)))
        if reach > MOST_REACH:
            return replace(depth, small=_EVERYTHING)
        depth = replace(depth, reach=reach)
    return depth


def _values(
    subject: Subject,
    phrases: Sequence[Sequence[str]],
    names: Sequence[str],
    vector: list[float] | None,
    scope: Scope,
) -> dict[str, Value | list[list[float]]]:
    words, called = lucene.any_of(scope.groups, phrases), lucene.any_named(scope.groups, names)
    return {
        "groups": list(scope.groups),
        "queries": [words] if words else [],
        "names": [called] if called else [],
        "vectors": [] if vector is None else [vector],
        **scopes.times_of(scope),
        **scopes.filters_of(subject, scope.filters),
    }


def _starts(subject: Subject, arms: dict[str, _Arm], starts: int) -> _Starts:
    """The ids of the first entities named, and their edges; nothing where none were wanted."""
    if subject is not Subject.FACT or not starts:
        return {}
    arm = arms.get("names") or _Arm([], 0)
    ids = tuple(dict.fromkeys(id_ for _, _, id_ in arm.hits[:starts]))
    return {"starts": ids, "edges": rows.edges(arm.edges or ())}


def _names(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name.strip()))[: lucene.MOST_CLAUSES]


def _few_groups_each(
    scope: Scope, phrases: Sequence[Sequence[str]], names: Sequence[str]
) -> Iterator[Scope]:
    """The scope, in parts of so few groups that no query has too many clauses; none without groups."""
    groups = tuple(dict.fromkeys(scope.groups))
    clauses = max(sum(len(phrase) + 1 for phrase in phrases), len(names), 1)
    size = max(1, lucene.MOST_CLAUSES // clauses)
    for start in range(0, len(groups), size):
        yield replace(scope, groups=groups[start : start + size])


def _hits(arms: dict[str, _Arm], name: str) -> list[Hit]:
    arm = arms.get(name)
    return [] if arm is None else [Hit(handle, score) for handle, score, *_ in arm.hits]


def _best(hits: Iterable[Hit], limit: int) -> tuple[Hit, ...]:
    """Best first, ties by handle, each handle once."""
    ranked = sorted(hits, key=lambda hit: (-hit.score, str(hit.handle)))
    return tuple({hit.handle: hit for hit in reversed(ranked)}.values())[::-1][:limit]
