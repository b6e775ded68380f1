"""Types as resolution sees them: which labels are kinds of others, and which exclude one another."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

#: A label below another in the lattice; a label that is not here stands for itself.
_KIND_OF: Final = {
    "company": "organization",
    "agency": "organization",
    "team": "organization",
    "organisation": "organization",
    "city": "place",
    "country": "place",
    "location": "place",
    "software": "product",
    "device": "product",
}

_EXCLUDING: Final = frozenset(
    {
        "person", "organization", "place", "product", "document", "work", "event", "time", "identifier",
        "project", "animal", "plant", "food", "substance", "concept",
    }
)  # fmt: skip

#: What a concept may also be called, without being another thing.
_NEAR_CONCEPT: Final = frozenset({"concept", "product", "document", "work", "event", "project"})

#: Labels that say little, but of somebody: their names are read as persons' names and exclude nothing.
_SOMEBODY: Final = frozenset({"user", "human", "individual", "contact", "customer", "employee", "speaker"})

PERSON: Final = "person"
ORGANIZATION: Final = "organization"
OPEN: Final = ""


@lru_cache(maxsize=4096)
def top_type(label: str | None) -> str | None:
    """The excluding type at the top of `label`'s branch; None if the label excludes nothing."""
    if label is None:
        return None
    folded = label.strip().casefold()
    top = _KIND_OF.get(folded, folded)
    return top if top in _EXCLUDING else None


@lru_cache(maxsize=4096)
def family(label: str | None) -> str:
    """How names of this type are to be read: a top type, `person` for `user`, or `OPEN` for unknown."""
    top = top_type(label)
    if top is not None:
        return top
    return PERSON if label is not None and label.strip().casefold() in _SOMEBODY else OPEN


@lru_cache(maxsize=4096)
def depth(label: str | None) -> int:
    """How much a label says: 0 nothing, 1 an unknown label, 2 a top type, 3 a kind of one."""
    if label is None or not label.strip():
        return 0
    if top_type(label) is None:
        return 1
    return 3 if label.strip().casefold() in _KIND_OF else 2


def exclude(left: str | None, right: str | None) -> bool:
    """Whether nothing can be of both types. Labels are compared by the top of their branch."""
    one, other = top_type(left), top_type(right)
    if one is None or other is None or one == other:
        return False
    return not ("concept" in (one, other) and one in _NEAR_CONCEPT and other in _NEAR_CONCEPT)
