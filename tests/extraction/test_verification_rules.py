"""Every rule of verification on examples of its own: what it objects to, and what it lets stand."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from extraction_samples import ANA, BOT, NOON, YOU, episode, judged, says

from memstrata.extraction.assembly import assemble
from memstrata.extraction.candidates import Name
from memstrata.extraction.declared import extract_declared
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.extraction.verification import named, seen_of
from memstrata.instants import Precision, StatedTime
from memstrata.model import ExtractionStatus, Outcome, SourceType, Verdict
from memstrata.ontology import Ontology, load_ontology

if TYPE_CHECKING:
    from memstrata.extraction.candidates import Candidate

# --- whom the quote is about ---


@pytest.mark.parametrize(
    ("quote", "predicate", "target"),
    [
        ("my coworker has a PhD in optics", "has", "a PhD in optics"),
        ("My boss just bought a sailing boat", "bought", Name(text="sailing boat")),
        ("And our neighbour Ines works at the port", "works_at", Name(text="the port")),
        ("my brother-in-law is allergic to nuts", "allergic_to", "nuts"),
        ("My best friend told me she moved to Turin", "moved_to", Name(text="Turin")),
        ("She plays the oboe in an orchestra", "plays", Name(text="the oboe")),
        ("Priya has a degree in law", "has", "a degree in law"),
        ("But Tomás Vega teaches chemistry", "teaches", "chemistry"),
    ],
)
def test_what_is_said_of_another_is_not_taken_for_the_speakers(
    quote: str, predicate: str, target: Name | str
) -> None:
    assert judged(says(quote, predicate, target)) == ("is_said_of_the_subject", Verdict.SECOND_PASS)


@pytest.mark.parametrize(
    ("quote", "predicate", "target"),
    [
        ("My sister is Ines", "sister", Name(text="Ines")),
        ("my boss is called Oskar", "reports_to", Name(text="Oskar")),
        ("my boyfriend Luca moved in", "dating", Name(text="Luca")),
        ("My brother and I moved to Turin", "moved_to", Name(text="Turin")),
        ("My colleague quit, so I lead the team now", "leads", Name(text="the team")),
        ("I have a PhD", "has", "PhD"),
        ("My coworkers and me share an office", "shares", "an office"),
        ("Chess keeps me sane", "likes", Name(text="Chess")),
        ("Lisbon is the best city", "likes", Name(text="Lisbon")),
        ("Working at Oakmere since May", "works_at", Name(text="Oakmere")),
        ("Ana has two cats", "has", "two cats"),
    ],
)
def test_what_the_speaker_says_of_herself_stands(quote: str, predicate: str, target: Name | str) -> None:
    assert judged(says(quote, predicate, target)) is None


def test_the_coworkers_degree_is_hers_where_she_is_the_subject() -> None:
    hers = says("my coworker has a PhD", "has", "a PhD", subject=Name(text="my coworker", speaker=ANA))
    assert judged(hers) is None


# --- who says it, and how ---


@pytest.mark.parametrize(
    "quote",
    [
        "You could move to Turin and work remotely.",
        "Have you thought of Turin?",
        "If you like the sea, Turin is not for you.",
        "I'd recommend that you book Turin early.",
        "Consider Turin for your holidays.",
        "Would you like me to book Turin for you?",
        "Maybe Turin suits you.",
        "Visit Turin in spring",
    ],
)
def test_an_assistants_suggestion_is_refused_as_the_users_fact(quote: str) -> None:
    said = says(quote, "visits", Name(text="Turin"), subject=YOU)
    assert judged(said, by=BOT) == ("is_no_suggestion", Verdict.REJECT)


def test_what_an_assistant_only_repeats_to_the_user_is_doubted() -> None:
    said = says("You live in Turin.", "lives_in", Name(text="Turin"), subject=YOU)
    assert judged(said, by=BOT) == ("is_no_suggestion", Verdict.SECOND_PASS)
    by_name = says("Ana Ribeiro lives in Turin.", "lives_in", Name(text="Turin"), subject=YOU)
    assert judged(replace(by_name, subject=Name(text="Ana Ribeiro", addressee=ANA)), by=BOT) is not None


def test_what_an_assistant_says_of_the_world_or_of_itself_stands() -> None:
    river = says("The Po could flood Turin.", "floods", Name(text="Turin"), subject=Name(text="The Po"))
    own = says("I recommend Turin.", "recommends", Name(text="Turin"), subject=Name(text="I", speaker=BOT))
    assert judged(river, by=BOT) is None
    assert judged(own, by=BOT) is None


def test_the_turn_tells_who_speaks_where_one_text_holds_several() -> None:
    text = "User: I moved to Turin.\nAssistant: You might like Genoa."
    genoa = says("You might like Genoa.", "likes", Name(text="Genoa"), subject=YOU)
    turin = says("I moved to Turin.", "moved_to", Name(text="Turin"))
    assert judged(genoa, text) == ("is_no_suggestion", Verdict.REJECT)
    assert judged(turin, text) is None


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("Should I move to Turin", "Should I move to Turin?"),
        ("is Turin where I live", "And is Turin where I live?"),
        ("if I move to Turin", "I will be glad if I move to Turin."),
        ("What if I moved to Turin", "What if I moved to Turin?"),
    ],
)
def test_a_question_and_a_bare_condition_are_doubted(quote: str, content: str) -> None:
    said = says(quote, "moved_to", Name(text="Turin"))
    assert judged(said, content) == ("is_stated", Verdict.SECOND_PASS)


@pytest.mark.parametrize(
    ("quote", "content"),
    [
        ("I moved to Turin", "I moved to Turin last year, do you know a dentist there?"),
        ("If it helps, I moved to Turin", "If it helps, I moved to Turin."),
        ("Can you help my neighbour Turin", "Can you help my neighbour Turin?"),
    ],
)
def test_a_statement_beside_a_question_stands(quote: str, content: str) -> None:
    predicate = "neighbour" if "neighbour" in quote else "moved_to"
    assert judged(says(quote, predicate, Name(text="Turin")), content) is None


# --- numbers ---


@pytest.mark.parametrize(
    ("quote", "fact"),
    [
        ("the rent is 1,250 euros", "The rent is 1250 euros"),
        ("the rent is 1.250 euros", "The rent is 1,250 euros"),
        ("we have twenty-three goats", "Ana has 23 goats"),
        ("I have 3 goats", "Ana has three goats"),
        ("sold two hundred and six jars", "Ana sold 206 jars"),
        ("the fund holds 2.5 million", "The fund holds 2,500,000"),
        ("a budget of 40k", "The budget is 40,000"),
        ("about 15% of it", "Ana owns 15 percent of it"),
        ("a dozen eggs", "Ana has 12 eggs"),
        ("I have been there twice", "Ana has been there 2 times"),
        ("my second marathon", "It is Ana's marathon number 2"),
        ("flies an A320", "Ana flies an A320"),
        ("half of the farm", "Ana owns 0.5 of the farm"),
        ("I won once", "Ana won one race"),
        ("a field of 12 400 trees", "Ana has 12400 trees"),
        ("row 12 400 trees", "In row 12 Ana has 400 trees"),
        ("row 12, 400 trees", "Ana has 12 400 trees"),
        ("a hundred and twenty people came", "120 people came"),
        ("half a million people came", "500,000 people came"),
        ("three and a half million", "the fund holds 3.5 million"),
        ("two and a half acres", "Ana has 2.5 acres"),
        ("2\u00bd years", "Ana waited 2.5 years"),
        ("two dozen eggs", "Ana has 24 eggs"),
        ("my fortieth birthday", "it is Ana's 40th birthday"),
        ("my twenty-first birthday", "it is Ana's 21st birthday"),
        ("half of my pay", "Ana saves 50% of it"),
        ("0.15 of my pay", "Ana saves 15% of it"),
        ("half past six", "They meet at 6:30"),
        ("at 6", "They meet at 6:00"),
        ("born in '90", "Ana is of 1990"),
        ("class of nineteen ninety-one", "Ana is of the class of 1991"),
        ("call me on +49 170 1234567", "Ana's number is +491701234567"),
        ("we sold 2,010,000 of them", "They sold 2.01 million"),
        ("a share of 0.007", "The share is 0.7%"),
        ("call me on 0170/123 45 67", "Ana's number is 0170 1234567"),
        ("ich habe zwei Katzen", "Ana has 2 cats"),
        ("tengo quince gatos", "Ana has 15 cats"),
        ("\u4e09\u53ea\u732b", "Ana has 3 cats"),
    ],
)
def test_a_number_may_be_written_otherwise_in_the_evidence(quote: str, fact: str) -> None:
    assert judged(says(quote, fact=fact)) is None


@pytest.mark.parametrize("text", ["\u0661" * 50_000, f"{'1' * 50_000} caf\u00e9", f"{'7' * 5_000}\u00bd"])
def test_digits_without_end_are_read_in_time(text: str) -> None:
    began = time.process_time()
    assert judged(says(text, fact="Ana has 3 cats")) == ("numbers_are_in_the_evidence", Verdict.QUARANTINE)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("quote", "fact", "verdict"),
    [
        ("the rent is 1,250 euros", "The rent is 1350 euros", Verdict.QUARANTINE),
        ("we have twenty-three goats", "Ana has 22 goats", Verdict.QUARANTINE),
        ("some goats", "Ana has five goats", Verdict.QUARANTINE),
        ("I have 5 cats", "Ana has 3 cats", Verdict.SECOND_PASS),
        ("a hundred and twenty people came", "100 people and 21 dogs came", Verdict.QUARANTINE),
        ("call me on 0170 1234567", "Ana's number is 0170 1234568", Verdict.QUARANTINE),
        ("two and a half acres", "Ana has 3.5 acres", Verdict.QUARANTINE),
        ("half of my pay", "Ana saves 40% of it", Verdict.QUARANTINE),
        ("ich habe zwei Katzen", "Ana has 3 cats", Verdict.QUARANTINE),
        ("the rent is 1,200 euros", "The rent is 12,000 euros", Verdict.QUARANTINE),
    ],
)
def test_a_number_that_the_evidence_has_not_is_held(quote: str, fact: str, verdict: Verdict) -> None:
    content = f"My brother has 3 kids. {quote}." if verdict is Verdict.SECOND_PASS else quote
    found = judged(says(quote, fact=fact), content)
    assert found == ("numbers_are_in_the_evidence", verdict)


def test_a_date_that_was_worked_out_is_no_number_of_the_evidence() -> None:
    told = says(
        "I joined Brill last month", "joined", Name(text="Brill"), fact="Ana joined Brill in June 2025"
    )
    dated = replace(told, valid_at=StatedTime(datetime(2025, 6, 1, tzinfo=UTC), Precision.MONTH))
    assert judged(dated) is None
    invented = replace(told, quote="I joined Brill", fact="Ana joined Brill in June 2021")
    assert judged(invented) == ("numbers_are_in_the_evidence", Verdict.QUARANTINE)


def test_a_literal_object_is_checked_as_the_sentence_is() -> None:
    assert judged(says("I weigh 70 kilos", "weight", "80 kg", fact="Ana's weight")) is not None
    assert judged(says("I weigh 70 kilos", "weight", "70 kg", fact="Ana's weight")) is None


def test_numbers_of_a_name_are_its_own() -> None:
    before = [episode("Which house? 14 Quay Street?", episode_id="e0")]
    there = Name(text="14 Quay Street")
    assert judged(says("yes, that one", "lives_at", there), before=before) is None


# --- what is recalled, what is plausible, what is sure ---


def test_what_is_only_recalled_is_refused_and_what_is_said_beside_it_stands() -> None:
    content = "You told me: I like tea. I like tea in the morning."
    recalled = {"recalled": [[13, 24]]}
    tea = says("I like tea.", "likes", "tea")
    assert judged(tea, content, metadata=recalled) == ("is_not_recalled", Verdict.REJECT)
    again = says("I like tea in the morning", "likes", "tea in the morning")
    assert judged(again, content, metadata=recalled) is None


@pytest.mark.parametrize("year", [1, 2500, 9999])
def test_a_year_that_stands_for_unknown_is_held(year: int) -> None:
    stated = StatedTime(datetime(year, 1, 1, tzinfo=UTC), Precision.YEAR)
    held = replace(says("I like tea", "likes", "tea"), valid_at=stated)
    assert judged(held) == ("times_are_plausible", Verdict.QUARANTINE)
    assert judged(replace(held, valid_at=StatedTime(datetime(1066, 1, 1, tzinfo=UTC)))) is None


def test_confidence_has_a_bar_of_the_relation_of_the_ontology_and_a_usual_one() -> None:
    unsure = says("I like tea", "likes", "tea", confidence=0.5)
    below = ("is_sure_enough", Verdict.QUARANTINE)
    assert judged(unsure) is None
    assert judged(replace(unsure, confidence=0.1)) == below
    assert judged(unsure, ontology="least_confidence: 0.6") == below
    relation = "least_confidence: 0.6\nrelations: [{name: likes, least_confidence: 0.4}]"
    assert judged(unsure, ontology=relation) is None
    assert judged(unsure, ontology=relation.replace("0.4", "0.9")) == below


# --- what is declared ---

CLINIC = """
types:
- {name: Patient, aliases: [case]}
- {name: Ward, fields: {beds: integer}}
- {name: Drug, review: true}
relations:
- {name: lies_in, domain: Patient, range: Ward, aliases: [stays_in]}
- {name: takes, domain: Patient, range: Drug}
- {name: pulse, domain: Patient, range: integer}
- {name: diagnosed_with, review: true}
"""
MIA, WARD = Name(text="Mia", type="case"), Name(text="North", type="ward")


def clinic(predicate: str, target: Name | str, subject: Name = MIA) -> Candidate:
    said = target if isinstance(target, str) else target.text
    return says(f"Mia {predicate} {said}", predicate, target, subject=subject)


def test_an_alias_is_told_by_the_declared_name_and_so_are_types() -> None:
    declared = named(clinic("Stays In", WARD), load_ontology(CLINIC))
    assert declared.predicate == "lies_in"
    assert declared.subject.type == "Patient"
    assert isinstance(declared.object, Name)
    assert declared.object.type == "Ward"


def test_without_an_ontology_nothing_is_renamed_or_asked() -> None:
    candidate = clinic("Stays In", WARD)
    assert named(candidate, Ontology()) is candidate
    assert judged(candidate) is None


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [("open", Verdict.ACCEPT), ("review", Verdict.QUARANTINE), ("closed", Verdict.REJECT)],
)
def test_an_undeclared_relation_is_new_or_waits_or_is_refused(mode: str, verdict: Verdict) -> None:
    ontology = f"undeclared: {mode}\n{CLINIC}"
    assert judged(clinic("likes", WARD), ontology=ontology) == ("relation_is_declared", verdict)
    assert judged(clinic("lies_in", WARD), ontology=ontology) is None
    assert judged(clinic("beds", "12", WARD), ontology=ontology) is None  # a declared attribute


@pytest.mark.parametrize(
    ("mode", "verdict"),
    [("open", Verdict.ACCEPT), ("review", Verdict.QUARANTINE), ("closed", Verdict.REJECT)],
)
def test_an_undeclared_type_is_new_or_waits_or_is_refused(mode: str, verdict: Verdict) -> None:
    ontology = f"undeclared: {{types: {mode}}}\n{CLINIC}"
    strange = clinic("lies_in", WARD, replace(MIA, type="spaceship"))
    assert judged(strange, ontology=ontology) == ("types_are_declared", verdict)
    assert judged(clinic("lies_in", WARD, replace(MIA, type=None)), ontology=ontology) is None


def test_an_ontology_without_relations_declares_none_to_be_new() -> None:
    assert (
        judged(clinic("likes", WARD), ontology="types: [{name: Patient}, {name: Case}, {name: Ward}]")
        is None
    )


@pytest.mark.parametrize(
    ("predicate", "target"),
    [
        ("lies_in", MIA),
        ("lies_in", "the north"),
        ("pulse", Name(text="eighty")),
        ("pulse", "fast"),
    ],
)
def test_what_a_relation_does_not_join_is_held(predicate: str, target: Name | str) -> None:
    subject = Name(text="Bo", type="Patient")
    found = judged(
        clinic(predicate, target, subject), "Mia Bo " + clinic(predicate, target).quote, ontology=CLINIC
    )
    assert found == ("ends_are_admitted", Verdict.QUARANTINE)


@pytest.mark.parametrize("value", ["80", "1,080"])
def test_a_value_of_the_declared_kind_stands(value: str) -> None:
    assert judged(clinic("pulse", value), ontology=CLINIC) is None


@pytest.mark.parametrize(
    ("kind", "value", "fits"),
    [
        ("date", "2019-06", True),
        ("date", "4-Jul-2019", True),
        ("date", "someday", False),
        ("date", "2019-13", False),
        ("instant", "2019-06-14T09:30:00Z", True),
        ("number", "2.5%", True),
        ("number", "much", False),
        ("boolean", "yes", True),
        ("boolean", "perhaps", False),
        ("text", "anything", True),
    ],
)
def test_each_kind_of_value_is_known_by_how_it_is_written(kind: str, value: str, *, fits: bool) -> None:
    ontology = f"relations: [{{name: worth, range: {kind}}}]"
    assert (judged(clinic("worth", value), ontology=ontology) is None) is fits


def test_a_relation_or_a_type_that_is_declared_for_review_waits() -> None:
    waits = ("is_left_to_review", Verdict.QUARANTINE)
    assert judged(clinic("diagnosed_with", "gout"), ontology=CLINIC) == waits
    assert judged(clinic("takes", Name(text="Zorvex", type="Drug")), ontology=CLINIC) == waits


def test_the_version_changes_with_what_the_rules_see_and_with_nothing_else() -> None:
    base = load_ontology(CLINIC)
    same = load_ontology(CLINIC.replace("{name: takes,", "{name: takes, cardinality: one, lifetime: P2Y,"))
    other = load_ontology(CLINIC.replace("{name: takes,", "{name: takes, least_confidence: 0.5,"))
    assert OfflineExtractor(base).version == OfflineExtractor(same).version
    assert OfflineExtractor(base).version != OfflineExtractor(other).version
    turned = load_ontology(
        "\n".join(CLINIC.splitlines()[:1] + CLINIC.splitlines()[5:] + CLINIC.splitlines()[1:5])
    )
    assert seen_of(turned) == seen_of(base)


# --- the outcome of several, and what becomes of it ---


def test_the_strictest_of_several_counts() -> None:
    both = says("my coworker has 7 goats", "has", "8 goats", fact="Ana has 8 goats", confidence=0.9)
    assert judged(both) == ("numbers_are_in_the_evidence", Verdict.QUARANTINE)


def test_an_unanswered_doubt_waits_for_a_person_with_its_names_apart() -> None:
    text = "my coworker has a PhD and I have a dog"
    hers, mine = says("my coworker has a PhD", "has", "a PhD"), says("I have a dog", "has", "a dog")
    found = assemble(episode(text, speaker=ANA), [hers, mine], version="v")
    assert [one.object for one in found.assertions] == ["a dog"]
    [held] = found.held
    assert (held.assertion.object, held.rule) == ("a PhD", "is_said_of_the_subject")
    assert "coworker" in held.reason
    assert [(one.rule, one.verdict) for one in found.outcomes] == [
        ("is_said_of_the_subject", Verdict.QUARANTINE)
    ]


def test_an_answered_doubt_stands_and_is_told() -> None:
    said = Outcome(
        item="i", rule="is_said_of_the_subject", verdict=Verdict.ACCEPT, reason="second pass: said"
    )
    answered = replace(says("my coworker has a PhD", "has", "a PhD"), settled=said)
    found = assemble(episode("my coworker has a PhD", speaker=ANA), [answered], version="v")
    assert (len(found.assertions), found.held, found.outcomes) == (1, (), (said,))


def test_a_second_pass_answers_no_more_than_it_was_asked() -> None:
    said = Outcome(
        item="i", rule="is_said_of_the_subject", verdict=Verdict.ACCEPT, reason="second pass: said"
    )
    answered = replace(says("my coworker has 7 goats", fact="Ana has 8 goats"), settled=said)
    found = assemble(episode("my coworker has 7 goats", speaker=ANA), [answered], version="v")
    assert [held.rule for held in found.held] == ["numbers_are_in_the_evidence"]


def test_an_episode_of_which_all_waits_is_not_one_that_says_nothing() -> None:
    found = assemble(
        episode("I like tea"), [says("I like tea", "likes", "tea", confidence=0.1)], version="v"
    )
    assert (found.assertions, len(found.held)) == ((), 1)
    assert found.status is ExtractionStatus.EXTRACTED


def test_declared_records_are_judged_by_what_is_declared_and_not_by_their_words() -> None:
    triple = '{"subject": "Mia", "predicate": "stays in", "object": {"name": "North"}, "confidence": 0.05}'
    told = episode(triple, source_type=SourceType.FACT_TRIPLE)
    found = extract_declared(told, "v", load_ontology(CLINIC))
    assert [one.predicate for one in found.assertions] == ["lies_in"]
    closed = extract_declared(told, "v", load_ontology("undeclared: closed"))
    assert [(one.rule, one.verdict) for one in closed.outcomes] == [
        ("relation_is_declared", Verdict.REJECT)
    ]


def test_the_offline_extractor_is_held_to_the_ontology_that_it_is_given() -> None:
    told = episode("I work at Oakmere.", speaker=ANA, reference_time=NOON)
    waiting = OfflineExtractor(load_ontology("relations: [{name: works_at, review: true}]")).extract(told)
    assert [held.assertion.predicate for held in waiting.held] == ["works_at"]
    assert waiting.assertions == ()
    assert len(OfflineExtractor().extract(told).assertions) == 1
