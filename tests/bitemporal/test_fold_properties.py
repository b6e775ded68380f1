"""The properties of docs/fold.md, section 6, by number, and equality with the naive fold."""

from __future__ import annotations

from dataclasses import asdict, replace
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import naive_fold
from fold_strategies import PLAIN, START, SYSTEM, line_of_one, lives, ontologies, placements, streams
from hypothesis import given
from hypothesis import strategies as st

from memstrata.bitemporal import (
    as_of,
    believe,
    diff,
    fold,
    key_of,
    live_at,
    placed,
    same_version,
    touched_keys,
    versions,
    violations,
)
from memstrata.instants import TICK
from memstrata.ontology import OntologyStream

if TYPE_CHECKING:
    from datetime import datetime

    from memstrata.model import Fact, Placement
    from memstrata.ontology import Ontology

_PLAIN_STREAM = OntologyStream(first=PLAIN)


def _as_naive(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in asdict(fact).items() if name != "object_kind"} for fact in facts
    ]


@given(placements(), ontologies())
def test_the_fold_equals_the_naive_fold(said: list[Placement], ontology: Ontology) -> None:
    assert _as_naive(fold(said, ontology)) == naive_fold.naive_fold(said, ontology)


@given(line_of_one(12))
def test_a_crowded_timeline_equals_the_naive_fold(said: list[Placement]) -> None:
    assert _as_naive(fold(said, PLAIN)) == naive_fold.naive_fold(said, PLAIN)


