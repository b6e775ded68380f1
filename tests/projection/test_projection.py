"""Which placements a commit changes, and what follows for the facts of their keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata import bitemporal
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, ObjectKind, Placement
from memstrata.ontology import Ontology, load_ontology
from memstrata.projection import PlacementChanges, moved, project, replace_placements

if TYPE_CHECKING:
    from memstrata.model import Fact

START = datetime(2024, 1, 1, tzinfo=UTC)
NOW = datetime(2025, 1, 1, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
MANY = Ontology()
ONE = load_ontology("relations:\n- {name: works_at, cardinality: one}\n")
MUTUAL = load_ontology("relations:\n- {name: works_at, symmetric: true}\n")


def _says(name: str, target: str = "lab", **fields: Any) -> Placement:
    given_: dict[str, Any] = {
        "reference_time": START,
        "recorded_at": NOW,
        "kind": Kind.HOLDS,
        "subject": "ann",
    }
    return Placement(
        id=name,
        group_id="g",
        episode_id=f"e-{name}",
        predicate="works_at",
        object=target,
        fact=f"{name} says so",
        **{**given_, **fields},
    )


_said = st.builds(
    _says,
    st.sampled_from("abcdef"),
    st.sampled_from(("lab", "mill", "zoo")),
    kind=st.sampled_from(Kind),
    reference_time=st.integers(0, 3).map(lambda days: START + timedelta(days=days)),
    invalid_at=st.integers(1, 3).map(lambda days: StatedTime(START + timedelta(days=days), Precision.DAY)),
    confidence=st.sampled_from((0.5, 1.0)),
)
_sets = st.lists(_said, max_size=6, unique_by=lambda one: one.id)


# --- placements ---


def test_a_placement_that_says_the_same_at_a_later_commit_is_no_change() -> None:
    old = _says("a")
    assert replace_placements([old], [replace(old, recorded_at=LATER)]) == PlacementChanges()


@pytest.mark.parametrize(
    "said", [{"object": "mill"}, {"confidence": 0.5}, {"fact": "otherwise"}, {"quote": "here"}]
)
def test_a_placement_that_says_something_else_ends_the_one_before(said: dict[str, Any]) -> None:
    old = _says("a")
    new = replace(old, recorded_at=LATER, **said)
    assert replace_placements([old], [new]) == PlacementChanges(recorded=(new,), retracted=(old,))


@given(_sets, _sets, _sets)
def test_replacing_leaves_what_was_elsewhere_and_what_is_new(
    old: list[Placement], new: list[Placement], elsewhere: list[Placement]
) -> None:
    beside = [replace(one, id=f"other-{one.id}") for one in elsewhere]
    changes = replace_placements(old, new)
    assert sorted(changes.after([*beside, *old]), key=lambda one: one.id) == sorted(
        [*beside, *new], key=lambda one: one.id
    )
    assert set(changes.recorded).isdisjoint(old)


def test_a_placement_moves_with_the_mentions_of_its_ends() -> None:
    old = _says("a", subject_mention="m1", object_mention="m2")
    assert moved(old, {"m1": "bob"}, LATER) == replace(old, subject="bob", recorded_at=LATER)
    assert moved(old, {"m2": "mill", "m9": "zoo"}, LATER) == replace(old, object="mill", recorded_at=LATER)


def test_a_literal_object_does_not_move() -> None:
    old = _says("a", "42", subject_mention="m1", object_kind=ObjectKind.LITERAL)
    assert moved(old, {"42": "zoo", "m1": "bob"}, LATER).object == "42"


# --- facts ---


def _after(stored: tuple[Fact, ...], live: list[Placement], ontology: Ontology) -> set[Fact]:
    """What the stored facts are once the changes have been made to them."""
    changes = project(live, stored, ontology)
    facts = {one.id: one for one in stored}
    for gone in changes.expired:
        del facts[gone]
    created = {one.id for one in changes.created}
    evidence = {(fact.id, said) for fact in stored for said in fact.evidence} - set(
        changes.evidence_removed
    )
    evidence |= set(changes.evidence_added)
    facts |= {one.id: one for one in changes.created}
    assert created <= facts.keys()
    return {
        replace(one, evidence=tuple(sorted(said for fact, said in evidence if fact == one.id)))
        for one in facts.values()
    }


@given(_sets, _sets, st.sampled_from((MANY, ONE, MUTUAL)), st.sampled_from((MANY, ONE, MUTUAL)))
def test_the_changes_lead_from_the_old_belief_to_the_new(
    old: list[Placement], new: list[Placement], before: Ontology, after: Ontology
) -> None:
    assert _after(bitemporal.fold(old, before), new, after) == set(bitemporal.fold(new, after))


@given(_sets, st.sampled_from((MANY, ONE)))
def test_what_is_believed_already_changes_nothing(live: list[Placement], ontology: Ontology) -> None:
    changes = project(live, bitemporal.fold(live, ontology), ontology)
    assert changes == project((), (), ontology)


def test_a_confirmation_adds_evidence_and_no_version() -> None:
    stored = bitemporal.fold([_says("a")], ONE)
    changes = project([_says("a"), _says("b", reference_time=START + timedelta(days=1))], stored, ONE)
    assert (changes.created, changes.expired) == ((), ())
    assert changes.evidence_added == ((stored[0].id, "b"),)


def test_a_fact_that_another_closes_stands_in_both_lists() -> None:
    stored = bitemporal.fold([_says("a")], ONE)
    changes = project(
        [_says("a"), _says("b", "mill", reference_time=START + timedelta(days=9))], stored, ONE
    )
    assert changes.expired == (stored[0].id,)
    assert {one.object for one in changes.created} == {"lab", "mill"}


def test_a_fact_with_a_literal_object_says_so() -> None:
    live = [_says("a", "42", object_kind=ObjectKind.LITERAL), _says("b", "lab")]
    assert {one.object: one.object_kind for one in project(live, (), MANY).created} == {
        "42": ObjectKind.LITERAL,
        "lab": ObjectKind.ENTITY,
    }
