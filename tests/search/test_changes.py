"""What changed between two beliefs: the kinds of changes, and that they are the difference of the two."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_world import BETWEEN, FIRST_COMMIT, SECOND_COMMIT, THIRD_COMMIT

from memstrata.bitemporal import believe, versions
from memstrata.errors import Incorrect
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, Placement
from memstrata.ontology import OntologyStream, load_ontology
from memstrata.ports import NamedVersion
from memstrata.search.changes import Turn, compare

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memstrata.model import Fact
    from memstrata.search.changes import Change
    from memstrata.search.reads import Reads

ONTOLOGIES = OntologyStream(first=load_ontology("relations: [{name: works_at, cardinality: one}]"))
START = datetime(2024, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def says(
    name: str,
    triple: tuple[str, str, str],
    kind: Kind = Kind.HOLDS,
    *,
    spoken: int = 0,
    recorded: int = 0,
    retracted: int | None = None,
    valid: int | None = None,
) -> Placement:
    return Placement(
        id=name,
        group_id="g",
        episode_id=f"episode of {name}",
        subject=triple[0],
        predicate=triple[1],
        object=triple[2],
        fact=" ".join(triple),
        kind=kind,
        reference_time=day(spoken),
        recorded_at=day(recorded),
        retracted_at=None if retracted is None else day(retracted),
        valid_at=None if valid is None else StatedTime(day(valid), Precision.DAY),
    )


def changes(placements: Iterable[Placement], after: int, until: int) -> tuple[Change, ...]:
    told = [
        NamedVersion(version=one, subject=one.fact.subject, object=one.fact.object)
        for one in versions(placements, ONTOLOGIES)
        if day(after) < one.created_at <= day(until)
        or (one.expired_at is not None and day(after) < one.expired_at <= day(until))
    ]
    return compare(told, after=day(after), until=day(until)).changes


def turns(found: Sequence[Change]) -> set[tuple[Turn, str]]:
    stated = [(one.turn, one.now or one.before) for one in found]
    return {(turn, named.object) for turn, named in stated if named is not None}


ACME, GLOBEX = ("ada", "works_at", "acme"), ("ada", "works_at", "globex")


def test_what_became_false_in_the_world_has_ended_and_names_what_followed() -> None:
    found = changes([says("a", ACME), says("b", GLOBEX, spoken=20, recorded=5)], 2, 9)
    assert turns(found) == {(Turn.ENDED, "acme"), (Turn.LEARNED, "globex")}
    (ended,) = [one for one in found if one.turn is Turn.ENDED]
    assert [one.object for one in ended.replaced_by] == ["globex"]


def test_what_was_wrong_is_withdrawn_and_names_what_holds_instead() -> None:
    told = [says("a", ACME), says("b", GLOBEX, spoken=20, retracted=5)]
    found = changes(told, 2, 9)
    assert turns(found) == {(Turn.WITHDRAWN, "globex"), (Turn.REOPENED, "acme")}
    (withdrawn,) = [one for one in found if one.turn is Turn.WITHDRAWN]
    assert [one.object for one in withdrawn.replaced_by] == ["acme"]
    assert withdrawn.now is None


def test_a_fact_that_turns_out_to_have_begun_earlier_is_corrected_though_its_id_changes() -> None:
    told = [says("a", ACME, spoken=20), says("b", ACME, Kind.STARTED, spoken=21, recorded=5, valid=3)]
    (change,) = changes(told, 2, 9)
    assert change.turn is Turn.CORRECTED
    assert change.before is not None
    assert change.now is not None
    assert change.before.version.fact.id != change.now.version.fact.id
    assert change.now.version.fact.valid_at == day(3)


def test_what_is_said_of_another_by_a_merge_is_corrected() -> None:
    told = [
        says("a", ("ada", "knows", "bob"), retracted=5),
        says("a", ("ada byron", "knows", "bob"), recorded=5),
    ]
    (change,) = changes(told, 2, 9)
    assert change.turn is Turn.CORRECTED


def test_two_facts_of_many_do_not_replace_one_another() -> None:
    told = [
        says("a", ("ada", "knows", "bob"), spoken=1, retracted=5),
        says("b", ("ada", "knows", "eve"), spoken=2, recorded=5),
    ]
    found = changes(told, 2, 9)
    assert turns(found) == {(Turn.WITHDRAWN, "bob"), (Turn.LEARNED, "eve")}
    assert all(one.replaced_by == () for one in found)


def test_what_loses_at_the_very_instant_is_contested_and_what_it_beats_is_withdrawn() -> None:
    told = [
        says("a", ACME, Kind.STARTED, spoken=20, valid=3),
        says("b", GLOBEX, Kind.STARTED, spoken=21, valid=3, recorded=5),
    ]
    found = changes(told, 2, 9)
    assert turns(found) == {(Turn.WITHDRAWN, "acme"), (Turn.LEARNED, "globex")}
    (withdrawn,) = [one for one in found if one.turn is Turn.WITHDRAWN]
    assert [one.object for one in withdrawn.replaced_by] == ["globex"]
    assert withdrawn.now is not None
    assert withdrawn.now.version.fact.contested
    assert turns(changes([replace(told[0], recorded_at=day(5)), told[1]], 2, 4)) == set()


def test_what_changed_and_changed_back_is_no_change() -> None:
    told = [says("a", ACME, spoken=12), says("b", ACME, spoken=10, recorded=3, retracted=5)]
    assert changes(told, 2, 4) != ()
    assert changes(told, 2, 9) == ()


_triples = st.sampled_from(
    [ACME, GLOBEX, ("ada", "works_at", "initech"), ("ada", "knows", "bob"), ("ada", "knows", "eve")]
)
_days = st.integers(0, 9)


@st.composite
def placements(draw: st.DrawFn) -> list[Placement]:
    told = []
    for number in range(draw(st.integers(1, 8))):
        recorded = draw(_days)
        kind = draw(st.sampled_from(Kind))
        told.append(
            says(
                f"x{number}",
                draw(_triples),
                kind,
                spoken=draw(st.integers(10, 19)),
                recorded=recorded,
                retracted=draw(st.none() | st.integers(recorded + 1, 12)),
                valid=draw(st.none() | _days),
            )
        )
    return told


def _unproven(facts: Iterable[Fact]) -> set[Fact]:
    return {replace(fact, evidence=()) for fact in facts}


@given(placements(), st.integers(0, 10), st.integers(1, 4))
def test_changes_are_the_difference_of_the_two_beliefs(
    told: list[Placement], after: int, length: int
) -> None:
    found = changes(told, after, after + length)
    old = _unproven(believe(told, ONTOLOGIES, day(after)))
    new = _unproven(believe(told, ONTOLOGIES, day(after + length)))
    before = [one.before.version.fact for one in found if one.before is not None]
    now = [one.now.version.fact for one in found if one.now is not None]
    assert _unproven(before) == old - new
    assert _unproven(now) == new - old
    assert len(before) == len(_unproven(before))
    assert len(now) == len(_unproven(now))


@given(placements(), st.integers(0, 10), st.integers(1, 4))
def test_only_what_is_believed_no_longer_is_called_withdrawn(
    told: list[Placement], after: int, length: int
) -> None:
    for one in changes(told, after, after + length):
        if one.turn is Turn.WITHDRAWN:
            assert one.now is None or one.now.version.fact.contested
        if one.turn is Turn.ENDED:
            assert one.before is not None
            assert one.now is not None
            assert one.before.version.fact.invalid_at is None
            assert one.now.version.fact.invalid_at is not None


def test_a_store_tells_what_was_learned_and_what_ended(reads: Reads) -> None:
    answer = reads.diff(BETWEEN)
    assert [(one.turn, one.now and one.now.version.fact.id) for one in answer.changes] == [
        (Turn.LEARNED, "f-globex"),
        (Turn.ENDED, "f-acme"),
    ]
    assert [one.version.fact.id for one in answer.changes[1].replaced_by] == ["f-globex"]
    assert reads.diff(SECOND_COMMIT).changes == ()


def test_what_ended_names_what_followed_though_it_concerns_somebody_else(reads: Reads) -> None:
    answer = reads.diff(BETWEEN, about="Acme")
    (ended,) = answer.changes
    assert [one.version.fact.id for one in ended.replaced_by] == ["f-globex"]


def test_a_store_tells_what_was_withdrawn(reads: Reads, retracted: None) -> None:
    found = {one.before.version.fact.id: one for one in reads.diff(SECOND_COMMIT).changes if one.before}
    assert found["f-globex"].turn is Turn.WITHDRAWN
    assert [one.version.fact.id for one in found["f-globex"].replaced_by] == ["f-acme"]
    assert found["f-acme"].turn is Turn.REOPENED
    assert found["f-club"].replaced_by == ()
    assert reads.diff(SECOND_COMMIT, THIRD_COMMIT) == replace(reads.diff(SECOND_COMMIT), until=THIRD_COMMIT)


def test_each_group_is_compared_by_itself(reads: Reads) -> None:
    answer = reads.diff(FIRST_COMMIT - timedelta(days=1), groups=("*",))
    assert {one.now.version.fact.group_id for one in answer.changes if one.now} == {"default", "other"}


def test_periods_and_names_that_cannot_be_are_refused(reads: Reads) -> None:
    with pytest.raises(Incorrect, match="earlier time first"):
        reads.diff(SECOND_COMMIT, FIRST_COMMIT)
    with pytest.raises(Incorrect, match="give a past time"):
        reads.diff(datetime(2030, 1, 1, tzinfo=UTC))
    with pytest.raises(Incorrect, match="without an offset"):
        reads.diff(datetime(2024, 1, 1))  # noqa: DTZ001 (that is what is refused)
    with pytest.raises(Incorrect, match="did you mean 'Alice Liddell'"):
        reads.diff(BETWEEN, about="Alice Smith")
