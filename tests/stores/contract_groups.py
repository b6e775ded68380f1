"""What every graph store promises of groups: they never see one another, however alike their names are."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from contract_world import EVER, MODEL, NOW, labels, unit
from graph_samples import (
    at,
    commit,
    entity,
    episode,
    fact,
    mention,
    named,
    placement,
    procedure,
    summary,
)

from memstrata.model import ObjectKind, Speaker
from memstrata.ports import Changes, Filters, Sought, Subject, Vocabulary

if TYPE_CHECKING:
    from memstrata.ports import GraphStore

OURS = "tenant-a"
THEIRS = ("tenant-a-b", "tenant", "Tenant-A", "tenant-a/b", "tenant_a", "tenant a")
VECTOR = unit(1, 2, 2, 0)


def fill(store: GraphStore, group: str, kind: str, *, turns: tuple[str, ...] = ("e1", "e2")) -> None:
    """The same ids and words in every group; type, source, speaker, metadata and role say `kind`."""
    speaker = Speaker(id=kind, name=kind)
    tom = mention("Tom", group=group)
    store.apply(
        Changes(
            commit=commit(1, group=group),
            episodes=tuple(
                episode(
                    one,
                    f"shared {one}",
                    group=group,
                    source=kind,
                    speaker=speaker,
                    saga="s",
                    position=place,
                    metadata={kind: kind},
                )
                for place, one in enumerate(turns)
            ),
            mentions=((tom, "s-tom"),),
            names=(named("Tom", group=group),),
            entities=(
                entity("Tom", group=group, type=kind, aliases=("shared",)),
                entity("Acme", group=group, type=kind, aliases=("shared",)),
            ),
            placements_recorded=(placement("a1", group=group),),
            facts_created=(
                fact("f1", "shared work", group=group, predicate=kind),
                fact(
                    "f2",
                    "shared role",
                    group=group,
                    predicate="role",
                    object=kind,
                    object_kind=ObjectKind.LITERAL,
                ),
            ),
            evidence_added=(("f1", "a1"), ("f2", "a1")),
        )
    )
    store.put_summaries([summary("id-tom", "shared sum", at(1), group=group)])
    store.put_procedures(group, [procedure("shared", group=group, evidence=("e1",))], at(1))
    for subject in Subject:
        handles = [handle for handle, _ in store.without_vector(subject, limit=99)]
        store.put(subject, MODEL, handles, VECTOR.reshape(1, -1).repeat(len(handles), 0))


class GroupContract:
    """Only the groups of a scope answer, in every arm and every read."""

    @pytest.mark.parametrize("theirs", THEIRS)
    def test_no_arm_finds_anything_of_another_group(self, store: GraphStore, theirs: str) -> None:
        fill(store, OURS, "our")
        fill(store, theirs, "their")
        sought = Sought(words=("shared",), names=("shared",), vector=VECTOR)
        reads: dict[Subject, Any] = {
            Subject.FACT: lambda handles: [one.version.fact for one in store.versions(handles).values()],
            Subject.ENTITY: lambda handles: store.entities_at(handles).values(),
            Subject.EPISODE: lambda handles: store.episodes_at(handles).values(),
            Subject.SUMMARY: lambda handles: store.summaries_at(handles).values(),
            Subject.PROCEDURE: lambda handles: store.procedures_at(handles).values(),
        }
        for subject, read in reads.items():
            for scope in (NOW, EVER):
                for group in (OURS, theirs):
                    found = store.find(subject, sought, replace(scope, groups=(group,)), limit=50)
                    for hits in (found.words, found.vectors):
                        values = list(read([hit.handle for hit in hits]))
                        assert values, (subject, group)
                        assert {one.group_id for one in values} == {group}
                    starts = store.entities_at([hit.handle for hit in found.names]).values()
                    assert {one.group_id for one in starts} <= {group}

    def test_filters_look_at_nothing_of_another_group(self, store: GraphStore) -> None:
        fill(store, OURS, "our")
        fill(store, THEIRS[0], "their")
        asked = (
            {"types": ("their",)},
            {"relations": ("their",)},
            {"sources": ("their",)},
            {"speakers": ("their",)},
            {"properties": (("role", "their"),)},
            {"properties": (("their", "their"),)},
        )
        sought = Sought(words=("shared",), names=("shared",), vector=VECTOR)
        scope = replace(NOW, groups=(OURS,))
        for filters in asked:
            only = replace(scope, filters=Filters(**filters))  # type: ignore[arg-type]  # rows of a table
            for subject in Subject:
                found = store.find(subject, sought, only, limit=50)
                assert (found.words, found.vectors) == ((), ()), (filters, subject)
            assert store.named(["shared"], only, limit=50) == ()
            assert store.edges_about(["id-tom"], only, limit=50) == ()
        both = replace(scope, groups=(OURS, THEIRS[0]), filters=Filters(types=("their",)))
        for subject in (Subject.FACT, Subject.ENTITY, Subject.SUMMARY):
            theirs = store.find(subject, sought, replace(both, groups=(THEIRS[0],)), limit=50)
            assert store.find(subject, sought, both, limit=50).words == theirs.words != ()

    def test_reads_by_id_keep_to_their_group(self, store: GraphStore) -> None:
        fill(store, OURS, "our")
        fill(store, THEIRS[0], "their")
        assert store.vocabulary([OURS]) == Vocabulary(
            types=("our",),
            relations=("our", "role"),
            sources=("our",),
            speakers=("our",),
            properties=("our", "role"),
        )
        assert store.groups() == (OURS, THEIRS[0])
        scope = replace(NOW, groups=(OURS,))
        edges = store.edges_about(["id-tom"], scope, limit=50)
        assert [edge.group_id for edge in edges] == [OURS, OURS]
        assert store.mention_counts(OURS, ["id-tom"]) == {"id-tom": 1}
        between = store.versions_between(OURS, at(0), None, limit=50)
        assert [one.version.fact.group_id for one in between] == [OURS, OURS]
        assert [one.version.fact.group_id for one in store.history(OURS, "f1")] == [OURS]
        assert [one.group_id for one in store.evidence(OURS, ["a1"])] == [OURS]

    def test_sagas_of_one_name_do_not_meet_across_groups(self, store: GraphStore) -> None:
        fill(store, OURS, "our")
        fill(store, THEIRS[0], "their", turns=("x1", "x2", "x3"))
        coming = episode("e9", group=OURS, saga="s", position=1)
        around = store.turns_around(OURS, [coming], [], reach=9)
        assert sorted(one.episode_id for one in around) == ["e1", "e2"]
        scope = replace(NOW, groups=(OURS, THEIRS[0]))
        hits = store.match(Subject.EPISODE, ["e2"], scope, limit=9)
        (beside,) = store.beside([hit.handle for hit in hits], scope).values()
        assert beside.after is None
        assert beside.before is not None
        assert labels(store, Subject.EPISODE, [beside.before]) == ["e1"]

    def test_clearing_a_group_takes_nothing_of_another(self, store: GraphStore) -> None:
        fill(store, OURS, "our")
        fill(store, THEIRS[0], "their")
        store.clear(OURS)
        theirs = replace(NOW, groups=(THEIRS[0],))
        for subject in Subject:
            found = store.find(subject, Sought(words=("shared",), vector=VECTOR), theirs, limit=50)
            assert found.words, subject
            assert len(found.vectors) == len(found.words), subject
        assert store.vocabulary([OURS]) == Vocabulary()
        assert store.mention_counts(OURS, ["id-tom"]) == {"id-tom": 0}
