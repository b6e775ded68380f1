import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memstrata.consolidation.summaries import MOST_TOLD, input_hash, stale_summaries, summarise
from memstrata.consolidation.wording import reads_as_verb, relation_words, span_of, time_words
from memstrata.instants import Precision, StatedTime
from memstrata.model import Entity, Fact

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
NAMES = {"e-ann": "Ann", "e-acme": "Acme", "e-globex": "Globex", "e-inc": "Initech Inc."}
ANN = Entity(entity_id="e-ann", group_id="g", name="Ann", type="Person")
ACME = Entity(entity_id="e-acme", group_id="g", name="Acme", type="Organisation")
Stated = tuple[datetime, Precision | None]


def at(year: int, month: int = 1, day: int = 1, precision: Precision | None = Precision.YEAR) -> Stated:
    return datetime(year, month, day, tzinfo=UTC), precision


def fact(
    object_: str,
    start: Stated | None = None,
    end: Stated | None = None,
    *,
    subject: str = "e-ann",
    predicate: str = "works_at",
    contested: bool = False,
    evidence: tuple[str, ...] | None = None,
) -> Fact:
    name = f"f-{subject}-{predicate}-{object_}-{start and start[0].year}"
    return Fact(
        id=name,
        group_id="g",
        subject=subject,
        predicate=predicate,
        object=object_,
        fact="A sentence.",
        valid_at=start and start[0],
        valid_at_precision=start and start[1],
        invalid_at=end and end[0],
        invalid_at_precision=end and end[1],
        evidence=evidence or (f"a-{name}",),
        contested=contested,
        confidence=1.0,
    )


def texts(*facts: Fact, entity: Entity = ANN) -> list[str]:
    return [block.text for block in summarise(entity, facts, NAMES, created_at=NOW).blocks]


NOW_AT_ACME = fact("e-acme", at(2021, 3, precision=Precision.MONTH))
ONCE_AT_GLOBEX = fact("e-globex", at(2018), at(2021))


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (
            [ONCE_AT_GLOBEX, NOW_AT_ACME],
            ["Works at Acme (since March 2021). Earlier: Globex (2018 to 2021)."],
        ),
        ([ONCE_AT_GLOBEX], ["Earlier: works at Globex (2018 to 2021)."]),
        ([fact("e-acme", at(2025))], ["To come: works at Acme (from 2025)."]),
        ([fact("Sales", predicate="department")], ["Department: Sales."]),
        ([fact("e-inc"), ONCE_AT_GLOBEX], ["Works at Initech Inc. Earlier: Globex (2018 to 2021)."]),
        (
            [fact("Paris", predicate="BORN_IN"), NOW_AT_ACME, fact("tea", predicate="likes")],
            ["Born in Paris.", "Likes tea.", "Works at Acme (since March 2021)."],
        ),
        ([fact("e-acme", at(2020), at(2020), contested=True)], []),
        ([], []),
    ],
)
def test_a_block_tells_one_relation_the_present_first(facts: list[Fact], expected: list[str]) -> None:
    assert texts(*facts) == expected


def test_an_entity_is_told_of_as_an_object_too() -> None:
    spouse = fact("e-acme", predicate="sponsor", subject="e-globex")
    assert texts(NOW_AT_ACME, spouse, entity=ACME) == [
        "With Acme as sponsor: Globex.",
        "Works at Acme: Ann (since March 2021).",
    ]


def test_blocks_cite_exactly_the_facts_they_tell_and_their_evidence() -> None:
    facts = [NOW_AT_ACME, fact("tea", predicate="likes", evidence=("a2", "a1"))]
    likes, works = summarise(ANN, facts, NAMES, created_at=NOW).blocks
    assert (likes.facts, likes.evidence) == ((facts[1].id,), ("a1", "a2"))
    assert (works.facts, works.evidence) == ((NOW_AT_ACME.id,), NOW_AT_ACME.evidence)


def test_a_long_block_counts_what_it_does_not_tell_and_cites_only_what_it_tells() -> None:
    crowd = [fact("e-acme", at(1900 + n), subject=f"p{n:02}") for n in range(MOST_TOLD + 5)]
    (block,) = summarise(ACME, crowd, NAMES, created_at=NOW).blocks
    assert len(block.facts) == MOST_TOLD
    assert block.text.startswith("Works at Acme: p16 (since 1916), p15 (since 1915)")
    assert block.text.endswith("; and 5 more.")


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (None, None, ""),
        (None, at(2022), "until 2022"),
        (None, at(2022, 5, 3, None), "over by 3 May 2022"),
        (at(2010, precision=Precision.DECADE), None, "since the 2010s"),
        (at(2023, 7, precision=Precision.QUARTER), None, "since Q3 2023"),
        (at(2024, 3, 4, Precision.WEEK), None, "since the week of 4 March 2024"),
        (at(2021, 3, 5, None), None, "since 5 March 2021 or earlier"),
        (at(2021, 3, 5, None), at(2022), "5 March 2021 or earlier to 2022"),
        (at(2019), at(2022, 5, 3, None), "2019, over by 3 May 2022"),
        (at(2019), at(2020, precision=Precision.INSTANT), "in 2019"),
        (at(2019, 4, 1, Precision.DAY), at(2019, 4, 2, Precision.INSTANT), "on 1 April 2019"),
        (at(2019), at(2021, precision=Precision.INSTANT), "2019 to 1 January 2021"),
        (at(2030), None, "from 2030"),
    ],
)
def test_spans_are_told_as_they_were_stated(
    start: Stated | None, end: Stated | None, expected: str
) -> None:
    assert span_of(fact("x", start, end), NOW) == expected


