"""What every graph store promises of episodes: their passages, their neighbours, and those that wait."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from contract_world import EVER, MODEL, NOW, alone, embed, found_episodes, labels, unit
from graph_samples import GROUP, at, commit, episode

from memstrata.bitemporal import Moment
from memstrata.model import Speaker
from memstrata.ports import Changes, Scope, Subject
from memstrata.projection.passages import refreshed

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memstrata.model import Episode
    from memstrata.ports import GraphStore

PAST = replace(NOW, moment=Moment(valid=at(100), system=at(1)))
NORTH, EAST = unit(1, 0, 0, 0), unit(0, 1, 0, 0)


def turn(name: str, position: int | None = None, **fields: Any) -> Episode:
    """A turn of the saga `s` that says one word of its own, its name twice."""
    given = {"saga": "s", "position": position, **fields}
    return episode(name, f"{name}{name}", **given)


def place(
    store: GraphStore, seq: int, *turns: Episode, leaving: Collection[str] = (), group: str = GROUP
) -> None:
    """A commit of those turns, with the passages of everybody whose neighbours change."""
    around = store.turns_around(group, turns, leaving, reach=2)
    store.apply(
        Changes(
            commit=commit(seq, group=group),
            episodes=turns,
            episodes_gone=tuple(leaving),
            passages=refreshed(turns, leaving, around),
        )
    )


def said(store: GraphStore, word: str, scope: Scope = NOW) -> list[str]:
    """Ids of the episodes that a word finds, best first."""
    hits = store.match(Subject.EPISODE, [word], scope, limit=20)
    found = store.episodes_at([hit.handle for hit in hits])
    return [found[hit.handle].episode_id for hit in hits]


def around(
    store: GraphStore, placed: Sequence[Episode] = (), leaving: Collection[str] = (), *, reach: int = 1
) -> list[str]:
    found = store.turns_around(GROUP, placed, leaving, reach=reach)
    assert len({one.episode_id for one in found}) == len(found)
    return sorted(one.episode_id for one in found)


def neighbours(store: GraphStore, scope: Scope = NOW) -> dict[str, tuple[str | None, str | None]]:
    """The ids beside every episode in scope (those that say nothing of the word "x" left out)."""
    handles = [hit.handle for hit in store.match(Subject.EPISODE, ["x"], scope, limit=50)]
    beside = store.beside(handles, scope)
    known = store.episodes_at(
        [
            *handles,
            *(one for found in beside.values() for one in (found.before, found.after) if one is not None),
        ]
    )
    names = {None: None, **{handle: one.episode_id for handle, one in known.items()}}
    return {
        f"{names[handle]}.{known[handle].revision}": (names[found.before], names[found.after])
        for handle, found in beside.items()
    }


class PassageContract:
    """See `ports.Changes.passages`, `ports.Neighbourhood.turns_around` and `ports.GraphReader.beside`."""

    # --- passages ---

    def test_an_episode_is_found_by_its_passages(self, store: GraphStore) -> None:
        told = episode("e1", "content")
        store.apply(
            Changes(
                commit=commit(1), episodes=(told,), passages=(("e1", ("first zebra", "second lion", "x")),)
            )
        )
        assert said(store, "zebra") == said(store, "lion") == ["e1"]
        assert said(store, "content") == []

    def test_an_episode_without_passages_is_searched_by_its_own(self, store: GraphStore) -> None:
        long = "\n\n".join(f"{word} " * 100 for word in ("zebra", "lion", "whale"))
        store.apply(
            Changes(commit=commit(1), episodes=(episode("e1", long, speaker=Speaker(id="u", name="Ann")),))
        )
        assert said(store, "zebra") == said(store, "whale") == ["e1"]
        texts = [text for _, text in store.without_vector(Subject.EPISODE, limit=9)]
        assert sorted(text.split()[1] for text in texts) == ["lion", "whale", "zebra"]
        assert all(text.startswith("Ann: ") for text in texts)

    def test_an_episode_scores_as_its_best_passage_and_comes_once(self, store: GraphStore) -> None:
        both = ("lion zebra zebra", "zebra and a lot of other words that have nothing to do with it")
        plain = ("zebra and some other words of no importance",)
        store.apply(
            Changes(
                commit=commit(1),
                episodes=(episode("e1", "one"), episode("e2", "two")),
                passages=(("e1", both), ("e2", plain)),
            )
        )
        assert said(store, "zebra") == ["e1", "e2"]
        embed(store, {both[0]: NORTH, both[1]: EAST, plain[0]: unit(1, 2, 0, 0)}, Subject.EPISODE)
        for asked, first in ((NORTH, 1.0), (EAST, 1.0)):
            hits = store.nearest(Subject.EPISODE, asked, NOW, limit=9)
            assert labels(store, Subject.EPISODE, [hits[0].handle]) == ["e1"]
            assert len(hits) == 2
            assert hits[0].score == pytest.approx(first)
        hits = store.nearest(Subject.EPISODE, EAST, NOW, limit=1)
        assert labels(store, Subject.EPISODE, [hits[0].handle]) == ["e1"]

    def test_scores_of_passages_do_not_add_up(self, store: GraphStore) -> None:
        many = tuple(f"zebra among quite a few other words, {n}" for n in range(4))
        store.apply(
            Changes(
                commit=commit(1),
                episodes=(episode("e1", "one"), episode("e2", "two")),
                passages=(("e1", many), ("e2", ("zebra and zebra",))),
            )
        )
        assert said(store, "zebra") == ["e2", "e1"]
        embed(store, {**dict.fromkeys(many, unit(1, 1, 0, 0)), "zebra and zebra": NORTH}, Subject.EPISODE)
        hits = store.nearest(Subject.EPISODE, NORTH, NOW, limit=9)
        assert [hit.score for hit in hits] == pytest.approx([1.0, 0.5**0.5], abs=1e-5)

    def test_many_passages_of_one_episode_take_no_place_of_another(self, store: GraphStore) -> None:
        many = tuple(f"zebra zebra {n}" for n in range(12))
        store.apply(
            Changes(
                commit=commit(1),
                episodes=(episode("e1", "one"), episode("e2", "two")),
                passages=(("e1", many), ("e2", ("a zebra among other words",))),
            )
        )
        embed(store, {**dict.fromkeys(many, NORTH), "a zebra among other words": EAST}, Subject.EPISODE)
        hits = store.match(Subject.EPISODE, ["zebra"], NOW, limit=2)
        assert sorted(labels(store, Subject.EPISODE, [hit.handle for hit in hits])) == ["e1", "e2"]
        hits = store.nearest(Subject.EPISODE, NORTH, NOW, limit=2)
        assert sorted(labels(store, Subject.EPISODE, [hit.handle for hit in hits])) == ["e1", "e2"]

    def test_an_episode_is_found_by_words_of_its_neighbours_while_they_are_beside_it(
        self, store: GraphStore
    ) -> None:
        place(store, 1, turn("a", 1), turn("b", 2), turn("c", 3))
        assert sorted(said(store, "bb")) == ["a", "b", "c"]
        assert sorted(said(store, "cc")) == ["b", "c"]
        place(store, 2, leaving=["b"])
        assert said(store, "bb") == []
        assert sorted(said(store, "cc")) == ["a", "c"]
        place(store, 3, turn("b", 9))
        assert sorted(said(store, "bb")) == ["b", "c"]
        assert sorted(said(store, "aa")) == ["a", "c"]

    def test_a_revised_turn_is_heard_beside_it_in_its_new_words(self, store: GraphStore) -> None:
        place(store, 1, turn("a", 1), turn("b", 2))
        place(store, 2, replace(turn("b", 2, revision=2), content="new", content_hash="n"))
        assert said(store, "bb") == []
        assert sorted(said(store, "new")) == ["a", "b"]

    def test_a_past_belief_finds_what_stood_then(self, store: GraphStore) -> None:
        place(store, 1, turn("a", 1), turn("b", 2))
        place(store, 2, replace(turn("b", 2, revision=2), content="new", content_hash="n"))
        hits = store.match(Subject.EPISODE, ["bb"], PAST, limit=9)
        assert [one.revision for one in store.episodes_at([hit.handle for hit in hits]).values()] == [1]
        assert sorted(said(store, "aa", PAST)) == ["a", "b"]
        assert said(store, "bb", EVER) == ["b"]

    def test_a_commit_can_give_passages_to_an_episode_that_stays(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1", "old"), episode("e2", "other"))))
        store.apply(Changes(commit=commit(2), passages=(("e1", ("zebra",)), ("gone", ("zebra",)))))
        assert said(store, "zebra") == ["e1"]
        assert said(store, "old") == []
        assert said(store, "other") == ["e2"]
        (counted,) = store.counts()
        assert counted.episodes == 2

    def test_the_same_episode_again_keeps_the_passages_that_it_had(self, store: GraphStore) -> None:
        told = episode("e1", "content")
        store.apply(Changes(commit=commit(1), episodes=(told,), passages=(("e1", ("zebra",)),)))
        store.apply(Changes(commit=commit(2), episodes=(told,)))
        assert said(store, "zebra") == ["e1"]
        assert said(store, "content") == []

    def test_a_passage_that_stays_the_same_keeps_its_vector(self, store: GraphStore) -> None:
        told = episode("e1", "content")
        store.apply(Changes(commit=commit(1), episodes=(told,), passages=(("e1", ("one", "two")),)))
        embed(store, {"one": NORTH, "two": EAST}, Subject.EPISODE)
        store.apply(Changes(commit=commit(2), passages=(("e1", ("one", "three", "four")),)))
        waiting = store.without_vector(Subject.EPISODE, limit=9)
        assert sorted(text for _, text in waiting) == ["four", "three"]
        assert len(store.nearest(Subject.EPISODE, NORTH, NOW, limit=9)) == 1
        (hit,) = store.nearest(Subject.EPISODE, EAST, NOW, limit=9)
        assert hit.score == pytest.approx(0.0, abs=1e-6)

    def test_every_passage_waits_for_a_vector_with_a_handle_of_its_own(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "pending")))
        store.apply(
            Changes(commit=commit(1), episodes=(episode("e1"),), passages=(("e1", ("one", "two")),))
        )
        store.apply(Changes(commit=commit(2), episodes=(episode("e2"),), passages=(("e2", ("three",)),)))
        waiting = store.without_vector(Subject.EPISODE, limit=9)
        assert {text for _, text in waiting[:2]} == {"one", "two"}
        assert [text for _, text in waiting[2:]] == ["three"]
        assert len({handle for handle, _ in waiting}) == 3
        assert len(store.without_vector(Subject.EPISODE, limit=2)) == 2
        embed(store, {"two": EAST}, Subject.EPISODE)
        waiting = store.without_vector(Subject.EPISODE, limit=9)
        assert [text for _, text in waiting] == ["one", "three"]
        (hit,) = store.nearest(Subject.EPISODE, EAST, NOW, limit=9)
        assert store.vectors_of(Subject.EPISODE, [hit.handle]) == {}
        embed(store, {"one": NORTH}, Subject.EPISODE)
        np.testing.assert_allclose(store.vectors_of(Subject.EPISODE, [hit.handle])[hit.handle], NORTH)

    def test_a_vector_for_a_passage_that_was_replaced_is_passed_over(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("e1"),), passages=(("e1", ("one",)),)))
        ((handle, _),) = store.without_vector(Subject.EPISODE, limit=9)
        store.apply(Changes(commit=commit(2), passages=(("e1", ("two",)),)))
        store.put(Subject.EPISODE, MODEL, [handle], NORTH[np.newaxis])
        assert store.nearest(Subject.EPISODE, NORTH, NOW, limit=9) == ()
        assert [text for _, text in store.without_vector(Subject.EPISODE, limit=9)] == ["two"]

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
        assert store.groups() == (GROUP,)

    def test_a_pending_episode_is_found_by_each_passage_that_it_was_shown_with(
        self, store: GraphStore
    ) -> None:
        store.show_pending([(episode("p", "content", revision=0), ("zebra one", "lion two"))])
        assert found_episodes(store, "zebra") == found_episodes(store, "lion") == ["content"]
        assert found_episodes(store, "content") == []
        store.show_pending([(episode("p", "content", revision=0), ("whale",))])
        assert found_episodes(store, "whale") == ["content"]
        assert found_episodes(store, "zebra", "lion") == []

    def test_a_pending_episode_keeps_to_valid_time(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "zebra", revision=0, reference_time=at(5))))
        early, late = (Scope(groups=(GROUP,), moment=Moment(valid=at(day))) for day in (4, 5))
        assert found_episodes(store, "zebra", scope=early) == []
        assert found_episodes(store, "zebra", scope=late) == ["zebra"]
        assert found_episodes(store, "zebra", scope=replace(NOW, during=(at(4), at(5)))) == []
        assert found_episodes(store, "zebra", scope=replace(NOW, during=(at(5), at(6)))) == ["zebra"]

    def test_a_commit_replaces_the_pending_episode(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "zebra", revision=0)))
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "zebra"),)))
        assert found_episodes(store, "zebra") == ["zebra"]
        (counted,) = store.counts()
        assert (counted.pending_episodes, counted.episodes) == (0, 1)
        (hit,) = store.match(Subject.EPISODE, ["zebra"], EVER, limit=9)
        assert store.episodes_at([hit.handle])[hit.handle].revision == 1
        assert [text for _, text in store.without_vector(Subject.EPISODE, limit=9)] == ["zebra"]

    def test_a_commit_of_the_same_content_without_passages_keeps_those_it_was_shown_with(
        self, store: GraphStore
    ) -> None:
        store.show_pending([(episode("p", "content", revision=0), ("zebra",))])
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "content"),)))
        assert found_episodes(store, "zebra") == ["content"]
        store.show_pending([(episode("q", "other", revision=0), ("lion",))])
        store.apply(Changes(commit=commit(2), episodes=(episode("q", "new content"),)))
        assert found_episodes(store, "lion") == []
        assert found_episodes(store, "new") == ["new content"]

    def test_a_commit_with_passages_replaces_those_it_was_shown_with(self, store: GraphStore) -> None:
        store.show_pending([(episode("p", "content", revision=0), ("zebra",))])
        store.apply(
            Changes(commit=commit(1), episodes=(episode("p", "content"),), passages=(("p", ("lion",)),))
        )
        assert found_episodes(store, "zebra") == []
        assert found_episodes(store, "lion") == ["content"]

    def test_a_commit_of_what_stands_already_touches_no_passage_and_no_vector(
        self, store: GraphStore
    ) -> None:
        turns = [turn(name, number) for number, name in enumerate("abcd")]
        other = turn("e", saga=None)
        place(store, 1, *turns, other)
        texts = [text for _, text in store.without_vector(Subject.EPISODE, limit=9)]
        embed(store, dict.fromkeys(texts, NORTH), Subject.EPISODE)
        words = ["aa", "bb", "cc", "dd", "ee"]
        before = {hit.handle for hit in store.match(Subject.EPISODE, words, NOW, limit=9)}
        again = [*turns[1:3], other]
        assert refreshed(again, [], store.turns_around(GROUP, again, [], reach=2)) == ()
        store.apply(Changes(commit=commit(2), episodes=tuple(again)))
        assert store.without_vector(Subject.EPISODE, limit=9) == ()
        assert {hit.handle for hit in store.match(Subject.EPISODE, words, NOW, limit=9)} == before
        assert len(store.nearest(Subject.EPISODE, NORTH, NOW, limit=9)) == len(words)

    def test_what_changes_beside_a_turn_that_is_committed_again_is_written(self, store: GraphStore) -> None:
        turns = [turn(name, number) for number, name in enumerate("abc")]
        place(store, 1, *turns)
        changed = replace(turns[0], revision=2, content="zebra", content_hash="n")
        around_ = store.turns_around(GROUP, [changed, turns[1]], [], reach=2)
        assert [name for name, _ in refreshed([changed, turns[1]], [], around_)] == ["a", "b"]
        place(store, 2, changed, turns[1])
        assert found_episodes(store, "zebra") == ["bb", "zebra"]

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

    def test_passages_of_a_commit_are_not_those_of_a_revision_that_waits(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "newer zebra", revision=0, ingested_at=at(5))))
        store.apply(
            Changes(commit=commit(1), episodes=(episode("p", "older"),), passages=(("p", ("lion",)),))
        )
        assert found_episodes(store, "zebra") == ["newer zebra"]
        assert found_episodes(store, "lion") == ["older"]

    def test_a_pending_episode_that_says_what_is_current_is_not_shown_twice(
        self, store: GraphStore
    ) -> None:
        store.apply(Changes(commit=commit(1), episodes=(episode("p", "zebra"),)))
        store.show_pending(alone(episode("p", "zebra", revision=0), episode("q", "zebra", revision=0)))
        store.show_pending(alone(episode("q", "zebra two", revision=0)))
        assert found_episodes(store, "zebra") == ["zebra", "zebra two"]

    def test_a_commit_that_drops_an_episode_drops_what_waits_of_it(self, store: GraphStore) -> None:
        store.show_pending(alone(episode("p", "zebra", revision=0)))
        store.apply(Changes(commit=commit(1), episodes_gone=("p",)))
        assert found_episodes(store, "zebra") == []
        assert store.counts()[0].pending_episodes == 0

    # --- turns around ---

    def test_turns_around_are_the_nearest_on_both_sides(self, store: GraphStore) -> None:
        turns = [turn(name, number) for number, name in enumerate("abcdef")]
        store.apply(Changes(commit=commit(1), episodes=tuple(turns)))
        assert around(store, [turn("x", 3)]) == ["d", "e"]
        assert around(store, [turn("bb", 3)]) == ["c", "d"]
        assert around(store, [turn("x", 3)], reach=2) == ["c", "d", "e", "f"]
        assert around(store, [turn("x", -1)], reach=2) == ["a", "b"]
        assert around(store, [turn("x", 99)], reach=2) == ["e", "f"]
        assert around(store, [turn("x")], reach=1) == ["f"]
        assert around(store, []) == []

    def test_turns_without_a_position_come_last_by_time_and_then_by_id(self, store: GraphStore) -> None:
        store.apply(
            Changes(
                commit=commit(1),
                episodes=(
                    turn("a", 7, reference_time=at(50)),
                    turn("b", reference_time=at(1)),
                    turn("c", reference_time=at(2)),
                    turn("d", reference_time=at(2)),
                    turn("e", reference_time=at(3)),
                ),
            )
        )
        assert around(store, [turn("x", 8, reference_time=at(90))]) == ["a", "b"]
        assert around(store, [turn("bb", reference_time=at(1))]) == ["b", "c"]
        assert around(store, [turn("cc", reference_time=at(2))]) == ["c", "d"]
        assert around(store, leaving=["c"]) == ["b", "c", "d"]
        assert around(store, [turn("z", reference_time=at(2))], reach=2) == ["c", "d", "e"]

    def test_those_that_leave_or_come_are_no_neighbours_of_each_other(self, store: GraphStore) -> None:
        turns = [turn(name, number) for number, name in enumerate("abcdef")]
        store.apply(Changes(commit=commit(1), episodes=tuple(turns)))
        assert around(store, leaving=["c", "d"]) == ["b", "c", "d", "e"]
        assert around(store, leaving=["a"], reach=2) == ["a", "b", "c"]
        assert around(store, [turn("c", 2), turn("x", 2)]) == ["b", "c", "d"]
        assert around(store, leaving=["none"]) == []

    def test_a_turn_that_moves_has_neighbours_where_it_stood_and_where_it_will_stand(
        self, store: GraphStore
    ) -> None:
        turns = [turn(name, number) for number, name in enumerate("abcdef")]
        other = [turn(name, number, saga="t") for number, name in enumerate("xyz")]
        store.apply(Changes(commit=commit(1), episodes=(*turns, *other)))
        assert around(store, [turn("b", 5, revision=2)]) == ["a", "b", "c", "e", "f"]
        assert around(store, [turn("b", 1, saga="t", revision=2)]) == ["a", "b", "c", "x", "y"]
        found = store.turns_around(GROUP, [turn("b", 5, revision=2)], [], reach=1)
        assert {one.episode_id: one for one in found}["b"] == turns[1]

    def test_nobody_is_around_an_episode_without_a_saga(self, store: GraphStore) -> None:
        store.apply(
            Changes(commit=commit(1), episodes=(turn("a", saga=None), turn("b", saga=None), turn("c", 1)))
        )
        assert around(store, [turn("x", saga=None)]) == []
        assert around(store, leaving=["a"]) == ["a"]
        assert around(store, [turn("x", 1, saga="other")]) == []

    def test_only_committed_turns_that_still_stand_are_around(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(turn("a", 1), turn("b", 2), turn("c", 3))))
        store.show_pending(alone(turn("p", 2, revision=0)))
        store.apply(Changes(commit=commit(2), episodes_gone=("b",)))
        assert around(store, [turn("x", 2)], reach=5) == ["a", "c"]
        found = store.turns_around("other", [turn("x", 2)], [], reach=5)
        assert found == ()

    # --- beside ---

    def test_the_turns_beside_one_are_those_of_its_saga(self, store: GraphStore) -> None:
        texts = {"a": 2, "b": 1, "c": None, "d": None}
        turns = [
            replace(turn(name, position, reference_time=at(4 if name == "c" else 5)), content=f"x {name}")
            for name, position in texts.items()
        ]
        alone_ = replace(turn("e", 1, saga=None), content="x e")
        other = replace(turn("f", 1, saga="t"), content="x f")
        store.apply(Changes(commit=commit(1), episodes=(*turns, alone_, other)))
        store.show_pending(alone(replace(turn("p", 1, revision=0), content="x p")))
        assert neighbours(store) == {
            "b.1": (None, "a"),
            "a.1": ("b", "c"),
            "c.1": ("a", "d"),
            "d.1": ("c", None),
            "e.1": (None, None),
            "f.1": (None, None),
            "p.0": (None, None),
        }

    def test_neighbours_keep_to_both_times_but_not_to_filters(self, store: GraphStore) -> None:
        turns = [
            replace(turn(name, number, reference_time=at(number)), content=f"x {name}", source=name)
            for number, name in enumerate("abc")
        ]
        store.apply(Changes(commit=commit(1), episodes=tuple(turns)))
        again = replace(turns[0], revision=2, position=5, content="x again", content_hash="n")
        store.apply(Changes(commit=commit(2), episodes=(again,), episodes_gone=("c",)))
        assert neighbours(store) == {"b.1": (None, "a"), "a.2": ("b", None)}
        assert neighbours(store, PAST) == {"a.1": (None, "b"), "b.1": ("a", "c"), "c.1": ("b", None)}
        early = replace(PAST, moment=Moment(valid=at(1), system=at(1)))
        assert neighbours(store, early) == {"a.1": (None, "b"), "b.1": ("a", None)}
        during = replace(PAST, during=(at(1), at(3)))
        assert neighbours(store, during) == {"b.1": (None, "c"), "c.1": ("b", None)}
        only = replace(PAST, filters=replace(NOW.filters, sources=("b",)))
        assert neighbours(store, only) == {"b.1": ("a", "c")}
        assert neighbours(store, EVER) == {
            "a.1": (None, "b"),
            "b.1": (None, "a"),
            "a.2": ("b", None),
            "c.1": ("b", "a"),
        }

    def test_no_revision_stands_beside_another_of_the_same_episode(self, store: GraphStore) -> None:
        first, other = replace(turn("a", 0), content="x a"), replace(turn("b", 2), content="x b")
        store.apply(Changes(commit=commit(1), episodes=(first, other)))
        again = replace(first, revision=2, position=1, content="x again", content_hash="n")
        store.apply(Changes(commit=commit(2), episodes=(again,)))
        assert neighbours(store, EVER) == {"a.1": (None, "b"), "a.2": (None, "b"), "b.1": ("a", None)}

    def test_unknown_handles_have_nobody_beside_them(self, store: GraphStore) -> None:
        store.apply(Changes(commit=commit(1), episodes=(turn("a", 1), turn("b", 2))))
        (hit,) = store.match(Subject.EPISODE, ["aa"], NOW, limit=9)
        assert store.beside([hit.handle], NOW)[hit.handle].after is not None
        store.clear(GROUP)
        assert store.beside([hit.handle], NOW) == {}
        assert store.beside([], NOW) == {}
