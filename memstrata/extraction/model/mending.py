"""The reply to a repair call: which items it mends, which it takes back, and what is left of the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from memstrata.extraction.model.items import (
    ASSERTIONS,
    ENTITIES,
    AssertionItem,
    EntityItem,
    mended,
    spread,
)
from memstrata.extraction.model.reply import Unread, number_of, read_item
from memstrata.extraction.model.salvage import salvaged
from memstrata.ports import Finish

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.extraction.model.parts import Wrong
    from memstrata.model import Json
    from memstrata.ontology import Ontology
    from memstrata.ports import Reply

_LISTS: Final = (ENTITIES, ASSERTIONS)


class Repair:
    """What a reply makes of the items that were wrong, each known by its place among them, from 0.

    An item may be mended once; what names none of them, or another list, is no repair and is dropped.
    """

    def __init__(self, reply: Reply, wrongs: Sequence[Wrong], *, parts: int, ontology: Ontology) -> None:
        self._wrongs = wrongs
        self._parts = parts
        self._ontology = ontology
        told = salvaged("" if reply.finish is Finish.REFUSED else reply.text, _LISTS)
        self._is_whole = told.is_whole
        self.is_read = any(key in told.lists for key in _LISTS)
        self._given: dict[int, tuple[int, EntityItem | AssertionItem] | Unread] = {}
        for place in _LISTS:
            for raw in told.lists.get(place, ()):
                self._take(place, raw)

    def mended(self, number: int) -> tuple[int, list[EntityItem], tuple[AssertionItem, ...]] | None:
        """The part that the item is of, the entity that it is now, if it is one, and its assertions."""
        given = self._given.get(number)
        if given is None or isinstance(given, Unread):
            return None
        at, item = given
        if isinstance(item, EntityItem):
            return at, [item], spread([item], ())
        return at, [], spread((), [item])

    def withdrew(self, number: int) -> bool:
        """Whether a reply that can be read left the item out: the episode does not say it."""
        return self._is_whole and number not in self._given

    def reason(self, number: int) -> str:
        """Why the item still cannot stand."""
        wrong, given = self._wrongs[number], self._given.get(number)
        if self.withdrew(number):
            return f"{wrong.reason}; left out when it was asked for again"
        return given.reason if isinstance(given, Unread) else wrong.reason

    @staticmethod
    def as_assertion(wrong: Wrong) -> AssertionItem | None:
        """As much of it as can be put as an assertion."""
        return wrong.found.item if wrong.found is not None else mended(wrong.item)

    def _take(self, place: str, raw: Json) -> None:
        number = number_of(raw, "item")
        if number is None or not isinstance(raw, Mapping):
            return
        at = number - 1
        if at in self._given or not 0 <= at < len(self._wrongs) or self._wrongs[at].place != place:
            return
        part = self._wrongs[at].part
        told = raw if part is None else {**raw, "episode": part + 1}
        if place == ENTITIES:
            self._given[at] = read_item(told, EntityItem, self._parts, self._ontology)
        else:
            self._given[at] = read_item(told, AssertionItem, self._parts, self._ontology)
