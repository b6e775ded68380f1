"""Filters as people write them ("works for", "person"), turned into how the memory writes them.

Case, accents and the choice of blank, hyphen or underscore make no difference; a value that nothing has
is a mistake, never an empty answer.
"""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, nearest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.ports import Filters, GraphReader

_MOST_NAMED: Final = 5
_JOINTS: Final = str.maketrans("-_", "  ")


def as_written(filters: Filters, groups: Sequence[str], reader: GraphReader) -> Filters:
    """The filters with every name as it is written in those groups; nothing is looked up without filters.

    Raises `Incorrect` for a name that nothing has, with the nearest ones, and for a confidence outside 0
    to 1. Values of properties are taken as they are.
    """
    if not filters:
        return filters
    least = filters.least_confidence
    if least is not None and not 0.0 <= least <= 1.0:
        raise Incorrect(f"the least confidence is {least}; expected a number from 0 to 1")
    known = reader.vocabulary(groups)
    named = [
        (written, value)
        for name, value in filters.properties
        for written in _written("property", (name,), known.properties)
    ]
    return replace(
        filters,
        types=_written("type", filters.types, known.types),
        relations=_written("relation", filters.relations, known.relations),
        sources=_written("source", filters.sources, known.sources),
        speakers=_written("speaker", filters.speakers, known.speakers),
        properties=tuple(named),
    )


def _written(kind: str, asked: Iterable[str], known: Sequence[str]) -> tuple[str, ...]:
    """All known names that one of the asked ones stands for; exactly that one where it is there."""
    found: dict[str, None] = {}
    for name in asked:
        alike = [name] if name in known else [one for one in known if _loose(one) == _loose(name)]
        if not alike:
            raise Incorrect(f"no {kind} {name!r} is there; {_hint(kind, name, known)}")
        found.update(dict.fromkeys(alike))
    return tuple(found)


def _hint(kind: str, name: str, known: Sequence[str]) -> str:
    if not known:
        return f"nothing in view has a {kind}"
    near = nearest(name, known)
    if near is not None:
        return f"did you mean {near!r}?"
    more = ", ..." if len(known) > _MOST_NAMED else ""
    return f"there are: {', '.join(known[:_MOST_NAMED])}{more}"


def _loose(name: str) -> str:
    """A name without case, accents and joints."""
    plain = unicodedata.normalize("NFKD", name).translate(_JOINTS).casefold()
    return " ".join("".join(one for one in plain if not unicodedata.combining(one)).split())
