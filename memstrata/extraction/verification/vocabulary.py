"""What the ontology says of a candidate: its names, between what it stands, how sure, what is reviewed."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Name
from memstrata.extraction.verification.folding import folded
from memstrata.extraction.verification.source import LEAST_CONFIDENCE
from memstrata.extraction.written_dates import read_written_date
from memstrata.instants import NotAnInstant, parse_instant
from memstrata.model import Verdict
from memstrata.ontology import FieldType, Undeclared

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.extraction.candidates import Candidate
    from memstrata.extraction.verification.source import Finding, Source
    from memstrata.model import Json
    from memstrata.ontology import EntityType, Field, Ontology, Relation

_VERDICTS = {
    Undeclared.OPEN: Verdict.ACCEPT,
    Undeclared.REVIEW: Verdict.QUARANTINE,
    Undeclared.CLOSED: Verdict.REJECT,
}
_EXPECTED: Final[Mapping[FieldType, str]] = {
    FieldType.TEXT: "text",
    FieldType.INTEGER: "a whole number",
    FieldType.NUMBER: "a number",
    FieldType.BOOLEAN: "true or false",
    FieldType.DATE: "a date such as 2019, 2019-06 or 2019-06-14",
    FieldType.INSTANT: "a time such as 2019-06-14T09:30:00Z",
}
_FIELD_TYPES = frozenset(one.value for one in FieldType)


def named(candidate: Candidate, ontology: Ontology) -> Candidate:
    """The candidate with the declared names of its relation and types, where it gives others of theirs."""
    if not (ontology.types or ontology.relations):
        return candidate
    relation = relation_of(candidate.predicate, ontology)
    target = candidate.object
    return replace(
        candidate,
        subject=_typed(candidate.subject, ontology),
        predicate=candidate.predicate if relation is None else relation.name,
        object=_typed(target, ontology) if isinstance(target, Name) else target,
    )


def relation_of(predicate: str, ontology: Ontology) -> Relation | None:
    """The relation that is meant, also where blanks or hyphens stand for the declared underscores."""
    return ontology.relation(predicate) or ontology.relation(re.sub(r"[\s-]+", "_", predicate.strip()))


def _typed(name: Name, ontology: Ontology) -> Name:
    declared = None if name.type is None else ontology.type_named(name.type)
    return name if declared is None or declared.name == name.type else replace(name, type=declared.name)


def relation_is_declared(candidate: Candidate, source: Source) -> Finding | None:
    """In the closed mode others are refused, in review they wait, in the open they count as new ones."""
    ontology = source.ontology
    if not ontology.relations and ontology.undeclared_relations is Undeclared.OPEN:
        return None
    predicate = candidate.predicate
    if ontology.relation(predicate) is not None or predicate in _fields(ontology):
        return None
    return _of_undeclared("relation", predicate, ontology.undeclared_relations)


def types_are_declared(candidate: Candidate, source: Source) -> Finding | None:
    """As `relation_is_declared`; what has no type is any."""
    ontology = source.ontology
    if not ontology.types and ontology.undeclared_types is Undeclared.OPEN:
        return None
    for kind in _types(candidate):
        if ontology.type_named(kind) is None:
            return _of_undeclared("type", kind, ontology.undeclared_types)
    return None


def _of_undeclared(what: str, name: str, mode: Undeclared) -> Finding:
    becomes = {
        Undeclared.OPEN: "it counts as a new one",
        Undeclared.REVIEW: "undeclared ones wait for a person",
        Undeclared.CLOSED: "the ontology is closed",
    }
    return _VERDICTS[mode], f"the {what} {name[:80]!r} is not declared; {becomes[mode]}"


def ends_are_admitted(candidate: Candidate, source: Source) -> Finding | None:
    """A declared relation stands between what it is declared for, an attribute has a value of its kind.

    An undeclared type may be anything.
    """
    ontology = source.ontology
    relation = ontology.relation(candidate.predicate)
    if relation is None:
        return _of_attribute(candidate, ontology)
    subject, target = _declared_type(candidate.subject, ontology), candidate.object
    if isinstance(target, str):
        fits = ontology.admits(relation, subject, None) and _is_value(target, relation)
        said = f"the value {target[:40]!r}"
    else:
        kind = _declared_type(target, ontology)
        fits = ontology.admits(relation, subject, kind) and not _wants_a_value(relation)
        said = kind or "an entity"
    if fits:
        return None
    reason = f"{relation.name} does not stand between {subject or 'an entity'} and {said}"
    return Verdict.QUARANTINE, f"{reason}; it is declared for {_declared_for(relation)}"


def _of_attribute(candidate: Candidate, ontology: Ontology) -> Finding | None:
    """What a value of an attribute is not, where the subject's type declares that attribute, else any."""
    own = fields_of(candidate.subject.type, ontology)
    every = [field for some in _every_fields(ontology) for field in some]
    named = [[field for field in fields if field.name == candidate.predicate] for fields in (own, every)]
    fields = named[0] or named[1]
    target = candidate.object
    if not fields or any(field.type is FieldType.TEXT and not field.choices for field in fields):
        return None
    if isinstance(target, str) and any(is_value_of(target, field) for field in fields):
        return None
    expected = " or ".join(sorted({expected_of(field) for field in fields}))
    reason = f"the attribute {candidate.predicate} is {candidate.object_said[:40]!r}; expected {expected}"
    return Verdict.QUARANTINE, reason


