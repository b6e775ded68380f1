"""Ontologies as a user declares them: in a file, or as pydantic models."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import ClassVar

import pytest
from pydantic import BaseModel, Field

from memstrata.errors import Incorrect, Misplaced
from memstrata.ontology import (
    Cardinality,
    Duration,
    FieldType,
    Ontology,
    Undeclared,
    load_ontology,
    load_stream,
)
from memstrata.ontology.duration import parse_duration

FILE = """\
types:
  - {name: Organization, aliases: [Org]}
  - name: Company
    parent: Organization
    fields: {founded: date, staff: {type: integer, description: Heads.}}
  - {name: Person, description: A human.}
relations:
  - name: works_at
    domain: person
    range: [Organization]
    cardinality: one
    lifetime: P2Y
    aliases: [employed_by]
  - {name: knows, symmetric: true}
  - {name: part_of, acyclic: true}
  - {name: birth_date, domain: Person, range: date}
"""


def test_a_file_declares_types_with_typed_fields_and_relations() -> None:
    ontology = load_ontology(FILE)
    company = ontology.type_named("COMPANY")
    assert company is not None
    assert [(one.name, one.type) for one in company.fields] == [
        ("founded", FieldType.DATE),
        ("staff", FieldType.INTEGER),
    ]
    works_at = ontology.relation("Employed_By")
    assert works_at is not None
    assert (works_at.name, works_at.domain, works_at.range) == ("works_at", ("Person",), ("Organization",))
    assert works_at.lifetime == Duration(months=24)
    assert ontology.cardinality("works_at") is Cardinality.ONE
    assert ontology.symmetric("knows")


def test_an_undeclared_relation_has_the_default_and_an_alias_is_not_folded() -> None:
    ontology = load_ontology(FILE.replace("types:", "default_cardinality: many\ntypes:", 1))
    assert ontology.cardinality("employed_by") is Cardinality.MANY
    assert not ontology.symmetric("unheard_of")
    assert ontology.relation("unheard_of") is None


def test_a_relation_admits_kinds_of_its_types_and_what_has_no_type() -> None:
    ontology = load_ontology(FILE)
    works_at = ontology.relation("works_at")
    assert works_at is not None
    assert ontology.admits(works_at, "Person", "company")
    assert ontology.admits(works_at, None, "Org")
    assert not ontology.admits(works_at, "Company", "Organization")


def test_the_hash_is_that_of_the_content() -> None:
    again = "# a remark\n" + FILE.replace(
        "{name: knows, symmetric: true}", "{symmetric: true, name: knows}"
    )
    assert load_ontology(again).hash == load_ontology(FILE).hash
    assert load_ontology(FILE.replace("P2Y", "P3Y")).hash != load_ontology(FILE).hash
    assert load_ontology("").hash == Ontology().hash


@pytest.mark.parametrize(
    ("given", "instead", "line", "said"),
    [
        ("cardinality: one", "cardinalty: one", 11, "did you mean 'cardinality'?"),
        ("cardinality: one", "cardinality: single", 11, "expected one of one, many"),
        ("range: [Organization]", "range: [Organisation]", 10, "did you mean 'Organization'?"),
        ("lifetime: P2Y", "lifetime: two years", 12, "no ISO 8601 duration"),
        ("symmetric: true", "symmetric: true, cardinality: one", 14, "symmetric with cardinality one"),
        ("acyclic: true", "acyclic: true, symmetric: true", 15, "symmetric and acyclic"),
        ("symmetric: true", "symmetric: often", 14, "expected true or false"),
        ("founded: date", "founded: datetime", 5, "did you mean 'instant'?"),
        ("name: part_of", "name: Works_At", 15, "is taken by relation 'works_at'"),
        ("aliases: [Org]", "aliases: [Person]", 6, "is taken by type 'Organization'"),
        ("parent: Organization", "parent: Firm", 3, "its parent 'Firm' is not declared"),
        ("aliases: [Org]", "parent: Company", 2, "in a circle"),
        ("name: knows, ", "", 14, "has no name"),
        ("types:", "kinds:", 1, "'kinds' is no key of the ontology"),
        ("lifetime: P2Y", "lifetime: P2Y\n    lifetime: P3Y", 13, "is given twice"),
    ],
)
def test_a_mistake_is_named_with_its_line_and_how_to_mend_it(
    given: str, instead: str, line: int, said: str
) -> None:
    assert FILE.count(given) >= 1
    with pytest.raises(Misplaced) as refused:
        load_ontology(FILE.replace(given, instead, 1), file="ontology.yaml")
    assert refused.value.line == line, refused.value
    assert said in str(refused.value)
    assert str(refused.value).startswith(f"ontology.yaml, line {line}")


def test_what_is_no_yaml_is_refused_with_its_line() -> None:
    with pytest.raises(Misplaced) as refused:
        load_ontology("types:\n  - {name: Person\nrelations: []\n")
    assert refused.value.line == 3
    assert "not YAML" in refused.value.problem


def test_a_stream_knows_what_was_in_force_when() -> None:
    stream = load_stream("{}\n---\nin_force_from: 2025-03-01T00:00:00Z\ndefault_cardinality: one\n")
    since = datetime(2025, 3, 1, tzinfo=UTC)
    assert stream.in_force(since - timedelta(microseconds=1)).default_cardinality is Cardinality.MANY
    assert stream.in_force(since).default_cardinality is Cardinality.ONE
    assert stream.in_force(None) is stream.in_force(since)
    assert stream.changes == (since,)


@pytest.mark.parametrize("text", ["P2Y", "P1Y6M", "P14D", "PT36H", "P1M2DT3H4M5S"])
def test_a_duration_is_read_back_as_it_is_written(text: str) -> None:
    assert parse_duration(str(parse_duration(text))) == parse_duration(text)


@pytest.mark.parametrize("text", ["", "P", "PT", "P1.5Y", "2Y", "P-1Y", "P1H"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no ISO 8601 duration"):
        parse_duration(text)


def test_a_duration_is_a_calendar_sum_that_stops_at_the_end_of_time() -> None:
    leap_day = datetime(2024, 2, 29, tzinfo=UTC)
    assert parse_duration("P1Y").after(leap_day) == datetime(2025, 2, 28, tzinfo=UTC)
    assert parse_duration("P9000Y").after(leap_day).year == 9999
    assert parse_duration("P9999999D").after(leap_day).year == 9999


class Person(BaseModel):
    """A human."""

    birth_date: date | None = Field(None, description="Day of birth.")
    height: float | None = None


class Company(BaseModel):
    """A firm."""

    staff: int | None = None


class Bank(Company):
    """A firm that lends."""


class WorksAt(BaseModel):
    """A person is employed by a company."""

    cardinality: ClassVar[str] = "one"
    lifetime: ClassVar[str] = "P2Y"
    title: str | None = None


def test_types_may_be_declared_as_pydantic_models() -> None:
    ontology = Ontology.with_models(
        entity_types={"Person": Person, "Company": Company, "Bank": Bank},
        edge_types={"WORKS_AT": WorksAt},
        edge_type_map={("Person", "Company"): ["WORKS_AT"], ("Entity", "Entity"): ["RELATED_TO"]},
    )
    person, bank = ontology.type_named("person"), ontology.type_named("Bank")
    assert person is not None
    assert bank is not None
    assert person.description == "A human."
    assert [(one.name, one.type, one.description) for one in person.fields] == [
        ("birth_date", FieldType.DATE, "Day of birth."),
        ("height", FieldType.NUMBER, ""),
    ]
    assert bank.parent == "Company"
    works_at, related = ontology.relation("works_at"), ontology.relation("RELATED_TO")
    assert works_at is not None
    assert related is not None
    assert ontology.cardinality("WORKS_AT") is Cardinality.ONE
    assert works_at.lifetime == Duration(months=24)
    assert ontology.admits(works_at, "Person", "Bank")
    assert not ontology.admits(works_at, "Bank", "Person")
    assert ontology.admits(related, "Bank", "Person")


def test_a_pair_of_undeclared_types_is_refused() -> None:
    with pytest.raises(Incorrect, match="'Robot' is not declared; known are Entity, Person"):
        Ontology.with_models(
            entity_types={"Person": Person}, edge_type_map={("Robot", "Person"): ["HELPS"]}
        )


def test_what_is_not_declared_may_be_left_to_a_person_or_refused() -> None:
    both = load_ontology("undeclared: closed")
    each = load_ontology("undeclared: {relations: review}")
    assert (both.undeclared_types, both.undeclared_relations) == (Undeclared.CLOSED, Undeclared.CLOSED)
    assert (each.undeclared_types, each.undeclared_relations) == (Undeclared.OPEN, Undeclared.REVIEW)
    assert load_ontology(FILE).undeclared_relations is Undeclared.OPEN


def test_a_relation_or_a_type_may_ask_for_review_and_for_confidence() -> None:
    ontology = load_ontology(
        "least_confidence: 0.25\ntypes:\n- {name: Patient, review: true}\n"
        "relations:\n- {name: treats, review: yes, least_confidence: 0.9}\n- {name: knows}\n"
    )
    treats, knows, patient = ontology.relation("treats"), ontology.relation("knows"), ontology.types[0]
    assert ontology.least_confidence == 0.25
    assert treats is not None
    assert knows is not None
    assert (treats.review, treats.least_confidence) == (True, 0.9)
    assert (knows.review, knows.least_confidence) == (False, None)
    assert patient.review


def test_what_is_said_of_review_is_in_the_hash_and_what_is_not_said_changes_none() -> None:
    texts = ("", "undeclared: review", "undeclared: {types: review}", "least_confidence: 0.5")
    assert len({load_ontology(text + "\n" + FILE).hash for text in texts}) == len(texts)
    assert load_ontology("undeclared: open\n" + FILE).hash == load_ontology(FILE).hash
    reviewed = FILE.replace("{name: knows,", "{name: knows, review: true,")
    assert load_ontology(reviewed).hash != load_ontology(FILE).hash


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("undeclared: close", 1, "did you mean 'closed'?"),
        ("undeclared: {relation: open}", 1, "did you mean 'relations'?"),
        ("\nundeclared: {types: maybe}", 2, "expected one of open, review, closed"),
        ("least_confidence: 30", 1, "expected a number from 0 to 1"),
        ("least_confidence: high", 1, "expected a number from 0 to 1"),
        ("relations:\n- {name: a}\n- {name: b, least_confidence: -1}", 3, "from 0 to 1"),
        ("types:\n- {name: a, review: perhaps}", 2, "expected true or false"),
    ],
)
def test_a_mistake_in_them_is_named_with_its_line(text: str, line: int, said: str) -> None:
    with pytest.raises(Misplaced, match="line") as raised:
        load_ontology(text, "ontology.yaml")
    assert f"line {line}" in str(raised.value)
    assert said in str(raised.value)
