from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from extraction_samples import NOON, episode
from hypothesis import given
from hypothesis import strategies as st

from memstrata.extraction.assembly import assemble
from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.verification import Source, outcome_of
from memstrata.instants import Precision, StatedTime
from memstrata.model import Kind, Verdict

if TYPE_CHECKING:
    from memstrata.model import Outcome

TEXT = "Maren works at  Oakmere since\n2019."
GOOD = Candidate(
    subject=Name(text="Maren"),
    predicate="works_at",
    object=Name(text="Oakmere"),
    kind=Kind.HOLDS,
    fact="Maren works at Oakmere",
    valid_at=StatedTime(datetime(2019, 1, 1, tzinfo=UTC), Precision.YEAR),
    confidence=0.8,
    quote="works at Oakmere since 2019",
)


def year(number: int) -> StatedTime:
    return StatedTime(datetime(number, 1, 1, tzinfo=UTC), Precision.YEAR)


def objection(candidate: Candidate, text: str) -> Outcome | None:
    return outcome_of(candidate, Source(episode=episode(text)))


def test_a_sound_candidate_passes() -> None:
    assert objection(GOOD, TEXT) is None


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"subject": Name(text=" ")}, "names_are_given"),
        ({"predicate": ""}, "names_are_given"),
        ({"object": ""}, "names_are_given"),
        ({"fact": ""}, "names_are_given"),
        ({"object": Name(text="maren")}, "ends_differ"),
        ({"object": "Maren"}, "ends_differ"),
        ({"quote": "works at Oakmere since 2018"}, "quote_is_in_the_episode"),
        ({"confidence": 1.1}, "confidence_is_a_share"),
        ({"confidence": float("nan")}, "confidence_is_a_share"),
        ({"invalid_at": year(2018)}, "times_are_ordered"),
        ({"kind": Kind.ENDED, "valid_at": year(2027)}, "an_ended_fact_had_begun"),
    ],
)
def test_a_rule_rejects_and_says_why(changes: dict[str, Any], rule: str) -> None:
    outcome = objection(replace(GOOD, **changes), TEXT)
    assert outcome is not None
    assert (outcome.rule, outcome.verdict) == (rule, Verdict.REJECT)
    assert outcome.reason


def test_a_quote_may_differ_in_white_space_and_unicode_form() -> None:
    quoted = replace(GOOD, quote="Café  in Oslo")
    assert objection(quoted, "The Cafe\u0301 in\nOslo is open") is None


def test_a_start_inside_the_period_of_the_end_is_in_order() -> None:
    inside = replace(
        GOOD, valid_at=StatedTime(datetime(2019, 3, 15, tzinfo=UTC), Precision.DAY), invalid_at=year(2019)
    )
    assert objection(inside, TEXT) is None


def test_a_rejected_candidate_leaves_an_outcome_and_no_mention() -> None:
    found = assemble(episode(TEXT), [replace(GOOD, confidence=2.0)], version="v")
    assert (found.mentions, found.assertions) == ((), ())
    assert [outcome.rule for outcome in found.outcomes] == ["confidence_is_a_share"]


def test_the_same_said_twice_is_one_assertion() -> None:
    found = assemble(episode(TEXT), [GOOD, replace(GOOD, fact="In other words")], version="v")
    assert len(found.assertions) == 1


def test_two_times_of_the_same_fact_are_two_assertions_with_two_ids() -> None:
    found = assemble(episode(TEXT), [GOOD, replace(GOOD, valid_at=year(2021))], version="v")
    assert len({assertion.assertion_id for assertion in found.assertions}) == 2


def test_one_name_at_two_places_is_two_mentions() -> None:
    other = replace(GOOD, subject=Name(text="Maren", span=(20, 25)), predicate="likes")
    first = replace(GOOD, subject=Name(text="Maren", span=(0, 5)))
    found = assemble(episode(TEXT), [first, other], version="v")
    assert len({mention.mention_id for mention in found.mentions if mention.name == "Maren"}) == 2


def test_ids_do_not_rest_on_the_order_of_the_candidates() -> None:
    more = [GOOD, replace(GOOD, predicate="likes"), replace(GOOD, kind=Kind.DENIED, valid_at=None)]
    one, other = (assemble(episode(TEXT), order, version="v") for order in (more, more[::-1]))
    assert {a.assertion_id for a in one.assertions} == {a.assertion_id for a in other.assertions}
    assert one.mentions == other.mentions


times = st.none() | st.builds(
    StatedTime,
    st.integers(-4000, 4000).map(lambda days: NOON + timedelta(days=days)),
    st.sampled_from(list(Precision)),
)


@given(kind=st.sampled_from(list(Kind)), start=times, end=times)
def test_what_passes_is_what_the_fold_takes(
    kind: Kind, start: StatedTime | None, end: StatedTime | None
) -> None:
    # docs/fold.md, 7, "Errors": the rules on invalid_at and valid_at, written out again
    reversed_ = start is not None and end is not None and end.at < start.at and not end.covers(start.at)
    begins_later = kind is Kind.ENDED and end is None and start is not None and start.at > NOON
    outcome = objection(replace(GOOD, kind=kind, valid_at=start, invalid_at=end), TEXT)
    assert (outcome is None) == (not reversed_ and not begins_later)
