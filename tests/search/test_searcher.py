"""Search over a real store: what is found, when, by which arm, and what is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

import orjson
import pytest
from small_world import BETWEEN, ConceptEmbedder, an_episode, when

from memstrata.errors import Incorrect
from memstrata.ports import Subject
from memstrata.search.fusion import Arm
from memstrata.search.searcher import EVERYTHING
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from small_world import Graph

    from memstrata.ports import Vectors
    from memstrata.search.searcher import Searcher


def facts(searcher: Searcher, query: str, view: View | None = None, **more: int) -> list[str]:
    return [one.fact.version.fact.id for one in searcher.search(query, view, **more).facts]


def test_the_default_is_what_is_true_now_in_the_default_group(words_only: Searcher) -> None:
    found = facts(words_only, "Where does Alice work?")
    assert found[0] == "f-globex"
    assert "f-acme" not in found
    assert "f-else" not in found


def test_as_of_looks_at_what_was_true_then(words_only: Searcher) -> None:
    found = facts(words_only, "Alice works", View(as_of=when(2020)))
    assert found[0] == "f-acme"
    assert "f-globex" not in found


def test_system_as_of_looks_at_what_was_believed_then(words_only: Searcher) -> None:
    results = words_only.search("Alice works", View(system_as_of=BETWEEN))
    assert [one.fact.version.fact.id for one in results.facts] == ["f-acme"]
    assert results.facts[0].fact.version.fact.invalid_at is None
    assert results.moment.system == BETWEEN


def test_history_shows_every_interval(words_only: Searcher) -> None:
    found = facts(words_only, "Alice works", View(history=True))
    assert {"f-acme", "f-globex"} <= set(found)


def test_results_carry_names_and_the_record(words_only: Searcher) -> None:
    best = words_only.search("Alice Globex").facts[0]
    assert (best.fact.subject, best.fact.object) == ("Alice Liddell", "Globex")
    assert best.fact.version.fact.predicate == "WORKS_FOR"
    assert best.fact.version.fact.evidence == ("x3",)


def test_a_literal_goes_by_its_own_text(words_only: Searcher) -> None:
    assert words_only.search("e-mail").facts[0].fact.object == "TCP/IP and e-mail"


def test_each_result_says_which_arms_found_it(hybrid: Searcher) -> None:
    best = hybrid.search("Alice works for Globex").facts[0]
    assert {found.arm for found in best.found} == {Arm.WORDS, Arm.VECTORS, Arm.TRAVERSAL}
    assert all(found.rank >= 1 for found in best.found)


def test_meaning_finds_what_shares_no_word(hybrid: Searcher, words_only: Searcher) -> None:
    assert facts(words_only, "which town") == []
    assert facts(hybrid, "which town")[0] == "f-home"


def test_one_hop_brings_what_is_about_a_named_entity(words_only: Searcher) -> None:
    results = words_only.search("Acme Inc. vacancies", View(as_of=when(2020)))
    assert [one.fact.version.fact.id for one in results.facts] == ["f-acme"]
    assert Arm.TRAVERSAL in {found.arm for found in results.facts[0].found}


def test_an_alias_is_enough_to_name_somebody(words_only: Searcher) -> None:
    results = words_only.search("alice", subjects=[Subject.ENTITY])
    assert results.entities[0].entity.entity_id == "alice"
    assert Arm.NAMES in {found.arm for found in results.entities[0].found}


def test_accents_and_case_do_not_keep_a_name_apart(words_only: Searcher) -> None:
    results = words_only.search("ZOE ANGSTROM", subjects=[Subject.ENTITY])
    assert results.entities[0].entity.entity_id == "zoe"
    assert Arm.NAMES in {found.arm for found in results.entities[0].found}


def test_episodes_are_found_by_what_they_say(words_only: Searcher) -> None:
    results = words_only.search("moved on to Globex", subjects=[Subject.EPISODE])
    assert results.episodes[0].episode.episode_id == "e3"


def test_a_named_speaker_goes_before_others_who_said_the_same(words_only: Searcher) -> None:
    results = words_only.search("Caroline: engineer at Acme", subjects=[Subject.EPISODE])
    assert [one.episode.episode_id for one in results.episodes][:2] == ["e1", "e2"]


def test_pending_episodes_answer_in_the_present_alone(words_only: Searcher, world: Graph) -> None:
    raw = replace(an_episode("e7"), content="The zeppelin landed.", reference_time=when(2024, 5))
    world.show_pending([(raw, (raw.content,))])
    found = words_only.search("zeppelin", subjects=[Subject.EPISODE]).episodes
    assert [one.episode.episode_id for one in found] == ["e7"]
    before = View(system_as_of=BETWEEN)
    assert words_only.search("zeppelin", before, subjects=[Subject.EPISODE]).episodes == ()


def test_groups_see_only_themselves(words_only: Searcher) -> None:
    assert facts(words_only, "Initech") == []
    assert facts(words_only, "Initech", View(groups=("other",)))[0] == "f-else"
    both = View(groups=("default", "other"))
    assert {"f-globex", "f-else"} <= set(facts(words_only, "Alice works", both))
    assert facts(words_only, "Alice works", View(groups=("nowhere",))) == []


def test_all_subjects_at_once_are_answered_apart(hybrid: Searcher) -> None:
    results = hybrid.search("Alice Globex", subjects=EVERYTHING)
    assert results.facts
    assert results.entities
    assert results.episodes
    assert hybrid.search("Alice Globex").episodes == ()


@pytest.mark.parametrize("preset", ["everything", "everything_rrf", "everything_mmr"])
def test_every_preset_answers_the_same_way_twice(hybrid: Searcher, preset: str) -> None:
    first = hybrid.search("where does Alice work", preset=preset)
    assert first == hybrid.search("where does Alice work", preset=preset)
    assert first.preset == preset
    assert first.facts[0].fact.version.fact.id == "f-globex"


def test_without_vectors_words_answer_and_the_result_says_so(words_only: Searcher) -> None:
    searcher = replace(words_only, embedder=ConceptEmbedder())
    results = searcher.search("Alice works for Globex")
    assert results.facts[0].fact.version.fact.id == "f-globex"
    assert "no vectors are stored yet" in results.notes[0]


def test_without_an_embedder_words_answer_and_the_result_says_so(hybrid: Searcher) -> None:
    results = replace(hybrid, embedder=None).search("Alice works for Globex")
    assert results.facts[0].fact.version.fact.id == "f-globex"
    assert "memstrata[offline]" in results.notes[0]


def test_a_preset_without_vectors_asks_no_embedder_and_misses_none(hybrid: Searcher) -> None:
    class Unasked(ConceptEmbedder):
        def queries(self, texts: Sequence[str]) -> Vectors:
            raise AssertionError(texts)

    results = replace(hybrid, embedder=Unasked()).search("Alice works", preset="facts_words")
    assert results.facts
    assert results.notes == ()


def test_vectors_of_another_model_are_left_alone_and_the_result_says_so(hybrid: Searcher) -> None:
    results = replace(hybrid, embedder=ConceptEmbedder("other")).search("Alice works for Globex")
    assert {found.arm for found in results.facts[0].found} == {Arm.WORDS, Arm.TRAVERSAL}
    assert "concepts" in results.notes[0]
    assert "other" in results.notes[0]


def test_with_everything_at_hand_there_is_nothing_to_note(hybrid: Searcher) -> None:
    assert hybrid.search("Alice").notes == ()


def test_a_fact_without_a_vector_yet_is_found_by_its_words(hybrid: Searcher, world: Graph) -> None:
    world.forget()
    handles = [handle for handle, text in world.without_vector(Subject.FACT, limit=100)]
    some = ConceptEmbedder().passages(["Bob lives in Oslo."])
    world.put(Subject.FACT, ConceptEmbedder().model, handles[1:2], some)
    assert "f-globex" in facts(hybrid, "Alice works for Globex")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("TCP/IP", "f-speaks"),
        ("e-mail", "f-speaks"),
        ('"TCP/IP"', "f-speaks"),
        ("Rock-n-Roll / Jazz Club", "f-club"),
        ("Zoë's 山", "f-peak"),
        ("山", "f-peak"),
        ("Oslo AND NOT nothing*", "f-home"),
        ("fact:(Oslo) OR group_id:other", "f-home"),
        ("Oslo 🎂🎉", "f-home"),
        ("oslo " + "and so on " * 1_000, "f-home"),
    ],
)
def test_tricky_queries_find_what_they_mean(words_only: Searcher, query: str, expected: str) -> None:
    found = facts(words_only, query)
    assert found[0] == expected
    assert "f-else" not in found


@pytest.mark.parametrize(
    "query",
    ["🎂", '"', '""', "*", "-", "/", "()", "\\", "^", ":", "'; DROP TABLE facts; --", "NEAR(", "川",
     "xyzzy", "x" * 10_000, "{}[]", "%", "_", "\0", "OR", "NOT", "group_id:other", "TCPIP", "email"],
)  # fmt: skip
def test_what_is_not_there_matches_nothing(words_only: Searcher, query: str) -> None:
    results = words_only.search(query, subjects=EVERYTHING)
    assert (results.facts, results.entities, results.episodes) == ((), (), ())


@pytest.mark.parametrize("query", ["🎂", '"?!"', "***"])
def test_a_query_without_words_matches_nothing_by_meaning_either(hybrid: Searcher, query: str) -> None:
    results = hybrid.search(query, subjects=EVERYTHING)
    assert (results.facts, results.entities, results.episodes) == ((), (), ())
    assert "no letter and no digit" in results.notes[0]


def test_stop_words_alone_find_only_what_holds_them(words_only: Searcher) -> None:
    results = words_only.search("at the", subjects=EVERYTHING)
    assert {one.fact.version.fact.id for one in results.facts} == {"f-club"}


def test_limits_are_kept(hybrid: Searcher) -> None:
    assert len(facts(hybrid, "Alice Bob Zoë works lives", limit=2)) == 2


@pytest.mark.parametrize("limit", [0, -1, 201])
def test_an_odd_limit_is_refused(words_only: Searcher, limit: int) -> None:
    with pytest.raises(Incorrect, match="expected a number from 1 to 200"):
        words_only.search("Alice", limit=limit)


def test_a_naive_time_is_refused_with_the_way_to_write_it() -> None:
    with pytest.raises(Incorrect, match="2024-01-01T00:00:00Z"):
        View(as_of=datetime(2024, 1, 1))  # noqa: DTZ001 (the wrong input itself)


def test_no_group_and_no_subject_are_refused(words_only: Searcher) -> None:
    with pytest.raises(Incorrect, match="no group"):
        View(groups=())
    with pytest.raises(Incorrect, match="no subject"):
        words_only.search("Alice", subjects=())


def test_nonsense_matches_nothing_by_meaning_either(hybrid: Searcher) -> None:
    assert facts(hybrid, "xyzzy") == []
    assert facts(hybrid, "which town")[0] == "f-home"


def test_results_can_be_written_as_json(hybrid: Searcher) -> None:
    results = hybrid.search("Alice Globex", subjects=EVERYTHING)
    written = orjson.loads(orjson.dumps(results, default=dict))
    assert written["facts"][0]["fact"]["version"]["fact"]["id"] == "f-globex"
    assert written["facts"][0]["found"][0]["arm"] == "traversal"
