"""Reads by name and id, over a real store."""

from __future__ import annotations

from typing import TYPE_CHECKING

import orjson
import pytest
from small_world import BETWEEN, an_episode, when

from memstrata.errors import Incorrect
from memstrata.search.reads import EntityRecord, EpisodeRecord, FactHistory
from memstrata.search.view import View

if TYPE_CHECKING:
    from memstrata.search.reads import EntityFacts, Reads


def ids(answer: EntityFacts | EntityRecord) -> list[str]:
    return [one.version.fact.id for one in answer.facts]


@pytest.mark.parametrize("asked", ["alice", "Alice", "alice liddell", "ALICE LIDDELL"])
def test_an_entity_goes_by_its_id_name_or_alias(reads: Reads, asked: str) -> None:
    answer = reads.facts(asked)
    assert [one.entity_id for one in answer.entities] == ["alice"]
    assert ids(answer) == ["f-globex"]


def test_facts_of_a_moment_are_those_true_then(reads: Reads) -> None:
    assert ids(reads.facts("Alice", View(as_of=when(2020)))) == ["f-acme"]
    assert ids(reads.facts("Alice", View(system_as_of=BETWEEN))) == ["f-acme"]


def test_facts_through_history_are_latest_first(reads: Reads) -> None:
    found = list(dict.fromkeys(ids(reads.facts("Alice", View(history=True)))))
    assert found == ["f-globex", "f-acme"]


def test_facts_reach_an_object_too(reads: Reads) -> None:
    assert ids(reads.facts("Oslo")) == ["f-home"]


def test_an_unknown_name_is_refused_with_near_ones(reads: Reads) -> None:
    with pytest.raises(Incorrect, match="did you mean 'Alice Liddell'"):
        reads.facts("Alice Smith")
    with pytest.raises(Incorrect, match="try search first"):
        reads.facts("🎂")


def test_the_history_of_a_fact_holds_each_belief_with_its_evidence(reads: Reads) -> None:
    (history,) = reads.history("f-acme")
    assert [one.version.fact.invalid_at for one in history.versions] == [None, when(2021, 6)]
    assert history.versions[0].version.expired_at == history.versions[1].version.created_at
    assert {one.episode_id for one in history.evidence} == {"e1", "e2", "e3"}
    assert history.successors == ()


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("Alice WORKS_FOR Acme", ["f-acme"]),
        ("alice works_for ACME INC.", ["f-acme"]),
        ("Alice -WORKS_FOR-> Globex", ["f-globex"]),
        ("Alice Liddell -[WORKS FOR]-> Globex", ["f-globex"]),
        ("Alice WORKS_FOR", ["f-acme", "f-globex"]),
        ("Zoë Ångström SPEAKS TCP/IP and e-mail", ["f-speaks"]),
        ("Alice", ["f-acme", "f-globex"]),
        ("bob", ["f-home", "f-club"]),
    ],
)
def test_a_history_can_be_asked_for_in_words(reads: Reads, asked: str, expected: list[str]) -> None:
    assert [one.fact_id for one in reads.history(asked)] == expected


def test_a_history_of_nobody_is_refused(reads: Reads) -> None:
    with pytest.raises(Incorrect, match="'Nobody WORKS_FOR Nothing'"):
        reads.history("Nobody WORKS_FOR Nothing")


def test_a_history_keeps_to_its_groups(reads: Reads) -> None:
    assert [one.fact_id for one in reads.history("Alice", View(groups=("other",)))] == ["f-else"]
    with pytest.raises(Incorrect):
        reads.history("f-else")


def test_get_tells_facts_entities_and_episodes_apart(reads: Reads) -> None:
    fact = reads.get("f-globex")
    assert isinstance(fact, FactHistory)
    entity = reads.get("alice")
    assert isinstance(entity, EntityRecord)
    assert entity.entity is not None
    assert (entity.name, entity.entity.aliases, ids(entity)) == ("Alice Liddell", ("Alice",), ["f-globex"])
    episode = reads.get("e1")
    assert isinstance(episode, EpisodeRecord)
    assert episode.episode == an_episode("e1")


def test_get_of_an_id_nobody_had_is_refused(reads: Reads) -> None:
    with pytest.raises(
        Incorrect, match="'f-else' is the id of no fact, entity or episode in group default"
    ):
        reads.get("f-else")
    assert isinstance(reads.get("f-else", View(groups=("default", "other"))), FactHistory)


def test_get_of_a_fact_that_is_gone_names_what_rests_on_its_evidence(reads: Reads, retracted: None) -> None:
    history = reads.get("f-globex")
    assert isinstance(history, FactHistory)
    assert history.versions[-1].version.expired_at is not None
    assert history.successors == ("f-acme",)


def test_get_of_an_entity_that_is_gone_names_who_took_its_names(reads: Reads, retracted: None) -> None:
    record = reads.get("club")
    assert isinstance(record, EntityRecord)
    assert record.entity is None
    assert record.name == "Rock-n-Roll / Jazz Club"
    assert record.successors == ("oslo",)


def test_answers_can_be_written_as_json(reads: Reads) -> None:
    for answer in (reads.facts("Alice"), reads.history("Alice"), reads.get("e1"), reads.get("alice")):
        written = orjson.loads(orjson.dumps(answer, default=dict))
        assert written
