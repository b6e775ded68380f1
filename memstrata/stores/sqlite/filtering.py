"""What of a group passes a scope's filters: `sql/passing_*.sql`, asked of what an arm has found."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from memstrata.ports import Subject
from memstrata.stores import records
from memstrata.stores.searched import properties_of
from memstrata.stores.sqlite import scopes
from memstrata.stores.sqlite.connection import fetch, integers, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    import apsw

    from memstrata.ports import Filters, Scope

_T = TypeVar("_T", bound="tuple[int, float]")

#: How many times more is looked at when too little of what was found passes.
_WIDER = 8
_NOBODY = 0  # no term has this number


class Sieve:
    """Lets through what of one kind, in one group, passes the filters of a scope."""

    def __init__(self, connection: apsw.Connection, subject: Subject, group_id: str, scope: Scope) -> None:
        self._connection = connection
        self._subject = subject
        self._filters = scope.filters
        group = fetch(connection, "group", (group_id,))
        self._values: dict[str, Any] = {
            **scopes.times_of(scope),
            **_values(connection, group[0][0] if group else _NOBODY, scope.filters),
        }

    def passing(self, handles: Iterable[int]) -> set[int]:
        """Those of the handles that pass; of summaries and procedures, those that stand in scope, too."""
        found = set(handles)
        if self._subject in scopes.SEMANTIC:
            found = self._ask(f"standing_{self._subject}", found)
        if not self._filters or not found:
            return found
        if self._subject is Subject.SUMMARY:
            return self._summaries(found)
        if self._subject is Subject.PROCEDURE and _asks_of_facts(self._filters):
            return set()
        found = self._ask(f"passing_{self._subject}", found)
        if self._subject is Subject.EPISODE and self._filters.properties:
            return self._with_metadata(found)
        return found

    def _summaries(self, handles: set[int]) -> set[int]:
        """A summary passes as its entity does."""
        pairs = self._rows("entities_of_summaries", handles)
        entities = self._ask("passing_entity", {entity for _, entity in pairs})
        return {summary for summary, entity in pairs if entity in entities}

    def _with_metadata(self, handles: set[int]) -> set[int]:
        wanted = set(self._filters.properties)
        found = self._rows("episodes_at", handles)
        return {row[0] for row in found if properties_of(records.episode(row[1:])) >= wanted}

    def _ask(self, name: str, handles: Collection[int]) -> set[int]:
        return {row[0] for row in self._rows(name, handles)}

    def _rows(self, name: str, handles: Collection[int]) -> list[Any]:
        some = integers(sorted(handles))
        return [] if some is None else fetch(self._connection, name, {**self._values, "some": some})


def sifted(sieve: Sieve, look: Callable[[int], Sequence[_T]], *, limit: int, at_first: int) -> list[_T]:
    """The best `limit` that pass, of what `look(n)` finds: its best n, each beginning with a handle.

    Looks at more as long as too few pass, until all have been seen.
    """
    passed: dict[int, bool] = {}
    many = at_first
    while True:
        found = look(many)
        new = [one[0] for one in found if one[0] not in passed]
        through = sieve.passing(new)
        passed.update((handle, handle in through) for handle in new)
        best = [one for one in found if passed[one[0]]]
        if len(best) >= limit or len(found) < many:
            return best[:limit]
        many *= _WIDER


def _values(connection: apsw.Connection, group_key: int, filters: Filters) -> dict[str, Any]:
    """The named values of `passing_*.sql`: lists as JSON, texts as the group's terms; None: not asked."""
    asked = {*filters.relations, *filters.sources, *filters.speakers}
    asked.update(text for pair in filters.properties for text in pair)
    some = texts(sorted(asked))
    terms: dict[str, int] = {}
    if some is not None:
        terms = dict(fetch(connection, "find_term", (group_key, some)))

    def numbers(wanted: Iterable[str]) -> str | None:
        found = [terms.get(one, _NOBODY) for one in wanted]
        return json.dumps(found) if found else None

    return {
        "group_key": group_key,
        "types": json.dumps(filters.types) if filters.types else None,
        "relations": numbers(filters.relations),
        "sources": numbers(filters.sources),
        "speakers": numbers(filters.speakers),
        "properties": json.dumps(
            [[terms.get(name, _NOBODY), terms.get(value, _NOBODY)] for name, value in filters.properties]
        )
        if filters.properties
        else None,
        "least_confidence": filters.least_confidence,
    }


def _asks_of_facts(filters: Filters) -> bool:
    return bool(filters.types or filters.relations or filters.properties) or (
        filters.least_confidence is not None
    )
