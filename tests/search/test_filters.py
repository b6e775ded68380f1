"""Filters as people write them, and what is said of those that nothing has."""

from __future__ import annotations

import pytest

from memstrata.errors import Incorrect
from memstrata.ports import Filters, Vocabulary
from memstrata.search.filters import as_written
from memstrata.stores.memory import MemoryGraph

KNOWN = Vocabulary(
    types=("Person", "person", "Straße"),
    relations=("WORKS_FOR", "lives_in"),
    sources=("slack",),
    speakers=("u1", "Zoë"),
    properties=("founded",),
)


class Knowing(MemoryGraph):
    """A graph with a vocabulary that counts how often it is asked."""

    def __init__(self, known: Vocabulary = KNOWN) -> None:
        super().__init__()
        self.known, self.asked = known, 0

    def vocabulary(self, groups: object) -> Vocabulary:
        self.asked += 1
        return self.known


def test_without_filters_nothing_is_looked_up() -> None:
    graph = Knowing()
    assert as_written(Filters(), ["default"], graph) == Filters()
    assert graph.asked == 0


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        (Filters(relations=("works for",)), Filters(relations=("WORKS_FOR",))),
        (Filters(relations=("Lives-In",)), Filters(relations=("lives_in",))),
        (Filters(types=("PERSON",)), Filters(types=("Person", "person"))),
        (Filters(types=("Person",)), Filters(types=("Person",))),
        (Filters(types=("strasse",)), Filters(types=("Straße",))),
        (Filters(speakers=("zoe",)), Filters(speakers=("Zoë",))),
        (Filters(properties=(("Founded", "1999"),)), Filters(properties=(("founded", "1999"),))),
        (
            Filters(sources=("slack",), least_confidence=0.5),
            Filters(sources=("slack",), least_confidence=0.5),
        ),
    ],
)
def test_names_are_found_however_they_are_written(asked: Filters, written: Filters) -> None:
    assert as_written(asked, ["default"], Knowing()) == written


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Filters(relations=("work_for",)), "no relation 'work_for' is there; did you mean 'WORKS_FOR'"),
        (Filters(types=("Ufo",)), "no type 'Ufo' is there; there are: Person, person"),
        (Filters(properties=(("foundd", "1"),)), "no property 'foundd' is there; did you mean 'founded'"),
        (Filters(speakers=("nobody at all",)), "no speaker 'nobody at all' is there; there are: u1, Zoë"),
        (Filters(least_confidence=1.5), "expected a number from 0 to 1"),
        (Filters(least_confidence=float("nan")), "expected a number from 0 to 1"),
    ],
)
def test_what_nothing_has_is_refused_with_what_there_is(asked: Filters, said: str) -> None:
    with pytest.raises(Incorrect, match=said):
        as_written(asked, ["default"], Knowing())


def test_where_nothing_is_filters_are_refused_too() -> None:
    with pytest.raises(Incorrect, match="nothing in view has a type"):
        as_written(Filters(types=("Person",)), ["default"], Knowing(Vocabulary()))