def fields_of(kind: str | None, ontology: Ontology) -> Sequence[Field]:
    """The attributes that a type declares, with those of the types that it is a kind of."""
    lineage = ontology.lineage(kind) if kind else ()
    found = [declared for one in lineage if (declared := ontology.type_named(one)) is not None]
    return [field for one in found for field in one.fields]


def is_left_to_review(candidate: Candidate, source: Source) -> Finding | None:
    """A relation or a type may be declared so that all of it waits for a person."""
    ontology = source.ontology
    relation = ontology.relation(candidate.predicate)
    if relation is not None and relation.review:
        return Verdict.QUARANTINE, f"the relation {relation.name!r} is declared for review"
    for kind in _types(candidate):
        for one in ontology.lineage(kind):
            declared = ontology.type_named(one)
            if declared is not None and declared.review:
                return Verdict.QUARANTINE, f"the type {declared.name!r} is declared for review"
    return None


def is_sure_enough(candidate: Candidate, source: Source) -> Finding | None:
    """Confidence reaches the bar of the relation, or of the ontology, or that for all that is read."""
    relation = source.ontology.relation(candidate.predicate)
    bar = None if relation is None else relation.least_confidence
    if bar is None:
        bar = source.ontology.least_confidence
    if bar is None:
        bar = 0.0 if source.is_declared else LEAST_CONFIDENCE
    if candidate.confidence >= bar:
        return None
    return Verdict.QUARANTINE, f"the confidence is {candidate.confidence:.2f}; {bar:.2f} is asked for"


def seen_of(ontology: Ontology) -> Json:
    """What of an ontology these rules look at, in no order of the file; for the extractor's version."""
    types: list[list[Json]] = [
        [one.name, one.parent, sorted(one.aliases), one.review] for one in ontology.types
    ]
    relations: list[list[Json]] = [
        [
            one.name,
            sorted(one.aliases),
            sorted(one.domain),
            sorted(one.range),
            sorted([subject or "", target or ""] for subject, target in one.pairs),
            one.review,
            one.least_confidence,
        ]
        for one in ontology.relations
    ]
    return [
        _in_order(types),
        _in_order(relations),
        _in_order(
            [[one.name, one.type.value, *one.choices] for some in _every_fields(ontology) for one in some]
        ),
        ontology.undeclared_types.value,
        ontology.undeclared_relations.value,
        ontology.least_confidence,
    ]


def _in_order(shown: list[list[Json]]) -> Json:
    return sorted(shown, key=str)


def _types(candidate: Candidate) -> Iterable[str]:
    ends = (candidate.subject, candidate.object)
    return [end.type for end in ends if isinstance(end, Name) and end.type]


def _declared_type(name: Name, ontology: Ontology) -> str | None:
    found: EntityType | None = None if name.type is None else ontology.type_named(name.type)
    return None if found is None else found.name


def _fields(ontology: Ontology) -> frozenset[str]:
    """The attributes that types and relations declare: as predicates they are declared too."""
    return frozenset(field.name for some in _every_fields(ontology) for field in some)


def _every_fields(ontology: Ontology) -> Sequence[Sequence[Field]]:
    return [one.fields for one in ontology.types] + [one.fields for one in ontology.relations]


def _wants_a_value(relation: Relation) -> bool:
    return bool(relation.range) and all(one in _FIELD_TYPES for one in relation.range)


def _is_value(text: str, relation: Relation) -> bool:
    """Whether a literal is of one of the kinds that the range names; any, if it names nothing."""
    kinds = [FieldType(one) for one in relation.range if one in _FIELD_TYPES]
    return not relation.range or any(_reads_as(text, kind) for kind in kinds)


def is_value_of(text: str, field: Field) -> bool:
    """Whether a text can be read as a value of the attribute."""
    if field.choices and folded(text) not in map(folded, field.choices):
        return False
    return _reads_as(text, field.type)


def expected_of(field: Field) -> str:
    """What values an attribute has, in words."""
    return f"one of {', '.join(field.choices)}" if field.choices else _EXPECTED[field.type]


def _reads_as(text: str, kind: FieldType) -> bool:
    bare = text.strip()
    try:
        match kind:
            case FieldType.TEXT:
                return True
            case FieldType.BOOLEAN:
                return bare.casefold() in {"true", "false", "yes", "no"}
            case FieldType.INTEGER:
                int(bare.replace(",", ""))
            case FieldType.NUMBER:
                return math.isfinite(float(bare.replace(",", "").rstrip("% ")))
            case FieldType.DATE | FieldType.INSTANT:
                _check_date(bare)
    except (ValueError, OverflowError, NotAnInstant):
        return False
    return True


def _check_date(text: str) -> None:
    """Raises for what is no day, month, year or instant."""
    if re.fullmatch(r"\d{4}(?:-\d\d){0,2}", text):
        date.fromisoformat(f"{text}-01-01"[:10])
    elif read_written_date(text) is None:
        parse_instant(text)


def _declared_for(relation: Relation) -> str:
    if relation.pairs:
        return ", ".join(
            f"{subject or 'anything'} and {target or 'anything'}" for subject, target in relation.pairs
        )
    ends = (relation.domain, relation.range)
    return " and ".join(" or ".join(end) or "anything" for end in ends)
