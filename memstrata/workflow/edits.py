"""What a person makes of an extracted item: all that an assertion says, in names.

An edit is whole: it holds also what it leaves as it was, so that no later extraction makes nonsense of it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, nearest
from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.declared import NotATriple, read_time, sentence_of
from memstrata.extraction.verification import PERSONS_RULES, Source, named, outcome_of
from memstrata.ids import identify
from memstrata.instants import StatedTime, format_instant, parse_instant, precision_named
from memstrata.model import Kind, Mention, ObjectKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.instants import Precision
    from memstrata.model import Assertion, Episode, Json
    from memstrata.ontology import Ontology

#: What may be changed, as the faces name it.
FIELDS: Final = (
    "subject",
    "subject_type",
    "predicate",
    "object",
    "object_type",
    "object_kind",
    "kind",
    "fact",
    "valid_at",
    "invalid_at",
    "confidence",
)
_MAY_BE_EMPTY: Final = frozenset({"subject_type", "object_type", "valid_at", "invalid_at"})
_CHOICES: Final[Mapping[str, Mapping[str, Kind | ObjectKind]]] = {
    "kind": {one.value: one for one in Kind},
    "object_kind": {one.value: one for one in ObjectKind},
}
#: What a person who reviews may decide, though it keeps others waiting.
_LEFT_TO_PEOPLE: Final = frozenset({"relation_is_declared", "types_are_declared"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """An assertion in names, as somebody left it. An object that is a literal has no type."""

    subject: str
    predicate: str
    object: str
    object_kind: ObjectKind
    kind: Kind
    fact: str
    confidence: float
    subject_type: str | None = None
    object_type: str | None = None
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None

    def payload(self) -> dict[str, Json]:
        """As a decision holds it."""
        return {
            "subject": self.subject,
            "subject_type": self.subject_type,
            "predicate": self.predicate,
            "object": self.object,
            "object_type": self.object_type,
            "object_kind": self.object_kind.value,
            "kind": self.kind.value,
            "fact": self.fact,
            "valid_at": _written(self.valid_at),
            "invalid_at": _written(self.invalid_at),
            "confidence": self.confidence,
        }


def read_edit(payload: Mapping[str, Json]) -> Edit | None:
    """The edit of a decision; None for one that takes edits back. Raises `Incorrect` for what is none."""
    given = payload.get("edit")
    if given is None:
        return None
    if not isinstance(given, Mapping):
        raise Incorrect(f"the payload's edit is {given!r}; expected all of {', '.join(FIELDS)}")
    lacking = [name for name in FIELDS if name not in given]
    if lacking:
        raise Incorrect(f"the payload's edit lacks {', '.join(lacking)}; an edit is whole")
    try:
        edit = Edit(
            subject=_text(given, "subject"),
            subject_type=_text(given, "subject_type") if given["subject_type"] else None,
            predicate=_text(given, "predicate"),
            object=_text(given, "object"),
            object_type=_text(given, "object_type") if given["object_type"] else None,
            object_kind=ObjectKind(_text(given, "object_kind")),
            kind=Kind(_text(given, "kind")),
            fact=_text(given, "fact"),
            confidence=_share(given["confidence"]),
            valid_at=_stated(given["valid_at"]),
            invalid_at=_stated(given["invalid_at"]),
        )
    except (ValueError, TypeError, KeyError) as error:
        raise Incorrect(f"the payload's edit cannot be read: {error}") from None
    return edit


def as_it_stands(assertion: Assertion, mentions: Mapping[str, Mention]) -> Edit:
    """What an assertion says, in names."""
    subject = mentions[assertion.subject]
    target = mentions.get(assertion.object) if assertion.object_kind is ObjectKind.ENTITY else None
    return Edit(
        subject=subject.name,
        subject_type=subject.type,
        predicate=assertion.predicate,
        object=assertion.object if target is None else target.name,
        object_type=None if target is None else target.type,
        object_kind=assertion.object_kind,
        kind=assertion.kind,
        fact=assertion.fact,
        confidence=assertion.confidence,
        valid_at=assertion.valid_at,
        invalid_at=assertion.invalid_at,
    )


def changed(standing: Edit, changes: Mapping[str, Json]) -> Edit:
    """What stands with those fields changed; times as `2019`, `2019-06`, `2019-06-14` or an instant.

    Empty text takes a type or a time away. The sentence follows what else changes, unless it is given.
    Raises `Incorrect` naming the field that cannot be read.
    """
    if not changes:
        raise Incorrect(f"the edit changes nothing; give one or more of {', '.join(FIELDS)}")
    read: dict[str, object] = {}
    for name, value in changes.items():
        if name not in FIELDS:
            near = nearest(name, FIELDS)
            hint = f"did you mean {near!r}?" if near else f"fields are {', '.join(FIELDS)}"
            raise Incorrect(f"{name!r} cannot be edited; {hint}")
        read[name] = _changed(name, value)
    edit = replace(standing, **read)  # type: ignore[arg-type]  # each field was read as what it is
    if edit.object_kind is ObjectKind.LITERAL and edit.object_type is not None:
        edit = replace(edit, object_type=None)
    return edit if "fact" in changes else replace(edit, fact=_retold(standing, edit))


def _retold(standing: Edit, edit: Edit) -> str:
    """The sentence with new names in the place of old ones; made anew where that would not do."""
    names = {standing.subject: edit.subject, standing.object: edit.object}
    longest_first = sorted(names, key=len, reverse=True)  # one may be part of the other
    known = "|".join(map(re.escape, longest_first))
    parts = re.split(rf"(?<![\w-])({known})(?![\w-])", standing.fact)
    new_ones = sorted(old for old, new in names.items() if old != new)
    is_each_told_once = sorted(part for part in parts[1::2] if part in new_ones) == new_ones
    kinds = {Kind.HOLDS if one is Kind.STARTED else one for one in (standing.kind, edit.kind)}
    if standing.predicate != edit.predicate or len(kinds) > 1 or not is_each_told_once:
        return sentence_of(edit.subject, edit.predicate, edit.object, edit.kind)
    return "".join(names.get(part, part) for part in parts)


def checked(edit: Edit, episode: Episode, ontology: Ontology) -> Edit:
    """The edit in declared names. Raises `Incorrect` if it breaks the ontology, or what the fold needs."""
    target, is_literal = edit.object, edit.object_kind is ObjectKind.LITERAL
    candidate = named(
        Candidate(
            subject=Name(text=edit.subject, type=edit.subject_type),
            predicate=edit.predicate,
            object=target if is_literal else Name(text=target, type=edit.object_type),
            kind=edit.kind,
            fact=edit.fact,
            valid_at=edit.valid_at,
            invalid_at=edit.invalid_at,
            confidence=edit.confidence,
        ),
        ontology,
    )
    source = Source(episode=episode, ontology=ontology)
    for rule in PERSONS_RULES:
        outcome = outcome_of(candidate, source, (rule,))
        if outcome is None or outcome.verdict is Verdict.ACCEPT:
            continue
        if outcome.verdict is not Verdict.QUARANTINE or outcome.rule not in _LEFT_TO_PEOPLE:
            raise Incorrect(f"the edit cannot stand ({outcome.rule}): {outcome.reason}")
    end = candidate.object
    return replace(
        edit,
        predicate=candidate.predicate,
        subject_type=candidate.subject.type,
        object_type=end.type if isinstance(end, Name) else None,
    )


def edited(
    assertion: Assertion, edit: Edit, mentions: Sequence[Mention]
) -> tuple[Assertion, tuple[Mention, ...]]:
    """The assertion as edited, and the mentions that it names. Its id, quote and place stay."""
    known = {one.mention_id: one for one in mentions}
    first = known[assertion.subject]
    subject = _end(edit.subject, edit.subject_type, first, first, mentions)
    ends: tuple[Mention, ...] = (subject,)
    target = edit.object
    if edit.object_kind is ObjectKind.ENTITY:
        old = known.get(assertion.object) if assertion.object_kind is ObjectKind.ENTITY else None
        other = _end(edit.object, edit.object_type, old, first, mentions)
        ends, target = (subject, other), other.mention_id
    said = replace(
        assertion,
        subject=subject.mention_id,
        predicate=edit.predicate,
        object=target,
        object_kind=edit.object_kind,
        fact=edit.fact,
        kind=edit.kind,
        valid_at=edit.valid_at,
        invalid_at=edit.invalid_at,
        confidence=edit.confidence,
    )
    return said, ends


def _end(
    name: str, kind: str | None, old: Mention | None, first: Mention, mentions: Sequence[Mention]
) -> Mention:
    """The mention of that name and type: the one that stood there, another of the episode, or a new one."""
    for one in (*([] if old is None else [old]), *mentions):
        if one.name == name and one.type == kind:
            return one
    spoken = old or first
    return Mention(
        mention_id=identify("mention", first.group_id, first.episode_id, name, "edited", kind or ""),
        group_id=first.group_id,
        episode_id=first.episode_id,
        name=name,
        reference_time=first.reference_time,
        type=kind,
        text=spoken.text,
        saga=first.saga,
        speaker=first.speaker,
        addressee=first.addressee,
    )


def _changed(name: str, value: Json) -> object:
    if name == "confidence":
        return _confidence(value)
    if value is None or (isinstance(value, str) and not value.strip()):
        if name in _MAY_BE_EMPTY:
            return None
        raise Incorrect(f"{name} is empty; a fact needs it")
    if not isinstance(value, str):
        raise Incorrect(f"{name} is {value!r}; expected text")
    text = value.strip()
    if name in {"valid_at", "invalid_at"}:
        try:
            return read_time(text, name)
        except NotATriple as error:
            raise Incorrect(f"{error}, or a date such as 2019, 2019-06 or 2019-06-14") from None
    choices = _CHOICES.get(name, {})
    if choices and text not in choices:
        raise Incorrect(f"{name} is {text!r}; expected one of {', '.join(choices)}")
    return choices.get(text, text)


def _confidence(value: Json) -> float:
    try:
        return _share(float(value) if isinstance(value, str) else value)
    except (ValueError, TypeError):
        raise Incorrect(f"confidence is {value!r}; expected a number from 0 to 1") from None


def _share(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"confidence is {value!r}")
    if not 0 <= value <= 1:
        raise ValueError(f"confidence is {value}")
    return float(value)


def _text(given: Mapping[str, Json], name: str) -> str:
    value = given[name]
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"{name} is {value!r}; expected text")
    return value


def _written(stated: StatedTime | None) -> dict[str, Json] | None:
    if stated is None:
        return None
    return {"at": format_instant(stated.at), "precision": stated.precision.value}


def _stated(value: Json) -> StatedTime | None:
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise TypeError(f"{value!r} is no time; expected at and precision")
    precision: Precision | None = precision_named(str(value.get("precision")))
    if precision is None:
        raise ValueError(f"{value!r} has no precision that is known")
    return StatedTime(parse_instant(str(value.get("at"))), precision)
