"""The reply that a language model is asked for, and how it is read: item by item.

The schema goes out with the prompt; what comes back is checked here and becomes candidates. A bad item
costs that item and leaves an outcome with its reason, never the episode.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.declared import NotATriple, read_time
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, Outcome, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Episode, Json, Speaker

Said = Annotated[str, Field(min_length=1, max_length=2000)]
Item = TypeVar("Item", bound=BaseModel)


class EntityItem(BaseModel):
    """Somebody or something that the episode names."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    name: Said = Field(description="as the text writes it; I, my sister and the like stay as they are")
    type: str | None = Field(
        default=None, description="person, organization, place, product, ... or null if unsure"
    )
    aliases: list[Said] = Field(default_factory=list, description="other names the text gives it")
    attributes: dict[str, str] = Field(
        default_factory=dict, description="what the text says of it: email, role, ..."
    )


class AssertionItem(BaseModel):
    """One thing that the episode asserts."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)

    subject: Said = Field(description="the name of an entity of this reply")
    predicate: Said = Field(description="a verb or role in snake_case: works_at, lives_in, sister")
    object: Said = Field(description="the name of an entity of this reply, or a value")
    object_is_literal: bool = Field(default=False, description="true for a number, a date or a phrase")
    fact: Said = Field(description="the assertion as one sentence that stands alone")
    kind: Literal["started", "holds", "ended", "denied"]
    valid_at: str | None = Field(
        default=None, description="when it began, only if stated: 2019, 2019-06, 2019-06-14 or UTC"
    )
    valid_at_precision: Precision | None = None
    invalid_at: str | None = Field(default=None, description="when it ended, only if stated")
    invalid_at_precision: Precision | None = None
    evidence: Said = Field(description="a verbatim quote of the text")
    confidence: Annotated[float, Field(ge=0, le=1)] = 0.8


class ReplyShape(BaseModel):
    """The whole reply, as its JSON schema describes it to the model."""

    entities: list[EntityItem]
    assertions: list[AssertionItem]


SCHEMA: Final[Mapping[str, Json]] = ReplyShape.model_json_schema()


class Unreadable(ValueError):
    """The reply is no JSON object with entities and assertions; the message says what it is."""


def read_reply(text: str, episode: Episode) -> tuple[tuple[Candidate, ...], tuple[Outcome, ...]]:
    """The candidates of a reply, and an outcome for each item that cannot be read.

    Raises `Unreadable` when the reply as a whole is not what was asked for.
    """
    told = _object(text)
    outcomes: list[Outcome] = []
    entities = _items(told.get("entities"), EntityItem, outcomes)
    names = {entity.name.casefold(): _name(entity, episode) for entity in entities}
    candidates: list[Candidate] = []
    for item in _items(told.get("assertions"), AssertionItem, outcomes):
        label = f"{item.subject} {item.predicate} {item.object}"
        try:
            candidates.append(_candidate(item, names, episode))
        except NotATriple as error:
            outcomes.append(_refused(label, "times_are_read", str(error)))
    return tuple(candidates), tuple(outcomes)


def _object(text: str) -> Mapping[str, Json]:
    bare = text.strip()
    if bare.startswith("```"):  # models like to fence what they were asked to give bare
        bare = bare.removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        told = json.loads(bare)
    except json.JSONDecodeError as error:
        raise Unreadable(f"the reply is not JSON ({error}): {text[:80]!r}") from None
    if not isinstance(told, dict) or not isinstance(told.get("assertions"), list):
        raise Unreadable(f"the reply has no list of assertions: {text[:80]!r}")
    return told


def _items(value: Json, shape: type[Item], outcomes: list[Outcome]) -> list[Item]:
    read: list[Item] = []
    if not isinstance(value, Sequence) or isinstance(value, str):
        return read
    for number, item in enumerate(value, 1):
        try:
            read.append(shape.model_validate(item))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            field = ".".join(str(part) for part in first["loc"]) or "item"
            label = f"{shape.__name__.removesuffix('Item').lower()} {number}"
            outcomes.append(_refused(label, "fits_the_schema", f"{field}: {first['msg']}"))
    return read


def _refused(item: str, rule: str, reason: str) -> Outcome:
    return Outcome(item=item, rule=rule, verdict=Verdict.REJECT, reason=reason)


def _name(entity: EntityItem, episode: Episode) -> Name:
    attributes: dict[str, tuple[str, ...]] = {key: (held,) for key, held in entity.attributes.items()}
    if entity.aliases:
        attributes["aliases"] = tuple(entity.aliases)
    return _placed(entity.name, episode, kind=entity.type or None, attributes=attributes)


def _placed(
    text: str,
    episode: Episode,
    *,
    kind: str | None = None,
    attributes: Mapping[str, tuple[str, ...]] | None = None,
) -> Name:
    at = episode.content.find(text)
    speaker: Speaker | None = episode.speaker
    return Name(
        text=text,
        type=kind,
        span=(at, at + len(text)) if at >= 0 else None,
        sentence=_sentence_around(episode.content, at) if at >= 0 else "",
        speaker=speaker,
        addressee=episode.addressee,
        attributes=attributes or {},
    )


def _sentence_around(content: str, at: int) -> str:
    start = max(content.rfind(mark, 0, at) for mark in ("\n", ". ", "! ", "? "))
    stops = [stop for mark in ("\n", ". ", "! ", "? ") if (stop := content.find(mark, at)) >= 0]
    return content[start + 1 : min(stops, default=len(content)) + 1].strip()


def _candidate(item: AssertionItem, names: Mapping[str, Name], episode: Episode) -> Candidate:
    subject = names.get(item.subject.casefold()) or _placed(item.subject, episode)
    target: Name | str = item.object
    if not item.object_is_literal:
        target = names.get(item.object.casefold()) or _placed(item.object, episode)
    at = episode.content.find(item.evidence)
    return Candidate(
        subject=subject,
        predicate=item.predicate,
        object=target,
        kind=Kind(item.kind),
        fact=item.fact,
        valid_at=_stated(item.valid_at, item.valid_at_precision, "valid_at"),
        invalid_at=_stated(item.invalid_at, item.invalid_at_precision, "invalid_at"),
        confidence=item.confidence,
        quote=item.evidence,
        span=(at, at + len(item.evidence)) if at >= 0 else None,
    )


def _stated(text: str | None, precision: Precision | None, field: str) -> StatedTime | None:
    if not text:
        return None
    stated = read_time(text, field)
    return stated if precision is None else StatedTime(stated.at, precision)
