"""What some models want put before a text, where nothing but their names tells. Pure.

Models trained with prefixes lose much without them, and most servers do not add them. From their cards:
intfloat/multilingual-e5-small, nomic-ai/nomic-embed-text-v1.5, BAAI/bge-small-en-v1.5.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefixes:
    """What stands before a question, and before a stored text."""

    query: str = ""
    passage: str = ""


_FAMILIES: Final = (
    (re.compile(r"\be5-(small|base|large)(?!.*instruct)"), Prefixes(query="query: ", passage="passage: ")),
    (re.compile(r"nomic-embed-text"), Prefixes(query="search_query: ", passage="search_document: ")),
    (
        re.compile(r"\bbge-(small|base|large)-en"),
        Prefixes(query="Represent this sentence for searching relevant passages: "),
    ),
)


def prefixes_of(model: str) -> Prefixes:
    """The prefixes of a model, by its name; none for a model of no family that is known to have any."""
    name = model.casefold()
    return next((found for family, found in _FAMILIES if family.search(name)), Prefixes())
