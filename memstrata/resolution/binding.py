"""Who a mention names before any name is compared: speakers, roles, voices; and what names nobody.

First and second person bind to accounts, never to names; "my mother" and "Alice's manager" are roles
of somebody; voice labels hold within one saga. What is no name is refused with a reason.
"""

# ruff: noqa: RUF001 (typographic quotation marks are meant)

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memstrata.model import Role
from memstrata.resolution import folding
from memstrata.resolution.days import is_relative, relative_day
from memstrata.resolution.lattice import OPEN, PERSON, family
from memstrata.resolution.quotations import quoted_one
from memstrata.resolution.vocabulary import (
    ASSISTANT_WORDS,
    FIRST_PERSON,
    FUNCTION_WORDS,
    HARD_PLACEHOLDERS,
    PLACEHOLDERS,
    PRONOUNS,
    ROLE_SYNONYMS,
    ROLES,
    SECOND_PERSON,
    USER_WORDS,
)

if TYPE_CHECKING:
    from memstrata.model import Mention, Speaker

_OWNED: Final = re.compile(
    r"(my|your|our|his|her|their|its|the (?:user|assistant)['’]s) (.+)", re.IGNORECASE
)
_OWNED_BY_NAME: Final = re.compile(r"(.+?)(?:['’]s|(?<=s)['’]) ([^\W\d_][\w -]*)")
_VOICE: Final = re.compile(
    r"(?:unknown |unidentified )?"
    r"(?:speaker|spk|voice|participant|interviewee|interviewer|caller|person|guest)"
    r"[ _#-]*(?:\d+|[a-z])?",
)
_LABELLED: Final = re.compile(r"[ _#-]*(?:\d+|\b[a-z])$")
_UNNUMBERED_VOICES: Final = frozenset(
    {"interviewer", "interviewee", "unknown speaker", "unidentified speaker"}
)
_INTRODUCING: Final = re.compile(
    r"\b(?:i['’]m|i am|my (?:full |first )?name is|call me)(?=\s)", re.IGNORECASE
)
#: The attribute by which an imported mention is known to be of one node of the graph that it comes from.
NODE_ID: Final = "node_id"

