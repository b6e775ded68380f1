"""An attribute that is declared has a value of its kind, whoever asserts it."""

from __future__ import annotations

import pytest
from extraction_samples import judged, says

from memstrata.extraction.candidates import Name
from memstrata.model import Verdict

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
