"""Who is meant by I, you, she, it: the speakers of a turn, and what was named before.

A pronoun is bound only where one reading is plain: the latest person, thing or group that fits. Otherwise
it stays unbound, and nothing is said about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Name
from memstrata.extraction.offline.words import FIRST_PERSON, SECOND_PERSON

if TYPE_CHECKING:
    from collections.abc import Callable

    from memstrata.extraction.offline.turns import Turn

_PLURAL_FIRST = frozenset({"we", "us", "our", "ours", "ourselves"})
_PERSONS = {
    "he": "m", "him": "m", "his": "m", "himself": "m",
    "she": "f", "her": "f", "hers": "f", "herself": "f",
}  # fmt: skip
_THINGS = frozenset({"it", "its", "itself"})
_GROUPS = frozenset({"they", "them", "their", "theirs", "themselves"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Referent:
    """Something named, and what a pronoun for it can look like. Unknown is None.

    `at` and `verb` are tokens of its block: where it stands, and the verb it belongs to. `where`: it only
    says where something is; `group`: it is people together, a firm or a team; `animal`: "he" too.
    """

    name: Name
    at: int
    person: bool | None = None
    gender: str | None = None
    plural: bool = False
    subject: bool = False
    where: bool = False
    group: bool = False
    animal: bool = False
    proper: bool = False
    main: bool = False
    sentence: int = 0
    verb: int = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a pronoun stands: its sentence, its token and its verb; whether it only says whose.

    `plural`: it means several; `acting`: who do what things seldom do.
    """

    sentence: int
    at: int
    verb: int
    possessive: bool = False
    plural: bool = False
    acting: bool = False


@dataclass(slots=True)
class Discourse:
    """What was named so far in an episode and the turns before it; `known`: which description is who."""

    named: list[Referent] = field(default_factory=list)
    known: dict[tuple[str, str], Name] = field(default_factory=dict)

    def learn(self, described: Name, name: Name) -> None:
        """Remembers that a description has a name: "my husband" is Florin."""
        self.known[_key(described)] = name

    def learn_gender(self, known: list[Referent], pronoun: str) -> None:
        """Remembers what a pronoun told of those it stands for: after "her partner" Elspeth is no "he"."""
        gender = _PERSONS.get(pronoun)
        new = {id(r) for r in known if r.gender is None}
        if gender is not None and new:
            self.named = [replace(r, gender=gender) if id(r) in new else r for r in self.named]

    def best(self, name: Name) -> Name:
        """The name of what a description describes, if it was told; else the description."""
        return self.known.get(_key(name), name)

    def bound(self, pronoun: str, turn: Turn, place: Place) -> Name | None:
        """Who or what `pronoun` (lower case) stands for, said in `turn`; None if that is not plain."""
        if pronoun in FIRST_PERSON:
            text = "we" if pronoun in _PLURAL_FIRST else "I"
            kind = None if text == "we" else "person"
            return Name(text=text, type=kind, speaker=turn.speaker, addressee=turn.addressee)
        if pronoun in SECOND_PERSON and turn.addressee is not None:
            return Name(text="you", type="person", speaker=turn.speaker, addressee=turn.addressee)
        fits = _fitting(pronoun)
        if fits is None:
            return None
        found = self._latest(fits, place)
        if found is None and pronoun in _PERSONS:
            return self._latest(_is_perhaps(pronoun), place)
        return found

    def _latest(self, fits: Callable[[Referent], bool], place: Place) -> Name | None:
        """The latest referent that fits and is not of the same clause: of a sentence its subject first."""
        before = [r for r in self.named if (r.sentence, r.at) < (place.sentence, place.at) and fits(r)]
        if not place.possessive:
            before = [r for r in before if (r.sentence, r.verb) != (place.sentence, place.verb)]
        if not before:
            return None
        if place.plural and place.acting:
            before = [r for r in before if r.subject or _is_of_people(r)]
            if not before:
                return None
        if place.plural and any(_is_of_people(r) for r in before):  # things do little that people do
            before = [r for r in before if r.subject or _is_of_people(r)]
            named = [r for r in before if r.subject or r.name.text[:1].isupper()]
            before = named or before
        before = [r for r in before if not r.where] or before
        latest = max(r.sentence for r in before)
        there = [r for r in before if r.sentence == latest]
        subjects = [r for r in there if r.subject]
        return self.best(([r for r in subjects if r.main] or subjects or there)[-1].name)


def _is_of_people(referent: Referent) -> bool:
    """Whether it is a firm, a team or several people."""
    return referent.group or referent.name.type == "organization" or referent.person is True


def _fitting(pronoun: str) -> Callable[[Referent], bool] | None:
    """What a pronoun asks of what it stands for; None for a word that stands for nothing told."""
    if pronoun in _PERSONS:
        genders = {None, _PERSONS[pronoun]}
        return lambda r: (r.person is True or r.animal) and r.gender in genders and not r.plural
    if pronoun in _THINGS:
        return lambda r: (r.person is not True or (r.group and not r.proper)) and not r.plural
    if pronoun in _GROUPS:
        return lambda r: r.plural or r.group or r.name.type == "organization"
    return None


def _is_perhaps(pronoun: str) -> Callable[[Referent], bool]:
    """Where nobody surely is a person: a name of what may be one, as "Aoife" in "news of Aoife?"."""
    genders = {None, _PERSONS[pronoun]}
    return lambda r: r.person is None and r.gender in genders and r.name.text.istitle() and not r.group


def _key(name: Name) -> tuple[str, str]:
    return (name.speaker.id if name.speaker else "", name.text.casefold())
