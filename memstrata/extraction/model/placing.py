"""Where in an episode names and quotes stand, and who speaks there: items of a reply become candidates."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.verification import folded
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memstrata.extraction.model.items import EntityItem
    from memstrata.extraction.model.parts import Found
    from memstrata.extraction.verification import Source

Span = tuple[int, int]
_ENDS: Final = ("\n", ". ", "! ", "? ")
_SENTENCE: Final = 1_000  # characters to either side that are looked at


class Scene:
    """One episode as its items are placed in it. A name is one mention for each speaker who uses it."""

    def __init__(self, source: Source, entities: Iterable[EntityItem]) -> None:
        self._source = source
        self._content = source.content
        self._entities = joined(entities)
        self._names: dict[tuple[str, str], Name] = {}

    def candidate(self, found: Found) -> Candidate:
        """The assertion with its names and quote in their places; its times must have been read."""
        item = found.item
        span = self.place(item.evidence, found.window)
        near = span or found.window
        valid_at, invalid_at = item.times
        return Candidate(
            subject=self._name(item.subject, near),
            predicate=item.predicate,
            object=item.object if item.object_is_literal else self._name(item.object, near),
            kind=Kind(item.kind),
            fact=item.fact,
            valid_at=valid_at,
            invalid_at=invalid_at,
            confidence=item.confidence,
            quote=item.evidence if span is None else self._content[slice(*span)],
            span=span,
            settled=found.settled,
        )

    def place(self, quote: str, window: Span) -> Span | None:
        """Where a quote stands: in the window first, outside of what is only recalled first of all.

        How it is set does not matter (`Quotable`); None if it stands nowhere.
        """
        recalled: list[Span] = []
        for seek in (self._exactly, self._source.quotable.places):
            for stretch in (window, (0, len(self._content))):  # near first: a text may be long
                for span in seek(quote, stretch):
                    if not any(_overlap(span, one) for one in self._source.recalled):
                        return span
                    recalled.append(span)
        return next(iter(recalled), None)

    def _exactly(self, quote: str, stretch: Span) -> Iterator[Span]:
        at = self._content.find(quote, *stretch)
        while at >= 0 and quote:
            yield at, at + len(quote)
            at = self._content.find(quote, at + 1, stretch[1])

    def _name(self, text: str, near: Span) -> Name:
        # a quote may begin with the label of the turn, which is of no turn's text
        turns = self._source.turns
        turn = next((one for one in turns if near[0] < one.start + len(one.text)), turns[-1])
        key = (folded(text), "" if turn.speaker is None else turn.speaker.id)
        known = self._names.get(key)
        if known is None:
            entity = self._entities.get(key[0])
            said = text if entity is None else entity.name
            at = self._place_of_name(said, near)
            known = Name(
                text=said,
                type=None if entity is None else entity.type or None,
                span=at,
                sentence="" if at is None else _sentence_around(self._content, at[0]),
                speaker=turn.speaker,
                addressee=turn.addressee or self._source.episode.addressee,
                attributes={} if entity is None else self._attributes(entity),
            )
            self._names[key] = known
        return known

    def _place_of_name(self, text: str, near: Span) -> Span | None:
        word = re.compile(rf"(?<!\w){re.escape(text)}(?!\w)")
        found = word.search(self._content, *near) or word.search(self._content)
        if found is not None:
            return found.span()
        at = self._content.find(text)
        return (at, at + len(text)) if at >= 0 else None

    def _attributes(self, entity: EntityItem) -> Mapping[str, tuple[str, ...]]:
        """What the text gives it, by which resolution knows it: nothing that does not stand there."""
        content = self._source.folded
        held: dict[str, tuple[str, ...]] = {}
        for one in entity.attributes:
            if one.name != "aliases" and folded(one.value) in content:
                held[one.name] = tuple(dict.fromkeys((*held.get(one.name, ()), one.value)))
        if entity.aliases:
            held["aliases"] = tuple(entity.aliases)
        return held


def joined(entities: Iterable[EntityItem]) -> Mapping[str, EntityItem]:
    """One entity for each name, with what all of that name have; of two types the first given."""
    by_name: dict[str, EntityItem] = {}
    for one in entities:
        key = folded(one.name)
        known = by_name.get(key)
        if known is None:
            by_name[key] = one
        else:
            more = {
                "type": known.type or one.type,
                "aliases": tuple(dict.fromkeys((*known.aliases, *one.aliases))),
                "attributes": tuple(dict.fromkeys((*known.attributes, *one.attributes))),
            }
            by_name[key] = known.model_copy(update=more)
    return by_name


def _overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _sentence_around(content: str, at: int) -> str:
    low, high = max(0, at - _SENTENCE), at + _SENTENCE
    start = max(low - 1, *(content.rfind(mark, low, at) for mark in _ENDS))
    stops = [stop for mark in _ENDS if (stop := content.find(mark, at, high)) >= 0]
    return content[start + 1 : min(stops, default=high) + 1].strip()
