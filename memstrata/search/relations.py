"""A fact as somebody names it in words: `Alice WORKS_FOR Acme`, `Alice -WORKS_FOR-> Acme`. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARROW = re.compile(
    r"^(?P<subject>.+?)\s*-+\[?(?P<predicate>[^\W\d][\w ]*?)\]?-+>\s*(?P<object>.*)$", re.DOTALL
)
_RELATION = re.compile(r"[^\W\d_]\w*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """A subject, a relation and, unless it is empty, an object, as written."""

    subject: str
    predicate: str
    object: str

    def relates_by(self, predicate: str) -> bool:
        """Whether that is the relation meant, case aside, blanks and underscores being the same."""
        return _plain(self.predicate) == _plain(predicate)


def triples_in(text: str) -> Iterator[Triple]:
    """The ways to read a text as a triple, likeliest first: arrows, then relations in capitals.

    A relation is one word; names to its left and right may have several. Whether a reading is right
    only the memory can tell.
    """
    arrow = _ARROW.match(text.strip())
    if arrow is not None:
        yield Triple(**{name: part.strip() for name, part in arrow.groupdict().items()})
        return
    words = text.split()
    relations = [at for at, word in enumerate(words) if at > 0 and _RELATION.fullmatch(word)]
    relations.sort(key=lambda at: (not words[at].isupper(), "_" not in words[at], at))
    for at in relations:
        yield Triple(subject=" ".join(words[:at]), predicate=words[at], object=" ".join(words[at + 1 :]))


def _plain(predicate: str) -> str:
    return "_".join(predicate.replace("_", " ").split()).casefold()
