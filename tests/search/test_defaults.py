"""The table of defaults in docs/search.md is the code's."""

from __future__ import annotations

import ast
import doctest
import inspect
import itertools
from pathlib import Path

from memstrata.search import defaults

PAGE = Path(__file__).parents[2] / "docs" / "search.md"


def in_code() -> dict[str, tuple[str, str]]:
    """Name -> (value, docstring), of every constant."""
    body = ast.parse(inspect.getsource(defaults)).body
    found = {}
    for constant, told in itertools.pairwise(body):
        if isinstance(constant, ast.AnnAssign) and isinstance(constant.target, ast.Name):
            assert isinstance(told, ast.Expr), f"{constant.target.id} has no docstring"
            assert isinstance(told.value, ast.Constant)
            value = getattr(defaults, constant.target.id)
            found[constant.target.id] = (str(value), " ".join(str(told.value.value).split()))
    return found


def in_docs() -> dict[str, list[str]]:
    """Name -> the other cells of its row."""
    cells = [
        [cell.strip() for cell in line.strip("| \n").split(" | ")]
        for line in PAGE.read_text(encoding="utf-8").splitlines()
        if line.startswith("| `") and line.split("`")[1].isupper()
    ]
    return {row[0].strip("`"): row[1:] for row in cells}


def test_every_default_stands_in_the_docs_with_its_value_meaning_and_measurement() -> None:
    told = in_docs()
    assert {name: tuple(row[:2]) for name, row in told.items()} == in_code()
    assert all(row[2] for row in told.values())


def test_what_the_page_shows_is_what_the_code_answers() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried) == (0, 3)
