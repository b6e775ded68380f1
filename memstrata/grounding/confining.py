"""A query confined to one group: every node and relationship that it reads must be of that group.

The group is put into each pattern as an entry of its property map, with a parameter for a value, so that
no wording of the query can widen it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memstrata.grounding.reading import Reading

GROUP_KEY: Final = "group_id"
GROUP_PARAMETER: Final = "memstrata_group"

_ENTRY: Final = f"{GROUP_KEY}: ${GROUP_PARAMETER}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Confined:
    """A query as it runs. `put_in` are the places (offsets of the query as given) and lengths added."""

    text: str
    put_in: tuple[tuple[int, int], ...]

    def offset_in_query(self, offset: int) -> int:
        """Where in the query as given stands what is at that offset of the text that runs."""
        ends: list[int] = []
        shifts: list[int] = []
        added = 0
        for place, length in self.put_in:
            ends.append(place + added + length)
            added += length
            shifts.append(added)
        at = bisect_right(ends, offset)
        return max(0, offset - (shifts[at - 1] if at else 0))


def confine(text: str, reading: Reading) -> Confined:
    """The query with the group in every node and every relationship of its patterns."""
    added: list[tuple[int, str]] = []
    for pattern in reading.patterns:
        if not pattern.has_map:
            added.append((pattern.room, f" {{{_ENTRY}}}"))
        elif pattern.keys:
            added.append((pattern.room, f"{_ENTRY}, "))
        else:
            added.append((pattern.room, _ENTRY))
    added += [(place, f"[{{{_ENTRY}}}]") for place in reading.bare_relationships]
    added.sort()
    pieces: list[str] = []
    at = 0
    for place, more in added:
        pieces += [text[at:place], more]
        at = place
    pieces.append(text[at:])
    return Confined(text="".join(pieces), put_in=tuple((place, len(more)) for place, more in added))