#: Types whose entities may be called by a word that otherwise names nobody (WHO, It, They).
_TRULY_NAMED: Final = frozenset(
    {"organization", "product", "work", "place", "document", "event", "project"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A mention that names no entity, and why."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """Whom a mention names: an account, somebody's role, a voice or a day in its scope, or its `name`.

    `unnamed`: the name only says the role, or the account has no name.
    """

    name: str
    account: str | None = None
    role: tuple[str, str] | None = None
    unnamed: bool = False
    scope: str | None = None
    day: str | None = None


@lru_cache(maxsize=65536)
def _plain(name: str) -> str:
    return folding.folded(folding.compatible(folding.cleaned(name))).strip(" .,;:!?\"'*_-")


def bind(mention: Mention) -> Binding | Refusal:
    """Says whom the mention names, or why nobody."""
    if NODE_ID in mention.attributes:
        return _as_node(mention)
    plain = context_free(mention.name, mention.type)
    if plain is not None and (mention.speaker is None or not mention.text):
        return plain
    low = _plain(mention.name)
    kind = family(mention.type)
    if not any(char.isalnum() for char in low):
        return Refusal(reason="the name has no letter and no digit")
    found = _bound_person(mention, low) if kind in (PERSON, OPEN) else None
    if found is not None:
        return found
    reason = _refused(mention.name, low, kind)
    return _role(mention, kind) or _scoped(mention, low, kind) if reason is None else Refusal(reason=reason)


@lru_cache(maxsize=131072)
def context_free(name: str, label: str | None) -> Binding | None:
    """The binding of a plain name, which is nobody's word for a speaker, a role, a voice or a day."""
    low, kind = _plain(name), family(label)
    if not any(char.isalnum() for char in low) or _refused(name, low, kind) is not None:
        return None
    if low in FIRST_PERSON | SECOND_PERSON | USER_WORDS | ASSISTANT_WORDS or _may_be_owned(name):
        return None
    if _is_voice(low) or (kind in ("time", OPEN) and is_relative(name)):
        return None
    return Binding(name=name)


def _may_be_owned(name: str) -> bool:
    text = folding.compatible(folding.cleaned(name))
    return _OWNED.fullmatch(text) is not None or _OWNED_BY_NAME.fullmatch(text) is not None


def _scoped(mention: Mention, low: str, kind: str) -> Binding:
    """A voice of its saga, a day of its reference time, or simply a name."""
    if kind in (PERSON, OPEN) and _is_voice(low):
        return Binding(name=mention.name, scope=mention.saga or mention.episode_id)
    if kind in ("time", OPEN):
        day = relative_day(mention.name, mention.text, mention.reference_time)
        return Binding(name=mention.name, day=day)
    return Binding(name=mention.name)


def _bound_person(mention: Mention, low: str) -> Binding | Refusal | None:
    if low in FIRST_PERSON:
        return _first_person(mention)
    if low in SECOND_PERSON:
        quoted = quoted_one(mention.name, mention.text)
        if quoted is not None:
            return Refusal(reason="'you' inside a quotation: who was spoken to is not stated")
        return _as_account(mention.addressee, mention, "nobody is spoken to")
    if low in USER_WORDS:
        return _of_role(mention, Role.USER)
    return _of_role(mention, Role.ASSISTANT) if low in ASSISTANT_WORDS else _introduced(mention)


def _as_node(mention: Mention) -> Binding:
    """A node of the graph that the mention was imported from: one entity, whatever it is called."""
    node = " ".join(sorted(mention.attributes[NODE_ID]))
    is_name = context_free(mention.name, mention.type) is not None
    return Binding(name=mention.name, account=f"node:{node}", unnamed=not is_name)


def _first_person(mention: Mention) -> Binding | Refusal:
    quoted = quoted_one(mention.name, mention.text)
    if quoted is None or _plain(quoted) in FIRST_PERSON:
        return _as_account(mention.speaker, mention, "first person, but no speaker is known")
    if not quoted or _plain(quoted) in PRONOUNS | SECOND_PERSON | FUNCTION_WORDS:
        return Refusal(reason="first person inside a quotation whose speaker is not named")
    return Binding(name=quoted)


def _as_account(speaker: Speaker | None, mention: Mention, otherwise: str) -> Binding | Refusal:
    if speaker is None:
        return Refusal(reason=f"{otherwise} ({mention.name.strip()!r})")
    return Binding(name=speaker.name or "", account=speaker.id, unnamed=not (speaker.name or "").strip())


def _of_role(mention: Mention, role: Role) -> Binding | Refusal:
    """The user of a conversation, or its assistant: the one of speaker and addressee who has that role.

    Whoever speaks of "the user" in a user's own words may mean anybody.
    """
    if mention.addressee is not None and mention.addressee.role is role:
        return _as_account(mention.addressee, mention, "")
    if role is Role.ASSISTANT and mention.speaker is not None and mention.speaker.role is role:
        return _as_account(mention.speaker, mention, "")
    return Refusal(reason=f"nobody who is spoken to is known ({mention.name.strip()!r})")


def _introduced(mention: Mention) -> Binding | None:
    """The speaker, where the sentence says so: "I'm Ana", "my name is Ana"."""
    speaker = mention.speaker
    if speaker is None or not mention.text or '"' in mention.text or "“" in mention.text:
        return None
    if _INTRODUCING.search(mention.text) is None:
        return None
    name = re.escape(mention.name.strip())
    said = rf"{_INTRODUCING.pattern}(?: called| named)? {name}(?=$|[.,;:!?)]| from\b| here\b)"
    if re.search(said, mention.text, re.IGNORECASE) is None or not mention.name.strip()[:1].isupper():
        return None
    return Binding(name=mention.name, account=speaker.id)


def _refused(name: str, low: str, kind: str) -> str | None:
    stripped = name.strip()
    raw = folding.folded(stripped)
    true_name = kind in _TRULY_NAMED and not stripped.islower()
    if raw in HARD_PLACEHOLDERS or low in HARD_PLACEHOLDERS:
        return f"{stripped!r} stands for a missing name"
    if true_name or (kind not in (PERSON, OPEN) and not stripped.islower() and low not in PLACEHOLDERS):
        return None
    if low in PLACEHOLDERS or raw in PLACEHOLDERS:
        return f"{stripped!r} stands for a missing name"
    if low in PRONOUNS or low in FIRST_PERSON or low in SECOND_PERSON:
        return (
            None
            if kind not in (PERSON, OPEN) and len(low) == 1
            else f"{stripped!r} is a pronoun, it names nobody"
        )
    if low in FUNCTION_WORDS:
        return f"{stripped!r} is a function word, it names nobody"
    return None


def _role(mention: Mention, kind: str) -> Binding | None:
    text = folding.compatible(folding.cleaned(mention.name))
    if "'" not in text and " " not in text:
        return None
    if found := _OWNED.fullmatch(text):
        owner = _owner(found[1].casefold(), mention)
        return _role_of(owner, found[2], mention)
    if kind in (PERSON, OPEN) and (found := _OWNED_BY_NAME.fullmatch(text)):
        role = folding.folded(found[2])
        if role in ROLES or role in ROLE_SYNONYMS or kind == PERSON:
            return Binding(
                name=mention.name,
                role=(f"name:{_plain(found[1])}", ROLE_SYNONYMS.get(role, role)),
                unnamed=True,
            )
    return None


def _owner(word: str, mention: Mention) -> str:
    place = f"in:{mention.saga or mention.episode_id}"
    if word in ("my", "our"):
        quoted = quoted_one(mention.name, mention.text) if mention.speaker is not None else None
        if quoted:
            return f"name:{_plain(quoted)}"
        return place if mention.speaker is None else f"account:{mention.speaker.id}"
    if word == "your" or word.startswith("the user"):
        return place if mention.addressee is None else f"account:{mention.addressee.id}"
    return f"{place}:{word}"


def _role_of(owner: str, rest: str, mention: Mention) -> Binding:
    """The role, and the name behind it: "brother Leo" is the brother, named Leo."""
    words = rest.split()
    named = next((place for place, word in enumerate(words) if place and word[:1].isupper()), None)
    said = words if named is None else words[:named]
    role = " ".join(
        ROLE_SYNONYMS.get(word, word) for word in (folding.folded(word.strip(",")) for word in said)
    )
    if named is None or role.split()[-1] not in ROLES:
        role = " ".join(ROLE_SYNONYMS.get(word, word) for word in map(folding.folded, words))
        return Binding(name=mention.name, role=(owner, role), unnamed=True)
    return Binding(name=" ".join(words[named:]), role=(owner, role))


def _is_voice(low: str) -> bool:
    if low in _UNNUMBERED_VOICES:
        return True
    return low[:1] in "usvpicg" and _VOICE.fullmatch(low) is not None and _LABELLED.search(low) is not None
