"""Who is meant by I, you, she, it: the speakers of a turn, and what was named before.

A pronoun is bound only where one reading is plain: the latest person, thing or group that fits. Otherwise
it stays unbound, and nothing is said about it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    """Something named, and what a pronoun for it can look like. Unknown is None."""

    name: Name
    at: int
    person: bool | None = None
    gender: str | None = None
    plural: bool = False
    subject: bool = False
    sentence: int = 0


@dataclass(slots=True)
class Discourse:
    """What has been named so far in one episode and the turns before it."""

    named: list[Referent] = field(default_factory=list)

    def bound(self, pronoun: str, turn: Turn, *, sentence: int, at: int) -> Name | None:
        """Who or what `pronoun` (lower case) stands for, said in `turn`; None if that is not plain."""
        if pronoun in FIRST_PERSON:
            text = "we" if pronoun in _PLURAL_FIRST else "I"
            kind = None if text == "we" else "person"
            return Name(text=text, type=kind, speaker=turn.speaker, addressee=turn.addressee)
        if pronoun in SECOND_PERSON:
            if turn.addressee is None:
                return None
            return Name(text="you", type="person", speaker=turn.speaker, addressee=turn.addressee)
        if pronoun in _PERSONS:
            return self._latest(lambda r: self._is_person(r, _PERSONS[pronoun]), sentence, at)
        if pronoun in _THINGS:
            return self._latest(lambda r: r.person is not True and not r.plural, sentence, at)
        if pronoun in _GROUPS:
            return self._latest(lambda r: r.plural or r.name.type == "organization", sentence, at)
        return None

    def _is_person(self, referent: Referent, gender: str) -> bool:
        fits = referent.gender in {None, gender}
        return referent.person is True and fits and not referent.plural

    def _latest(self, fits: Callable[[Referent], bool], sentence: int, at: int) -> Name | None:
        """The latest referent that fits: of one sentence its subject before the rest."""
        before = [r for r in self.named if (r.sentence, r.at) < (sentence, at) and fits(r)]
        if not before:
            return None
        latest = max(r.sentence for r in before)
        there = [r for r in before if r.sentence == latest]
        subjects = [r for r in there if r.subject]
        return (subjects or there)[-1].name
