from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from other_version import OtherExtractor
from scripted import draft, works

from memstrata.errors import Incorrect
from memstrata.model import Held
from memstrata.ports import Days, Promotion
from memstrata.workflow.difference import Change, difference
from memstrata.workflow.lag import lag_of
from memstrata.workflow.promotions import promote, promotions, rollback, version_named
from memstrata.workflow.reextract import run_candidate, untried
from memstrata.workflow.review import counts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from belief_world import World

    from memstrata.model import Episode, Extraction

EVER = Days()
NEW = Promotion(version="other-2", days=EVER)
ONE_JOB = "relations:\n- {name: works_at, cardinality: one}\n"


def other(world: World, **renamed: str) -> OtherExtractor:
    """Another extractor, run over all that there is."""
    extractor = OtherExtractor(renamed=dict(renamed))
    run_candidate(world.installation, days=EVER, extractor=extractor)
    return extractor


def told(world: World) -> None:
    world.accept(
        draft("a", works("Ann Lee", "Lab"), day=1),
        draft("b", works("Bob Moor", "Mill"), day=2),
        draft("c", works("Cid Tor", "Lab"), day=3),
    )
    world.work()


def test_a_candidate_run_changes_nothing_that_anybody_sees(world: World) -> None:
    told(world)
    before = world.canonical(history=True)
    tried = run_candidate(world.installation, days=EVER, extractor=OtherExtractor(renamed={"Lab": "Labo"}))
    assert (tried.episodes, tried.assertions, tried.failed, tried.groups) == (3, 3, 0, ("g",))
    assert not any(one.commits for one in world.work().committed)
    assert world.canonical(history=True) == before
    world.check()


def test_promoted_episodes_are_believed_anew_and_only_their_keys_are_folded_again(world: World) -> None:
    told(world)
    before = world.canonical(history=True)
    other(world, Mill="Mine")
    promoted = promote(world.installation, "g", NEW, who="ada", reason="better")
    assert promoted.standing == 3
    (done,) = world.work().committed
    assert (done.commits, done.episodes, done.decisions) == (1, 3, 1)
    assert (done.facts_created, done.facts_expired) == (1, 1)
    assert ("Bob Moor", "works_at", "Mine") in world.said()
    same = [line for line in before if '"expired_at":null' in line and "Moor" not in line]
    assert set(same) <= set(world.canonical(history=True)), "equal placements make no new version"
    world.check_log()


def test_a_rollback_gives_the_same_belief_again_and_what_was_between_stays_known(world: World) -> None:
    told(world)
    before, at_first = world.canonical(), world.clock.now()
    other(world, Lab="Labo")
    promote(world.installation, "g", NEW)
    world.work()
    between, meanwhile = world.canonical(), world.clock.now()
    assert between != before
    taken_back = rollback(world.installation, "g", who="ada", reason="worse")
    assert taken_back.rolled_back is not None
    world.work()
    assert world.canonical() == before
    names = {one.entity_id: one.name for one in world.graph.all_entities("g")}
    for instant, place in ((at_first, "Lab"), (meanwhile, "Labo"), (world.clock.now(), "Lab")):
        held = {
            one.fact.object
            for one in world.graph.all_versions("g")
            if one.created_at <= instant and (one.expired_at is None or one.expired_at > instant)
        }
        assert (place == "Lab") == ({names.get(end) for end in held} >= {"Lab"})
    world.check()
    world.check_log()


def test_the_difference_is_what_the_promotion_then_does(world: World) -> None:
    world.declare(ONE_JOB)
    told(world)
    other(world, Mill="Mine", Lab="Lab GmbH")
    found = difference(world.installation, "g", NEW)
    assert found.episodes == 3
    assert sorted(
        (one.before.object, one.after.object) for one in found.facts if one.before and one.after
    ) == [
        ("Lab", "Lab GmbH"),
        ("Lab", "Lab GmbH"),
        ("Mill", "Mine"),
    ]
    assert found.relations() == {"works_at": {Change.GAINED: 0, Change.LOST: 0, Change.CHANGED: 3}}
    assert {"Mine", "Lab GmbH"} == {one.name for one in (*found.come, *(pair[1] for pair in found.renamed))}
    before = world.canonical(history=True)
    promote(world.installation, "g", NEW)
    assert world.canonical(history=True) == before
    (done,) = world.work().committed
    assert done.facts_created == len(found.facts)


