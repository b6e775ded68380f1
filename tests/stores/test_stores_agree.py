"""Any sequence of commits gives the same answers from both stores."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import numpy as np
from graph_samples import GROUP, at, episode
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from random_world import EPISODES, NAMES, PREDICATES, WORDS, World

from memstrata.bitemporal import Key, Moment
from memstrata.model import Episode
from memstrata.ports import Filters, Scope, Sought, Subject, VectorModel
from memstrata.projection.passages import refreshed
from memstrata.stores.memory import MemoryGraph
from memstrata.stores.sqlite import SqliteGraph

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memstrata.ports import Beside, Changes, Edge, GraphStore, Handle

MODEL = VectorModel(name="tiny", dimension=3, engine="hand")


def scopes(last: int) -> list[Scope]:
    groups = (GROUP,)
    moments = [
        Moment(valid=at(day), system=system) for day in (0, 5, 99) for system in (None, at(1), at(last - 1))
    ]
    ever = [
        Scope(groups=groups, history=True),
        Scope(groups=groups, moment=Moment(system=at(2)), history=True),
    ]
    during = [
        Scope(groups=groups, moment=Moment(system=system), during=(at(begin), at(begin + 2)))
        for begin, system in ((0, None), (3, at(1)), (6, None))
    ]
    whole = Scope(groups=groups)
    return [*(Scope(groups=groups, moment=moment) for moment in moments), whole, *during, *ever]


def exported(store: GraphStore) -> dict[str, Any]:
    return {
        "facts": list(store.all_facts(GROUP)),
        "versions": list(store.all_versions(GROUP)),
        "entities": list(store.all_entities(GROUP)),
        "paged": [store.versions_after(GROUP, after, limit=3) for after in (None, ("f2", at(3)))],
        "named": store.entities_after(GROUP, "id-b", limit=3),
        "placements": list(store.all_placements(GROUP)),
        "counts": store.counts(),
        "since": [store.entities_since(GROUP, instant) for instant in (None, *map(at, range(9)))],
    }


def around(store: GraphStore) -> dict[str, Any]:
    keys = [Key(GROUP, f"id-{name.lower()}", predicate) for name in NAMES for predicate in PREDICATES]
    signatures = [f"s-{name.lower()}" for name in NAMES]
    ids = [f"id-{name.lower()}" for name in NAMES]
    under = [f"name:{name.lower()}" for name in NAMES]

    def by_id(found: Any) -> Any:
        return sorted(found, key=repr)

    return {
        "of": by_id(store.placements_of(GROUP, EPISODES[:2])),
        "on": by_id(store.placements_on(GROUP, keys[:3])),
        "toward": by_id(store.placements_toward(GROUP, keys[2:5])),
        "standing": by_id(store.names_standing_for(GROUP, ids[:2])),
        "naming": by_id(store.placements_naming(GROUP, signatures[:2])),
        "saying": by_id(store.placements_saying(GROUP, PREDICATES[:1])),
        "facts": by_id(store.facts_on(GROUP, keys[:4])),
        "under": by_id(store.names_under(GROUP, under)),
        "without": by_id(store.names_under(GROUP, under, without=EPISODES[1:4])),
        "in": by_id(store.names_in(GROUP, EPISODES[:3])),
        "for": store.names_for(GROUP, [(one, f"{one}/{name}") for one in EPISODES for name in NAMES]),
        "entities": by_id(store.entities(GROUP, ids)),
        "turns": [by_id(turns) for turns in turns_around(store)],
        "mentioned": store.mention_counts(GROUP, ids),
        "vocabulary": store.vocabulary([GROUP]),
        "groups": store.groups(),
        "between": [
            store.versions_between(GROUP, at(begin), end, about=about, limit=limit)
            for begin, end, about, limit in (
                (0, None, None, 99),
                (0, None, None, 3),
                (1, at(3), None, 99),
                (1, at(3), ids[:2], 99),
                (2, None, ids[2:3], 2),
            )
        ],
        "summaries": [store.summary(GROUP, one, at=when) for one in ids for when in (None, at(1), at(3))],
        "procedures": [store.procedures(GROUP, at=when) for when in (None, at(1), at(3))],
        "names": store.names_of(GROUP, ids),
        "evidence": by_id(store.evidence(GROUP, [f"a{n}" for n in range(6)])),
        "history": [store.history(GROUP, f"f{n}") for n in range(6)],
        "successors": [store.successors(GROUP, one) for one in [*ids, *(f"f{n}" for n in range(6))]],
    }


def turns_around(store: GraphStore) -> list[Collection[Episode]]:
    """The turns around some that would come, move or leave."""
    coming = [
        episode("new", saga="s", position=2, reference_time=at(2)),
        episode("newer", saga="t", reference_time=at(3)),
        episode("e1", saga="s", position=1, revision=99),
    ]
    return [
        store.turns_around(GROUP, coming[:number], leaving, reach=reach)
        for number, leaving, reach in ((1, (), 2), (3, (), 1), (0, EPISODES[:2], 1), (2, EPISODES[3:], 2))
    ]


def found(store: GraphStore, scope: Scope, question: np.ndarray) -> dict[str, Any]:
    """What is found, by value: handles mean nothing outside their store."""
    reads = {
        Subject.FACT: store.versions,
        Subject.ENTITY: store.entities_at,
        Subject.EPISODE: store.episodes_at,
        Subject.SUMMARY: store.summaries_at,
        Subject.PROCEDURE: store.procedures_at,
    }
    answers: dict[str, Any] = {}
    for subject, read in reads.items():
        for word in WORDS:
            hits = store.match(subject, [word], scope, limit=1000)
            there = read([hit.handle for hit in hits])
            assert len(there) == len(hits)
            answers[f"{subject} {word}"] = sorted(map(shown, there.values()))
        hits = store.nearest(subject, question, scope, limit=1000)
        handles = [hit.handle for hit in hits]
        there, vectors = read(handles), store.vectors_of(subject, handles)
        answers[f"{subject} near"] = sorted((round(hit.score, 3), shown(there[hit.handle])) for hit in hits)
        answers[f"{subject} vectors"] = sorted(
            (shown(there[handle]), vectors[handle].round(4).tolist()) for handle in vectors
        )
        answers[f"{subject} names"] = sorted(
            map(repr, store.entities_at([hit.handle for hit in names(store, subject, scope)]).values())
        )
    called = store.named(["ANN", "al", "acme"], scope, limit=1000)
    answers["named"] = sorted(map(repr, store.entities_at([hit.handle for hit in called]).values()))
    answers["edges"] = edges(store, store.edges_about(["id-tom", "id-acme", "boss"], scope, limit=1000))
    answers["beside"] = beside(store, scope)
    return answers


def shown(value: Any) -> str:
    """A value as text that can be sorted."""
    return repr(replace(value, metadata=dict(value.metadata)) if isinstance(value, Episode) else value)


def names(store: GraphStore, subject: Subject, scope: Scope) -> Sequence[Any]:
    return store.find(subject, Sought(names=("Ann", "ACME")), scope, limit=1000).names


def edges(store: GraphStore, found: Sequence[Edge]) -> tuple[list[Any], list[str]]:
    """Their valid times in order, and all that they say."""
    there = store.versions([edge.handle for edge in found])
    said = [f"{replace(edge, handle=0)} {there[edge.handle]}" for edge in found]
    return [edge.valid_at for edge in found], sorted(said)


def beside(store: GraphStore, scope: Scope) -> list[str]:
    """Who stands beside each episode that the words find."""
    handles = [hit.handle for hit in store.match(Subject.EPISODE, ["works", *WORDS], scope, limit=1000)]
    found: dict[Handle, Beside] = dict(store.beside(handles, scope))
    near = [one for pair in found.values() for one in (pair.before, pair.after) if one is not None]
    known = store.episodes_at([*handles, *near])
    names = {
        None: "nobody",
        **{handle: f"{one.episode_id}.{one.revision}" for handle, one in known.items()},
    }
    return sorted(f"{names[pair.before]} {names[one]} {names[pair.after]}" for one, pair in found.items())


def with_passages(stores: Sequence[GraphStore], changes: Changes) -> Changes:
    """The commit with the passages of all whose neighbours change, which the stores agree on."""
    of_each = [
        refreshed(
            changes.episodes,
            changes.episodes_gone,
            store.turns_around(GROUP, changes.episodes, changes.episodes_gone, reach=2),
        )
        for store in stores
    ]
    assert of_each[0] == of_each[1]
    return replace(changes, passages=of_each[0])


def vector_for(text: str) -> np.ndarray:
    """The same for the same text in every store."""
    values = np.array([byte - 127.5 for byte in sha256(text.encode()).digest()[:3]], np.float32)
    return values / np.linalg.norm(values)


def give_vectors(stores: Sequence[GraphStore], subject: Subject, left: list[set[Handle]]) -> None:
    """Gives half of the texts that wait their vectors; `left` is what each store left waiting before.

    Those of earlier commits come first, and within a commit every store has an order of its own.
    """
    waiting = [store.without_vector(subject, limit=1000) for store in stores]
    texts = [sorted(text for _, text in one) for one in waiting]
    assert texts[0] == texts[1]
    for number, (store, found) in enumerate(zip(stores, waiting, strict=True)):
        handles = [handle for handle, _ in found]
        earlier = left[number] & set(handles)
        assert set(handles[: len(earlier)]) == earlier
        assert store.without_vector(subject, limit=3) == found[:3]
        given = [(handle, text) for handle, text in found if sha256(text.encode()).digest()[3] % 2]
        if given:
            vectors = np.stack([vector_for(text) for _, text in given])
            store.put(subject, MODEL, [handle for handle, _ in given], vectors)
        left[number] = set(handles) - {handle for handle, _ in given}


# A seed has no simpler form, so there is nothing to shrink.
@settings(max_examples=15, deadline=None, derandomize=True, phases=(Phase.explicit, Phase.generate))
@given(seed=st.integers(0, 1_000_000), commits=st.integers(1, 8))
def test_both_stores_answer_alike_after_any_commits(seed: int, commits: int) -> None:
    world = World(Random(seed))  # noqa: S311 (nothing secret)
    with tempfile.TemporaryDirectory() as folder, SqliteGraph(Path(folder) / "g.db") as sqlite:
        memory = MemoryGraph()
        stores: tuple[GraphStore, ...] = (memory, sqlite)
        left: dict[Subject, list[set[Handle]]] = {subject: [set(), set()] for subject in Subject}
        for number in range(1, commits + 1):
            pending, changes = world.pending(), world.commit()
            for store in stores:
                store.show_pending(pending)
            if world.says_beside():
                changes = with_passages(stores, changes)
            summaries, procedures = world.summaries(), world.procedures()
            for store in stores:
                store.apply(changes)
                store.put_summaries(summaries)
                store.put_procedures(GROUP, procedures, at(number))
            for subject in Subject:
                give_vectors(stores, subject, left[subject])
        assert exported(memory) == exported(sqlite)
        assert around(memory) == around(sqlite)
        question = vector_for("question")
        for plain in scopes(commits):
            for scope in (plain, replace(plain, filters=world.filters() or Filters(types=("P",)))):
                assert found(memory, scope, question) == found(sqlite, scope, question), scope
