"""What every graph store promises of reads by handle, by id and whole."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from contract_world import EVER, NOW, alone, everything, sentences
from graph_samples import (
    GROUP,
    START,
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    named,
    triples,
)

from memstrata.bitemporal import Moment
from memstrata.model import ObjectKind, Speaker
from memstrata.ports import Changes, Filters, Scope, Sought, Subject, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.ports import Edge, GraphStore


def labels_in_order(store: GraphStore, edges: Iterable[Edge]) -> list[str]:
    """The ids of the facts that those edges are."""
    handles = [edge.handle for edge in edges]
    found = store.versions(handles)
    return [found[handle].version.fact.id for handle in handles]


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

    def test_at_most_so_many_edges_an_entity_and_shared_ones_once(self, store: GraphStore) -> None:
        facts = [
            fact(f"t{n}", subject="id-tom", object=f"id-{n}", valid_at=at(n), predicate="p")
            for n in range(5)
        ]
        facts += [
            fact(f"a{n}", subject=f"id-{n}", object="id-ann", valid_at=at(10 + n), predicate="p")
            for n in range(5)
        ]
        shared = fact("both", subject="id-ann", object="id-tom", valid_at=at(20))
        itself = fact("self", subject="id-eve", object="id-eve", valid_at=at(30))
        store.apply(Changes(commit=commit(1), facts_created=(*facts, shared, itself)))

        def about(*names: str, limit: int) -> list[str]:
            edges = store.edges_about([f"id-{name}" for name in names], NOW, limit=limit)
            return labels_in_order(store, edges)

        assert about("tom", "ann", limit=2) == ["both", "a4", "t4"]
        assert about("tom", "ann", limit=3) == ["both", "a4", "a3", "t4", "t3"]
        assert about("tom", "tom", limit=2) == ["both", "t4"]
        assert about("eve", "ann", "tom", limit=1) == ["self", "both"]
        assert len(about("tom", "ann", limit=99)) == 11

    @pytest.mark.parametrize("history", [False, True], ids=["now", "ever"])
    @pytest.mark.parametrize("filters", [Filters(), Filters(relations=("knows",))], ids=["all", "some"])
    def test_starts_and_edges_that_come_with_a_search_are_those_that_can_be_asked_for(
        self, store: GraphStore, filters: Filters, *, history: bool
    ) -> None:
        facts = [
            fact(f"k{n}", f"Tom knows {n}", subject="id-tom", object=f"id-{n}", predicate="knows")
            for n in range(3)
        ]
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=tuple(facts)))
        store.apply(Changes(commit=commit(3), facts_expired=("k1",)))
        scope = replace(EVER if history else NOW, filters=filters)
        for names in (("Acme", "Tom"), ("nobody",), ()):
            sought = Sought(words=("tom",), names=names, starts=1, edges=2)
            found = store.find(Subject.FACT, sought, scope, limit=9)
            assert set(found.names) == set(store.named(names, replace(scope, filters=Filters()), limit=9))
            if found.starts is None:
                assert found.edges is None
                continue
            entities = store.entities_at([hit.handle for hit in found.names])
            ids = dict.fromkeys(entities[hit.handle].entity_id for hit in found.names)
            assert found.starts == tuple(ids)[:1]
            assert found.edges == store.edges_about(found.starts, scope, limit=2)

    def test_an_edge_says_what_it_joins_and_whether_it_leads_on(self, store: GraphStore) -> None:
        literal = fact("f2", object="id-acme", object_kind=ObjectKind.LITERAL, valid_at=None)
        store.apply(Changes(commit=commit(1), facts_created=(fact("f1"), literal)))
        on, off = store.edges_about(["id-tom"], NOW, limit=9)
        joined = (GROUP, "id-tom", "id-acme")
        assert (on.group_id, on.subject, on.object) == (off.group_id, off.subject, off.object) == joined
        assert (on.leads_on, on.valid_at) == (True, START)
        assert (off.leads_on, off.valid_at) == (False, None)
        assert [edge.handle for edge in store.edges_about(["id-acme"], NOW, limit=9)] == [on.handle]

    def test_edges_keep_to_both_times(self, store: GraphStore) -> None:
        facts = (fact("f1", valid_at=at(10), invalid_at=at(20)), fact("f2", valid_at=at(15)))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        store.apply(Changes(commit=commit(2), facts_expired=("f2",)))

        def about(system: int | None = None, **scope: Any) -> list[str]:
            moment = Moment(valid=scope.pop("valid", None), system=None if system is None else at(system))
            edges = store.edges_about(["id-tom"], Scope(groups=(GROUP,), moment=moment, **scope), limit=9)
            return labels_in_order(store, edges)

        assert about(valid=at(9)) == []
        assert about(valid=at(15)) == ["f1"]
        assert about(1, valid=at(15)) == ["f2", "f1"]
        assert about(0, valid=at(15)) == []
        assert about(during=(at(5), at(10))) == []
        assert about(during=(at(5), at(11))) == ["f1"]
        assert about(1, during=(at(19), at(99))) == ["f2", "f1"]
        assert about(1, during=(at(20), at(99))) == ["f2"]
        assert about(history=True) == ["f2", "f1"]
        assert about(0, history=True) == []

    def test_versions_come_with_the_latest_names_of_their_ends(self, store: GraphStore) -> None:
        literal = fact("f2", object="id-acme", object_kind=ObjectKind.LITERAL)
        nameless = fact("f3", subject="id-nobody")
        store.apply(everything())
        store.apply(
            Changes(
                commit=commit(2),
                entities=(entity("Thomas", entity_id="id-tom"),),
                entities_gone=("id-acme",),
                facts_created=(literal, nameless),
            )
        )
        edges = store.edges_about(["id-tom", "id-nobody"], NOW, limit=9)
        found = store.versions([edge.handle for edge in edges]).values()
        assert {one.version.fact.id: (one.subject, one.object) for one in found} == {
            "f1": ("Thomas", "Acme"),
            "f2": ("Thomas", "id-acme"),
            "f3": ("id-nobody", "Acme"),
        }
        assert [(one.subject, one.object) for one in store.history(GROUP, "f1")] == [("Thomas", "Acme")]
        between = store.versions_between(GROUP, at(1), None, limit=9)
        assert [(one.subject, one.object) for one in between] == [
            ("Thomas", "id-acme"),
            ("id-nobody", "Acme"),
        ]

    def test_groups_are_those_with_commits_or_waiting_episodes(self, store: GraphStore) -> None:
        assert store.groups() == ()
        store.apply(Changes(commit=commit(1, group="b")))
        store.show_pending(alone(episode("p", group="a")))
        store.apply(everything(group="c/d"))
        assert store.groups() == ("a", "b", "c/d")
        store.clear("c/d")
        assert store.groups() == ("a", "b")

    def test_the_vocabulary_is_what_filters_can_name_now(self, store: GraphStore) -> None:
        ann = Speaker(id="u1", name="Ann")
        store.apply(
            Changes(
                commit=commit(1),
                episodes=(
                    episode("e1", source="mail", speaker=ann, metadata={"channel": "x"}),
                    episode("e2", source="gone", speaker=Speaker(id="u2"), metadata={"gone": 1}),
                ),
                entities=(entity("Tom"), entity("Bot", type="Robot"), entity("It", type=None)),
                facts_created=(
                    fact("f1", invalid_at=at(5)),
                    fact("f2", predicate="has_age", object="40", object_kind=ObjectKind.LITERAL),
                    fact("f3", predicate="is_gone", object="40", object_kind=ObjectKind.LITERAL),
                ),
            )
        )
        store.apply(
            Changes(
                commit=commit(2),
                episodes_gone=("e2",),
                entities_gone=("id-bot",),
                facts_expired=("f3",),
            )
        )
        store.show_pending(alone(episode("p", source="chat", metadata={"topic": ["a", "b"]})))
        assert store.vocabulary([GROUP, GROUP, "none"]) == Vocabulary(
            types=("Person",),
            relations=("has_age", "works_at"),
            sources=("chat", "mail"),
            speakers=("Ann", "u1"),
            properties=("channel", "has_age", "topic"),
        )
        assert store.vocabulary([]) == store.vocabulary(["none"]) == Vocabulary()

    def test_beginnings_are_of_what_is_believed_now(self, store: GraphStore) -> None:
        assert store.beginnings(GROUP) is None
        store.apply(
            Changes(
                commit=commit(1),
                entities=(entity("Tom"), entity("Acme")),
                facts_created=(
                    fact("never", predicate="is", valid_at=None),
                    fact("first", valid_at=at(2), invalid_at=at(3)),
                    fact("last", predicate="owns", valid_at=at(6)),
                    fact("gone", predicate="had", valid_at=at(1)),
                    fact("contested", valid_at=at(9), contested=True),
                ),
            )
        )
        store.apply(Changes(commit=commit(2), facts_expired=("gone",)))
        store.apply(
            Changes(
                commit=commit(1, group="other"), facts_created=(fact("a", valid_at=None, group="other"),)
            )
        )
        assert store.beginnings(GROUP) == (at(2), at(6))
        assert store.beginnings("other") is None
        assert store.beginnings("none") is None
        store.clear(GROUP)
        assert store.beginnings(GROUP) is None

    def test_mentions_are_counted_by_current_episodes(self, store: GraphStore) -> None:
        tom, acme = mention("Tom", "e2"), mention("Acme", "e2")
        twice = mention("Tom", "e2", mention_id="e2/Tom again")
        store.apply(everything())
        store.apply(
            Changes(
                commit=commit(2),
                episodes=(episode("e2"),),
                mentions=((tom, "s-tom"), (twice, "s-tom"), (acme, "s-acme")),
            )
        )
        assert store.mention_counts(GROUP, ["id-tom", "id-acme", "none"]) == {
            "id-tom": 2,
            "id-acme": 2,
            "none": 0,
        }
        store.apply(
            Changes(commit=commit(3), names=(named("Tom", entity_id="id-thomas"),), episodes_gone=("e1",))
        )
        assert store.mention_counts(GROUP, ["id-tom", "id-acme", "id-thomas"]) == {
            "id-tom": 0,
            "id-acme": 1,
            "id-thomas": 1,
        }
        assert store.mention_counts("other", ["id-acme"]) == {"id-acme": 0}
        assert store.mention_counts(GROUP, []) == {}

    def test_versions_between_two_instants_are_those_that_began_or_ended_then(
        self, store: GraphStore
    ) -> None:
        store.apply(Changes(commit=commit(1), facts_created=(fact("f1"), fact("f2", "two"))))
        changed, brief = fact("f1", "changed"), fact("f3", subject="id-ann", object="id-bob")
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), facts_created=(changed, brief)))
        store.apply(Changes(commit=commit(3), facts_expired=("f3",)))
        store.apply(Changes(commit=commit(4), facts_expired=("f2",)))

        def between(after: Any, until: Any, limit: int = 99, **about: Any) -> list[tuple[str, int]]:
            found = store.versions_between(GROUP, after, until, limit=limit, **about)
            return [(one.version.fact.id, (one.version.created_at - START).days) for one in found]

        moment = timedelta(microseconds=1)
        assert between(at(0), at(1)) == [("f1", 1), ("f2", 1)]
        assert between(at(1), at(2)) == [("f1", 1), ("f1", 2), ("f3", 2)]
        assert between(at(1) - moment, at(2) - moment) == [("f1", 1), ("f2", 1)]
        assert between(at(2), at(2)) == between(at(2), at(3) - moment) == []
        assert between(at(2), at(3)) == [("f3", 2)]
        assert between(at(1), None) == [("f1", 1), ("f1", 2), ("f3", 2), ("f2", 1)]
        assert between(at(0), None) == [("f1", 1), ("f2", 1), ("f1", 2), ("f3", 2)]
        assert between(at(0), None, limit=2) == [("f1", 1), ("f2", 1)]
        assert between(at(4), None) == between(at(5), at(1)) == []
        assert between(at(1), None, about=["id-bob"]) == [("f3", 2)]
        assert between(at(1), None, about=["id-acme", "id-ann"], limit=2) == [("f1", 1), ("f1", 2)]
        assert between(at(0), None, about=[]) == []
        assert store.versions_between("other", at(0), None, limit=9) == ()

    def test_a_literal_is_nobody_whom_versions_are_about(self, store: GraphStore) -> None:
        literal = fact("f1", object="id-acme", object_kind=ObjectKind.LITERAL)
        store.apply(Changes(commit=commit(1), facts_created=(literal,)))
        assert store.versions_between(GROUP, at(0), None, about=["id-acme"], limit=9) == ()
        assert len(store.versions_between(GROUP, at(0), None, about=["id-tom"], limit=9)) == 1

    def test_a_version_that_ended_shows_its_last_evidence_between_instants(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), evidence_removed=(("f1", "a1"),)))
        (found,) = store.versions_between(GROUP, at(1), at(2), limit=9)
        assert (found.version.expired_at, found.version.fact.evidence) == (at(2), ("a1",))
        assert store.history(GROUP, "f1") == (found,)

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

    def test_versions_and_entities_are_paged_by_their_ids(self, store: GraphStore) -> None:
        store.apply(
            Changes(
                commit=commit(1),
                facts_created=tuple(fact(f"f{n}", f"says {n}") for n in range(5)),
                entities=tuple(entity(name) for name in ("Tom", "Ada", "Bob")),
            )
        )
        store.apply(Changes(commit=commit(2), facts_expired=("f2",), facts_created=(fact("f2", "anew"),)))
        store.apply(Changes(commit=commit(3), facts_expired=("f4",), entities_gone=("id-bob",)))
        store.apply(Changes(commit=commit(1, group="h"), facts_created=(fact("f0", group="h"),)))
        whole = sorted(store.all_versions(GROUP), key=lambda one: (one.fact.id, one.created_at))
        assert [one.fact.id for one in whole] == ["f0", "f1", "f2", "f2", "f3", "f4"]
        for size in (1, 2, 3, 10):
            paged, after = [], None
            while found := store.versions_after(GROUP, after, limit=size):
                assert len(found) <= size
                paged += found
                after = (found[-1].fact.id, found[-1].created_at)
            assert paged == whole
        assert store.versions_after(GROUP, ("f1x", at(0)), limit=1) == (whole[2],)
        assert store.versions_after("none", None, limit=5) == ()
        assert [one.name for one in store.entities_after(GROUP, "", limit=5)] == ["Ada", "Tom"]
        assert [one.name for one in store.entities_after(GROUP, "id-ada", limit=5)] == ["Tom"]
        assert [one.name for one in store.entities_after(GROUP, "", limit=1)] == ["Ada"]
        assert store.entities_after("none", "", limit=5) == ()

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