def test_what_is_gained_and_lost_is_told_apart_from_what_changes(world: World) -> None:
    told(world)
    other(world, Mill="Mine")
    found = difference(world.installation, "g", NEW)
    assert {one.after.object for one in found.facts if one.after} == {"Mine"}
    assert {one.before.object for one in found.facts if one.before} == {"Mill"}
    assert [one.name for one in found.come] == ["Mine"]
    assert [one.name for one in found.gone] == ["Mill"]
    assert found.count(Change.CHANGED) == 0
    assert len(found.samples(Change.GAINED, 5)) == 1


def test_a_type_that_changes_is_told_of_the_facts_that_are_about_it(world: World) -> None:
    told(world)
    other(world, organization="place")
    found = difference(world.installation, "g", NEW)
    assert {one.fields for one in found.facts} == {("object_type",)}
    assert found.count(Change.CHANGED) == 3
    assert {
        (one.before.object_type, one.after.object_type) for one in found.facts if one.before and one.after
    } == {("organization", "place")}
    assert {one.type for one in found.come} == {"place"}


def test_a_difference_says_how_many_candidates_would_wait_for_review(world: World) -> None:
    class Cautious(OtherExtractor):
        """Leaves what it finds to a person."""

        def extract(self, episode: Episode, context: Sequence[Episode] = ()) -> Extraction:
            found = OtherExtractor.extract(self, episode, context)
            held = tuple(
                Held(assertion=one, mentions=found.mentions, rule="is_sure_enough", reason="unsure")
                for one in found.assertions
            )
            return replace(found, assertions=(), mentions=(), held=held)

    told(world)
    run_candidate(world.installation, days=EVER, extractor=Cautious())
    found = difference(world.installation, "g", NEW)
    assert (found.count(Change.LOST), found.held, found.held_before) == (3, 3, 0)
    promote(world.installation, "g", NEW)
    world.work()
    assert sum(counts(world.installation, "g").values()) == found.held
    run_candidate(world.installation, days=EVER, extractor=OtherExtractor(version="third-3"))
    back = difference(world.installation, "g", replace(NEW, version="third-3"))
    assert (back.count(Change.GAINED), back.held, back.held_before) == (3, 0, 3)


def test_a_comparison_of_too_much_at_once_is_refused(world: World) -> None:
    told(world)
    other(world, Mill="Mine")
    with pytest.raises(Incorrect, match="compare fewer days"):
        difference(world.installation, "g", NEW, most=2)


def test_a_half_run_version_is_refused_with_the_command_that_finishes_it(world: World) -> None:
    told(world)
    extractor = OtherExtractor(at_once=1, away_after=2)
    tried = run_candidate(world.installation, days=EVER, extractor=extractor)
    assert (tried.episodes, tried.stopped) == (2, "the endpoint does not answer")
    with pytest.raises(Incorrect, match=r"half run: 1 of 3 .*memstrata extractor run --group g --since"):
        promote(world.installation, "g", replace(NEW, days=Days(since=date(2025, 1, 1))))
    extractor.away_after = None
    tried = run_candidate(world.installation, days=EVER, extractor=extractor)
    assert (tried.episodes, tried.already_known, extractor.calls) == (1, 0, 3)
    promote(world.installation, "g", NEW)


def test_what_came_before_the_model_went_away_in_one_batch_is_kept(world: World) -> None:
    told(world)
    extractor = OtherExtractor(away_after=2)
    tried = run_candidate(world.installation, days=EVER, extractor=extractor)
    assert (tried.episodes, bool(tried.stopped)) == (2, True)
    assert world.installation.record.coverage("g", NEW).lacking == 1


def test_versions_that_are_unknown_or_in_force_everywhere_are_refused(world: World) -> None:
    told(world)
    with pytest.raises(Incorrect, match=r"no extraction by version 'other-2'.*there are: scripted-1"):
        promote(world.installation, "g", NEW)
    with pytest.raises(Incorrect, match="in force for 3 of 3"):
        promote(world.installation, "g", replace(NEW, version="scripted-1"))
    with pytest.raises(Incorrect, match="no promotion to take back"):
        rollback(world.installation, "g")
    with pytest.raises(Incorrect, match="is no promotion of group 'g'"):
        rollback(world.installation, "g", "nothing")


