"""The items of a reply as they are understood, and what becomes of attributes.

Models are asked for what `schema` describes, and understood a little more widely: attributes as one object,
a year or a value as a number, `null` and "unknown" for what may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from memstrata.extraction.calendar_words import start_of
from memstrata.extraction.declared import NotATriple, read_time, sentence_of
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.model import Json

ENTITIES: Final = "entities"
ASSERTIONS: Final = "assertions"
_LONGEST: Final = 2_000
_NEEDED: Final = frozenset({"subject", "predicate", "object", "fact", "kind", "evidence"})
_USUAL_CONFIDENCE: Final = 0.8
_NOTHING: Final = frozenset({"", "null", "none", "nil", "unknown", "n/a", "not stated", "unspecified", "-"})
_LASTING: Final = frozenset({"now", "present", "today", "current", "ongoing", "to date"})
_WITHOUT_OFFSET: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?")

Said = Annotated[str, Field(min_length=1, max_length=_LONGEST)]


class _Read(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True, frozen=True)


class AttributeItem(_Read):
    """A value that the text gives an entity or a relation; without evidence it is asserted by nobody."""

    name: Said
    value: Said
    evidence: Said | None = None

    @field_validator("value", mode="before")
    @classmethod
    def _as_text(cls, value: object) -> object:
        return _as_text(value)


class EntityItem(_Read):
    """Somebody or something that the episode names."""

    place: ClassVar[str] = ENTITIES

    name: Said
    type: str | None = None
    aliases: tuple[Said, ...] = ()
    attributes: tuple[AttributeItem, ...] = ()

    @field_validator("attributes", mode="before")
    @classmethod
    def _as_list(cls, value: object) -> object:
        return _attributes_of(value)

    @field_validator("aliases", mode="before")
    @classmethod
    def _or_none(cls, value: object) -> object:
        return () if value is None else value


class AssertionItem(_Read):
    """One thing that the episode asserts."""

    place: ClassVar[str] = ASSERTIONS

    subject: Said
    predicate: Said
    object: Said
    object_is_literal: bool = False
    fact: Said
    kind: Literal["started", "holds", "ended", "denied"]
    valid_at: str | None = None
    valid_at_precision: Precision | None = None
    invalid_at: str | None = None
    invalid_at_precision: Precision | None = None
    evidence: Said
    confidence: Annotated[float, Field(ge=0, le=1)] = _USUAL_CONFIDENCE
    attributes: tuple[AttributeItem, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _as_meant(cls, raw: Any) -> Any:
        if not isinstance(raw, Mapping):
            return raw
        told = {name: value for name, value in raw.items() if value is not None or name in _NEEDED}
        if isinstance(until := told.get("invalid_at"), str) and until.strip().casefold() in _LASTING:
            del told["invalid_at"]
        if isinstance(told.get("object"), bool | int | float):
            told |= {"object": _as_text(told["object"]), "object_is_literal": True}
        return told

    @field_validator("attributes", mode="before")
    @classmethod
    def _as_list(cls, value: Any) -> Any:
        return _attributes_of(value)

    @field_validator("valid_at", "invalid_at", mode="before")
    @classmethod
    def _as_written(cls, value: Any) -> Any:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, str) and _says_nothing(value):
            return None
        # the model was told its times in UTC, and wrote back what it was told
        return f"{value}Z" if isinstance(value, str) and _WITHOUT_OFFSET.fullmatch(value) else value

    @field_validator("kind", "valid_at_precision", "invalid_at_precision", mode="before")
    @classmethod
    def _in_any_case(cls, value: Any) -> Any:
        if not isinstance(value, str):
            return value
        return None if _says_nothing(value) else value.strip().casefold()

    @property
    def times(self) -> tuple[StatedTime | None, StatedTime | None]:
        """The stated times. Raises `NotATriple` for one that cannot be read."""
        return (
            _stated(self.valid_at, self.valid_at_precision, "valid_at"),
            _stated(self.invalid_at, self.invalid_at_precision, "invalid_at"),
        )

    @property
    def label(self) -> str:
        """What names it in an outcome."""
        return f"{self.subject} {self.predicate} {self.object} ({self.kind})"


def _attributes_of(value: object) -> object:
    """Also `{"born": 1990}` for `[{"name": "born", "value": 1990}]`, and a list for several."""
    if value is None:
        return ()
    if isinstance(value, Mapping):
        value = [{"name": name, "value": held} for name, held in value.items() if held is not None]
    if not isinstance(value, list):
        return value
    return [one for given in value for one in _one_by_one(given)]


def _one_by_one(given: object) -> Sequence[object]:
    """An attribute for each of the values that it is given."""
    if not isinstance(given, Mapping) or not isinstance(given.get("value"), list):
        return [given]
    return [{**given, "value": one} for one in given["value"]]


def _as_text(value: object) -> object:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) else value


def _says_nothing(text: str) -> bool:
    return text.strip().casefold() in _NOTHING


def _stated(text: str | None, precision: Precision | None, field: str) -> StatedTime | None:
    """The time in the coarser of the two units, that it is written and that it is said to be in."""
    if not text:
        return None
    try:
        stated = read_time(text, field)
    except NotATriple as error:
        form = "expected a date such as 2019, 2019-06 or 2019-06-14, or null where the text states none"
        raise NotATriple(f"{error}; {form}") from None
    if precision is None or precision.coarseness <= stated.precision.coarseness:
        return stated
    return StatedTime(start_of(stated.at, precision), precision)


def spread(
    entities: Iterable[EntityItem], assertions: Iterable[AssertionItem]
) -> tuple[AssertionItem, ...]:
    """The assertions with those that attributes are: of an entity, and of a relation's subject.

    What is said of a relation holds as long as it; of what is denied nothing is.
    """
    found: list[AssertionItem] = []
    for entity in entities:
        found += [_attributed(entity.name, one, Kind.HOLDS) for one in entity.attributes if one.evidence]
    for item in assertions:
        found.append(item.model_copy(update={"attributes": ()}))
        if Kind(item.kind) is not Kind.DENIED:
            found += [_along(item, one) for one in item.attributes]
    return tuple(found)


def _attributed(subject: str, attribute: AttributeItem, kind: Kind) -> AssertionItem:
    return AssertionItem(
        subject=subject,
        predicate=attribute.name,
        object=attribute.value,
        object_is_literal=True,
        fact=sentence_of(subject, attribute.name, attribute.value)[:_LONGEST],
        kind=kind.value,
        evidence=attribute.evidence or attribute.value,
    )


def _along(item: AssertionItem, attribute: AttributeItem) -> AssertionItem:
    times = ("valid_at", "valid_at_precision", "invalid_at", "invalid_at_precision", "confidence")
    given: dict[str, Any] = {name: getattr(item, name) for name in times}
    held = attribute if attribute.evidence else attribute.model_copy(update={"evidence": item.evidence})
    return _attributed(item.subject, held, Kind(item.kind)).model_copy(update=given)


def as_reply(entities: Sequence[EntityItem], assertions: Sequence[AssertionItem]) -> Mapping[str, Json]:
    """The items as the reply of a call of their own, whose attributes are spread already."""
    bare = [
        one.model_copy(
            update={
                "attributes": tuple(held.model_copy(update={"evidence": None}) for held in one.attributes)
            }
        )
        for one in entities
    ]
    return {
        ENTITIES: [one.model_dump(mode="json", exclude_defaults=True) for one in bare],
        ASSERTIONS: [one.model_dump(mode="json", exclude_defaults=True) for one in assertions],
    }


def mended(raw: Json) -> AssertionItem | None:
    """As much of a bad assertion as can be put to a person: unreadable times and kinds are left out."""
    if not isinstance(raw, Mapping):
        return None
    told: dict[str, Any] = dict(raw)
    for _ in range(len(AssertionItem.model_fields)):
        try:
            item = AssertionItem.model_validate(told)
            return item.model_copy(update=_unread_times(item))
        except ValidationError as error:
            name = error.errors(include_url=False)[0]["loc"][:1]
            if not name or not _leave_out(told, str(name[0])):
                return None
    return None


def _leave_out(told: dict[str, Any], name: str) -> bool:
    """Drops a field that cannot be read, or puts what a person can change; false if neither can be."""
    if name == "kind":
        told["kind"] = Kind.HOLDS.value
    elif name == "fact" and all(
        isinstance(told.get(key), str) for key in ("subject", "predicate", "object")
    ):
        told["fact"] = sentence_of(told["subject"], told["predicate"], told["object"])[:_LONGEST]
    elif name in {"subject", "predicate", "object", "fact", "evidence"} or name not in told:
        return False
    else:
        del told[name]
    return True


def _unread_times(item: AssertionItem) -> dict[str, None]:
    """What to take away so that the times can be read."""
    left_out: dict[str, None] = {}
    for name in ("valid_at", "invalid_at"):
        try:
            _stated(getattr(item, name), getattr(item, f"{name}_precision"), name)
        except NotATriple:
            left_out |= {name: None, f"{name}_precision": None}
    return left_out
