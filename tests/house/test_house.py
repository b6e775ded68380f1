"""What everybody relies on about the repository itself: its sizes, names, layers, pins and package."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PARTS = ("memstrata", "assets", "checks", "pipelines", "resources", "examples", "docs")
MODULES = sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))
VAGUE = {"utils", "util", "helpers", "common", "base", "misc", "manager", "handler"}
MOST_LINES = 500
MOST_LINES_OF_A_FUNCTION = 50


def test_no_module_is_longer_than_can_be_read_in_one_sitting() -> None:
    lengths = {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8").count("\n") for path in MODULES
    }
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{path.relative_to(ROOT)}:{node.name}": lines
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := _lines_of(node)) > MOST_LINES_OF_A_FUNCTION
    }
    assert long == {}


def _lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of the body, its docstring aside: what a command's options and examples add is no logic."""
    documented = ast.get_docstring(function) is not None
    body = function.body[1:] if documented else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_modules_are_named_for_what_they_hold() -> None:
    assert [str(path) for path in MODULES if path.stem in VAGUE or path.parent.name in VAGUE] == []


def test_no_two_files_of_tests_share_a_name() -> None:
    counts = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert {name: count for name, count in counts.items() if count > 1} == {}


def test_modules_say_what_lives_in_them() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) is None
    ]
    assert silent == []


def test_the_package_is_for_the_python_it_says() -> None:
    project = PROJECT["project"]
    assert project["requires-python"] == ">=3.11"
    assert project["license"] == "Apache-2.0"
    assert project["scripts"] == {"memstrata": "memstrata.cli:main"}
    assert PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"] == ["memstrata"]
    assert not any("dagster" in one for one in project["dependencies"])


def test_every_rule_that_is_off_says_why() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    rules = re.search(r"^ignore = \[\n(.*?)^\]", text, re.MULTILINE | re.DOTALL)
    assert rules is not None
    assert [line for line in rules.group(1).splitlines() if not re.search(r'"\w+",\s+# \S', line)] == []


def test_an_exception_in_the_code_says_why() -> None:
    # PLR2004 needs no word: where two things are counted, 2 says more than a name for it.
    bare = re.compile(r"#\s*(noqa: [A-Z0-9, ]+|type: ignore\[[\w, -]+\])\s*$", re.MULTILINE)
    found = [
        f"{path.relative_to(ROOT)}: {match.group(0).strip()}"
        for path in MODULES
        for match in bare.finditer(path.read_text(encoding="utf-8"))
    ]
    assert [one for one in found if not one.endswith("noqa: PLR2004")] == []


def test_pins_name_no_index_and_pin_everything() -> None:
    file = ROOT / "constraints.txt"
    if not file.exists():
        pytest.skip("no constraints.txt in this checkout")
    lines = [line.split("#")[0].strip() for line in file.read_text(encoding="utf-8").splitlines()]
    pins = [line for line in lines if line]
    assert [pin for pin in pins if "://" in pin or pin.startswith("-")] == []
    assert [pin for pin in pins if not re.match(r"[A-Za-z0-9._-]+==\S+", pin)] == []


def test_pins_cover_what_the_project_asks_for() -> None:
    file = ROOT / "constraints.txt"
    if not file.exists():
        pytest.skip("no constraints.txt in this checkout")
    # what PyTorch brings is pinned for an environment of its own (make test-models)
    files = (file, ROOT / "tests" / "models" / "constraints.txt")
    lines = [line for one in files for line in one.read_text(encoding="utf-8").splitlines()]
    pinned = {_name(line) for line in lines if "==" in line}
    project = PROJECT["project"]
    asked = [
        *project["dependencies"],
        *(one for group in PROJECT["dependency-groups"].values() for one in group),
    ]
    asked += [one for extra in project["optional-dependencies"].values() for one in extra]
    assert sorted({_name(one) for one in asked} - pinned) == []


def _name(requirement: str) -> str:
    named = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", named.group(0)).lower() if named else ""


def test_decisions_are_numbered_without_gaps_and_tell_context_choice_and_consequence() -> None:
    files = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    numbered = [path for path in files if re.match(r"\d{4}-", path.name)]
    assert [int(path.name[:4]) for path in numbered] == list(range(1, len(numbered) + 1))
    for path in numbered:
        text = path.read_text(encoding="utf-8").lower()
        assert all(word in text for word in ("context", "choice", "consequence")), path.name


def test_the_changelog_has_something_to_say() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## Unreleased\n\n- \S", text, re.MULTILINE)


def test_examples_name_their_licences() -> None:
    folders = [
        path for path in (ROOT / "examples").iterdir() if path.is_dir() and path.name != "__pycache__"
    ]
    assert folders
    assert [path.name for path in folders if not (path / "LICENSE").exists()] == []


@pytest.mark.slow
def test_layers_are_kept() -> None:
    command = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([str(command)], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_the_wheel_ships_the_library_alone(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].partition("-")[0] for name in names} == {"memstrata"}
    assert any(name.endswith(".sql") for name in names)
    assert "memstrata/__main__.py" in names
