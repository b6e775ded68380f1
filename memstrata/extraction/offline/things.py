"""What sort of thing a name is of, as far as its words show: an employer, a group, a place, a possession.

Common nouns decide; a proper name alone is only a `NAME`, which state relations then read by the verb.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.extraction.offline.naming import is_code, label_of, masked, named, written
from memstrata.extraction.offline.nouns import is_proper
from memstrata.extraction.offline.words import CHANGING, FIRST_PERSON, PEOPLE, is_role, word_set

if TYPE_CHECKING:
    from spacy.tokens import Token

    from memstrata.extraction.candidates import Name
    from memstrata.extraction.offline.grammar import Clause


class Sort(StrEnum):
    """What sort of thing something is."""

    PERSON = "person"
    EITHER = "either"  # one word that the parser takes for a person's name, often a firm's
    PLACE = "place"
    HOME = "home"
    EMPLOYER = "employer"
    SCHOOL = "school"
    GROUP = "group"
    TEAM = "team"
    POSSESSION = "possession"
    PLAYED = "played"
    NAME = "name"
    SUPPLY = "supply"
    THING = "thing"


_SORTS: Final = {
    Sort.EMPLOYER: word_set(
        "company firm agency bank startup start-up hospital clinic studio newspaper magazine ministry"
        " factory restaurant bakery shop store museum organisation organization business employer"
        " charity consultancy bureau lab laboratory corporation brewery practice hotel farm café cafe"
        " garage publisher airline"
    ),
    Sort.SCHOOL: word_set(
        "university college school academy institute polytechnic conservatory conservatoire kindergarten"
    ),
    Sort.GROUP: word_set(
        "choir band orchestra club society association union committee council board team squad"
        " ensemble quartet trio cooperative alliance league federation fellowship group party army"
        " navy militia parliament senate jury troupe crew gang guild chapter"
    ),
    Sort.TEAM: word_set("project department unit division programme program initiative workstream desk"),
    Sort.PLACE: word_set("city town village country island capital county region suburb hometown"),
    Sort.HOME: word_set(
        "house flat apartment cottage condo studio bungalow villa houseboat dorm dormitory home"
        " farmhouse loft cabin"
    ),
    Sort.POSSESSION: word_set(
        "car van truck motorbike motorcycle bike bicycle scooter boat yacht caravan camper hatchback"
        " sedan suv convertible estate tractor piano guitar violin cello drum laptop computer phone"
        " tablet camera console drone telescope printer dog cat horse pony parrot rabbit hamster puppy"
        " kitten goat cow pig tortoise turtle vineyard land plot allotment"
    ),
    Sort.PLAYED: word_set(
        "piano guitar violin cello viola flute clarinet oboe drums trumpet trombone saxophone harp"
        " accordion ukulele harpsichord tennis badminton football soccer rugby golf chess hockey"
        " cricket squash poker basketball volleyball bridge"
    ),
    Sort.SUPPLY: word_set(
        "coffee tea beer wine drink lunch dinner breakfast meal snack sandwich pizza cake bread milk"
        " food ice ticket gift present flower bouquet round card stamp time idea stake share story"
        " bottle cup glass pint bag packet box pack dose"
    ),
}
_COMPLEMENT: Final = re.compile(r"\s(?:of|in|near|for)\s")
#: Of these groups a bare noun may be something else: "left the party".
#: Sides of a bargain, of whom "they" is said.
_SIDES: Final = word_set("client customer supplier vendor family management staff")
_VAGUE: Final = word_set("party group class gang")


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """The object of an event: its sorts, and whether it is one particular thing."""

    sorts: frozenset[Sort]
    particular: bool = False


def thing_of(clause: Clause, target: Name | str) -> Thing:
    """What the object `target` of `clause` is."""
    text = target if isinstance(target, str) else target.said
    token = _token_of(clause, text)
    return Thing(sorts=_sorts(text, token), particular=_is_particular(clause, token))


def _token_of(clause: Clause, text: str) -> Token | None:
    """The noun in the clause that is told as `text`; a pronoun where none is."""
    words = text.split()
    found = [c.token for c in (*clause.objects, *clause.prepositions)]
    here = [t for t in map(named, found) if set(written(t.doc, t.i, t.i).split()) <= set(words)]
    return next(iter(here), None) or next((t for t in found if t.pos_ == "PRON"), None)


def _sorts(text: str, token: Token | None) -> frozenset[Sort]:
    """By its head noun, then by the parser's label, then by whether it is written as a name."""
    head = _COMPLEMENT.split(text, maxsplit=1)[0].rsplit(maxsplit=1)[-1]
    noun, alone = head.casefold(), len(text.split()) == 1
    sorts = {sort for sort, nouns in _SORTS.items() if noun in nouns and not (alone and noun in _VAGUE)}
    if head[:1].isupper() and not alone:  # "Osprey Capital" is a firm, "Greyfriars Hospital" a hospital
        sorts &= {Sort.EMPLOYER, Sort.SCHOOL, Sort.GROUP, Sort.TEAM}
    if sorts:
        return frozenset(sorts)
    label = label_of(token) if token is not None and _is_met(token) else ""
    if label in {"GPE", "LOC"}:
        return frozenset({Sort.PLACE})
    if label == "PERSON" or noun in PEOPLE:
        return frozenset({Sort.EITHER if alone and noun not in PEOPLE else Sort.PERSON})
    proper = head[:1].isupper() or (token is not None and (is_proper(token) or is_code(token)))
    return frozenset({Sort.NAME if proper else Sort.THING})


