"""What of a record is searched by words, embedded and filtered by: the same for every store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson

from memstrata.model import ObjectKind, Summary

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memstrata.model import Entity, Episode, Fact, Json, Procedure


def words_of_fact(fact: Fact, names: Mapping[str, str]) -> str:
    """Its sentence, the names of its ends (by entity id, as they were), and its predicate."""
    literal = fact.object_kind is ObjectKind.LITERAL
    last = fact.object if literal else names.get(fact.object, "")
    return f"{fact.fact} {names.get(fact.subject, '')} {fact.predicate} {last}"


def words_of_entity(entity: Entity) -> str:
    """Its name and aliases; embedded is its name alone."""
    return " ".join((entity.name, *entity.aliases))


def text_of(value: Summary | Procedure) -> str:
    """What of it is searched and embedded; empty for a summary without blocks, which nothing finds."""
    if isinstance(value, Summary):
        return value.text
    return "\n".join((value.name, *map(str, value.steps)))


def properties_of(episode: Episode) -> frozenset[tuple[str, str]]:
    """The (key, value) pairs that an episode has by its metadata, as `Filters.properties` names them.

    A text is its own value, anything else its JSON text; a list has each of its items.
    """
    return frozenset((key, one) for key, value in episode.metadata.items() for one in _values(value))


def _values(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield item if isinstance(item, str) else orjson.dumps(item).decode()
    else:
        yield orjson.dumps(value).decode()