@pytest.mark.parametrize(
    ("instant", "precision", "expected"),
    [
        ("2021-03-04T22:00:00+00:00", Precision.DAY, "5 March 2021"),
        ("2020-12-31T23:00:00+00:00", Precision.YEAR, "2021"),
        ("2021-03-04T22:00:00+00:00", Precision.HOUR, "4 March 2021, 22:00 UTC"),
        ("2021-03-04T22:07:09+00:00", Precision.SECOND, "4 March 2021, 22:07:09 UTC"),
        ("2021-03-04T22:07:00+00:00", Precision.INSTANT, "4 March 2021, 22:07 UTC"),
        ("9999-12-31T00:00:00+00:00", Precision.DECADE, "the 9990s"),
    ],
)
def test_a_time_is_named_by_the_day_or_year_it_mostly_covers(
    instant: str, precision: Precision, expected: str
) -> None:
    assert time_words(StatedTime(datetime.fromisoformat(instant), precision)) == expected


@pytest.mark.parametrize("relation", ["works_at", "WORKS_AT", "worksAt", "works-at", "Works At"])
def test_relations_read_alike_however_they_are_spelled(relation: str) -> None:
    assert relation_words(relation) == "works at"


@pytest.mark.parametrize(
    ("words", "verb"),
    [
        ("works at", True),
        ("is", True),
        ("born in", True),
        ("likes", True),
        ("address", False),
        ("status", False),
        ("spouse", False),
        ("", False),
    ],
)
def test_only_relations_that_read_as_verbs_are_followed_by_their_object(words: str, *, verb: bool) -> None:
    assert reads_as_verb(words) is verb


times = st.one_of(
    st.none(),
    st.tuples(
        st.integers(0, 20000).map(lambda days: datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=days)),
        st.one_of(st.none(), st.sampled_from(Precision)),
    ),
)
drawn = st.lists(
    st.builds(
        fact,
        st.sampled_from(["e-acme", "e-globex", "tea"]),
        times,
        times,
        predicate=st.sampled_from(["works_at", "likes", "department"]),
        subject=st.sampled_from(["e-ann", "e-bob"]),
        contested=st.booleans(),
    ),
    max_size=8,
    unique_by=lambda one: one.id,
)


@given(facts=drawn, order=st.randoms())
def test_the_order_of_facts_changes_no_byte_of_a_summary(facts: list[Fact], order: random.Random) -> None:
    shuffled = facts.copy()
    order.shuffle(shuffled)
    summaries = [summarise(ACME, some, NAMES, created_at=NOW) for some in (facts, shuffled)]
    assert repr(summaries[0]) == repr(summaries[1])


@given(facts=drawn)
def test_every_uncontested_fact_of_the_entity_is_cited_once_and_no_other(facts: list[Fact]) -> None:
    cited = [name for block in summarise(ACME, facts, NAMES, created_at=NOW).blocks for name in block.facts]
    own = [one.id for one in facts if not one.contested and one.object == "e-acme"]
    assert sorted(cited) == sorted(own)


@given(facts=drawn)
def test_a_summary_just_written_is_not_stale(facts: list[Fact]) -> None:
    summaries = [summarise(entity, facts, NAMES, created_at=NOW) for entity in (ANN, ACME)]
    known = {(one.group_id, one.entity_id): one.input_hash for one in summaries}
    assert stale_summaries([ANN, ACME], facts, NAMES, known=known, at=NOW) == ()


def stale(
    facts: list[Fact], *, before: list[Fact], names: dict[str, str] = NAMES, later: int = 0
) -> list[str]:
    known = {
        (one.group_id, one.entity_id): input_hash(one, before, NAMES, at=NOW)
        for one in (ANN, ACME)
        if any(one.entity_id in {fact.subject, fact.object} for fact in before)
    }
    found = stale_summaries([ACME, ANN], facts, names, known=known, at=NOW + timedelta(days=later))
    return [entity.entity_id for entity, _ in found]


def test_only_entities_whose_facts_changed_are_stale() -> None:
    assert stale([NOW_AT_ACME, fact("tea", predicate="likes")], before=[NOW_AT_ACME]) == ["e-ann"]


def test_new_entities_are_stale_and_entities_without_facts_are_not() -> None:
    assert stale([fact("tea", predicate="likes")], before=[]) == ["e-ann"]


def test_an_entity_that_lost_its_facts_is_stale_and_its_new_summary_is_empty() -> None:
    assert stale([], before=[NOW_AT_ACME]) == ["e-acme", "e-ann"]
    assert summarise(ANN, [], NAMES, created_at=NOW).text == ""


def test_an_end_that_passes_a_new_name_and_new_evidence_make_stale() -> None:
    ending = [fact("e-acme", at(2020), at(2024, 6, 20, Precision.DAY))]
    assert stale(ending, before=ending, later=1) == []
    assert stale(ending, before=ending, later=30) == ["e-acme", "e-ann"]
    assert stale([NOW_AT_ACME], before=[NOW_AT_ACME], names=NAMES | {"e-acme": "Acme Ltd"}) == ["e-ann"]
    confirmed = fact("e-acme", at(2021, 3, precision=Precision.MONTH), evidence=("a1", "a2"))
    assert stale([confirmed], before=[NOW_AT_ACME]) == ["e-acme", "e-ann"]