def _is_met(token: Token) -> bool:
    """Whether the parser met the words of the name, so that its label for them can be trusted."""
    words = [token, *(c for c in token.lefts if c.dep_ == "compound")]
    return not any(masked(word.doc).replaces(word.idx) for word in words)


def _is_particular(clause: Clause, token: Token | None) -> bool:
    """Whether it is one thing that somebody can have: "the boat", "a Tesla", not "boats", "milk"."""
    given = any(c.dep_ == "dative" for c in clause.head.children) or bool(clause.under("for"))
    given = given or (len(clause.objects) > 1 and clause.objects[0].token.lemma_.lower() in PEOPLE)
    if token is None or given:
        return False
    if token.pos_ == "PRON":
        return token.lower_ == "it"
    determined = any(c.dep_ in {"det", "poss"} and c.lower_ not in {"no", "any"} for c in token.lefts)
    return determined and token.tag_ in {"NN", "NNP"}


def is_a_group(token: Token) -> bool:
    """Whether a noun names people together: "the board", "their team", "Greta at Vidal Freight"."""
    kinds = (Sort.GROUP, Sort.TEAM, Sort.EMPLOYER, Sort.SCHOOL)
    if any(token.lower_ in _SORTS[sort] for sort in kinds) or (
        not is_proper(token) and token.lower_ in _SIDES
    ):
        return True
    if is_code(token) and " & " in written(token.doc, token.i, token.i):
        return True
    at = (
        token.dep_ == "pobj"
        and token.head.head.lemma_.lower() not in CHANGING
        and token.head.lower_ in {"at", "from"}
        and is_proper(token)
        and not is_code(token)
    )
    if token.dep_ == "appos" and token.left_edge.i > 0 and token.left_edge.nbor(-1).text == "(":
        return is_proper(token) and is_proper(token.head)
    tool = token.text.isupper() and any(c.dep_ == "det" for c in token.lefts)  # "the API"
    firm = (label_of(token) == "ORG" and not tool) or token.tag_ == "NNPS"
    return firm or (at and label_of(token) not in {"GPE", "LOC", "FAC", "DATE"})


def is_someone(name: Name) -> bool:
    """Whether a name is, or may be, a person's or that of the people who speak."""
    if name.speaker is not None and name.text.casefold() in FIRST_PERSON | {"you"}:
        return True
    if name.type == "place":
        return False
    last = name.text.split()[-1]
    return last[:1].isupper() or is_role(last) or name.text == "we"


def is_person(name: Name) -> bool:
    """Whether a name is surely a person's."""
    return name.type == "person" or name.text.casefold() in FIRST_PERSON


def is_several(name: Name) -> bool:
    """Whether a name is that of people who do something together: "we", "the billing team"."""
    last = name.text.split()[-1].casefold()
    return (
        last == "we"
        or name.type == "organization"
        or any(last in _SORTS[sort] for sort in (Sort.GROUP, Sort.TEAM, Sort.EMPLOYER))
    )
