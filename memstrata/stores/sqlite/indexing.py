"""How words and names stand in the full-text tables: each with its group in front."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.stores.words import same_name

if TYPE_CHECKING:
    from collections.abc import Sequence


def indexed(group_key: int, some_words: Sequence[str]) -> str:
    """Words with their group in front, so that a group's posting lists are its own.

    No word of one group equals a word of another: the digits end at the first `g`. That is quicker
    than a second column for the group, whose posting list each query would have to walk for BM25.
    """
    between = f" {group_key}g"
    return (between + between.join(some_words)).lstrip() if some_words else ""


def name_indexed(group_key: int, name: str) -> str:
    """A whole name as one word: letters and digits in hexadecimal, so that white space cannot part it."""
    return f"{group_key}n{same_name(name).encode().hex()}"