def test_a_version_may_be_called_by_the_beginning_of_its_name(world: World) -> None:
    told(world)
    other(world)
    assert version_named(world.installation, "g", "oth").version == "other-2"
    assert version_named(world.installation, "g", "2").version == "other-2", "the beginning of its hash"
    extractor = OtherExtractor(version="other-3")
    run_candidate(world.installation, days=EVER, extractor=extractor)
    with pytest.raises(Incorrect, match=r"2 extractor versions of group .* begin with"):
        version_named(world.installation, "g", "oth")


def test_what_a_version_fails_on_is_no_dead_letter_and_stays_as_it_is(world: World) -> None:
    told(world)
    extractor = OtherExtractor(renamed={"Lab": "Labo"}, refusing={"Moor"}, failing={"Tor"})
    tried = run_candidate(world.installation, days=EVER, extractor=extractor)
    assert (tried.episodes, tried.failed) == (1, 2)
    assert {one.reason for one in tried.failures} == {"refused", "ValueError: this episode cannot be read"}
    assert world.installation.record.letters() == ()
    promoted = promote(world.installation, "g", NEW)
    assert promoted.coverage is not None
    assert (promoted.standing, promoted.coverage.failed) == (1, 2)
    world.work()
    assert world.said() == {
        ("Ann Lee", "works_at", "Labo"),
        ("Bob Moor", "works_at", "Mill"),
        ("Cid Tor", "works_at", "Lab"),
    }
    assert untried(replace(world.installation, extractor=extractor), days=EVER) == 2


def test_what_is_accepted_after_a_promotion_is_extracted_by_the_configured_extractor(world: World) -> None:
    told(world)
    other(world, Lab="Labo")
    promote(world.installation, "g", NEW)
    world.accept(draft("d", works("Dan Wit", "Lab"), day=4))
    world.work()
    assert ("Dan Wit", "works_at", "Lab") in world.said()
    assert ("Ann Lee", "works_at", "Labo") in world.said()
    world.check_log()


def test_promotions_are_listed_with_what_became_of_them(world: World) -> None:
    told(world)
    other(world, Lab="Labo")
    first = promote(world.installation, "g", NEW, who="ada")
    world.accept(draft("a", works("Ann Lee", "Shop"), day=5))
    world.work()
    (one,) = promotions(world.installation, "g")
    assert (one.standing, one.rolled_back, one.decision) == (2, None, first.decision)
    rollback(world.installation, "g")
    (one,) = promotions(world.installation, "g")
    assert (one.standing, one.rolled_back is None) == (0, False)
    assert first.decision is not None
    with pytest.raises(Incorrect, match="taken back already"):
        rollback(world.installation, "g", first.decision.decision_id)


def test_a_dry_run_decides_nothing(world: World) -> None:
    told(world)
    other(world, Lab="Labo")
    assert promote(world.installation, "g", NEW, dry_run=True).decision is None
    assert promotions(world.installation, "g") == ()
    promote(world.installation, "g", NEW)
    assert rollback(world.installation, "g", dry_run=True).rolled_back is None
    assert promotions(world.installation, "g")[0].standing == 3


def test_only_the_days_of_a_promotion_are_taken_in_anew(world: World) -> None:
    told(world)
    world.clock.instant = datetime(2025, 1, 3, tzinfo=UTC)
    world.accept(draft("d", works("Dan Wit", "Lab"), day=4))
    world.work()
    other(world, Lab="Labo")
    promote(
        world.installation, "g", replace(NEW, days=Days(since=date(2025, 1, 2), until=date(2025, 1, 4)))
    )
    (done,) = world.work().committed
    assert done.episodes == 1
    assert {place for _, _, place in world.said()} == {"Lab", "Mill", "Labo"}


def test_the_lag_of_readers_leaves_out_what_a_promotion_takes_in_anew(world: World) -> None:
    told(world)
    before = lag_of(world.installation)
    world.clock.instant += timedelta(days=30)
    other(world, Lab="Labo")
    promote(world.installation, "g", NEW)
    world.work()
    after = lag_of(world.installation)
    assert after.p95 == before.p95
    rollback(world.installation, "g")
    for number in range(49):  # then the first commit is looked at no more
        world.accept(draft("d", works("Dan Wit", f"Lab {number}"), day=4))
        world.work()
    assert (lag_of(world.installation).p95 or timedelta(0)) < timedelta(days=1)
