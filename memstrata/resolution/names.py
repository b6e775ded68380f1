"""What a name says, taken apart: the keys under which it meets its equals, and what tells it from them.

`form_of(name, type, maker)` reads a name as one of its type: titles, post-nominals, legal forms, leading
articles and decoration go; numerals become digits; qualifiers, generations and middle initials are kept
beside the keys, as guards. Whether two forms are one entity is decided in `guards` and `clusters`.
"""

# ruff: noqa: RUF001 (letters of other scripts are meant)

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memstrata.resolution import days, folding, identifiers
from memstrata.resolution.lattice import OPEN, ORGANIZATION, PERSON, family
from memstrata.resolution.nicknames import given_names
from memstrata.resolution.numerals import counted, numerals_of
from memstrata.resolution.persons import is_surname_only, read_person
from memstrata.resolution.transliteration import latin
from memstrata.resolution.vocabulary import (
    ABBREVIATIONS,
    ARTICLES,
    CJK_LEGAL_FORMS,
    GIVEN_TITLES,
    LEADING_LEGAL_FORMS,
    LEGAL_FORMS,
    LOOSE_TITLES,
    MINOR_WORDS,
    TITLES,
)
from memstrata.resolution.words import cut, words_of

if TYPE_CHECKING:
    from memstrata.resolution.persons import Person
    from memstrata.resolution.words import Cut

