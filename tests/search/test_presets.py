"""Presets: what there is by name, and what happens to a name that there is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Incorrect
from memstrata.ports import Subject
from memstrata.search.fusion import Arm, Fusion
from memstrata.search.presets import PRESETS, RERANKABLE, preset_of
from memstrata.search.reranking import Rerank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.search.searcher import Searcher

PLAIN = ("facts", "entities", "episodes", "summaries", "procedures", "everything", "combined")


def test_every_subject_and_all_together_have_a_preset_and_its_variants() -> None:
    for name in PLAIN:
        assert {name, f"{name}_rrf", f"{name}_mmr", f"{name}_cross_encoder"} <= set(PRESETS)
    assert preset_of("everything").subjects == preset_of("combined").subjects == tuple(Subject)
    assert preset_of("facts_rrf").fusion is Fusion.RRF
    assert preset_of("facts_node_distance").rerank is Rerank.NODE_DISTANCE
    assert preset_of("episodes_words").arms == {Arm.WORDS}


def test_no_preset_orders_what_its_reranker_cannot() -> None:
    for preset in PRESETS.values():
        assert preset.rerank is None or RERANKABLE[preset.rerank].issuperset(preset.subjects)


def test_an_unknown_preset_is_refused_with_the_nearest_name(words_only: Searcher) -> None:
    with pytest.raises(Incorrect, match="no preset 'facts_mm'; did you mean 'facts_mmr'"):
        words_only.search("Alice", preset="facts_mm")


@pytest.mark.parametrize("name", [name for name, one in PRESETS.items() if one.rerank is None])
def test_every_preset_answers(hybrid: Searcher, name: str) -> None:
    results = hybrid.search("Where does Alice work, at Acme or Globex?", preset=name)
    answered = {
        Subject.FACT: results.facts,
        Subject.ENTITY: results.entities,
        Subject.EPISODE: results.episodes,
    }
    for subject, found in answered.items():
        assert bool(found) is (subject in PRESETS[name].subjects)


def test_node_distance_puts_what_is_near_the_centre_first(hybrid: Searcher) -> None:
    found = hybrid.search("works lives plays", preset="facts_node_distance", centre="bob").facts
    assert {one.fact.subject for one in found[:2]} == {"Bob"}


def test_node_distance_without_a_centre_is_refused(hybrid: Searcher) -> None:
    with pytest.raises(Incorrect, match="give it as centre"):
        hybrid.search("Alice", preset="facts_node_distance")


def test_mentions_and_recency_answer_too(hybrid: Searcher) -> None:
    for preset in (
        "facts_episode_mentions",
        "entities_episode_mentions",
        "facts_recency",
        "episodes_recency",
    ):
        results = hybrid.search("Alice works for Globex", preset=preset)
        assert results.facts or results.entities or results.episodes


class Judge:
    """A reranker that likes texts with a certain word."""

    name = "judge"

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        del query
        return [float("club" in text) for text in texts]


def test_a_cross_encoder_has_the_last_word(hybrid: Searcher) -> None:
    from dataclasses import replace

    judged = replace(hybrid, reranker=Judge())
    found = judged.search("Alice Bob works plays", preset="facts_cross_encoder").facts
    assert found[0].fact.version.fact.id == "f-club"
    with pytest.raises(Incorrect, match="none is at hand"):
        hybrid.search("Alice", preset="facts_cross_encoder")