@given(placements(), st.randoms())
def test_1_order_and_repetition_change_nothing(said: list[Placement], random: Any) -> None:
    again = [*said, *random.sample(said, len(said) // 2)]
    random.shuffle(again)
    assert fold(again, PLAIN) == fold(said, PLAIN)


@given(lives(), st.randoms())
def test_1_batches_change_nothing(said: list[Placement], random: Any) -> None:
    order = random.sample(said, len(said))
    assert versions(order, _PLAIN_STREAM) == versions([*order, *said], _PLAIN_STREAM)


@given(lives(), streams())
def test_2_folding_touched_keys_again_equals_folding_all(
    said: list[Placement], stream: OntologyStream
) -> None:
    before: tuple[Placement, ...] = ()
    old = stream.first
    known: dict[Any, list[Fact]] = {}
    for system in SYSTEM:
        after, new = live_at(said, system), stream.in_force(system)
        touched = touched_keys(before, after, old, new)
        for key in touched:
            known.pop(key, None)
            if facts := fold((one for one in after if key_of(one, new) == key), new):
                known[key] = list(facts)
        kept = {fact.id: fact for facts in known.values() for fact in facts}
        assert kept == {fact.id: fact for fact in fold(after, new)}
        before, old = after, new


@given(placements(), ontologies())
def test_3_4_5_no_invariant_is_violated(said: list[Placement], ontology: Ontology) -> None:
    assert violations(fold(said, ontology), said, ontology) == ()


@given(line_of_one())
def test_3_a_relation_with_one_value_has_at_most_one_at_any_instant(said: list[Placement]) -> None:
    facts = fold(said, PLAIN)
    for instant in _instants(facts):
        assert len(as_of(facts, instant)) <= 1


@given(placements())
def test_4_facts_of_one_triple_never_overlap_and_only_contested_ones_are_empty(
    said: list[Placement],
) -> None:
    facts = fold(said, PLAIN)
    assert len({fact.id for fact in facts}) == len(facts)
    for instant in _instants(facts):
        triples = [_triple(fact) for fact in as_of(facts, instant)]
        assert len(set(triples)) == len(triples)
    for fact in facts:
        assert fact.contested == (fact.valid_at is not None and fact.valid_at == fact.invalid_at)


@given(placements())
def test_5_every_fact_has_evidence_of_its_own_triple(said: list[Placement]) -> None:
    by_id = {one.id: _triple(placed(one, PLAIN)) for one in said}
    for fact in fold(said, PLAIN):
        assert fact.evidence
        assert {by_id[id_] for id_ in fact.evidence} == {_triple(fact)}


@given(placements())
def test_6_what_was_seen_true_lies_in_a_fact_that_rests_on_it(said: list[Placement]) -> None:
    facts = fold(said, PLAIN)
    for triple, events in _triples(said).items():
        for event in events:
            if event.what == "seen":
                assert any(
                    _triple(fact) == triple and event.a.id in fact.evidence and _touches(fact, event.t)
                    for fact in facts
                ), (event.a.id, event.t)


@given(placements())
def test_7_nothing_is_true_when_it_was_seen_false_unless_contrary_evidence_won(
    said: list[Placement],
) -> None:
    facts = fold(said, PLAIN)
    for triple, events in _triples(said).items():
        naive_fold.r4([("", event) for event in events])
        for false in (event for event in events if event.what in ("not", "gone")):
            true = [fact for fact in as_of(facts, false.t) if _triple(fact) == triple]
            won = [
                event
                for event in _placed_truths(said, triple)
                if event.t == false.t and naive_fold.better(event.a, false.a)
            ]
            assert not true or won


@given(lives(), streams())
def test_8_versions_that_stand_are_the_belief(said: list[Placement], stream: OntologyStream) -> None:
    history = versions(said, stream)
    for system in SYSTEM:
        standing = [
            version.fact
            for version in history
            if version.created_at <= system and (version.expired_at is None or version.expired_at > system)
        ]
        difference = diff(standing, believe(said, stream, system))
        assert not (difference.appeared)
        assert not (difference.changed)
        assert not (difference.gone)
        known = versions(said, stream, until=system)
        assert [one.fact for one in known if one.expired_at is None] == list(believe(said, stream, system))


@given(lives(), streams())
def test_8_versions_that_touch_differ_in_more_than_evidence(
    said: list[Placement], stream: OntologyStream
) -> None:
    by_id = sorted(versions(said, stream), key=lambda version: (version.fact.id, version.created_at))
    for _, run in groupby(by_id, key=lambda version: version.fact.id):
        history = list(run)
        for earlier, later in pairwise(history):
            assert earlier.expired_at is not None
            assert earlier.expired_at <= later.created_at
            assert earlier.expired_at < later.created_at or not same_version(earlier.fact, later.fact)


@given(lives(), streams())
def test_8_current_belief_is_the_belief_after_everything(
    said: list[Placement], stream: OntologyStream
) -> None:
    assert believe(said, stream, None) == believe(said, stream, SYSTEM[-1])


@given(lives(4), streams(), placements(1))
def test_9_what_was_never_live_changes_nothing(
    said: list[Placement], stream: OntologyStream, extra: list[Placement]
) -> None:
    never = replace(extra[0], id="never", recorded_at=SYSTEM[2], retracted_at=SYSTEM[2])
    assert versions([*said, never], stream) == versions(said, stream)


@given(lives(4), streams(), placements(1))
def test_9_what_was_added_and_retracted_changes_no_later_belief(
    said: list[Placement], stream: OntologyStream, extra: list[Placement]
) -> None:
    passing = replace(extra[0], id="passing", recorded_at=SYSTEM[1], retracted_at=SYSTEM[3])
    for system in (SYSTEM[0], *SYSTEM[3:], None):
        assert believe([*said, passing], stream, system) == believe(said, stream, system)


@given(placements(4), placements(1), streams())
def test_9_moving_there_and_back_changes_no_later_belief(
    said: list[Placement], other: list[Placement], stream: OntologyStream
) -> None:
    first = replace(said[0], retracted_at=SYSTEM[1])
    away = replace(
        other[0],
        id=first.id,
        episode_id=first.episode_id,
        recorded_at=SYSTEM[1],
        retracted_at=SYSTEM[3],
    )
    back = replace(said[0], recorded_at=SYSTEM[3])
    assert believe([first, away, back, *said[1:]], stream, None) == believe(said, stream, None)


@given(placements(4))
def test_9_replacing_a_placement_by_an_equal_one_changes_no_belief(said: list[Placement]) -> None:
    first, back = replace(said[0], retracted_at=SYSTEM[2]), replace(said[0], recorded_at=SYSTEM[2])
    replaced = [first, back, *said[1:]]
    assert versions(replaced, _PLAIN_STREAM) == versions(said, _PLAIN_STREAM)


@given(placements(6))
def test_10_the_same_claim_in_other_words_changes_only_evidence(said: list[Placement]) -> None:
    again = replace(said[0], id="z", fact="in other words", recorded_at=SYSTEM[1])
    difference = diff(fold(said, PLAIN), fold([*said, again], PLAIN))
    assert not (difference.appeared)
    assert not (difference.changed)
    assert not (difference.gone)
    assert len(versions([*said, again], _PLAIN_STREAM)) == len(fold(said, PLAIN))


@given(placements())
def test_11_timelines_do_not_influence_one_another(said: list[Placement]) -> None:
    apart = [
        fact
        for key in {key_of(one, PLAIN) for one in said}
        for fact in fold((one for one in said if key_of(one, PLAIN) == key), PLAIN)
    ]
    assert {fact.id: fact for fact in apart} == {fact.id: fact for fact in fold(said, PLAIN)}


def _triple(one: Fact | Placement) -> tuple[str, str, str, str]:
    return one.group_id, one.subject, one.predicate, one.object


def _instants(facts: tuple[Fact, ...]) -> set[datetime]:
    bounds = {bound for fact in facts for bound in (fact.valid_at, fact.invalid_at) if bound is not None}
    return {START, *bounds, *(bound - TICK for bound in bounds)}


def _touches(fact: Fact, instant: datetime) -> bool:
    if fact.contested:
        return fact.valid_at == instant
    return as_of([fact], instant) == (fact,)


def _triples(said: list[Placement]) -> dict[tuple[str, str, str, str], list[Any]]:
    """The events of each triple as the naive fold reads them, after denials."""
    told: dict[tuple[str, str, str, str], list[Placement]] = {}
    for one in (placed(given_, PLAIN) for given_ in said):
        told.setdefault(_triple(one), []).append(one)
    return {triple: naive_fold.triple(assertions) for triple, assertions in told.items()}


def _placed_truths(said: list[Placement], triple: tuple[str, str, str, str]) -> list[Any]:
    """The truthful events of a triple where they stand in their timeline."""
    one = triple[2] == "one"
    events = [
        (key[3], event)
        for key, found in _triples(said).items()
        if key == triple or (one and key[:3] == triple[:3])
        for event in found
    ]
    naive_fold.r4(events)
    return [event for name, event in events if name == triple[3] and event.what in naive_fold.TRUTH]
