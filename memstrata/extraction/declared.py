"""Episodes that say in fields what they assert: fact triples, and records with a declared mapping.

No language is read here. A `fact_triple`'s content is one JSON object; a `json` record whose mapping
was resolved at the door carries a list of such objects in `metadata["facts"]`. Tool traces and other
JSON assert nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import orjson

from memstrata.extraction.assembly import assemble
from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.verification import Source
from memstrata.instants import (
    NotAnInstant,
    Precision,
    StatedTime,
    parse_instant,
    precision_named,
)
from memstrata.model import Kind, Outcome, SourceType, Verdict
from memstrata.ontology import Ontology

if TYPE_CHECKING:
    from memstrata.model import Episode, Extraction, Json

_LITERAL_KEYS: Final = ("literal", "number", "value")
_DATE = re.compile(r"\d{4}(?:-\d\d){0,2}", re.ASCII)
_COARSE = {4: ("%Y", Precision.YEAR), 7: ("%Y-%m", Precision.MONTH), 10: ("%Y-%m-%d", Precision.DAY)}


class NotATriple(ValueError):
    """The object cannot be read as a triple; the message names the field and what was expected."""


def extract_declared(episode: Episode, version: str, ontology: Ontology | None = None) -> Extraction:
    """What a `fact_triple` or `json` episode declares; a bad triple costs itself and leaves an outcome."""
    candidates: list[Candidate] = []
    outcomes: list[Outcome] = []
    for number, triple in enumerate(_triples(episode), 1):
        try:
            candidates.append(candidate_of(triple))
        except NotATriple as error:
            outcomes.append(_refusal(number, str(error)))
    source = Source(episode=episode, ontology=ontology or Ontology())
    return assemble(episode, candidates, version=version, outcomes=outcomes, source=source)


def _refusal(number: int, reason: str) -> Outcome:
    return Outcome(item=f"triple {number}", rule="is_a_triple", verdict=Verdict.REJECT, reason=reason)


def _triples(episode: Episode) -> Sequence[Json]:
    if episode.source_type is SourceType.FACT_TRIPLE:
        try:
            return [orjson.loads(episode.content)]
        except orjson.JSONDecodeError as error:
            return [f"not JSON: {error}"]
    facts = episode.metadata.get("facts")
    return facts if isinstance(facts, Sequence) and not isinstance(facts, str) else []


def candidate_of(triple: Json) -> Candidate:
    """Reads `{subject, predicate, object, fact?, kind?, valid_at?, invalid_at?, ..., confidence?}`.

    Ends are `{"name", "type"?}` or text; an object may also be a number or `{"literal": value}`. Times
    are wire times or coarse dates (`2019`, `2019-06`, `2019-06-14`). Raises `NotATriple`.
    """
    if not isinstance(triple, Mapping):
        raise NotATriple(f"{str(triple)[:80]!r} is not a JSON object with subject, predicate and object")
    subject = _end(triple.get("subject"), "subject")
    if isinstance(subject, str):
        raise NotATriple("subject is a literal; expected a name or {name, type}")
    predicate = triple.get("predicate")
    if not isinstance(predicate, str) or not predicate.strip():
        raise NotATriple(f"predicate is {predicate!r}; expected text such as works_at")
    target = _end(triple.get("object"), "object")
    said = target if isinstance(target, str) else target.text
    fact = triple.get("fact")
    return Candidate(
        subject=subject,
        predicate=predicate.strip(),
        object=target,
        kind=_kind(triple.get("kind")),
        fact=fact if isinstance(fact, str) and fact else sentence_of(subject.text, predicate, said),
        valid_at=_time(triple, "valid_at"),
        invalid_at=_time(triple, "invalid_at"),
        confidence=_confidence(triple.get("confidence", 1.0)),
    )


def sentence_of(subject: str, predicate: str, target: str, kind: Kind = Kind.HOLDS) -> str:
    """A sentence for what brings none: `alice works_at ACME` as `alice works at ACME`."""
    said = f"{predicate.replace('_', ' ').strip()} {target}"
    if kind is Kind.DENIED:
        return f"It is not so that {subject} {said}"
    return f"{subject} no longer {said}" if kind is Kind.ENDED else f"{subject} {said}"


def _end(value: Json, field: str) -> Name | str:
    if isinstance(value, str):
        if value.strip():
            return Name(text=value.strip())
    elif isinstance(value, Mapping):
        return _described(value, field)
    elif field == "object" and isinstance(value, int | float):
        return _literal(value)
    raise NotATriple(f'{field} is {value!r}; expected a name, {{"name": ..., "type": ...}} or a literal')


def _described(value: Mapping[str, Json], field: str) -> Name | str:
    name = value.get("name")
    if isinstance(name, str) and name.strip():
        kind = value.get("type")
        return Name(
            text=name.strip(),
            type=kind if isinstance(kind, str) and kind else None,
            attributes=_attributes(value.get("attributes")),
        )
    for key in _LITERAL_KEYS:
        if value.get(key) is not None:
            return _literal(value[key])
    raise NotATriple(f'{field} has neither "name" nor "literal": {str(value)[:80]}')


def _attributes(value: Json) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, Mapping):
        return {}
    many = {key: held if isinstance(held, list | tuple) else [held] for key, held in value.items()}
    return {key: tuple(str(item) for item in held if item is not None) for key, held in many.items()}


def _literal(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _kind(value: Json) -> Kind:
    if value is None:
        return Kind.HOLDS
    try:
        return Kind(str(value))
    except ValueError:
        raise NotATriple(f"kind is {value!r}; expected started, holds, ended or denied") from None


def _confidence(value: Json) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotATriple(f"confidence is {value!r}; expected a number from 0 to 1")
    return float(value)


def _time(triple: Mapping[str, Json], field: str) -> StatedTime | None:
    text = triple.get(field)
    if text is None:
        return None
    if not isinstance(text, str):
        raise NotATriple(f"{field} is {text!r}; expected a time as text, such as 2019-06-14T09:00:00Z")
    named = triple.get(f"{field}_precision")
    precision = precision_named(str(named)) if named is not None else None
    if named is not None and precision is None:
        units = ", ".join(Precision)
        raise NotATriple(f"{field}_precision is {named!r}; expected one of {units}")
    stated = read_time(text, field)
    return stated if precision is None else StatedTime(stated.at, precision)


def read_time(text: str, field: str = "time") -> StatedTime:
    """A wire time, or a coarse date with the precision it shows. Raises `NotATriple`."""
    coarse = _COARSE.get(len(text)) if _DATE.fullmatch(text) else None
    try:
        if coarse is not None:
            at = datetime.strptime(text, coarse[0]).replace(tzinfo=UTC)
            return StatedTime(at, coarse[1])
        return StatedTime(parse_instant(text))
    except NotAnInstant as error:
        raise NotATriple(f"{field}: {error}") from None
    except ValueError:
        raise NotATriple(f"{field}: {text!r} is no date of the calendar") from None
