"""How words and names stand in the full-text indexes, and how they are asked for there.

Each word has its group's token in front, so that a group's posting lists, and how rare its words are, are
its own, and no query needs a clause for the group. Words are runs of letters and digits: nothing of
Lucene's query language can stand in one, and a phrase in quotes needs no escaping.
"""

from __future__ import annotations

import base64
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from memstrata.stores.words import same_name
from memstrata.stores.words import words as words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: Clauses of one query at most; Lucene refuses more than 1,024.
MOST_CLAUSES: Final = 1_000
#: Words of a phrase at most: a longer one is looked for by its beginning.
_LONGEST_PHRASE: Final = 64
_TOKEN_LETTERS: Final = 10
_NAME_BYTES: Final = 12


@lru_cache(maxsize=4_096)
def token(group_id: str) -> str:
    """Ten letters and digits that stand for a group: the beginning of a hash, in base 32."""
    hashed = blake2b(_bytes(group_id), digest_size=_TOKEN_LETTERS).digest()
    return base64.b32encode(hashed).decode().lower()[:_TOKEN_LETTERS]


def indexed(group_id: str, text: str) -> str:
    """The words of a text as they are indexed."""
    return _in_front(token(group_id), words_of(text))


def name_indexed(group_id: str, name: str) -> str:
    """A whole name as one word; names that differ in case, accents or white space only have the same.

    It is hashed: Lucene parts a word after 255 characters, and a name would match a longer one.
    """
    return f"{token(group_id)}0{blake2b(_bytes(same_name(name)), digest_size=_NAME_BYTES).hexdigest()}"


def names_indexed(group_id: str, names: Iterable[str]) -> str:
    """The names of one thing as they are indexed, each once."""
    return " ".join(dict.fromkeys(name_indexed(group_id, name) for name in names))


def phrases(words: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """The words as they are looked for, each once; a word that holds several (`e-mail`) is a phrase."""
    found = (tuple(words_of(word)[:_LONGEST_PHRASE]) for word in words)
    return tuple(_few_enough(dict.fromkeys(phrase for phrase in found if phrase)))


def any_of(groups: Iterable[str], looked_for: Sequence[Sequence[str]]) -> str:
    """The query for texts of those groups that hold any of the phrases; "" if there are none."""
    return " ".join(
        f'"{_in_front(token(group_id), phrase)}"' for group_id in groups for phrase in looked_for
    )


def any_named(groups: Iterable[str], names: Sequence[str]) -> str:
    """The query for entities of those groups that have one of the names; "" if there are none."""
    return " ".join(name_indexed(group_id, name) for group_id in groups for name in names)


def _few_enough(found: Iterable[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    """As many phrases as one query may have."""
    clauses = 0
    for phrase in found:
        clauses += len(phrase) + 1
        if clauses > MOST_CLAUSES:
            return
        yield phrase


def _in_front(group_token: str, some_words: Sequence[str]) -> str:
    between = f" {group_token}"
    return (between + between.join(some_words)).lstrip() if some_words else ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
