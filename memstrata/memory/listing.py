"""All facts in a view, a page at a time, each page with a cursor to go on from.

A page is found by keys, not by counting: what comes or goes meanwhile makes nothing appear twice.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.instants import NotAnInstant, format_instant, parse_instant
from memstrata.memory.browsing import Page
from memstrata.memory.cursors import key_in, written
from memstrata.memory.parts import reads_of
from memstrata.ports import NamedVersion
from memstrata.search.timeline import stands_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memstrata.model import Version
    from memstrata.ports import Installation, Scope

#: The most records of one page.
MOST: Final = 1_000
_PARTS: Final = 3


def facts_page(
    installation: Installation,
    scope: Scope,
    *,
    about: str | None = None,
    limit: int = 100,
    after: str | None = None,
) -> Page[NamedVersion]:
    """The next facts in scope, of one entity or all: by group, then id, oldest belief first.

    What is about an entity and fits into one page comes latest first, and many times as fast.
    Filters count by relation and confidence alone. A page costs what it looks through: what it shows, and
    what filters leave out between. Raises `Incorrect` for a limit outside 1 to 1,000, a cursor that is
    none of ours, other filters than those two, and an entity that nobody knows.
    """
    _check(limit, scope)
    begin = _place(after)
    meant = None
    if about is not None:
        lookup = reads_of(installation).lookup
        known = lookup.known(about, scope)
        alone = lookup.facts(known, scope, limit=limit) if after is None else ()
        if after is None and len(alone) < limit:
            return Page(items=alone)
        meant = frozenset((one.group_id, one.entity_id) for one in known)
    found: list[tuple[tuple[str, ...], Version]] = []
    for group in _groups_from(scope, begin):
        versions = _versions(installation, group, begin, atleast=limit + 1)
        keyed = ((_fact_key(one), one) for one in versions if _in_scope(one, scope, meant))
        found += islice(keyed, limit + 1 - len(found))
        if len(found) > limit:
            break
    shown = [one for _, one in found[:limit]]
    return Page(
        items=tuple(_named(installation, shown)),
        following=written(found[limit - 1][0]) if len(found) > limit else None,
    )


def _versions(
    installation: Installation, group: str, begin: tuple[str, ...], *, atleast: int
) -> Iterator[Version]:
    """The group's versions in order, those after a place; read in pieces that grow."""
    after = (begin[1], parse_instant(begin[2])) if begin[0] == group else None
    size = atleast
    while found := installation.graph.versions_after(group, after, limit=size):
        yield from found
        if len(found) < size:
            return
        after = (found[-1].fact.id, found[-1].created_at)
        size = min(MOST, 2 * size)


def _in_scope(version: Version, scope: Scope, about: frozenset[tuple[str, str]] | None) -> bool:
    fact, filters = version.fact, scope.filters
    if filters.relations and fact.predicate not in filters.relations:
        return False
    if filters.least_confidence is not None and fact.confidence < filters.least_confidence:
        return False
    if about is not None and about.isdisjoint(
        ((fact.group_id, fact.subject), (fact.group_id, fact.object))
    ):
        return False
    if scope.history:
        return scope.moment.system is None or version.created_at <= scope.moment.system
    return stands_at(version, scope.moment.system) and _is_true(version, scope)


def _is_true(version: Version, scope: Scope) -> bool:
    """Whether the fact is true at the scope's valid time; what lost a tie never was."""
    fact = version.fact
    begin, end = scope.during or (scope.moment.valid, None)
    if fact.contested:
        return False
    if end is not None:
        starts_before = fact.valid_at is None or fact.valid_at < end
    else:
        starts_before = fact.valid_at is None or begin is None or fact.valid_at <= begin
    return starts_before and (fact.invalid_at is None or begin is None or fact.invalid_at > begin)


def _named(installation: Installation, versions: Iterable[Version]) -> Iterator[NamedVersion]:
    shown = list(versions)
    names: dict[tuple[str, str], str] = {}
    for group in {one.fact.group_id for one in shown}:
        ids = {end for one in shown if one.fact.group_id == group for end in _ends(one)}
        found = installation.graph.names_of(group, ids)
        names.update(((group, entity_id), name) for entity_id, name in found.items())
    for one in shown:
        fact = one.fact
        yield NamedVersion(
            version=one,
            subject=names.get((fact.group_id, fact.subject), fact.subject),
            object=names.get((fact.group_id, fact.object), fact.object),
        )


def _ends(version: Version) -> tuple[str, str]:
    return version.fact.subject, version.fact.object


def _fact_key(version: Version) -> tuple[str, ...]:
    return version.fact.group_id, version.fact.id, format_instant(version.created_at)


def _groups_from(scope: Scope, after: tuple[str, ...]) -> Iterator[str]:
    return (group for group in sorted(set(scope.groups)) if group >= after[0])


def _check(limit: int, scope: Scope) -> None:
    if not 1 <= limit <= MOST:
        raise Incorrect(f"limit is {limit}; expected 1 to {MOST}")
    filters = scope.filters
    if filters.types or filters.sources or filters.speakers or filters.properties:
        raise Incorrect("a list of facts is narrowed by relations and confidence alone; use search")


def _place(cursor: str | None) -> tuple[str, ...]:
    """The key that a cursor stands for; before everything, for none."""
    if cursor is None:
        return ("",) * _PARTS
    key = key_in(cursor, parts=_PARTS)
    if key is not None and _is_instant(key[2]):
        return key
    raise Incorrect(f"{cursor[:40]!r} is no cursor of this list; take the one that the page before gave")


def _is_instant(text: str) -> bool:
    try:
        parse_instant(text)
    except NotAnInstant:
        return False
    return True
