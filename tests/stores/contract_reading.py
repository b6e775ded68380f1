"""What every graph store promises of reads by handle, by id and whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from contract_world import EVER, NOW, everything, sentences
from graph_samples import (
    GROUP,
    at,
    commit,
    entity,
    fact,
    named,
    triples,
)

from memstrata.ports import Changes, Subject

if TYPE_CHECKING:
    from memstrata.ports import GraphStore


class ReadingContract:
    """See `ports.GraphReader` and `ports.Exporter`."""

    # --- GraphReader ---

    def test_unknown_handles_are_absent(self, store: GraphStore) -> None:
        store.apply(everything())
        gone = {
            subject: store.match(subject, ["tom"], NOW, limit=1)[0].handle for subject in list(Subject)[:3]
        }
        store.clear(GROUP)
        assert store.versions([gone[Subject.FACT]]) == {}
        assert store.entities_at([gone[Subject.ENTITY]]) == {}
        assert store.episodes_at([gone[Subject.EPISODE]]) == {}

    def test_facts_about_an_entity_come_latest_first_from_both_ends(self, store: GraphStore) -> None:
        facts = (
            fact("f1", "one", valid_at=at(3)),
            fact("f2", "two", valid_at=at(9), subject="id-ann", object="id-tom"),
            fact("f3", "three", valid_at=None),
            fact("f4", "four", subject="id-ann", object="id-bob"),
            fact("f5", "five", valid_at=at(4), invalid_at=at(6)),
        )
        store.apply(Changes(commit=commit(1), facts_created=facts))
        assert sentences(store, store.edges_about(["id-tom"], NOW, limit=9)) == ["two", "one", "three"]
        assert sentences(store, store.edges_about(["id-tom"], NOW, limit=1)) == ["two"]
        assert sentences(store, store.edges_about(["id-bob", "id-tom"], NOW, limit=9)) == [
            "two",
            "one",
            "four",
            "three",
        ]
        assert sentences(store, store.edges_about(["id-tom"], EVER, limit=9)) == [
            "two",
            "five",
            "one",
            "three",
        ]
        assert store.edges_about([], NOW, limit=9) == ()

    def test_the_successors_of_a_fact_share_its_last_evidence(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(
            Changes(
                commit=commit(2),
                facts_expired=("f1",),
                facts_created=(fact("f2"), fact("f3")),
                evidence_removed=(("f1", "a1"),),
                evidence_added=(("f2", "a1"), ("f3", "a9")),
            )
        )
        assert store.successors(GROUP, "f1") == ("f2",)
        assert store.successors(GROUP, "f2") == ()
        assert store.successors(GROUP, "none") == ()

    def test_the_successors_of_an_entity_hold_its_names(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(
            Changes(
                commit=commit(2),
                names=(named("Tom", entity_id="id-thomas"),),
                entities=(entity("Thomas"),),
                entities_gone=("id-tom",),
            )
        )
        assert store.successors(GROUP, "id-tom") == ("id-thomas",)
        assert store.successors(GROUP, "id-thomas") == ()
        assert store.names_of(GROUP, ["id-tom"]) == {"id-tom": "Tom"}
        assert store.entities(GROUP, ["id-tom"]) == ()

    # --- Exporter ---

    def test_facts_are_exported_in_the_order_of_the_wire(self, store: GraphStore) -> None:
        facts = [
            fact("f1", subject="b"),
            fact("f2", subject="a", predicate="z"),
            fact("f3", subject="a", predicate="é"),
            fact("f4", subject="a", predicate="p", object="\U0001d4b3"),
            fact("f5", subject="a", predicate="p", object="\uffee"),
            fact("g1", subject="a", predicate="p", object="o"),
            fact("g3", subject="a", predicate="p", object="o", valid_at=None),
            fact("g2", subject="a", predicate="p", object="o", invalid_at=at(5)),
            fact("g4", subject="a", predicate="p", object="o", invalid_at=at(5), contested=True),
        ]
        store.apply(Changes(commit=commit(1), facts_created=tuple(facts)))
        order = [one.id for one in store.all_facts(GROUP)]
        assert order == ["g3", "g2", "g4", "g1", "f5", "f4", "f2", "f3", "f1"]
        assert [one.fact.id for one in store.all_versions(GROUP)] == order

    def test_an_unknown_group_exports_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        for read in (store.all_facts, store.all_versions, store.all_entities, store.all_placements):
            assert list(read("none")) == []
        assert store.entities_since("none", None) == ()

    def test_counts_count_what_is_there_now(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), facts_created=(fact("f1", "other"),)))
        (counted,) = store.counts()
        assert (counted.group_id, counted.last_seq) == (GROUP, 2)
        assert (counted.episodes, counted.pending_episodes, counted.entities) == (1, 0, 2)
        assert (counted.facts, counted.versions, counted.placements) == (1, 2, 1)
        assert counted.facts_without_vector == 2

    def test_entities_are_dirty_after_their_facts_or_evidence_changed(self, store: GraphStore) -> None:
        eve = fact("f2", "Eve knows Bob.", subject="id-eve", object="id-bob")
        people = (entity("Eve"), entity("Bob"))
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(eve,), entities=people))
        assert store.entities_since(GROUP, None) == ("id-acme", "id-bob", "id-eve", "id-tom")
        assert store.entities_since(GROUP, at(1)) == ("id-bob", "id-eve")
        store.apply(Changes(commit=commit(3), evidence_added=(("f1", "a2"),)))
        assert store.entities_since(GROUP, at(2)) == ("id-acme", "id-tom")
        store.apply(Changes(commit=commit(4), facts_expired=("f2",)))
        assert store.entities_since(GROUP, at(3)) == ("id-bob", "id-eve")
        assert store.entities_since(GROUP, at(4)) == ()

    def test_a_batch_of_triples_is_complete(self, store: GraphStore) -> None:
        store.apply(triples(1, 20))
        store.apply(triples(2, 20))
        (counted,) = store.counts()
        assert (counted.episodes, counted.entities, counted.facts, counted.placements) == (40, 80, 40, 40)
        assert all(len(one.evidence) == 1 for one in store.all_facts(GROUP))
