"""What every graph store promises of filters: `ports.Filters`, one by one and together."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pytest
from contract_world import EVER, MODEL, NOW, labels, unit
from graph_samples import (
    GROUP,
    at,
    commit,
    entity,
    episode,
    fact,
    placement,
    procedure,
    summary,
)

from memstrata.bitemporal import Moment
from memstrata.model import ObjectKind, Speaker
from memstrata.ports import Changes, Filters, Sought, Subject

if TYPE_CHECKING:
    from memstrata.model import Fact
    from memstrata.ports import GraphStore, Scope

#: Everything says this word, and has this vector.
WORD: Final = "shared"
VECTOR: Final = unit(1, 2, 2, 0)
TYPES: Final = {
    "Tom": "Person",
    "Ann": "Person",
    "Eve": "Person",
    "Acme": "Organization",
    "Oslo": "Place",
    "Zed": None,
}
#: Of each fact its ends (a literal in brackets), its confidence and the episodes that it rests on.
SAID: Final = {
    "f1": ("Tom", "works_at", "Acme", 0.9, ("e1",)),
    "f2": ("Ann", "knows", "Tom", 0.5, ("e2",)),
    "f3": ("Tom", "has_role", "[boss]", 0.8, ("e2",)),
    "f4": ("Ann", "lives_in", "Oslo", 0.3, ("e1",)),
    "f5": ("Zed", "knows", "Tom", 0.7, ("e1", "e2")),
    "f6": ("Zed", "has_role", "[id-tom]", 1.0, ("e3",)),
    "f7": ("Tom", "has_age", "[40]", 0.2, ("e2",)),
    "f8": ("Zed", "has_age", "[40]", 0.2, ("e2",)),
}
#: Filters, and whoever passes: facts, entities (and their summaries), episodes, procedures.
TABLE: Final[list[tuple[dict[str, Any], str, str, str, str]]] = [
    ({}, "f1 f2 f3 f4 f5 f6 f7 f8", "Acme Ann Eve Oslo Tom Zed", "e1 e2 e3 e4", "p1 p2 p3 p4"),
    ({"types": ("Organization",)}, "f1", "Acme", "e1", ""),
    ({"types": ("Person",)}, "f1 f2 f3 f4 f5 f7", "Ann Eve Tom", "e1 e2", ""),
    ({"types": ("Organization", "Place")}, "f1 f4", "Acme Oslo", "e1", ""),
    ({"types": ("person",)}, "", "", "", ""),
    ({"relations": ("knows",)}, "f2 f5", "Ann Tom Zed", "e1 e2", ""),
    ({"relations": ("has_role",)}, "f3 f6", "Tom Zed", "e2 e3", ""),
    ({"relations": ("none", "works_at")}, "f1", "Acme Tom", "e1", ""),
    ({"sources": ("mail",)}, "f2 f3 f5 f7 f8", "Ann Tom Zed", "e2", "p2 p4"),
    ({"sources": ("wiki",)}, "", "", "e4", "p3"),
    ({"speakers": ("Ann",)}, "f1 f4 f5", "Acme Ann Oslo Tom Zed", "e1", "p1 p4"),
    ({"speakers": ("u2", "nobody")}, "f2 f3 f5 f7 f8", "Ann Tom Zed", "e2", "p2 p4"),
    ({"sources": ("mail",), "speakers": ("Ann",)}, "", "", "", ""),
    ({"sources": ("chat",), "speakers": ("u1",)}, "f1 f4 f5", "Acme Ann Oslo Tom Zed", "e1", "p1 p4"),
    ({"least_confidence": 0.8}, "f1 f3 f6", "Acme Tom Zed", "e1 e2 e3", ""),
    ({"least_confidence": 0.0}, "f1 f2 f3 f4 f5 f6 f7 f8", "Acme Ann Oslo Tom Zed", "e1 e2 e3", ""),
    ({"properties": (("has_role", "boss"),)}, "f1 f2 f3 f5 f7", "Tom", "e3", ""),
    ({"properties": (("has_role", "boss"), ("has_age", "40"))}, "f1 f2 f3 f5 f7", "Tom", "", ""),
    ({"properties": (("has_role", "boss"), ("has_role", "id-tom"))}, "", "", "", ""),
    ({"properties": (("has_role", "Boss"),)}, "", "", "", ""),
    ({"properties": (("works_at", "id-acme"),)}, "", "", "", ""),
    ({"properties": (("channel", "general"),)}, "", "", "e1", ""),
    ({"properties": (("urgent", "true"), ("count", "3"), ("tags", "b"))}, "", "", "e1", ""),
    ({"properties": (("tags", "c"),)}, "", "", "", ""),
    ({"types": ("Person",), "relations": ("works_at", "lives_in")}, "f1 f4", "Ann Tom", "e1", ""),
    ({"relations": ("has_role",), "least_confidence": 0.9}, "f6", "Zed", "e3", ""),
    (
        {"relations": ("knows",), "sources": ("mail",), "least_confidence": 0.6},
        "f5",
        "Tom Zed",
        "e2",
        "",
    ),
    ({"types": ("Organization",), "sources": ("mail",)}, "", "", "", ""),
    ({"types": ("Place",), "properties": (("channel", "general"),)}, "", "", "e1", ""),
    ({"relations": ("knows",), "properties": (("has_age", "40"),)}, "f2 f5", "Tom Zed", "", ""),
]


def told(name: str, **fields: Any) -> Fact:
    """The fact of that name."""
    subject, predicate, last, confidence, _ = SAID[name]
    literal = last.startswith("[")
    given = {
        "subject": f"id-{subject.lower()}",
        "predicate": predicate,
        "object": last[1:-1] if literal else f"id-{last.lower()}",
        "object_kind": ObjectKind.LITERAL if literal else ObjectKind.ENTITY,
        "confidence": confidence,
    }
    return fact(name, f"{WORD} {name}", **{**given, **fields})


def resting() -> tuple[tuple[str, str], ...]:
    """Which assertion each fact rests on: one for each of its episodes."""
    return tuple((name, f"{name}/{one}") for name, told_of in SAID.items() for one in told_of[4])


def small_world() -> Changes:
    general = {"channel": "general", "urgent": True, "count": 3, "tags": ["a", "b"]}
    ann, bob = Speaker(id="u1", name="Ann"), Speaker(id="u2", name="Bob")
    return Changes(
        commit=commit(1),
        episodes=(
            episode("e1", f"{WORD} one", source="chat", speaker=ann, metadata=general),
            episode("e2", f"{WORD} two", source="mail", speaker=bob, metadata={"channel": "random"}),
            episode("e3", f"{WORD} three", source="chat", metadata={"has_role": "boss"}),
            episode("e4", f"{WORD} four", source="wiki", speaker=Speaker(id="u4")),
        ),
        entities=tuple(entity(name, type=kind, aliases=(WORD,)) for name, kind in TYPES.items()),
        placements_recorded=tuple(placement(one, one.partition("/")[2]) for _, one in resting()),
        facts_created=tuple(told(name) for name in SAID),
        evidence_added=resting(),
    )


def fill(store: GraphStore) -> None:
    """The small world, with its summaries, procedures and vectors."""
    store.apply(small_world())
    store.put_summaries([summary(f"id-{name.lower()}", f"{WORD} of {name}", at(1)) for name in TYPES])
    evidence = {"p1": ("e1",), "p2": ("e2",), "p3": ("e4",), "p4": ("e1", "e2")}
    store.put_procedures(
        GROUP, [procedure(name, tool=WORD, evidence=rests) for name, rests in evidence.items()], at(1)
    )
    embed_all(store)


def embed_all(store: GraphStore) -> None:
    for subject in Subject:
        handles = [handle for handle, _ in store.without_vector(subject, limit=100)]
        if handles:
            store.put(subject, MODEL, handles, VECTOR.reshape(1, -1).repeat(len(handles), 0))


def passing(store: GraphStore, subject: Subject, scope: Scope) -> list[str]:
    """Who is found, by words as by vectors, asked one by one or together."""
    matched = store.match(subject, [WORD], scope, limit=50)
    near = store.nearest(subject, VECTOR, scope, limit=50)
    both = store.find(subject, Sought(words=(WORD,), vector=VECTOR), scope, limit=50)
    found = {hit.handle for hit in matched}
    assert len(found) == len(matched)
    for others in (near, both.words, both.vectors):
        assert {hit.handle for hit in others} == found
        assert len(others) == len(found)
    return sorted(set(labels(store, subject, found)))


def only(scope: Scope = NOW, **asked: Any) -> Scope:
    return replace(scope, filters=Filters(**asked))


class FilterContract:
    """See `ports.Filters`."""

    @pytest.mark.parametrize("subject", list(Subject))
    def test_whatever_passes_the_filters_is_found_and_nothing_else(
        self, store: GraphStore, subject: Subject
    ) -> None:
        fill(store)
        column = {Subject.FACT: 1, Subject.EPISODE: 3, Subject.PROCEDURE: 4}.get(subject, 2)
        for row in TABLE:
            assert passing(store, subject, only(**row[0])) == row[column].split(), row[0]

    def test_names_pass_filters_as_entities_do(self, store: GraphStore) -> None:
        fill(store)
        for row in TABLE:
            hits = store.named([WORD], only(**row[0]), limit=50)
            named = sorted(labels(store, Subject.ENTITY, [hit.handle for hit in hits]))
            assert named == row[2].split(), row[0]

    def test_where_facts_are_sought_names_need_not_pass_the_filters(self, store: GraphStore) -> None:
        fill(store)
        sought, scope = Sought(words=(WORD,), names=("tom", "acme")), only(types=("Organization",))
        names = {subject: store.find(subject, sought, scope, limit=9).names for subject in Subject}
        found = {
            subject: sorted(labels(store, Subject.ENTITY, [hit.handle for hit in hits]))
            for subject, hits in names.items()
        }
        assert found.pop(Subject.FACT) == ["Acme", "Tom"]
        assert found.pop(Subject.ENTITY) == ["Acme"]
        assert not any(found.values())

    def test_edges_pass_filters_as_facts_do(self, store: GraphStore) -> None:
        fill(store)
        everybody = [f"id-{name.lower()}" for name in TYPES]
        for row in TABLE:
            edges = store.edges_about(everybody, only(**row[0]), limit=50)
            found = sorted(labels(store, Subject.FACT, [edge.handle for edge in edges]))
            assert found == row[1].split(), row[0]

    def test_filters_count_before_the_limit(self, store: GraphStore) -> None:
        loud = tuple(fact(f"g{n}", f"{WORD} {WORD} {n}", valid_at=at(n)) for n in range(20))
        quiet = fact("q", f"{WORD} among so many other words", predicate="rare", valid_at=at(-1))
        people = (*(entity(f"P{n}", aliases=(WORD,)) for n in range(20)), entity("Tom", type="Rare"))
        store.apply(Changes(commit=commit(1), facts_created=(*loud, quiet), entities=(*people,)))
        embed_all(store)
        scope = only(relations=("rare",))
        assert len(store.match(Subject.FACT, [WORD], scope, limit=1)) == 1
        assert len(store.nearest(Subject.FACT, VECTOR, scope, limit=1)) == 1
        assert len(store.edges_about(["id-tom"], scope, limit=1)) == 1
        both = store.find(Subject.FACT, Sought(words=(WORD,), vector=VECTOR), scope, limit=1)
        assert (len(both.words), len(both.vectors)) == (1, 1)
        assert len(store.match(Subject.ENTITY, ["tom", WORD], only(types=("Rare",)), limit=1)) == 1

    def test_filters_look_at_what_stood_in_the_system_time_of_the_scope(self, store: GraphStore) -> None:
        fill(store)
        again = episode("e2", f"{WORD} anew", revision=2, source="letter", speaker=Speaker(id="u3"))
        store.apply(
            Changes(
                commit=commit(2),
                episodes=(again,),
                entities=(entity("Tom", type="Robot", aliases=(WORD,)),),
                facts_expired=("f1", "f2", "f3"),
                facts_created=(told("f2", confidence=0.95),),
                evidence_removed=(("f1", "f1/e1"), ("f3", "f3/e2")),
            )
        )
        embed_all(store)
        table: list[tuple[dict[str, Any], Subject, str, str, str]] = [
            ({"types": ("Robot",)}, Subject.FACT, "f2 f5 f7", "", "f1 f2 f3 f5 f7"),
            ({"types": ("Robot",)}, Subject.ENTITY, "Tom", "", "Tom"),
            ({"types": ("Robot",)}, Subject.SUMMARY, "Tom", "", "Tom"),
            ({"types": ("Robot",)}, Subject.EPISODE, "e1 e2", "", "e1 e2"),
            ({"types": ("Person",)}, Subject.ENTITY, "Ann Eve", "Ann Eve Tom", "Ann Eve Tom"),
            ({"sources": ("mail",)}, Subject.FACT, "", "f2 f3 f5 f7 f8", "f2 f3 f5 f7 f8"),
            ({"sources": ("mail",)}, Subject.PROCEDURE, "", "p2 p4", "p2 p4"),
            ({"speakers": ("u3",)}, Subject.FACT, "f2 f5 f7 f8", "", "f2 f3 f5 f7 f8"),
            ({"speakers": ("u3",)}, Subject.EPISODE, "e2", "", "e2"),
            ({"least_confidence": 0.9}, Subject.FACT, "f2 f6", "f1 f6", "f1 f2 f6"),
            ({"least_confidence": 0.9}, Subject.ENTITY, "Ann Tom Zed", "Acme Tom Zed", "Acme Ann Tom Zed"),
            ({"relations": ("works_at",)}, Subject.EPISODE, "", "e1", "e1"),
            ({"relations": ("works_at",)}, Subject.ENTITY, "", "Acme Tom", "Acme Tom"),
            ({"properties": (("has_role", "boss"),)}, Subject.ENTITY, "", "Tom", "Tom"),
            (
                {"properties": (("has_role", "boss"),)},
                Subject.FACT,
                "",
                "f1 f2 f3 f5 f7",
                "f1 f2 f3 f5 f7",
            ),
        ]
        past = replace(NOW, moment=Moment(valid=at(100), system=at(1)))
        past_history = replace(EVER, moment=Moment(system=at(1)))
        for asked, subject, present, before, ever in table:
            assert passing(store, subject, only(**asked)) == present.split(), (asked, subject)
            assert passing(store, subject, only(past, **asked)) == before.split(), (asked, subject)
            assert passing(store, subject, only(EVER, **asked)) == ever.split(), (asked, subject)
            assert passing(store, subject, only(past_history, **asked)) == before.split(), (asked, subject)

    def test_a_property_counts_while_it_is_true(self, store: GraphStore) -> None:
        store.apply(
            Changes(
                commit=commit(1),
                entities=(entity("Tom", aliases=(WORD,)),),
                facts_created=(
                    told("f1"),
                    told("f3", valid_at=at(10), invalid_at=at(20)),
                    told("f7", valid_at=at(30)),
                ),
            )
        )
        embed_all(store)
        boss = {"properties": (("has_role", "boss"),)}

        def found(scope: Scope) -> list[str]:
            assert bool(passing(store, Subject.FACT, only(scope, **boss))) is bool(
                passing(store, Subject.ENTITY, only(scope, **boss))
            )
            return passing(store, Subject.FACT, only(scope, **boss))

        for day, expected in ((9, []), (10, ["f1", "f3"]), (19, ["f1", "f3"]), (20, [])):
            assert found(replace(NOW, moment=Moment(valid=at(day)))) == expected, day
        assert found(replace(NOW, during=(at(19), at(31)))) == ["f1", "f3", "f7"]
        assert found(replace(NOW, during=(at(20), at(31)))) == []
        assert found(EVER) == ["f1", "f3", "f7"]

    def test_a_pending_episode_passes_by_itself_alone(self, store: GraphStore) -> None:
        fill(store)
        waiting = episode(
            "p", f"{WORD} five", revision=0, source="mail", speaker=Speaker(id="u9"), metadata={"k": "v"}
        )
        store.show_pending([(waiting, (waiting.content,))])

        def found(**asked: Any) -> list[str]:
            hits = store.match(Subject.EPISODE, [WORD], only(**asked), limit=50)
            return sorted(labels(store, Subject.EPISODE, [hit.handle for hit in hits]))

        assert found(sources=("mail",)) == ["e2", "p"]
        assert found(speakers=("u9",), properties=(("k", "v"),)) == ["p"]
        assert found(sources=("mail",), least_confidence=0.0) == ["e2"]
        assert passing(store, Subject.FACT, only(speakers=("u9",))) == []

    def test_nothing_rests_on_a_revision_that_waits(self, store: GraphStore) -> None:
        fill(store)
        waiting = episode("e1", f"{WORD} anew", revision=0, source="letter", ingested_at=at(9))
        store.show_pending([(waiting, (waiting.content,))])

        def found(subject: Subject, **asked: Any) -> list[str]:
            hits = store.match(subject, [WORD], only(**asked), limit=50)
            return sorted(labels(store, subject, [hit.handle for hit in hits]))

        assert found(Subject.EPISODE, sources=("letter",)) == ["e1"]
        assert found(Subject.FACT, sources=("letter",)) == []
        assert found(Subject.PROCEDURE, sources=("letter",)) == []
        assert found(Subject.EPISODE, types=("Organization",), sources=("letter",)) == []
        assert found(Subject.EPISODE, types=("Organization",)) == ["e1"]
