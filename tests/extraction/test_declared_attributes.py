"""An attribute that is declared has a value of its kind, whoever asserts it."""

from __future__ import annotations

import os
import subprocess
import sys
from enum import Enum
from typing import Literal

import pytest
from extraction_samples import Scripted, episode, judged, reply_to, says
from pydantic import BaseModel

from memstrata.extraction.candidates import Name
from memstrata.extraction.model import ModelExtractor
from memstrata.extraction.model.schema import reply_schema, vocabulary
from memstrata.ids import canonical_json
from memstrata.model import Extraction, Verdict
from memstrata.ontology import Ontology, load_ontology

AGED = """
types:
- {name: Person, fields: {age: integer, born: date, motto: text, tall: number}}
- {name: Tree, fields: {age: text}}
- {name: Nurse, parent: Person}
"""


@pytest.mark.parametrize(
    ("kind", "attribute", "value", "stands"),
    [
        ("Person", "age", "41", True),
        ("Nurse", "age", "old", False),
        ("Person", "age", Name(text="Oakmere"), False),
        ("Tree", "age", "old", True),
        ("Person", "born", "14 June 1990", True),
        ("Person", "born", "soon", False),
        ("Person", "tall", "1.80", True),
        ("Person", "tall", "nan", False),
        ("Person", "motto", "be kind", True),
        (None, "born", "soon", False),
        (None, "age", "old", True),
    ],
)
def test_an_attribute_has_a_value_of_its_declared_kind(
    kind: str | None,
    attribute: str,
    value: Name | str,
    stands: bool,  # noqa: FBT001 (a case)
) -> None:
    said = says("", attribute, value, subject=Name(text="Ines", type=kind))
    found = judged(said, "Ines is here.", ontology=AGED)
    assert found == (None if stands else ("ends_are_admitted", Verdict.QUARANTINE))


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Worker(BaseModel):
    """Somebody who works."""

    level: Literal["junior", "senior"] | None = None
    colour: Colour | None = None
    shift: int | None = None
    badge: int | str | None = None
    skills: list[str] = []


WORKERS = Ontology.with_models(entity_types={"Worker": Worker})


def test_the_choices_of_a_model_are_shown_and_offered() -> None:
    assert vocabulary(WORKERS).endswith(
        "[attributes: badge (text), colour (one of red, blue), level (one of junior, senior), shift"
        " (integer), skills (text)]"
    )
    offered = canonical_json(reply_schema(WORKERS))
    assert '{"enum":["red","blue"],"type":"string"}' in offered
    assert '{"enum":["junior","senior"],"type":"string"}' in offered


@pytest.mark.parametrize(
    ("attributes", "calls"),
    [
        ({"level": "Senior", "colour": "red", "shift": 3}, 1),
        ({"skills": ["riding", "baking"]}, 1),
        ({"badge": 17}, 1),
        ({"level": "boss"}, 2),
        ({"colour": "green"}, 2),
        ({"shift": "night"}, 2),
    ],
)
def test_a_value_that_is_no_choice_is_asked_for_again(attributes: dict[str, object], calls: int) -> None:
    ana = {"name": "Ana", "type": "Worker", "attributes": attributes}
    model = Scripted(reply_to(entities=[ana]), reply_to())
    ModelExtractor(model, WORKERS).extract(episode("Ana is riding and baking."))
    assert len(model.prompts) == calls


def test_an_entity_keeps_its_type_and_its_other_attributes_where_one_cannot_be_read() -> None:
    attributes = {"level": "boss", "shift": 3}
    ana = {"name": "Ana", "type": "Worker", "attributes": attributes}
    likes = {"subject": "Ana", "predicate": "likes", "object": "riding", "object_is_literal": True}
    likes |= {"fact": "Ana likes riding", "kind": "holds", "evidence": "Ana likes riding"}
    model = Scripted(reply_to(likes, entities=[ana]), reply_to())
    found = ModelExtractor(model, WORKERS).extract(episode("Ana likes riding, on shift 3."))
    assert isinstance(found, Extraction)
    assert {one.type for one in found.mentions if one.name == "Ana"} == {"Worker"}
    assert [(one.rule, one.verdict) for one in found.outcomes] == [("values_are_read", Verdict.REJECT)]
    [mention] = [one for one in found.mentions if one.name == "Ana"]
    assert "boss" not in str(mention)


Used = Literal["worn", "broken"]


def test_nothing_is_no_choice_and_each_is_one_choice() -> None:
    class Tool(BaseModel):
        """What one works with."""

        size: Literal["small", "large", None] = None  # noqa: PYI061 (so people write it)
        state: Literal["new", "worn"] | Used = "new"

    fields = Ontology.with_models(entity_types={"Tool": Tool}).types[0].fields
    assert [field.choices for field in fields] == [("small", "large"), ("new", "worn", "broken")]


def test_choices_are_declared_in_files_too() -> None:
    declared = load_ontology(
        "types: [{name: Drug, fields: {form: {type: text, choices: [tablet, drops, drops]}}}]"
    )
    assert declared.types[0].fields[0].choices == ("tablet", "drops")
    for value, found in (("Drops", None), ("syrup", ("ends_are_admitted", Verdict.QUARANTINE))):
        said = says("", "form", value, subject=Name(text="Zyrtal", type="Drug"))
        assert judged(said, "Zyrtal is here.", ontology=declared) == found


def test_the_schema_is_the_same_in_every_process() -> None:
    """Of several attributes of one name too: it is part of the extractor's version."""
    script = (
        "from memstrata.extraction.model.schema import reply_schema;"
        "from memstrata.ontology import load_ontology; import sys;"
        "print(reply_schema(load_ontology(sys.stdin.read())))"
    )
    declared = "\n".join(
        f"- {{name: {name}, fields: {{state: {{type: text, choices: [{name}s, none]}}}}}}"
        for name in ("order", "task", "bug", "tree")
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script],
            input=f"types:\n{declared}\n",
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(told) == 1
