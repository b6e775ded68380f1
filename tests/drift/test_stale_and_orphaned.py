from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.drift.orphans import orphan_finding, orphans
from memstrata.drift.staleness import (
    Expectations,
    StaleBy,
    silence_limits,
    stale_facts,
    staleness_finding,
)
from memstrata.model import Entity, Fact

NOW = datetime(2024, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def fact(
    name: str,
    *,
    predicate: str = "works_at",
    object_: str = "acme",
    start: datetime | None = NOW - 900 * DAY,
    end: datetime | None = None,
    contested: bool = False,
) -> Fact:
    return Fact(
        id=name,
        group_id="g",
        subject="ann",
        predicate=predicate,
        object=object_,
        fact=f"Ann {predicate} {object_}.",
        valid_at=start,
        valid_at_precision=None,
        invalid_at=end,
        invalid_at_precision=None,
        evidence=(f"a-{name}",),
        contested=contested,
        confidence=1.0,
    )


YEAR = Expectations(lifetimes={"works_at": 365 * DAY}, single=frozenset({"works_at"}))


@pytest.mark.parametrize(
    ("last", "stale"),
    [(NOW - 364 * DAY, False), (NOW - 365 * DAY, False), (NOW - 366 * DAY, True), (NOW + DAY, False)],
)
def test_a_fact_is_stale_once_unconfirmed_for_longer_than_its_lifetime(
    last: datetime, *, stale: bool
) -> None:
    found = stale_facts([fact("f")], confirmed={"f": last}, expected=YEAR, at=NOW)
    assert [(one.by, one.overdue) for one in found] == ([(StaleBy.LIFETIME, DAY)] if stale else [])


def test_age_alone_makes_nothing_stale() -> None:
    old = fact("f", start=NOW - 20000 * DAY)
    assert stale_facts([old], confirmed={}, expected=Expectations(), at=NOW) == ()


def test_a_fact_without_evidence_counts_from_its_beginning_and_not_at_all_if_that_is_unknown() -> None:
    found = stale_facts([fact("a"), fact("b", start=None)], confirmed={}, expected=YEAR, at=NOW)
    assert [one.fact.id for one in found] == ["a"]


def test_silence_counts_only_where_no_lifetime_is_declared() -> None:
    expected = Expectations(lifetimes=YEAR.lifetimes, silences={"works_at": DAY, "likes": 10 * DAY})
    facts = [fact("job"), fact("taste", predicate="likes")]
    confirmed = dict.fromkeys(("job", "taste"), NOW - 30 * DAY)
    found = stale_facts(facts, confirmed=confirmed, expected=expected, at=NOW)
    assert [(one.fact.id, one.by, one.overdue) for one in found] == [("taste", StaleBy.SILENCE, 20 * DAY)]


def test_a_foretold_end_wants_a_successor() -> None:
    term = fact("term", end=NOW - 10 * DAY)
    confirmed = {"term": NOW - 200 * DAY}
    found = stale_facts([term], confirmed=confirmed, expected=YEAR, at=NOW)
    assert [(one.by, one.overdue) for one in found] == [(StaleBy.NO_SUCCESSOR, 10 * DAY)]


@pytest.mark.parametrize(
    ("others", "confirmed", "expected"),
    [
        ([fact("next", object_="b", start=NOW - 10 * DAY)], {"next": NOW}, YEAR),
        ([], {"term": NOW - 10 * DAY}, YEAR),
        ([], {}, Expectations(lifetimes=YEAR.lifetimes)),
    ],
    ids=["there is one", "the end was reported, not foretold", "the relation is not single"],
)
def test_no_successor_is_due_when(
    others: list[Fact], confirmed: dict[str, datetime], expected: Expectations
) -> None:
    term = fact("term", end=NOW - 10 * DAY)
    known = {"term": NOW - 200 * DAY} | confirmed
    assert stale_facts([term, *others], confirmed=known, expected=expected, at=NOW) == ()


def test_contested_facts_are_neither_stale_nor_successors() -> None:
    term = fact("term", end=NOW - 10 * DAY)
    rival = fact("rival", start=NOW - DAY, end=NOW - DAY, contested=True)
    confirmed = {"term": NOW - 200 * DAY, "rival": NOW - 2000 * DAY}
    found = stale_facts([term, rival], confirmed=confirmed, expected=YEAR, at=NOW)
    assert [one.fact.id for one in found] == ["term"]


facts_drawn = st.lists(
    st.builds(
        fact,
        st.uuids().map(str),
        predicate=st.sampled_from(["works_at", "likes"]),
        object_=st.sampled_from(["acme", "b"]),
        start=st.integers(1, 2000).map(lambda days: NOW - days * DAY),
        end=st.one_of(st.none(), st.integers(-100, 0).map(lambda days: NOW + days * DAY)),
        contested=st.booleans(),
    ),
    max_size=12,
    unique_by=lambda one: one.id,
)


@given(facts=facts_drawn, order=st.randoms())
def test_the_order_of_facts_does_not_matter(facts: list[Fact], order: object) -> None:
    shuffled = facts.copy()
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    results = [stale_facts(some, confirmed={}, expected=YEAR, at=NOW) for some in (facts, shuffled)]
    assert repr(results[0]) == repr(results[1])
    assert all(one.overdue > timedelta(0) or one.by is StaleBy.NO_SUCCESSOR for one in results[0])


def test_the_limit_of_silence_is_the_99th_percentile_of_at_least_a_hundred_gaps() -> None:
    gaps = {"likes": [n * DAY for n in range(1, 201)], "owns": [DAY] * 99}
    assert silence_limits(gaps) == {"likes": 198 * DAY}


def test_the_finding_counts_by_reason_and_says_what_to_do() -> None:
    facts = [fact("a"), fact("b"), fact("c", predicate="likes"), fact("x", contested=True)]
    stale = stale_facts(facts, confirmed={"a": NOW - 400 * DAY, "b": NOW}, expected=YEAR, at=NOW)
    finding = staleness_finding("g", facts, stale)
    assert (finding.value, finding.passed) == (pytest.approx(1 / 3), False)
    assert finding.details == {
        "facts": 3.0,
        "stale": 1.0,
        "lifetime": 1.0,
        "silence": 0.0,
        "no_successor": 0.0,
    }
    assert "1 of 3 facts of group g are stale" in finding.sentence
    assert "works_at (1)" in finding.sentence
    assert "retract what no longer holds" in finding.sentence
    assert staleness_finding("elsewhere", facts, stale).passed


def entity(name: str, group: str = "g") -> Entity:
    return Entity(entity_id=name, group_id=group, name=name.title(), type="Person")


def test_orphans_stand_at_neither_end_of_a_living_fact() -> None:
    entities = [entity("zoe"), entity("ann"), entity("acme"), entity("bob"), entity("ann", "other")]
    facts = [
        fact("past", end=NOW - 300 * DAY),
        fact("lost", object_="bob", start=NOW, end=NOW, contested=True),
    ]
    assert [(one.group_id, one.entity_id) for one in orphans(entities, facts)] == [
        ("g", "bob"),
        ("g", "zoe"),
        ("other", "ann"),
    ]


@pytest.mark.parametrize(("allowed", "passed"), [(0.5, True), (0.4, False)])
def test_the_share_of_orphans_is_held_against_what_is_allowed(allowed: float, *, passed: bool) -> None:
    entities = [entity("ann"), entity("acme"), entity("bob"), entity("zoe"), entity("ann", "other")]
    finding = orphan_finding("g", entities, [fact("f")], allowed=allowed)
    assert (finding.value, finding.threshold, finding.passed) == (0.5, allowed, passed)
    assert ("merge those" in finding.sentence) is not passed


def test_a_group_without_entities_has_no_orphans() -> None:
    assert orphan_finding("g", [], []).value == 0.0
