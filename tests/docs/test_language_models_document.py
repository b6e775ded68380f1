from __future__ import annotations

import re
from pathlib import Path

from memstrata.settings import Settings

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "language-models.md").read_text(encoding="utf-8")


def test_the_table_of_settings_is_what_the_settings_say() -> None:
    told = re.findall(r"^\| `(\w+)` \| (\S*) ?\| (.*) \|$", TEXT, re.MULTILINE)
    rows = {name: (default, description) for name, default, description in told}
    assert rows == {
        str(field.validation_alias): (_shown(field.default), field.description)
        for field in Settings.model_fields.values()
        if str(field.validation_alias).startswith(("MEMSTRATA_LLM_", "OPENAI_"))
    }


def test_every_endpoint_of_the_recipes_is_an_address() -> None:
    recipes = TEXT.partition("## Recipes")[2].partition("## ")[0]
    addresses = re.findall(r"^\| [\w. ]+ \| `(http\S+)` \|", recipes, re.MULTILINE)
    assert len(addresses) == 7
    assert all(re.fullmatch(r"https?://[\w.:-]+(/[\w-]+)*/?", address) for address in addresses)


def _shown(default: object) -> str:
    return f"{default:.0f}" if isinstance(default, int | float) else str(default or "")
