"""What every graph store promises of reads of the present belief around a commit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from contract_world import KEY, everything, found_episodes
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

from memstrata.bitemporal import Key
from memstrata.ports import Changes

if TYPE_CHECKING:
    from memstrata.ports import GraphStore


class NeighbourhoodContract:
    """See `ports.Neighbourhood`."""

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
