"""An extractor that can do no more now stops the run, and nothing is counted against what waits for it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from belief_world import World
from scripted import ScriptedExtractor, draft, works

from memstrata.errors import Away, Incorrect, Misplaced, Missing, TooLong
from memstrata.extraction.declared import extract_declared
from memstrata.model import SourceType
from memstrata.ontology import Ontology
from memstrata.ports import Unextracted
from memstrata.workflow.steady import Steady

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from memstrata.errors import MemstrataError
    from memstrata.model import Episode, Extraction

WHY = "the endpoint says that the account has no credit left"


@dataclass(slots=True)
class Limited(ScriptedExtractor):
    """Answers `left` more episodes, then is away; what holds a word of `hopeless` can never be read."""

    left: int = 0
    hopeless: str = "\0"
    raises: type[MemstrataError] = Away
    needs_none_for_declared: bool = False

    def extract_all(
        self, items: Iterable[tuple[Episode, Sequence[Episode]]]
    ) -> Iterator[Extraction | Unextracted]:
        """See `ports.Extractor`."""
        for episode, context in items:
            if self.needs_none_for_declared and episode.source_type is SourceType.FACT_TRIPLE:
                yield extract_declared(episode, self.version, Ontology())
                continue
            self.calls += 1
            if not self.left:
                raise self.raises(WHY)
            self.left -= 1
            if self.hopeless in episode.content:
                yield Unextracted(episode=episode, reason="it was refused", is_final=True)
            else:
                yield self.extract(episode, context)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with World(tmp_path, extractor=Limited()) as opened:
        yield opened


def limited(world: World) -> Limited:
    assert isinstance(world.extractor, Limited)
    return world.extractor


def test_what_came_before_it_went_is_kept_and_the_rest_waits(world: World) -> None:
    world.accept(*(draft(f"e{n}", works(f"P{n}", "Acme"), day=n) for n in range(5)))
    limited(world).left = 2

    worked = world.work()
    assert worked.extracted.stopped == WHY
    assert (worked.extracted.episodes, worked.extracted.failed) == (2, 0)
    assert len(world.said()) == 2

    limited(world).left = 100
    assert world.work().extracted.stopped == ""
    assert len(world.said()) == 5


@pytest.mark.parametrize("raises", [Away, Missing, Incorrect])
def test_no_number_of_runs_in_vain_makes_a_dead_letter(world: World, raises: type[MemstrataError]) -> None:
    """Nor does what is set up wrong: a key that is missing, an address that is none."""
    limited(world).raises = raises
    world.accept(draft("e", works("Ada", "Acme"), day=1))
    for _ in range(10):
        assert world.work().extracted.stopped == WHY
    assert world.installation.record.letters() == ()

    limited(world).left = 1
    world.work()
    assert world.said() == {("Ada", "works_at", "Acme")}


@pytest.mark.parametrize("raises", [Away, Missing, Incorrect])
def test_what_declares_what_it_says_does_not_wait_for_a_model(
    world: World, raises: type[MemstrataError]
) -> None:
    limited(world).raises = raises
    limited(world).needs_none_for_declared = True
    limited(world).at_once = 3
    texts = [draft(f"t{n}", works(f"P{n}", "Acme"), day=1) for n in range(10)]
    triple = {"subject": "Ivo", "predicate": "works_at", "object": "Mill"}
    declared = replace(
        texts[0], episode_id="d", source_type=SourceType.FACT_TRIPLE, content=json.dumps(triple)
    )
    world.accept(*texts, declared)

    worked = world.work()
    assert (worked.extracted.stopped, worked.extracted.episodes, worked.extracted.pending) == (WHY, 1, 10)
    assert world.said() == {("Ivo", "works_at", "Mill")}
    limited(world).left = 100
    world.work()
    assert len(world.said()) == 11


@pytest.mark.parametrize("raises", [Misplaced, TooLong])
def test_what_is_wrong_with_one_episode_counts_against_it(
    world: World, raises: type[MemstrataError]
) -> None:
    limited(world).raises = raises
    world.accept(draft("e", works("Ada", "Acme"), day=1))
    assert (world.work().extracted.stopped, world.work().extracted.failed) == ("", 1)


def test_what_can_never_be_read_is_a_dead_letter_at_once_and_harms_no_other(world: World) -> None:
    world.accept(*(draft(name, works(name, "Acme"), day=1) for name in ("Ada", "Bob", "Eve")))
    limited(world).left = 100
    limited(world).hopeless = "Bob"

    assert world.work().extracted.failed == 1
    assert {name for name, _, _ in world.said()} == {"Ada", "Eve"}
    assert [(one.episode_id, one.reason) for one in world.installation.record.letters()] == [
        ("Bob", "it was refused")
    ]


def test_a_steady_worker_says_it_once_asks_less_and_less_often_and_goes_on_when_it_is_back(
    world: World,
) -> None:
    world.accept(draft("e", works("Ada", "Acme"), day=1))
    now = [0.0]
    steady = Steady(installation=world.installation, now=lambda: now[0])

    told = []
    for _ in range(120):
        turn = steady.turn()
        assert turn.worked is not None
        told += [turn.worked.extracted.stopped] if turn.worked.extracted.stopped else []
        now[0] += 1.0
    assert told == [WHY]
    assert limited(world).calls < 12

    limited(world).left = 1
    now[0] += 61
    steady.turn()
    assert world.said() == {("Ada", "works_at", "Acme")}