_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_FISCAL: Final = re.compile(r"fy ?(\d{2}|\d{4})")
_POSSESSIVE: Final = re.compile(r"\w['’]s? \w")
_CASELESS: Final = re.compile(
    r"[\u0590-\u08ff\u0900-\u0dff\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_UNSPACED: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_ACRONYM: Final = re.compile(r"[A-Z](?:[A-Z&]{1,6})")
_SHORTEST_ACRONYM: Final = 3
#: Families whose names are compared without blanks between letters: NodeJS, node js, FY2023.
_BLANKLESS: Final = frozenset({"product", "time", "concept", "substance", OPEN})
_ACRONYMIC: Final = frozenset({ORGANIZATION, "event", "place", "document", "work", "project", OPEN})


class Shape(StrEnum):
    """What kind of name it is, where that decides how it may stand for a longer one."""

    FULL = "full"  # a person's given name and surname
    GIVEN = "given"  # a person's single name
    TITLED = "titled"  # a surname behind a title
    INITIALED = "initialed"  # initials and a surname
    CLIPPED = "clipped"  # a given name and the initial of a surname
    ACRONYM = "acronym"
    HANDLE = "handle"
    PLAIN = "plain"  # anything else: stands for itself alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A name taken apart.

    `anchor` is the key that names the entity's id; it is one of `exact`, the keys of names that are
    equal. `claims` are exact keys of other names that the name itself states. `offers` are the short
    forms that it can be called by, `asks` those by which it looks for its bearer, `doubts` those that
    would make its bearer uncertain, `kin` keys are shared by names that are alike but not equal.
    """

    anchor: str
    exact: frozenset[str]
    tokens: tuple[str, ...]
    marked: str
    shape: Shape = Shape.PLAIN
    offers: frozenset[str] = frozenset()
    asks: frozenset[str] = frozenset()
    doubts: frozenset[str] = frozenset()
    claims: frozenset[str] = frozenset()
    kin: frozenset[str] = frozenset()
    middle: tuple[str, ...] = ()
    generation: str | None = None
    gender: str | None = None
    qualifier: str | None = None
    legal: str | None = None
    identifier: tuple[str, str] | None = None
    days: tuple[str, ...] = ()

    @property
    def numerals(self) -> tuple[str, ...]:
        """The numerals of the name, in digits."""
        return numerals_of(self.tokens)


@lru_cache(maxsize=131072)
def form_of(name: str, label: str | None, maker: str | None = None) -> Form:
    """Takes a name apart as one of type `label`; `maker` is who makes it, if that is stated."""
    text = folding.cleaned(name)
    kind = read_as(text, label)
    found = identifiers.identifier(text) if kind == "identifier" else identifiers.named(text)
    if found is not None:
        return _identifier_form(*found)
    dates = days.readings(text) if kind in ("time", OPEN) else ()
    if dates:
        return _day_form(dates)
    month = days.month(text) if kind == "time" else None
    if month is not None:
        return Form(anchor=month, exact=frozenset({month}), tokens=(month,), marked=month)
    parts = cut(name)
    if kind == PERSON and not _POSSESSIVE.search(parts.core):
        return _person_form(parts, label)
    return _thing_form(parts, kind, maker)


@lru_cache(maxsize=131072)
def read_as(name: str, label: str | None) -> str:
    """The family that a name is read as: its type's, or what a title or a legal form makes plain."""
    kind = family(label)
    if kind != OPEN or " " not in name:
        return kind
    words = name.replace(",", " ").split()
    if folding.folded(words[0].strip(".")) in TITLES - LOOSE_TITLES:
        return PERSON
    last = words[-1].replace(".", "")
    legal = folding.folded(last) in LEGAL_FORMS and not last.islower()
    return ORGANIZATION if legal and (len(last) > 2 or last.isupper()) else kind  # noqa: PLR2004


def _identifier_form(kind: str, value: str) -> Form:
    key = identifiers.bucket(kind, value)
    shape = Shape.HANDLE if kind in ("handle", "mail") else Shape.PLAIN
    return Form(
        anchor=f"{kind}:{value}",
        exact=frozenset({key, f"{kind}:{value}"}),
        tokens=(value,),
        marked=value,
        shape=shape,
        identifier=(kind, value),
    )


def _day_form(dates: tuple[str, ...]) -> Form:
    anchor = " or ".join(dates)
    return Form(
        anchor=anchor, exact=frozenset({anchor, *dates}), tokens=(anchor,), marked=anchor, days=dates
    )


def _stated_anchors(parts: Cut, label: str | None) -> set[str]:
    """The anchors of the names that a name states; one that states yet others is none."""
    return {
        form_of(text, label).anchor for text in parts.stated if not (cut(text).stated or cut(text).birth)
    }


# Persons


def _person_form(parts: Cut, label: str | None) -> Form:
    person = read_person(_without_owner(parts.core))
    tokens = person.tokens
    shape = _person_shape(person, label)
    claims = _stated_anchors(parts, label)
    claims |= {" ".join((tokens[0], folding.folded(birth))) for birth in parts.birth if shape is Shape.FULL}
    quoted = tuple(folding.folded(word) for text in parts.quoted for word in words_of(text))
    if shape is Shape.FULL:
        claims |= {f"{nick} {tokens[-1]}" for nick in quoted}
    middle = tokens[1:-1] if shape is Shape.FULL else ()
    titled = "".join(f"{title} " for title in sorted(set(person.titles))) if shape is Shape.TITLED else ""
    key = titled + " ".join(tokens)
    return Form(
        anchor=key if person.generation is None else f"{key}, {person.generation}",
        exact=frozenset(titled + spelling for spelling in _spellings(person.words))
        | _abridged(tokens, middle)
        | _generation_key(key, person.generation),
        tokens=tokens,
        marked=" ".join(map(folding.marked, person.words)),
        shape=shape,
        offers=_person_offers(shape, tokens, quoted),
        asks=_person_asks(shape, tokens, person.titles),
        doubts=_person_doubts(shape, tokens, person.titles),
        claims=frozenset(claims),
        kin=_kin(tokens) if shape is Shape.FULL else frozenset(),
        middle=middle,
        generation=person.generation,
        gender=person.gender,
        qualifier=_qualifier(parts.brackets),
    )


def _without_owner(core: str) -> str:
    return core[:-2] if core.endswith("'s") and len(core) > 3 else core  # noqa: PLR2004


def _generation_key(key: str, generation: str | None) -> frozenset[str]:
    return frozenset() if generation is None else frozenset({f"{key}, {generation}"})


def _person_shape(person: Person, label: str | None) -> Shape:
    tokens = person.tokens
    if person.is_numbered:
        return Shape.PLAIN
    if len(tokens) == 1 or is_surname_only(tokens):
        return _single_shape(person, label)
    if len(tokens[0]) == 1 and not _CASELESS.search(tokens[0]):
        return Shape.INITIALED if len(tokens[-1]) > 1 else Shape.PLAIN
    if len(tokens[-1]) == 1 and not _CASELESS.search(tokens[-1]):
        return Shape.CLIPPED
    return Shape.FULL


def _single_shape(person: Person, label: str | None) -> Shape:
    token, word = person.tokens[-1], person.words[-1]
    if person.titles:
        return Shape.TITLED
    if len(person.tokens) > 1 or len(token) == 1 or _UNSPACED.fullmatch(token):
        return Shape.PLAIN
    if label is None and word.islower():
        return Shape.PLAIN
    return Shape.GIVEN


def _spellings(words: tuple[str, ...]) -> frozenset[str]:
    keys = {" ".join(map(folding.folded, words))}
    if not all(word.isascii() for word in words):
        keys.add(" ".join(folding.with_digraphs(word) or folding.folded(word) for word in words))
    return frozenset(keys)


def _abridged(tokens: tuple[str, ...], middle: tuple[str, ...]) -> frozenset[str]:
    """The keys without middle initials, and with middle names as initials."""
    if not middle:
        return frozenset()
    if all(len(token) == 1 for token in middle):
        return frozenset({f"{tokens[0]} {tokens[-1]}"})
    return frozenset({" ".join((tokens[0], *(token[0] for token in middle), tokens[-1]))})


def _person_offers(shape: Shape, tokens: tuple[str, ...], quoted: tuple[str, ...]) -> frozenset[str]:
    if shape in (Shape.INITIALED, Shape.TITLED):
        return frozenset({f"{'l' if shape is Shape.INITIALED else 't'}:{tokens[-1]}"})
    if shape is not Shape.FULL:
        return frozenset()
    given = (tokens[0], *quoted)
    offers = {f"f:{name}" for name in given} | {f"l:{tokens[-1]}"}
    offers |= {f"i:{name[0]} {tokens[-1]}" for name in given}
    return frozenset(offers | {f"c:{name} {tokens[-1][0]}" for name in given})


def _person_asks(shape: Shape, tokens: tuple[str, ...], titles: tuple[str, ...]) -> frozenset[str]:
    if shape is Shape.GIVEN:
        return frozenset({f"f:{tokens[0]}"})
    if shape is Shape.TITLED:
        given = bool(set(titles) & GIVEN_TITLES)
        return frozenset({f"{'f' if given else 'l'}:{tokens[-1]}"})
    if shape is Shape.INITIALED:
        return frozenset({f"i:{tokens[0]} {tokens[-1]}"})
    return frozenset({f"c:{tokens[0]} {tokens[-1]}"}) if shape is Shape.CLIPPED else frozenset()


def _person_doubts(shape: Shape, tokens: tuple[str, ...], titles: tuple[str, ...]) -> frozenset[str]:
    if shape is Shape.GIVEN:
        return frozenset({f"l:{tokens[0]}", f"t:{tokens[0]}"})
    if shape is Shape.TITLED:
        given = bool(set(titles) & GIVEN_TITLES)
        return frozenset({f"{'l' if given else 'f'}:{tokens[-1]}"})
    return frozenset()


def _kin(tokens: tuple[str, ...]) -> frozenset[str]:
    """Given names that the first may be short for, in Latin letters; and the two words in either order."""
    given = {name for first in (tokens[0], *latin(tokens[0])) for name in given_names(first)}
    surnames = (tokens[-1], *latin(tokens[-1]))
    keys = {f"k:{name} {surname}" for name in given for surname in surnames}
    if len(tokens) == 2:  # noqa: PLR2004
        keys.add(f"w:{' '.join(sorted(tokens))}")
    return frozenset(keys)


def _qualifier(brackets: tuple[str, ...]) -> str | None:
    return " ".join(folding.folded(word) for text in brackets for word in words_of(text)) or None


# Everything else


def _thing_form(parts: Cut, kind: str, maker: str | None) -> Form:
    head, place_qualifier = _place_parts(parts.core, kind)
    words = words_of(parts.core.replace(",", " "))
    if not words:
        words = (parts.core,)
    words, legal, whole = _without_legal_form(words, kind)
    tokens = _tokens(words, kind)
    keys = _keys(tokens, words, kind) | _maker_keys(tokens, kind, maker)
    if whole is not None:
        keys |= _keys(_tokens(whole, kind), whole, kind)
    acronyms, brackets = _bracketed_acronyms(parts.brackets, tokens, kind)
    shape, asks = _thing_shape(parts, words, kind)
    stated = _stated_anchors(parts, kind or None)
    if head is not None:  # "Springfield" may be short for "Springfield, Illinois"
        stated.add(" ".join(_tokens(words_of(head), kind)))
    return Form(
        anchor=" ".join(tokens),
        exact=frozenset(keys),
        tokens=tokens,
        marked=" ".join(map(folding.marked, words)),
        shape=shape,
        offers=frozenset(f"a:{text}" for text in acronyms | _derived_acronyms(tokens, kind)),
        asks=asks,
        claims=frozenset(stated),
        qualifier=_qualifier(brackets) or place_qualifier,
        legal=legal,
    )


def _place_parts(core: str, kind: str) -> tuple[str | None, str | None]:
    """("Springfield", "illinois") of "Springfield, Illinois"."""
    if kind != "place" or "," not in core:
        return None, None
    head, _, rest = core.partition(",")
    qualifier = " ".join(folding.folded(word) for word in words_of(rest.replace(",", " ")))
    return (head, qualifier) if qualifier and words_of(head) else (None, None)


def _without_legal_form(
    words: tuple[str, ...], kind: str
) -> tuple[tuple[str, ...], str | None, tuple[str, ...] | None]:
    """The words without legal forms, which form it was, and the whole name if the form stood in front."""
    if kind not in (ORGANIZATION, OPEN):
        return words, None, None
    form, whole = None, None
    low = [folding.folded(word) for word in words]
    while len(low) > 1 and low[-1] in LEGAL_FORMS and low[-2] not in ARTICLES:
        if len(low[-1]) == 2 and low[-1] != "co" and not words[len(low) - 1].isupper():  # noqa: PLR2004
            break  # "as" and "se" are words too
        form = LEGAL_FORMS[low.pop()]
    start = 0
    if form is None and len(low) > 1 and low[0] in LEADING_LEGAL_FORMS and words[0].isupper():
        form, whole, start = LEGAL_FORMS.get(low[0], low[0]), words, 1
    rest = words[start : len(low)]
    if len(rest) == 1:
        for legal in CJK_LEGAL_FORMS:
            if rest[0] != legal and legal in (rest[0][: len(legal)], rest[0][-len(legal) :]):
                return (rest[0].removeprefix(legal).removesuffix(legal),), legal, None
    return rest, form, whole


def _tokens(words: tuple[str, ...], kind: str) -> tuple[str, ...]:
    tokens = [folding.folded(word) for word in words]
    if len(tokens) > 1 and tokens[0] in ARTICLES:
        words, tokens = words[1:], tokens[1:]
    tokens = list(counted(words, tokens, kind))
    if kind == "time":
        tokens = _periods(tokens)
    if len(tokens) > 1:
        for place, token in enumerate(tokens):
            tokens[place] = ABBREVIATIONS.get(token, token)
        if words[-1].strip(".").casefold() == "st":
            tokens[-1] = "street"
        if _YEAR.fullmatch(tokens[0]) and not _YEAR.fullmatch(tokens[-1]):
            tokens = [*tokens[1:], tokens[0]]
    if kind == "concept":
        tokens[-1] = _singular(tokens[-1])
    return tuple(tokens)


def _periods(tokens: list[str]) -> list[str]:
    """Quarters and fiscal years in their short forms: "third quarter of 2025" is "q3 2025"."""
    text = " ".join(tokens)
    text = re.sub(
        r"\b(\d) quarter(?: of)?\b|\bquarter (\d)\b", lambda found: f"q{found[1] or found[2]}", text
    )
    return re.sub(r"\b(?:fiscal|financial) year\b", "fy", text).split() or tokens


def _singular(token: str) -> str:
    if len(token) > 4 and token.endswith("ies"):  # noqa: PLR2004
        return token[:-3] + "y"
    if len(token) > 4 and token.endswith(("ches", "shes", "xes", "sses")):  # noqa: PLR2004
        return token[:-2]
    plural = len(token) > 3 and token.endswith("s") and not token.endswith(("ss", "us", "is"))  # noqa: PLR2004
    return token[:-1] if plural else token


def _keys(tokens: tuple[str, ...], words: tuple[str, ...], kind: str) -> frozenset[str]:
    keys = {" ".join(tokens)}
    if len(tokens) == len(words) and not all(word.isascii() for word in words):
        keys.add(
            " ".join(
                folding.with_digraphs(word) or token for word, token in zip(words, tokens, strict=True)
            )
        )
    if kind in _BLANKLESS:
        keys.add(_blankless(tokens))
    return frozenset(keys)


def _blankless(tokens: tuple[str, ...]) -> str:
    """The tokens without blanks, except between digits; a two-digit fiscal year in four."""
    joined = tokens[0]
    for token in tokens[1:]:
        joined += f" {token}" if joined[-1].isdigit() and token[0].isdigit() else token
    fiscal = _FISCAL.fullmatch(joined)
    if fiscal is None:
        return joined
    return f"fy20{fiscal[1]}" if len(fiscal[1]) == 2 else joined  # noqa: PLR2004


def _maker_keys(tokens: tuple[str, ...], kind: str, maker: str | None) -> frozenset[str]:
    """The keys of a product with and without its maker's name in front."""
    if maker is None or kind not in ("product", OPEN):
        return frozenset()
    made_by = _tokens(words_of(maker), ORGANIZATION)
    if tokens[: len(made_by)] == made_by and len(tokens) > len(made_by):
        tokens = tokens[len(made_by) :]
    return frozenset({" ".join(tokens), _blankless(tokens), _blankless(made_by + tokens)})


def _bracketed_acronyms(
    brackets: tuple[str, ...], tokens: tuple[str, ...], kind: str
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The brackets that hold the name's own acronym, and the others."""
    if not brackets or kind not in _ACRONYMIC:
        return frozenset(), brackets
    initials = _initials(tokens)
    own = {text for text in brackets if folding.folded(text.replace(".", "")) in initials}
    return (
        frozenset(folding.folded(text.replace(".", "")) for text in own),
        tuple(text for text in brackets if text not in own),
    )


def _initials(tokens: tuple[str, ...]) -> frozenset[str]:
    major = [token for token in tokens if token not in MINOR_WORDS]
    return frozenset({"".join(token[0] for token in major), "".join(token[0] for token in tokens)})


def _derived_acronyms(tokens: tuple[str, ...], kind: str) -> frozenset[str]:
    if kind != ORGANIZATION or len(tokens) < _SHORTEST_ACRONYM:
        return frozenset()
    return frozenset(
        text for text in _initials(tokens) if len(text) >= _SHORTEST_ACRONYM and text.isalpha()
    )


def _thing_shape(parts: Cut, words: tuple[str, ...], kind: str) -> tuple[Shape, frozenset[str]]:
    if len(words) != 1 or parts.brackets or _POSSESSIVE.search(parts.core):
        return Shape.PLAIN, frozenset()
    word, token = words[0], folding.folded(words[0])
    asks: set[str] = set()
    acronym = kind in _ACRONYMIC and _ACRONYM.fullmatch(word) is not None
    if acronym:
        asks.add(f"a:{token}")
    if (
        kind == OPEN
        and len(word) > 1
        and word.isalpha()
        and not word.islower()
        and not _UNSPACED.fullmatch(word)
    ):
        asks.add(f"f:{token}")
    if not asks:
        return Shape.PLAIN, frozenset()
    return (Shape.ACRONYM if acronym else Shape.GIVEN), frozenset(asks)
