"""What tools give back: a short text with citations for a model, the same as data, both bounded in size."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import orjson

from memstrata.memory.rendering import as_json
from memstrata.model import ObjectKind
from memstrata.search.wording import date_of, fact_line, one_line, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memstrata.model import Entity, Episode, Fact, Summary
    from memstrata.ports import NamedVersion

#: An answer's text in characters, and its data in bytes of JSON: some 3,000 and 8,000 tokens.
MOST_TEXT: Final = 12_000
MOST_DATA: Final = 24_000

_MOST_NAME: Final = 120
_MOST_SENTENCE: Final = 400
_MOST_CONTENT: Final = 1_000
_MOST_SHOWN_CONTENT: Final = 300
_MOST_CITED: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`text` for the model, `data` for the program; each is complete without the other."""

    text: str
    data: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing of an answer, as a line and as data."""

    line: str
    data: Mapping[str, object]


@dataclass(slots=True, kw_only=True)
class Page:
    """An answer that grows until it is full; what has no room is counted."""

    heading: str
    data: dict[str, object] = field(default_factory=dict)
    _lines: list[str] = field(default_factory=list)
    _text_room: int = MOST_TEXT
    _data_room: int = MOST_DATA

    def put(self, key: str, items: Iterable[Item], *, heading: str = "") -> None:
        """Adds the items under that key as far as there is room."""
        kept: list[object] = []
        left_out = 0
        for item in items:
            encoded = as_json(item.data)
            size = len(orjson.dumps(encoded))
            if left_out or size > self._data_room or len(item.line) > self._text_room:
                left_out += 1
                continue
            if heading and not kept:
                self._lines.append(heading)
            self._data_room -= size
            self._text_room -= len(item.line)
            kept.append(encoded)
            self._lines.append(item.line)
        self.data[key] = kept
        if left_out:
            self.data[f"{key}_left_out"] = left_out
            self._lines.append(f"({left_out} more had no room: ask for fewer, or more narrowly)")

    def note(self, notes: Sequence[str]) -> None:
        """Adds what the answer had to do without."""
        if notes:
            self.data["notes"] = list(notes)
            self._lines.extend(f"Note: {one}" for one in notes)

    def go_on(self, following: str | None) -> None:
        """Says where the next page begins, if there may be one."""
        if following:
            self.data["next_cursor"] = following
            self.note((f"there may be more: cursor {following}",))

    @property
    def answer(self) -> Answer:
        """The page as it is now."""
        data = {"message": self.heading, **self.data}
        return Answer(text="\n".join((self.heading, *self._lines)), data=data)


def fact_item(named: NamedVersion, episode_ids: Sequence[str], *, with_belief: bool = False) -> Item:
    """A fact with its period, id and the episodes that it rests on; keys are those of Graphiti's edges."""
    version, fact = named.version, named.version.fact
    sentence = shortened(one_line(fact.fact), _MOST_SENTENCE)
    short = replace(
        named,
        subject=shortened(named.subject, _MOST_NAME),
        object=shortened(named.object, _MOST_NAME),
        version=replace(version, fact=replace(fact, fact=sentence)),
    )
    cited = tuple(episode_ids)[:_MOST_CITED]
    data: dict[str, object] = {
        "uuid": fact.id,
        "group_id": fact.group_id,
        "name": fact.predicate,
        "fact": sentence,
        "source_node_uuid": fact.subject,
        "source_node_name": short.subject,
        "target_node_uuid": fact.object if fact.object_kind is ObjectKind.ENTITY else None,
        "target_node_name": short.object,
        "valid_at": fact.valid_at,
        "invalid_at": fact.invalid_at,
        "created_at": version.created_at,
        "expired_at": version.expired_at,
        "episodes": cited,
    }
    if fact.contested:
        data["contested"] = True
    return Item(line=f"- {fact_line(short, cited, with_belief=with_belief)}", data=data)


def new_fact_item(fact: Fact) -> Item:
    """A fact that a write has just begun, by its sentence."""
    sentence = shortened(one_line(fact.fact), _MOST_SENTENCE)
    begun = "unknown" if fact.valid_at is None else date_of(fact.valid_at, fact.valid_at_precision)
    ended = "present" if fact.invalid_at is None else date_of(fact.invalid_at, fact.invalid_at_precision)
    return Item(
        line=f"- {sentence} (valid from {begun} to {ended}) [fact {fact.id}]",
        data={
            "uuid": fact.id,
            "name": fact.predicate,
            "fact": sentence,
            "source_node_uuid": fact.subject,
            "target_node_uuid": fact.object if fact.object_kind is ObjectKind.ENTITY else None,
            "valid_at": fact.valid_at,
            "invalid_at": fact.invalid_at,
        },
    )


def entity_item(entity: Entity, summary: Summary | None = None) -> Item:
    """An entity with its summary; keys are those of Graphiti's nodes."""
    said = "" if summary is None else shortened(one_line(summary.text), _MOST_CONTENT)
    kind = f" ({entity.type})" if entity.type else ""
    also = ", ".join(shortened(one, _MOST_NAME) for one in entity.aliases[:_MOST_CITED])
    line = f"- {shortened(one_line(entity.name), _MOST_NAME)}{kind}{f', also {also}' if also else ''}"
    told = f": {shortened(said, _MOST_SHOWN_CONTENT)}" if said else ""
    return Item(
        line=f"{line}{told} [entity {entity.entity_id}]",
        data={
            "uuid": entity.entity_id,
            "group_id": entity.group_id,
            "name": shortened(entity.name, _MOST_NAME),
            "labels": [entity.type] if entity.type else [],
            "aliases": list(entity.aliases[:_MOST_CITED]),
            "summary": said or None,
        },
    )


def episode_item(episode: Episode) -> Item:
    """An episode, its content shortened; keys are those of Graphiti's episodes."""
    name = episode.metadata.get("name")
    who = "" if episode.speaker is None else f" {one_line(episode.speaker.name or episode.speaker.id)}"
    said = shortened(one_line(episode.content), _MOST_SHOWN_CONTENT)
    return Item(
        line=f"- {date_of(episode.reference_time)}{who}: {said} [episode {episode.episode_id}]",
        data={
            "uuid": episode.episode_id,
            "group_id": episode.group_id,
            "name": name if isinstance(name, str) else "",
            "content": shortened(episode.content, _MOST_CONTENT),
            "source": episode.source_type,
            "source_description": episode.source,
            "speaker": None if episode.speaker is None else episode.speaker.name or episode.speaker.id,
            "saga": episode.saga,
            "valid_at": episode.reference_time,
            "created_at": episode.ingested_at,
        },
    )


def counted(number: int, one: str, many: str) -> str:
    """`1 fact`, `2 facts`."""
    return f"{number} {one if number == 1 else many}"
