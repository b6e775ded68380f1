"""What every graph store promises (memstrata/ports); each store's own tests subclass this."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
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
    triples,
)

from memstrata.bitemporal import Key, Moment
from memstrata.errors import Conflict, Damaged
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, ObjectKind, Role, SourceType, Speaker
from memstrata.ports import Changes, Scope, Subject, VectorModel
from memstrata.projection.passages import passages_of

if TYPE_CHECKING:
    from memstrata.model import Episode
    from memstrata.ports import GraphStore

NOW = Scope(groups=(GROUP,), moment=Moment(valid=at(100)))
EVER = Scope(groups=(GROUP,), history=True)
SAID = "Tom works at Acme."
MODEL = VectorModel(name="tiny", dimension=4, engine="hand")
KEY = Key(GROUP, "id-tom", "works_at")


def everything(seq: int = 1, *, group: str = GROUP) -> Changes:
    """One episode that says that Tom works at Acme, taken all the way."""
    tom, acme = mention("Tom", group=group), mention("Acme", group=group, type="Organization")
    return Changes(
        commit=commit(seq, group=group, episodes=("e1",)),
        episodes=(episode("e1", group=group),),
        mentions=((tom, "s-tom"), (acme, "s-acme")),
        names=(named("Tom", group=group), named("Acme", group=group)),
        entities=(entity("Tom", group=group), entity("Acme", group=group, type="Organization")),
        placements_recorded=(
            placement(
                "a1",
                group=group,
                seq=seq,
                subject_mention=tom.mention_id,
                object_mention=acme.mention_id,
            ),
        ),
        facts_created=(fact("f1", group=group),),
        evidence_added=(("f1", "a1"),),
    )


def sentences(store: GraphStore, handles: Any) -> list[str]:
    found = store.versions([getattr(one, "handle", one) for one in handles])
    return [found[getattr(one, "handle", one)].version.fact.fact for one in handles]


def asked(store: GraphStore, *words: str, scope: Scope = NOW, limit: int = 10) -> list[str]:
    return sentences(store, store.match(Subject.FACT, words, scope, limit=limit))


def found_entities(store: GraphStore, hits: Any) -> list[str]:
    found = store.entities_at([hit.handle for hit in hits])
    return [found[hit.handle].name for hit in hits]


def found_episodes(store: GraphStore, *words: str, scope: Scope = NOW) -> list[str]:
    hits = store.match(Subject.EPISODE, words, scope, limit=10)
    found = store.episodes_at([hit.handle for hit in hits])
    return sorted(found[hit.handle].content for hit in hits)


def unit(*values: float) -> np.ndarray:
    vector = np.array(values, np.float32)
    return vector / np.linalg.norm(vector)


def embed(store: GraphStore, vectors: dict[str, np.ndarray], subject: Subject = Subject.FACT) -> None:
    """Gives the texts that wait their vectors, where there is one for them."""
    waiting = [one for one in store.without_vector(subject, limit=100) if one[1] in vectors]
    table = np.stack([vectors[text] for _, text in waiting])
    store.put(subject, MODEL, [handle for handle, _ in waiting], table)


def alone(*episodes: Episode) -> list[tuple[Episode, tuple[str, ...]]]:
    """Episodes as they are shown while they wait: by passages without neighbours."""
    return [(one, passages_of(one)) for one in episodes]


class GraphStoreContract:
    """Subclasses have a fixture `store`: an empty graph."""

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

    # --- Neighbourhood ---

    def test_live_placements_are_found_by_episode_key_name_and_predicate(self, store: GraphStore) -> None:
        store.apply(everything())
        (known,) = store.all_placements(GROUP)
        assert store.placements_of(GROUP, ["e1", "e2"]) == (known,)
        assert store.placements_on(GROUP, [KEY]) == (known,)
        assert store.placements_naming(GROUP, ["s-tom", "s-acme"]) == (known,)
        assert store.placements_saying(GROUP, ["works_at"]) == (known,)
        assert store.placements_saying(GROUP, None) == (known,)
        assert store.placements_on(GROUP, [Key("other", "id-tom", "works_at")]) == ()
        assert store.placements_saying(GROUP, ["knows"]) == ()
        assert store.placements_naming(GROUP, ["s-eve"]) == ()

    def test_live_placements_are_found_from_their_object(self, store: GraphStore) -> None:
        store.apply(everything())
        toward = Key(GROUP, "id-acme", "works_at")
        assert [one.id for one in store.placements_toward(GROUP, [toward])] == ["a1"]
        assert store.placements_toward(GROUP, [KEY, Key(GROUP, "id-acme", "knows")]) == ()
        store.apply(Changes(commit=commit(2), placements_retracted=("a1",)))
        assert store.placements_toward(GROUP, [toward]) == ()

    def test_names_are_found_by_the_entity_that_they_stand_for_now(self, store: GraphStore) -> None:
        store.apply(everything())
        (known,) = store.names_standing_for(GROUP, ["id-tom", "none"])
        assert (known.signature_id, known.first_episode, known.count) == ("s-tom", "e1", 1)
        store.apply(Changes(commit=commit(2), names=(named("Tom", entity_id="id-thomas"),)))
        assert store.names_standing_for(GROUP, ["id-tom"]) == ()
        store.apply(Changes(commit=commit(3), episodes_gone=("e1",)))
        assert store.names_standing_for(GROUP, ["id-thomas"]) == ()

    def test_retracted_placements_are_not_live_but_exported(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), placements_retracted=("a1",)))
        assert store.placements_saying(GROUP, None) == ()
        assert [one.retracted_at for one in store.all_placements(GROUP)] == [at(2)]

    def test_an_assertion_that_moves_has_two_placements(self, store: GraphStore) -> None:
        store.apply(everything())
        moved = placement("a1", seq=2, subject="id-thomas")
        store.apply(Changes(commit=commit(2), placements_retracted=("a1",), placements_recorded=(moved,)))
        assert [one.subject for one in store.all_placements(GROUP)] == ["id-tom", "id-thomas"]
        assert store.placements_of(GROUP, ["e1"]) == (moved,)
        assert store.evidence(GROUP, ["a1", "none"]) == (moved,)

    def test_current_facts_come_with_their_evidence(self, store: GraphStore) -> None:
        store.apply(everything())
        assert store.facts_on(GROUP, [KEY]) == (fact("f1", evidence=("a1",)),)
        assert store.facts_on(GROUP, [Key(GROUP, "id-tom", "knows")]) == ()

    def test_entities_are_found_by_id(self, store: GraphStore) -> None:
        store.apply(everything())
        assert store.entities(GROUP, ["id-tom", "none"]) == (entity("Tom"),)
        assert store.entities("other", ["id-tom"]) == ()

    def test_names_count_their_live_mentions_and_know_the_first(self, store: GraphStore) -> None:
        store.apply(everything())
        early = mention("Tom", "e0", reference_time=at(-5))
        store.apply(Changes(commit=commit(2), episodes=(episode("e0"),), mentions=((early, "s-tom"),)))
        (known,) = store.names_under(GROUP, ["name:tom", "none"])
        assert (known.first, known.count) == ((at(-5), early.mention_id), 2)
        assert store.names_in(GROUP, ["e0"]) == ((known, 1),)
        assert store.names_for(GROUP, [("e0", early.mention_id), ("e0", "none")]) == {
            early.mention_id: known
        }

    def test_names_are_found_by_their_signatures(self, store: GraphStore) -> None:
        store.apply(everything())
        (known,) = store.names_under(GROUP, ["name:tom"])
        assert store.names_signed(GROUP, ["s-tom", "none"]) == (known,)
        assert store.names_signed(GROUP, ["s-tom"], without=["e1"]) == ()
        assert store.names_signed("other", ["s-tom"]) == ()

    def test_names_can_be_seen_as_if_episodes_were_gone(self, store: GraphStore) -> None:
        store.apply(everything())
        early = mention("Tom", "e0", reference_time=at(-5))
        store.apply(Changes(commit=commit(2), episodes=(episode("e0"),), mentions=((early, "s-tom"),)))
        (known,) = store.names_under(GROUP, ["name:tom"], without=["e0", "none"])
        assert (known.first, known.first_episode, known.count) == ((START, "e1/Tom"), "e1", 1)
        assert store.names_under(GROUP, ["name:tom"], without=["e0", "e1"]) == ()

    def test_a_new_revision_takes_the_mentions_of_the_one_before(self, store: GraphStore) -> None:
        store.apply(everything())
        again = episode("e1", "Acme it is.", revision=2)
        acme = mention("Acme", type="Organization")
        store.apply(Changes(commit=commit(2), episodes=(again,), mentions=((acme, "s-acme"),)))
        assert store.names_under(GROUP, ["name:tom"]) == ()
        assert [name.count for name in store.names_under(GROUP, ["name:acme"])] == [1]
        assert store.names_for(GROUP, [("e1", "e1/Tom")]) == {}
        assert found_episodes(store, "acme", "tom") == ["Acme it is."]

    def test_an_episode_that_goes_takes_its_mentions_along(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), episodes_gone=("e1", "never-there")))
        assert store.names_under(GROUP, ["name:tom", "name:acme"]) == ()
        assert store.names_in(GROUP, ["e1"]) == ()
        assert found_episodes(store, "tom") == []
        assert store.counts()[0].episodes == 0

    def test_a_name_moves_to_another_entity_and_other_keys(self, store: GraphStore) -> None:
        store.apply(everything())
        moved = replace(named("Tom", entity_id="id-thomas"), keys=("name:thomas",))
        store.apply(Changes(commit=commit(2), names=(moved,), entities=(entity("Thomas"),)))
        assert store.names_under(GROUP, ["name:tom"]) == ()
        (known,) = store.names_under(GROUP, ["name:thomas"])
        assert (known.entity_id, known.count) == ("id-thomas", 1)

    def test_a_mention_can_come_again_under_another_signature(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), mentions=((mention("Tom"), "s-acme"),)))
        assert store.names_under(GROUP, ["name:tom"]) == ()
        assert [name.count for name in store.names_under(GROUP, ["name:acme"])] == [2]

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

    # --- TextIndex ---

    def test_no_words_find_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        assert store.match(Subject.FACT, [], NOW, limit=5) == ()
        assert store.match(Subject.FACT, ["", "!?", "--"], NOW, limit=5) == ()
        assert store.named([], NOW, limit=5) == ()
        assert store.named([" "], NOW, limit=5) == ()

    def test_facts_are_found_by_sentence_names_predicate_and_literal(self, store: GraphStore) -> None:
        literal = fact(
            "f2", "He is tall.", object="190 cm", object_kind=ObjectKind.LITERAL, predicate="has_height"
        )
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(literal,)))
        assert asked(store, "tall") == ["He is tall."]
        assert asked(store, "height") == ["He is tall."]
        assert asked(store, "190") == ["He is tall."]
        assert set(asked(store, "TOM")) == {"He is tall.", "Tom works at Acme."}
        assert asked(store, "acme") == ["Tom works at Acme."]

    def test_case_and_accents_do_not_matter(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), facts_created=(fact("f1", "Zoë aß Crème brûlée in ŁÓDŹ"),)))
        for word in ("zoe", "ZOË", "creme", "BRULEE", "Zoe\u0308"):
            assert len(asked(store, word)) == 1, word

    def test_more_and_rarer_words_rank_higher(self, store: GraphStore) -> None:
        says = ("red fox jumps", "red dog jumps", "red cow sleeps", "red hen sleeps", "grey owl reads")
        facts = tuple(fact(f"f{n}", text, predicate="p", subject=f"s{n}") for n, text in enumerate(says))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        assert asked(store, "red", "fox", "jumps")[:2] == ["red fox jumps", "red dog jumps"]
        assert len(asked(store, "red")) == 4
        assert len(asked(store, "red", limit=3)) == 3

    @pytest.mark.parametrize(
        "word",
        [
            '"',
            "'",
            '" OR "',
            "AND",
            "OR",
            "NOT",
            "NEAR(",
            "tom*",
            "^tom",
            "words:tom",
            "{words}",
            "-",
            "a-b",
            "\\",
            ");",
        ],
    )
    def test_no_word_is_an_operator(self, store: GraphStore, word: str) -> None:
        store.apply(
            Changes(commit=commit(1), facts_created=(fact("f1", "plain text"), fact("f2", "more text")))
        )
        assert asked(store, word) == []
        assert asked(store, word, "plain") == ["plain text"]

    def test_operators_are_found_as_words(self, store: GraphStore) -> None:
        store.apply(
            Changes(commit=commit(1), facts_created=(fact("f1", "one AND two"), fact("f2", "one near two")))
        )
        assert asked(store, "AND") == ["one AND two"]
        assert asked(store, "NEAR") == ["one near two"]

    def test_a_word_that_holds_several_is_a_phrase(self, store: GraphStore) -> None:
        store.apply(
            Changes(
                commit=commit(1), facts_created=(fact("f1", "an e-mail came"), fact("f2", "mail e came"))
            )
        )
        assert asked(store, "e-mail") == ["an e-mail came"]

    @pytest.mark.parametrize("other", ["acme2", "acme/eng", "acme-2", "acm", "ACME", "acmé", '"acme"'])
    def test_groups_never_see_one_another(self, store: GraphStore, other: str) -> None:
        store.apply(everything())
        store.apply(
            replace(everything(group=other), facts_created=(fact("f1", "Tom hides.", group=other),))
        )
        assert asked(store, "tom") == ["Tom works at Acme."]
        assert asked(store, "tom", scope=replace(NOW, groups=(other,))) == ["Tom hides."]
        both = asked(store, "tom", scope=replace(NOW, groups=(GROUP, other, "none")))
        assert sorted(both) == ["Tom hides.", "Tom works at Acme."]
        assert len(store.named(["tom"], NOW, limit=9)) == 1
        assert len(store.edges_about(["id-tom"], NOW, limit=9)) == 1
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert len(store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)) == 1

    def test_no_group_finds_nothing(self, store: GraphStore) -> None:
        store.apply(everything())
        assert asked(store, "tom", scope=replace(NOW, groups=())) == []

    def test_search_keeps_to_valid_time(self, store: GraphStore) -> None:
        facts = (fact("f1", "Tom was here", valid_at=at(10), invalid_at=at(20)),)
        store.apply(Changes(commit=commit(1), facts_created=facts))
        for day, found in ((9, 0), (10, 1), (19, 1), (20, 0)):
            scope = Scope(groups=(GROUP,), moment=Moment(valid=at(day)))
            assert len(asked(store, "tom", scope=scope)) == found, day
        assert len(asked(store, "tom", scope=EVER)) == 1

    def test_search_keeps_to_system_time(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2)))
        store.apply(
            Changes(commit=commit(3), facts_expired=("f1",), facts_created=(fact("f1", "Tom runs Acme."),))
        )

        def believed(day: int | None, *, history: bool = False) -> list[str]:
            system = None if day is None else at(day)
            moment = Moment(valid=at(100), system=system)
            return sorted(asked(store, "tom", scope=Scope(groups=(GROUP,), moment=moment, history=history)))

        assert believed(0) == []
        assert believed(1) == believed(2) == ["Tom works at Acme."]
        assert believed(3) == believed(None) == ["Tom runs Acme."]
        assert believed(2, history=True) == ["Tom works at Acme."]
        assert (
            believed(3, history=True)
            == believed(None, history=True)
            == ["Tom runs Acme.", "Tom works at Acme."]
        )

    def test_contested_facts_are_found_in_history_only(self, store: GraphStore) -> None:
        empty = fact("f1", "Tom led", valid_at=at(5), invalid_at=at(5), contested=True)
        store.apply(Changes(commit=commit(1), facts_created=(empty,)))
        for day in (4, 5, 6):
            assert asked(store, "tom", scope=Scope(groups=(GROUP,), moment=Moment(valid=at(day)))) == []
        assert asked(store, "tom", scope=EVER) == ["Tom led"]

    def test_without_a_valid_time_what_is_still_true_is_found(self, store: GraphStore) -> None:
        facts = (fact("f1", "Tom was", invalid_at=at(9999)), fact("f2", "Tom is"))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        assert asked(store, "tom", scope=Scope(groups=(GROUP,))) == ["Tom is"]

    def test_entities_are_found_by_words_and_by_whole_names(self, store: GraphStore) -> None:
        people = (entity("José García", aliases=("Pepe", "J. G.")), entity("José Pepe Luna"), entity("Ann"))
        store.apply(Changes(commit=commit(1), entities=people))
        hits = store.match(Subject.ENTITY, ["pepe"], NOW, limit=9)
        assert sorted(found_entities(store, hits)) == ["José García", "José Pepe Luna"]
        assert found_entities(store, store.named(["PEPE"], NOW, limit=9)) == ["José García"]
        assert found_entities(store, store.named(["jose  garcia"], NOW, limit=9)) == ["José García"]
        assert found_entities(store, store.named(["j. g."], NOW, limit=9)) == ["José García"]
        assert store.named(["jose"], NOW, limit=9) == ()
        assert len(store.named(["ann", "pepe"], NOW, limit=1)) == 1

    def test_a_renamed_entity_is_found_by_its_name_of_the_time(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), entities=(entity("Ann", entity_id="x"),)))
        store.apply(Changes(commit=commit(2), entities=(entity("Anne", entity_id="x"),)))
        past = Scope(groups=(GROUP,), moment=Moment(system=at(1)))
        assert store.named(["ann"], NOW, limit=9) == ()
        assert found_entities(store, store.named(["ann"], past, limit=9)) == ["Ann"]
        assert store.names_of(GROUP, ["x", "none"]) == {"x": "Anne"}
        assert [one.name for one in store.all_entities(GROUP)] == ["Anne"]

    def test_episodes_are_found_by_content_and_speaker(self, store: GraphStore) -> None:
        told = episode("e1", "We sail.", speaker=Speaker(id="u", name="Ann"))
        store.apply(Changes(commit=commit(1), episodes=(told, episode("e2", "No."))))
        assert found_episodes(store, "sail") == found_episodes(store, "ann") == ["We sail."]

    def test_an_episode_is_found_from_its_reference_time_on(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "We sail.", reference_time=at(50)),)))
        before, after = (Scope(groups=(GROUP,), moment=Moment(valid=at(day))) for day in (49, 50))
        assert found_episodes(store, "sail", scope=before) == []
        assert found_episodes(store, "sail", scope=after) == ["We sail."]

    def test_a_replaced_revision_is_found_in_the_past_only(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "old zebra"),)))
        store.apply(Changes(commit=commit(2), episodes=(episode("e1", "new zebra", revision=2),)))
        past = Scope(groups=(GROUP,), moment=Moment(valid=at(100), system=at(1)))
        assert found_episodes(store, "zebra") == ["new zebra"]
        assert found_episodes(store, "zebra", scope=past) == ["old zebra"]
        assert found_episodes(store, "zebra", scope=EVER) == ["new zebra", "old zebra"]

    # --- pending episodes ---

    def test_a_pending_episode_answers_reads_of_the_present_only(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "zebra", revision=0)))
        past = Scope(groups=(GROUP,), moment=Moment(valid=at(100), system=at(90)))
        assert found_episodes(store, "zebra") == ["zebra"]
        assert found_episodes(store, "zebra", scope=past) == []
        assert found_episodes(store, "zebra", scope=EVER) == []
        (counted,) = store.counts()
        assert (counted.pending_episodes, counted.episodes, counted.last_seq) == (1, 0, 0)
        assert store.without_vector(Subject.EPISODE, limit=9) == ()

    def test_a_commit_replaces_the_pending_episode(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "zebra", revision=0)))
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "zebra"),)))
        assert found_episodes(store, "zebra") == ["zebra"]
        (counted,) = store.counts()
        assert (counted.pending_episodes, counted.episodes) == (0, 1)
        (hit,) = store.match(Subject.EPISODE, ["zebra"], EVER, limit=9)
        assert store.episodes_at([hit.handle])[hit.handle].revision == 1
        assert [text for _, text in store.without_vector(Subject.EPISODE, limit=9)] == ["zebra"]

    def test_a_commit_leaves_a_pending_episode_that_is_newer(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "newer zebra", revision=0, ingested_at=at(5))))
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "zebra"),)))
        assert found_episodes(store, "zebra") == ["newer zebra", "zebra"]
        store.apply(
            Changes(
                commit=commit(2), episodes=(episode("p", "newer zebra", revision=2, ingested_at=at(5)),)
            )
        )
        assert found_episodes(store, "zebra") == ["newer zebra"]

    def test_a_pending_episode_that_says_what_is_current_is_not_shown_twice(
        self, store: GraphStore
    ) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "zebra"),)))
        store.show_pending(alone(episode("p", "zebra", revision=0), episode("q", "zebra", revision=0)))
        store.show_pending(alone(episode("q", "zebra two", revision=0)))
        assert found_episodes(store, "zebra") == ["zebra", "zebra two"]

    # --- VectorIndex ---

    def test_there_is_no_model_before_the_first_vector(self, store: GraphStore) -> None:
        assert store.model() is None
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert store.model() == MODEL

    def test_the_nearest_come_first_within_the_scope(self, store: GraphStore) -> None:
        facts = (fact("f1", "one"), fact("f2", "two"), fact("f3", "three", invalid_at=at(5)))
        store.apply(Changes(commit=commit(1), facts_created=facts))
        embed(store, {"one": unit(1, 0, 0, 0), "two": unit(1, 1, 0, 0), "three": unit(1, 0.1, 0, 0)})
        hits = store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert sentences(store, hits) == ["one", "two"]
        assert hits[0].score == pytest.approx(1.0)
        assert hits[1].score == pytest.approx(0.7071, abs=1e-4)
        early = Scope(groups=(GROUP,), moment=Moment(valid=at(4)))
        found = store.nearest(Subject.FACT, unit(1, 0, 0, 0), early, limit=2)
        assert sentences(store, found) == ["one", "three"]

    def test_vectors_keep_to_system_time(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        asked_for = unit(1, 0, 0, 0)
        assert len(store.nearest(Subject.FACT, asked_for, NOW, limit=9)) == 1
        store.apply(Changes(commit=commit(2), facts_expired=("f1",)))
        assert store.nearest(Subject.FACT, asked_for, NOW, limit=9) == ()
        past = Scope(groups=(GROUP,), moment=Moment(valid=at(100), system=at(1)))
        assert len(store.nearest(Subject.FACT, asked_for, past, limit=9)) == 1
        assert len(store.nearest(Subject.FACT, asked_for, EVER, limit=9)) == 1
        before = replace(past, moment=Moment(valid=at(100), system=at(0)))
        assert store.nearest(Subject.FACT, asked_for, before, limit=9) == ()

    def test_a_version_that_reads_alike_needs_no_new_vector(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        ended = fact("f1", invalid_at=at(500))
        store.apply(Changes(commit=commit(2), facts_expired=("f1",), facts_created=(ended,)))
        assert store.without_vector(Subject.FACT, limit=9) == ()
        (hit,) = store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=9)
        assert store.versions([hit.handle])[hit.handle].version.created_at == at(2)
        other = fact("f1", "Tom left Acme.")
        store.apply(Changes(commit=commit(3), facts_expired=("f1",), facts_created=(other,)))
        assert [text for _, text in store.without_vector(Subject.FACT, limit=9)] == ["Tom left Acme."]
        assert store.counts()[0].facts_without_vector == 1

    def test_what_waits_for_a_vector_comes_oldest_first(self, store: GraphStore) -> None:
        store.apply(everything())
        store.apply(Changes(commit=commit(2), facts_created=(fact("f2", "two"), fact("f3", "three"))))
        waiting = store.without_vector(Subject.FACT, limit=2)
        assert waiting[0][1] == SAID
        assert waiting[1][1] in {"two", "three"}
        assert {text for _, text in store.without_vector(Subject.ENTITY, limit=9)} == {"Tom", "Acme"}
        store.put(Subject.FACT, MODEL, [waiting[0][0]], unit(1, 0, 0, 0)[np.newaxis])
        assert {text for _, text in store.without_vector(Subject.FACT, limit=9)} == {"two", "three"}

    def test_a_vector_put_again_replaces_the_first(self, store: GraphStore) -> None:
        store.apply(everything())
        (handle, _) = store.without_vector(Subject.FACT, limit=1)[0]
        for vector in (unit(1, 0, 0, 0), unit(0, 1, 0, 0)):
            store.put(Subject.FACT, MODEL, [handle], vector[np.newaxis])
            (hit,) = store.nearest(Subject.FACT, vector, NOW, limit=5)
            assert hit.score == pytest.approx(1.0)

    @pytest.mark.parametrize(
        ("model", "vector"),
        [
            (replace(MODEL, name="other"), [1, 0, 0, 0]),
            (VectorModel(name="tiny", dimension=3, engine="hand"), [1, 0, 0]),
            (MODEL, [0, 0, 0, 0]),
            (MODEL, [float("nan"), 0, 0, 1]),
            (MODEL, [1, 0, 0]),
        ],
        ids=["other model", "other dimension", "zero", "not a number", "wrong length"],
    )
    def test_vectors_that_do_not_fit_are_refused(
        self, store: GraphStore, model: VectorModel, vector: Any
    ) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        store.apply(Changes(commit=commit(2), facts_created=(fact("f2", "two"),)))
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        with pytest.raises(Conflict):
            store.put(Subject.FACT, model, [handle], np.array([vector], np.float32))
        assert len(store.without_vector(Subject.FACT, limit=9)) == 1
        assert store.model() == MODEL

    def test_another_engine_of_the_same_model_is_welcome(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        ((handle, _), *_) = store.without_vector(Subject.ENTITY, limit=9)
        store.put(Subject.ENTITY, replace(MODEL, engine="fast"), [handle], unit(0, 1, 0, 0)[np.newaxis])
        assert len(store.nearest(Subject.ENTITY, unit(0, 1, 0, 0), NOW, limit=9)) == 1

    def test_a_question_of_another_dimension_is_refused(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        with pytest.raises(Conflict, match="dimension"):
            store.nearest(Subject.FACT, unit(1, 0, 0), NOW, limit=3)

    def test_after_forgetting_another_model_may_come(self, store: GraphStore) -> None:
        store.apply(everything())
        embed(store, {SAID: unit(1, 0, 0, 0)})
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3)
        store.forget()
        assert store.model() is None
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        other = VectorModel(name="other", dimension=2, engine="hand")
        store.put(Subject.FACT, other, [handle], unit(0, 1)[np.newaxis])
        assert store.model() == other
        assert len(store.nearest(Subject.FACT, unit(0, 1), NOW, limit=3)) == 1

    def test_vectors_for_handles_that_are_gone_are_passed_over(self, store: GraphStore) -> None:
        store.apply(everything())
        ((handle, _),) = store.without_vector(Subject.FACT, limit=9)
        store.clear(GROUP)
        store.put(Subject.FACT, MODEL, [handle], unit(1, 0, 0, 0)[np.newaxis])
        assert store.nearest(Subject.FACT, unit(1, 0, 0, 0), NOW, limit=3) == ()

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
