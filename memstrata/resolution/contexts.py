"""What the sentence around a name says of its bearer: set off from a namesake, described by a role.

The text is read for a few fixed turns of phrase; it never becomes part of a signature itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.resolution import folding
from memstrata.resolution.vocabulary import OFFICES, ROLE_SYNONYMS

if TYPE_CHECKING:
    from memstrata.model import Mention

_CONTRAST_CUE: Final = re.compile(
    r"another|different|second|other|no relation|related|namesake|not the|same name", re.IGNORECASE
)
_OTHER: Final = (
    r"\b(?:another|(?:a|the) (?:different|second|other)|one more|a namesake of)(?: person called| one,?)?"
)
_UNRELATED: Final = (
    r",? ?\(?(?:who is |is )?"
    r"(?:no relation|unrelated|not related|a namesake|not the (?:same|one)"
    r"|a different (?:person|man|woman|one))"
)
_OWNERS: Final = r"(?:my|our|his|her|their|your|the|a|an)"
_OCCUPATION: Final = re.compile(r"\w{3,}(?:ist|er|or|ian|ant|eer|man|woman|smith|wright)")


def is_contrasted(text: str, name: str) -> bool:
    """Whether the sentence sets this bearer of the name off from another: "a different John Parkes"."""
    if _CONTRAST_CUE.search(text) is None:
        return False
    own = re.escape(name.strip())
    return re.search(rf"{_OTHER} {own}\b|\b{own}{_UNRELATED}", text, re.IGNORECASE) is not None


def described_role(text: str, name: str) -> str | None:
    """The role or trade that the sentence gives a bare first name: "Sam, my dentist", "my nephew Sam"."""
    own = re.escape(name.strip())
    found = re.search(
        rf"\b{_OWNERS} (?P<before>[a-z-]+) {own}\b"
        rf"|\b{own},? (?:(?:is|was) )?{_OWNERS} (?P<after>[a-z-]+)\b",
        text,
    )
    word = None if found is None else found["before"] or found["after"]
    if word is None:
        return None
    role = ROLE_SYNONYMS.get(word, word)
    return role if role in OFFICES or _OCCUPATION.fullmatch(role) else None


def echoed(mention: Mention) -> str | None:
    """The account that speaks here, if the mention is one word of what that account is called."""
    speaker = mention.speaker
    if speaker is None or speaker.name is None or " " in mention.name.strip():
        return None
    called = folding.folded(folding.compatible(speaker.name)).split()
    own = folding.folded(folding.compatible(folding.cleaned(mention.name)))
    return speaker.id if own in called else None
