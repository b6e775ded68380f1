"""What every graph store promises of commits, and of the values that they bring."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from contract_world import KEY, NOW, SAID, alone, asked, embed, everything, found_episodes, unit
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
    placement,
)

from memstrata.errors import Conflict, Damaged
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, ObjectKind, Role, SourceType, Speaker
from memstrata.ports import Changes, Subject

if TYPE_CHECKING:
    from memstrata.ports import GraphStore


class CommitContract:
    """See `ports.Projector`."""

    # --- Projector ---

    def test_an_unknown_group_has_no_commit(self, store: GraphStore) -> None:
        assert store.last_seq(GROUP) == 0

    def test_apply_moves_the_last_seq_on(self, store: GraphStore) -> None:
        store.apply(everything())
        assert store.last_seq(GROUP) == 1

    @pytest.mark.parametrize("seq", [1, 3])
    def test_a_commit_at_another_revision_is_refused_and_writes_nothing(
        self, store: GraphStore, seq: int
    ) -> None:
        store.apply(everything())
        late = Changes(commit=replace(commit(seq), instant=at(9)), entities=(entity("Eve"),))
        with pytest.raises(Conflict, match="commit"):
            store.apply(late)
        assert store.last_seq(GROUP) == 1
        assert [one.name for one in store.all_entities(GROUP)] == ["Acme", "Tom"]

    def test_a_commit_no_later_than_the_one_before_is_refused(self, store: GraphStore) -> None:
        store.apply(everything())
        with pytest.raises(Damaged):
            store.apply(Changes(commit=replace(commit(2), instant=at(1))))
        assert store.last_seq(GROUP) == 1

    @pytest.mark.parametrize(
        "wrong",
        [
            {"placements_retracted": ("none",)},
            {"facts_expired": ("none",)},
            {"evidence_removed": (("f1", "none"),)},
            {"facts_created": (fact("f1"),)},
            {"placements_recorded": (placement("a1", seq=2),)},
            {"evidence_added": (("f1", "a1"),)},
            {"mentions": ((mention("Eve"), "s-eve"),)},
        ],
        ids=lambda wrong: next(iter(wrong)),
    )
    def test_changes_that_do_not_fit_are_refused_whole(
        self, store: GraphStore, wrong: dict[str, Any]
    ) -> None:
        store.apply(everything())
        with pytest.raises(Damaged):
            store.apply(Changes(commit=commit(2), entities=(entity("Eve"),), **wrong))
        assert store.last_seq(GROUP) == 1
        assert not store.entities(GROUP, ["id-eve"])
        assert [one.id for one in store.all_facts(GROUP)] == ["f1"]

    def test_groups_have_commits_of_their_own(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(everything(group="acme2"))
        assert store.last_seq("acme2") == 1
        assert [one.group_id for one in store.counts()] == ["acme", "acme2"]

    def test_clearing_a_group_leaves_the_others(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(everything(group="other"))
        embed(store, {SAID: unit(1, 0, 0, 0)})
        store.show_pending(alone(episode("p", "pending zebra")))
        store.clear(GROUP)
        assert [one.group_id for one in store.counts()] == ["other"]
        assert not asked(store, "tom")
        assert not found_episodes(store, "zebra")
        assert not list(store.all_versions(GROUP))
        assert len(list(store.all_facts("other"))) == 1

    def test_clearing_everything_forgets_the_model_too(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        store.clear()
        assert store.counts() == ()
        assert store.model() is None

    def test_a_cleared_group_can_be_filled_again(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=5)
        store.clear(GROUP)
        store.apply(everything())
        assert asked(store, "tom") == ["Tom works at Acme."]
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=5) == ()

    # --- what values survive ---

    def test_every_field_of_an_episode_comes_back(self, store: GraphStore) -> None:
        full = episode(
            "e9",
            'Grüße, "Tom"\n第一',
            revision=3,
            source_type=SourceType.MESSAGE,
            saga="s",
            position=4,
            native_id="n",
            speaker=Speaker(id="u1", name="Ann", role=Role.USER),
            addressee=Speaker(id="b1", role=Role.ASSISTANT),
            metadata={"a": [1, {"b": None}], "ü": 1.5},
            reference_time=at(3).replace(microsecond=123457),
        )
        store.apply(Changes(commit=commit(1), episodes=(full,)))
        hits = store.match(Subject.EPISODE, ["grusse"], NOW, limit=5)
        assert store.episodes_at([hits[0].handle]) == {hits[0].handle: full}

    def test_every_field_of_a_placement_comes_back(self, store: GraphStore) -> None:
        full = placement(
            "a9",
            object="42",
            object_kind=ObjectKind.LITERAL,
            kind=Kind.ENDED,
            valid_at=StatedTime(at(-9999), Precision.YEAR),
            invalid_at=StatedTime(at(5), Precision.INSTANT),
            confidence=0.25,
            quote="“so”",
            subject_mention="m1",
            object_mention=None,
        )
        store.apply(Changes(commit=commit(1), placements_recorded=(full,)))
        assert list(store.all_placements(GROUP)) == [full]

    def test_every_field_of_a_fact_comes_back(self, store: GraphStore) -> None:
        full = fact(
            "f9",
            valid_at=None,
            invalid_at=at(4),
            invalid_at_precision=Precision.MONTH,
            contested=True,
            confidence=0.5,
            object="42",
            object_kind=ObjectKind.LITERAL,
        )
        store.apply(
            Changes(commit=commit(1), facts_created=(full,), evidence_added=(("f9", "b"), ("f9", "a")))
        )
        assert list(store.all_facts(GROUP)) == [replace(full, evidence=("a", "b"))]

    def test_every_field_of_a_name_comes_back(self, store: GraphStore) -> None:
        full = mention(
            "Tom",
            text="Tom said so.",
            span=(0, 3),
            saga="s",
            speaker=Speaker(id="u1", name="Ann"),
            addressee=Speaker(id="u2", role=Role.TOOL),
            attributes={"email": ("tom@example.org",)},
        )
        name = replace(named("Tom"), example=full, keys=("k1", "k2"))
        store.apply(
            Changes(commit=commit(1), names=(name,), mentions=((full, "s-tom"),), entities=(entity("Tom"),))
        )
        (known,) = store.names_under(GROUP, ["k2"])
        assert known.example == full
        assert (known.signature_id, known.keys, known.entity_id) == ("s-tom", ("k1", "k2"), "id-tom")
        assert (known.first, known.count) == ((START, full.mention_id), 1)

    # --- versions and evidence over system time ---

    def test_a_changed_fact_has_two_versions(self, store: GraphStore) -> None:
        store.apply(everything())
        changed = fact("f1", invalid_at=at(50))
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), facts_created=(changed,)))
        first, second = (one.version for one in store.history(GROUP, "f1"))
        assert (first.created_at, first.expired_at, first.fact.invalid_at) == (at(1), at(2), None)
        assert (second.created_at, second.expired_at, second.fact.invalid_at) == (at(2), None, at(50))
        assert second.fact.evidence == ("a1",)
        assert [one.created_at for one in store.all_versions(GROUP)] == [at(2), at(1)]

    def test_a_version_shows_the_evidence_of_the_last_belief_in_it(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), evidence_added=(("f1", "a2"),)))
        changed = fact("f1", confidence=0.5)
        store.apply(
            Changes(
                commit=commit(3),
                facts_expired=("f1",),
                facts_created=(changed,),
                evidence_removed=(("f1", "a1"),),
                evidence_added=(("f1", "a3"),),
            )
        )
        store.apply(Changes(commit=commit(4), facts_expired=("f1",)))
        first, second = (one.version for one in store.history(GROUP, "f1"))
        assert first.fact.evidence == ("a1", "a2")
        assert second.fact.evidence == ("a2", "a3")
        assert store.facts_on(GROUP, [KEY]) == ()

    def test_a_fact_that_returns_begins_with_new_evidence(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_expired=("f1",)))
        store.apply(Changes(commit=commit(3), facts_created=(fact("f1"),), evidence_added=(("f1", "a9"),)))
        assert [one.version.fact.evidence for one in store.history(GROUP, "f1")] == [("a1",), ("a9",)]
        assert store.history(GROUP, "none") == ()

    def test_evidence_may_go_and_come_again(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), evidence_removed=(("f1", "a1"),)))
        assert store.facts_on(GROUP, [KEY])[0].evidence == ()
        store.apply(Changes(commit=commit(3), evidence_added=(("f1", "a1"),)))
        assert store.facts_on(GROUP, [KEY])[0].evidence == ("a1",)

    def test_a_text_with_a_nul_is_another_than_the_text_before_it(self, store: GraphStore) -> None:
        said = ("red", "red\0green", "red\0blue")
        first = [fact(f"f{n}", object=one, object_kind=ObjectKind.LITERAL) for n, one in enumerate(said)]
        store.apply(Changes(commit=commit(1), facts_created=tuple(first)))
        again = [fact(f"g{n}", object=one, object_kind=ObjectKind.LITERAL) for n, one in enumerate(said)]
        store.apply(Changes(commit=commit(2), facts_created=tuple(again)))
        found = store.facts_on(GROUP, [KEY])
        assert sorted(one.object for one in found) == sorted(2 * said)
