"""What waits in quarantine, and what people make of it: in the graph, in the log, after a re-extraction."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from belief_world import World
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scripted import Says, draft, works

from memstrata.errors import Incorrect
from memstrata.model import DecisionKind, Kind, ObjectKind
from memstrata.ontology import load_ontology
from memstrata.workflow import review
from memstrata.workflow.edits import Edit, changed
from memstrata.workflow.intake import Ruling, decide, decide_all
from memstrata.workflow.review import Matter, Which

if TYPE_CHECKING:
    from memstrata.model import Decision, Json
    from memstrata.workflow.review import Entry

UNSURE = 0.1
WORKS = Edit(
    subject="Ann Lee",
    predicate="works_at",
    object="Lab",
    object_kind=ObjectKind.ENTITY,
    kind=Kind.HOLDS,
    fact="Ann Lee has worked at Lab for years.",
    confidence=0.9,
)


def likes(who: str, what: str, confidence: float = UNSURE, kind: Kind = Kind.HOLDS) -> Says:
    return Says(
        subject=who,
        predicate="likes",
        object=what,
        confidence=confidence,
        kind=kind,
        types=("person", None),
    )


def waiting(world: World, which: Which | None = None, *, limit: int = 100) -> tuple[Entry, ...]:
    world.compact()
    return review.entries(world.installation, "g", which or Which(), limit=limit)[0]


def rule(world: World, verdict: DecisionKind, entry_id: str, **changes: Json) -> Decision:
    world.compact()
    return world.decide(review.ruling(world.installation, "g", verdict, entry_id, changes))


def one_that_waits(world: World) -> Entry:
    world.accept(draft("a", works("Ann Lee", "Lab"), likes("Ann Lee", "Tea"), day=1))
    world.work()
    [entry] = waiting(world)
    return entry


def rebuilt(world: World) -> None:
    """That the log alone gives the same graph, with its history."""
    world.check_log()


def test_what_waits_says_nothing_and_is_listed_with_its_reason(world: World) -> None:
    entry = one_that_waits(world)
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    assert world.names() == {"Ann Lee", "Lab"}
    assert (entry.matter, entry.rule, entry.item.episode_id) == (Matter.HELD, "is_sure_enough", "a")
    assert entry.says is not None
    assert (entry.says.subject, entry.says.predicate, entry.says.object) == ("Ann Lee", "likes", "Tea")
    assert "0.10" in entry.reason
    rebuilt(world)


def test_what_is_accepted_comes_with_its_names_and_stays(world: World) -> None:
    entry = one_that_waits(world)
    rule(world, DecisionKind.ACCEPT, entry.entry_id)
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab"), ("Ann Lee", "likes", "Tea")}
    assert waiting(world) == ()
    rebuilt(world)


def test_what_is_rejected_is_settled_and_can_be_accepted_after_all(world: World) -> None:
    entry = one_that_waits(world)
    decision = rule(world, DecisionKind.REJECT, entry.entry_id)
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab")}
    assert waiting(world) == ()
    world.restore(decision)
    world.work()
    assert ("Ann Lee", "likes", "Tea") in world.said()
    rebuilt(world)


def test_an_edit_says_something_else_and_lets_it_count(world: World) -> None:
    entry = one_that_waits(world)
    changes = {"subject": "Bo", "predicate": "drinks", "object": "Green Tea", "fact": "Bo drinks green tea"}
    rule(
        world,
        DecisionKind.EDIT,
        entry.entry_id,
        **changes,
        kind="started",
        valid_at="2023-05",
        confidence=0.9,
    )
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab"), ("Bo", "drinks", "Green Tea")}
    [fact] = [one for one in world.graph.all_facts("g") if one.predicate == "drinks"]
    assert (fact.fact, fact.confidence, str(fact.valid_at_precision)) == (
        "Bo drinks green tea",
        0.9,
        "month",
    )
    rebuilt(world)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"object": "Works & Co (UK)"}, "Ann Lee has worked at Works & Co (UK) for years."),
        ({"subject": "Bo", "object": "Mill"}, "Bo has worked at Mill for years."),
        ({"kind": "started", "valid_at": "2023"}, "Ann Lee has worked at Lab for years."),
        ({"kind": "ended", "invalid_at": "2023"}, "Ann Lee no longer works at Lab"),
        ({"kind": "denied"}, "It is not so that Ann Lee works at Lab"),
        ({"predicate": "owns"}, "Ann Lee owns Lab"),
        ({"object": "Mill", "fact": "Ann is at the mill."}, "Ann is at the mill."),
    ],
)
def test_the_sentence_of_a_fact_follows_what_is_edited(changes: dict[str, Json], sentence: str) -> None:
    assert changed(WORKS, changes).fact == sentence


def test_a_sentence_that_tells_a_name_twice_or_not_at_all_is_made_anew() -> None:
    for told in ("She works there.", "Lab, where Ann Lee works, is Lab 2."):
        assert changed(replace(WORKS, fact=told), {"object": "Mill"}).fact == "Ann Lee works at Mill"


def test_a_name_is_not_taken_for_part_of_a_longer_one() -> None:
    other = replace(WORKS, fact="Ann Lee works at Lab-Nord")
    assert changed(other, {"object": "Mill"}).fact == "Ann Lee works at Mill"
    founded = replace(WORKS, subject="Lee", object="Lee Park", fact="He works at Lee Park")
    assert changed(founded, {"subject": "Bo"}).fact == "Bo works at Lee Park"


def test_an_accepted_item_can_be_edited_by_the_fact_that_rests_on_it_and_the_edit_taken_back(
    world: World,
) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    before = world.canonical()
    [fact] = world.graph.all_facts("g")
    decision = rule(world, DecisionKind.EDIT, fact.id, object="Mill")
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Mill")}
    back = Ruling(group_id="g", kind=DecisionKind.EDIT, target=decision.target, payload={})
    decide(world.installation, back)
    world.work()
    assert world.canonical() == before
    rebuilt(world)


def test_an_edited_fact_is_withdrawn_by_its_id_and_comes_back_as_edited(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    [fact] = world.graph.all_facts("g")
    rule(world, DecisionKind.EDIT, fact.id, object="Mill")
    world.work()
    [now] = world.graph.all_facts("g")
    withdrawn = rule(world, DecisionKind.REJECT, now.id)
    world.work()
    assert world.said() == set()
    world.restore(withdrawn)
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Mill")}
    rebuilt(world)


def test_an_edit_may_make_a_value_of_an_entity_and_an_entity_of_a_value(world: World) -> None:
    entry = one_that_waits(world)
    rule(world, DecisionKind.EDIT, entry.entry_id, object="much tea", object_kind="literal")
    world.work()
    assert world.names() == {"Ann Lee", "Lab"}
    assert ("Ann Lee", "likes", "much tea") in world.said()
    [fact] = [one for one in world.graph.all_facts("g") if one.predicate == "likes"]
    rule(world, DecisionKind.EDIT, fact.id, object="Tea", object_kind="entity")
    world.work()
    assert world.names() == {"Ann Lee", "Lab", "Tea"}
    rebuilt(world)


@pytest.mark.parametrize("kind", [DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.EDIT])
def test_a_newer_extractor_that_finds_the_same_is_ruled_alike(world: World, kind: DecisionKind) -> None:
    entry = one_that_waits(world)
    changes: dict[str, Json] = {"object": "Coffee"} if kind is DecisionKind.EDIT else {}
    rule(world, kind, entry.entry_id, **changes)
    world.work()
    before = world.said()
    for confidence in (0.15, 1.0):  # in quarantine again, and then accepted by the rules
        world.extractor.version = f"scripted-{confidence}"
        world.accept(draft("a", works("Ann Lee", "Lab"), likes("ann  LEE", "Tea", confidence), day=1))
        world.work()
        assert {(one.casefold(), *rest) for one, *rest in world.said()} == {
            (one.casefold(), *rest) for one, *rest in before
        }
        assert waiting(world) == ()
    rebuilt(world)


@pytest.mark.parametrize("kind", [DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.EDIT])
def test_a_decision_that_attaches_to_nothing_is_listed_until_it_is_put_away(
    world: World, kind: DecisionKind
) -> None:
    entry = one_that_waits(world)
    decision = rule(
        world, kind, entry.entry_id, **({"object": "Coffee"} if kind is DecisionKind.EDIT else {})
    )
    world.work()
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    [lost] = waiting(world)
    assert (lost.matter, lost.rule, lost.decision_id) == (
        Matter.LOST,
        review.ATTACHES_TO_NOTHING,
        decision.decision_id,
    )
    assert review.counts(world.installation, "g") == {review.ATTACHES_TO_NOTHING: 1}
    with pytest.raises(Incorrect, match="nothing to edit"):
        rule(world, DecisionKind.EDIT, lost.entry_id, object="Cocoa")
    rule(world, kind if kind is not DecisionKind.EDIT else DecisionKind.ACCEPT, lost.entry_id)
    assert waiting(world) == ()
    world.work()
    rebuilt(world)


@pytest.mark.parametrize("kind", [DecisionKind.ACCEPT, DecisionKind.REJECT])
@pytest.mark.parametrize("put_away", [DecisionKind.ACCEPT, DecisionKind.REJECT])
def test_what_is_put_away_is_ruled_as_it_was_when_it_comes_back(
    world: World, kind: DecisionKind, put_away: DecisionKind
) -> None:
    entry = one_that_waits(world)
    rule(world, kind, entry.entry_id)
    world.accept(draft("a", works("Ann Lee", "Lab"), day=1))
    world.work()
    [lost] = waiting(world)
    rule(world, put_away, lost.entry_id)
    world.accept(draft("a", works("Ann Lee", "Lab"), likes("Ann Lee", "Tea"), day=1))
    world.work()
    assert waiting(world) == ()
    assert (("Ann Lee", "likes", "Tea") in world.said()) is (kind is DecisionKind.ACCEPT)
    rebuilt(world)


def test_of_a_retracted_episode_nothing_waits_and_nothing_is_lost(world: World) -> None:
    entry = one_that_waits(world)
    world.accept(draft("b", likes("Bo", "Jam"), day=2))
    world.work()
    rule(world, DecisionKind.ACCEPT, entry.entry_id)
    world.work()
    world.retract("a")
    world.retract("b")
    world.work()
    assert waiting(world) == ()
    assert world.said() == set()


def test_pages_and_filters_and_counts_tell_of_all_once(world: World) -> None:
    many = [draft(f"e{n}", likes("Ann Lee", f"Tea {n}"), likes("Bo", f"Jam {n}"), day=n) for n in range(4)]
    world.accept(
        *many, draft("z", Says(subject="Bo", predicate="owns", object="Mill", confidence=0.05), day=9)
    )
    world.work()
    everything = waiting(world)
    assert len(everything) == 9
    assert review.counts(world.installation, "g") == {"is_sure_enough": 9}
    paged: list[Entry] = []
    after: str | None = None
    while True:
        page, after = review.entries(world.installation, "g", Which(), after=after, limit=2)
        paged.extend(page)
        if after is None:
            break
    assert tuple(paged) == everything
    assert [one.item.object for one in waiting(world, Which(predicate="owns"))] == ["mill"]
    assert waiting(world, Which(rule="is_stated")) == ()
    assert waiting(world, Which(matter=Matter.LOST)) == ()
    with pytest.raises(Incorrect, match="none of this list"):
        review.entries(world.installation, "g", Which(), after="somewhere", limit=2)


def test_a_batch_rules_on_all_of_one_rule(world: World) -> None:
    world.accept(draft("a", works("Ann Lee", "Lab"), *(likes("Bo", f"Jam {n}") for n in range(5)), day=1))
    world.work()
    made = review.rulings(
        world.installation, "g", DecisionKind.ACCEPT, Which(matter=Matter.HELD, rule="is_sure_enough")
    )
    decide_all(world.installation, made)
    world.work()
    assert len(world.said()) == 6
    assert waiting(world) == ()
    rebuilt(world)


CLOSED = """
undeclared: closed
types: [{name: person}, {name: organization}]
relations:
- {name: works_at, domain: person, range: organization, aliases: [employed_by]}
- {name: likes, range: text}
"""


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "changes nothing"),
        ({"relation": "x"}, "'relation' cannot be edited"),
        ({"predicat": "x"}, "did you mean 'predicate'"),
        ({"predicate": "hates"}, "not declared; the ontology is closed"),
        ({"subject_type": "robot"}, "not declared; the ontology is closed"),
        ({"predicate": "works_at", "subject_type": "organization"}, "does not stand between"),
        ({"object": "Tea"}, "likes does not stand between"),
        ({"object": "", "object_kind": "literal"}, "object is empty"),
        ({"object_kind": "thing"}, "expected one of entity, literal"),
        ({"kind": "was"}, "expected one of started, holds, ended, denied"),
        ({"valid_at": "last year"}, "valid_at"),
        ({"valid_at": "2024", "invalid_at": "2021", "object_kind": "literal"}, "before it begins"),
        ({"confidence": 2}, "expected a number from 0 to 1"),
        ({"confidence": "sure"}, "expected a number from 0 to 1"),
        ({"object": "Ann Lee", "object_kind": "literal"}, "subject and object are both"),
        ({"fact": "Her password is hunter2", "object_kind": "literal"}, "secrets are not kept"),
        ({"object": 7}, "expected text"),
    ],
)
def test_an_edit_that_breaks_the_ontology_or_the_fold_is_refused(
    world: World, changes: dict[str, Json], said: str
) -> None:
    entry = one_that_waits(world)
    world.declare(CLOSED)
    with pytest.raises(Incorrect, match=said) as refused:
        review.ruling(world.installation, "g", DecisionKind.EDIT, entry.entry_id, changes)
    assert "hunter2" not in str(refused.value)
    world.work()
    assert waiting(world) != ()


def test_an_edit_is_told_in_declared_names(world: World) -> None:
    entry = one_that_waits(world)
    world.declare(CLOSED)
    rule(world, DecisionKind.EDIT, entry.entry_id, predicate="Employed by", object_type="Organization")
    world.work()
    assert world.said() == {("Ann Lee", "works_at", "Lab"), ("Ann Lee", "works_at", "Tea")}
    assert load_ontology(CLOSED).relation("employed_by") is not None


@pytest.mark.parametrize(
    "payload",
    [{"edit": 1}, {"edit": {}}, {"edit": {"subject": "x"}}],
)
def test_an_edit_that_is_not_whole_never_reaches_the_log(world: World, payload: dict[str, Json]) -> None:
    entry = one_that_waits(world)
    target: dict[str, Json] = {"items": [entry.item.target()]}
    with pytest.raises(Incorrect, match="edit"):
        decide(
            world.installation, Ruling(group_id="g", kind=DecisionKind.EDIT, target=target, payload=payload)
        )


def test_an_unknown_id_is_said_to_be_none(world: World) -> None:
    one_that_waits(world)
    with pytest.raises(Incorrect, match="nothing that waits for review"):
        rule(world, DecisionKind.ACCEPT, "nothing")


_rulings = st.lists(
    st.tuples(
        st.sampled_from((DecisionKind.ACCEPT, DecisionKind.REJECT, DecisionKind.EDIT)),
        st.integers(0, 5),
        st.sampled_from(("Jam", "Tea", "Cocoa")),
        st.booleans(),
    ),
    max_size=7,
)


def _play(world: World, rulings: list[tuple[DecisionKind, int, str, bool]], version: str) -> None:
    world.extractor.version = version
    said = [likes("Ann Lee", f"Thing {n}", UNSURE if n % 2 else 1.0) for n in range(6)]
    world.accept(draft("a", *said, day=1))
    world.work()
    for kind, n, target, at_once in rulings:
        item = {
            "episode_id": "a",
            "subject": "ann lee",
            "predicate": "likes",
            "object": f"thing {n}",
            "kind": "holds",
        }
        payload: dict[str, Json] = {}
        if kind is DecisionKind.EDIT:
            shared = {
                "subject": "Ann Lee",
                "subject_type": "person",
                "predicate": "likes",
                "object": target,
            }
            rest = {
                "object_type": None,
                "object_kind": "entity",
                "kind": "holds",
                "fact": f"Ann likes {target}",
            }
            payload = {"edit": {**shared, **rest, "valid_at": None, "invalid_at": None, "confidence": 1.0}}
        decide(
            world.installation, Ruling(group_id="g", kind=kind, target={"items": [item]}, payload=payload)
        )
        if at_once:
            world.work()
    world.work()


def _expected(rulings: list[tuple[DecisionKind, int, str, bool]]) -> set[tuple[str, str, str]]:
    """The last ruling on an item counts; an edit stands until the next one."""
    counts = {n: n % 2 == 0 for n in range(6)}
    edits: dict[int, str] = {}
    for kind, n, target, _ in rulings:
        counts[n] = kind is not DecisionKind.REJECT
        if kind is DecisionKind.EDIT:
            edits[n] = target
    return {("Ann Lee", "likes", edits.get(n, f"Thing {n}")) for n, does in counts.items() if does}


@given(_rulings)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_course_of_rulings_leaves_what_the_last_on_each_item_says(
    rulings: list[tuple[DecisionKind, int, str, bool]],
) -> None:
    with TemporaryDirectory() as home, World(Path(home)) as world:
        _play(world, rulings, "scripted-1")
        assert world.said() == _expected(rulings)
        world.check_log()
        world.extractor.version = "scripted-2"  # finds the same
        world.accept(
            draft("a", *(likes("Ann Lee", f"Thing {n}", UNSURE if n % 2 else 1.0) for n in range(6)), day=1)
        )
        world.work()
        assert world.said() == _expected(rulings)


@given(_rulings)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
def test_it_does_not_matter_how_the_rulings_are_spread_over_commits(
    rulings: list[tuple[DecisionKind, int, str, bool]],
) -> None:
    said = []
    for at_once in (True, False):
        with TemporaryDirectory() as home, World(Path(home)) as world:
            _play(world, [(kind, n, target, at_once) for kind, n, target, _ in rulings], "scripted-1")
            said.append(world.canonical())
    assert said[0] == said[1]
