"""How a reply is read: item by item, so that a bad one costs itself alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from pydantic import ValidationError

from memstrata.extraction.declared import NotATriple
from memstrata.extraction.model.items import ASSERTIONS, ENTITIES, AssertionItem, EntityItem
from memstrata.extraction.model.salvage import salvaged
from memstrata.extraction.settled import FITS_THE_SCHEMA, NAMES_ITS_EPISODE, VALUES_ARE_READ
from memstrata.extraction.verification.vocabulary import expected_of, fields_of, is_value_of

if TYPE_CHECKING:
    from memstrata.extraction.model.items import AttributeItem
    from memstrata.model import Json
    from memstrata.ontology import Field, Ontology

Item = TypeVar("Item", EntityItem, AssertionItem)

VERDICTS: Final = "verdicts"
_LISTS: Final = (ENTITIES, ASSERTIONS)
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Unread:
    """An item of the list `place` that cannot be read; `part` None if it names no episode of the call."""

    part: int | None
    place: str
    item: Json
    rule: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What a reply holds. Items come with the number, from 0, of the episode that they are of.

    `answers` is whether it is the object that was asked for at all, `is_whole` whether nothing was cut off.
    """

    answers: bool
    is_whole: bool
    entities: tuple[tuple[int, EntityItem], ...] = ()
    assertions: tuple[tuple[int, AssertionItem], ...] = ()
    unread: tuple[Unread, ...] = ()


def read_reply(text: str, parts: int, ontology: Ontology) -> Read:
    """The items of a reply to a call of so many `parts`, and why others cannot be read. Never raises."""
    told = salvaged(text, _LISTS)
    entities: list[tuple[int, EntityItem]] = []
    assertions: list[tuple[int, AssertionItem]] = []
    unread: list[Unread] = []
    for raw in told.lists.get(ENTITIES, ()):
        one = read_item(raw, EntityItem, parts, ontology)
        unread += [one] if isinstance(one, Unread) else []
        entities += [] if isinstance(one, Unread) else [one]
    for raw in told.lists.get(ASSERTIONS, ()):
        other = read_item(raw, AssertionItem, parts, ontology)
        unread += [other] if isinstance(other, Unread) else []
        assertions += [] if isinstance(other, Unread) else [other]
    return Read(
        answers=ASSERTIONS in told.lists or (not told.is_whole and any(told.lists.values())),
        is_whole=told.is_whole,
        entities=tuple(entities),
        assertions=tuple(assertions),
        unread=tuple(unread),
    )


def read_item(raw: Json, shape: type[Item], parts: int, ontology: Ontology) -> tuple[int, Item] | Unread:
    """One item with the number of its part, or what is wrong with it."""
    part = _part_of(raw, parts)
    if part is None:
        named = raw.get("episode") if isinstance(raw, Mapping) else None
        reason = f"episode is {named!r}; expected the number of one, 1 to {parts}"
        return Unread(part=None, place=shape.place, item=raw, rule=NAMES_ITS_EPISODE, reason=reason)
    try:
        item = shape.model_validate(raw)
    except ValidationError as error:
        return Unread(part=part, place=shape.place, item=raw, rule=FITS_THE_SCHEMA, reason=_first(error))
    try:
        if isinstance(item, AssertionItem):
            _ = item.times
        _check_values(item, ontology)
    except NotATriple as error:
        return Unread(part=part, place=shape.place, item=raw, rule=VALUES_ARE_READ, reason=str(error))
    return part, item


def _part_of(raw: Json, parts: int) -> int | None:
    if parts == 1:
        return 0
    number = number_of(raw, "episode")
    return number - 1 if number is not None and 1 <= number <= parts else None


def number_of(raw: Json, key: str) -> int | None:
    """The number that an item gives under `key`, also as text or as 3.0; None if it gives none."""
    given = raw.get(key) if isinstance(raw, Mapping) else None
    if isinstance(given, str) and given.isascii() and given.isdecimal() and len(given) <= _DIGITS:
        return int(given)
    if isinstance(given, float) and given.is_integer():
        return int(given)
    return given if isinstance(given, int) and not isinstance(given, bool) else None


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"]) or "item"
    return f"{field}: {first['msg']}"


def without_unread_values(raw: Json, ontology: Ontology) -> EntityItem | None:
    """The entity that an item is, without the attributes that cannot be read; None if it is none."""
    try:
        item = EntityItem.model_validate(raw)
    except ValidationError:
        return None
    kept = tuple(one for one in item.attributes if _unread_value(item, one, ontology) is None)
    return item.model_copy(update={"attributes": kept})


def _check_values(item: EntityItem | AssertionItem, ontology: Ontology) -> None:
    """Raises `NotATriple` for an attribute whose value is not of the type that its field declares."""
    for attribute in item.attributes:
        field = _unread_value(item, attribute, ontology)
        if field is not None:
            raise NotATriple(
                f"attribute {attribute.name} is {attribute.value!r}; expected {expected_of(field)}"
            )


def _unread_value(
    item: EntityItem | AssertionItem, attribute: AttributeItem, ontology: Ontology
) -> Field | None:
    """The field that declares the attribute, if its value is none of that; else None."""
    field = _field_of(item, attribute.name, ontology)
    return None if field is None or is_value_of(attribute.value, field) else field


def _field_of(item: EntityItem | AssertionItem, name: str, ontology: Ontology) -> Field | None:
    """The attribute `name` as it is declared for such an item; None if it declares no such field."""
    if isinstance(item, AssertionItem):
        relation = ontology.relation(item.predicate)
        fields = () if relation is None else relation.fields
    else:
        fields = tuple(fields_of(item.type, ontology))
    return next((field for field in fields if field.name == name), None)


def as_verdicts(verdicts: Mapping[int, tuple[str, str]]) -> dict[str, Json]:
    """The reply that `read_verdicts` reads as these."""
    return {
        VERDICTS: [
            {"item": number, "verdict": verdict, "reason": reason}
            for number, (verdict, reason) in sorted(verdicts.items())
        ]
    }


def read_verdicts(text: str, count: int) -> Mapping[int, tuple[str, str]]:
    """Verdict and reason of a second pass by the item's number, from 1; what is unreadable is missing."""
    found: dict[int, tuple[str, str]] = {}
    for raw in salvaged(text, (VERDICTS,)).lists.get(VERDICTS, ()):
        if not isinstance(raw, Mapping):
            continue
        number, verdict, reason = number_of(raw, "item"), raw.get("verdict"), raw.get("reason")
        if number is None or not 1 <= number <= count:
            continue
        if isinstance(verdict, str) and number not in found:
            found[number] = (verdict.strip().casefold(), reason if isinstance(reason, str) else "")
    return found
