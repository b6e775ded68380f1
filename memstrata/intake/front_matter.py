"""The block of properties at the start of a Markdown note: `---` YAML `---`, or `+++` TOML `+++`.

YAML is read without its guesses: `no`, `2025-05-01` and `1:30` stay what was written.
"""

from __future__ import annotations

import re
import tomllib
from typing import TYPE_CHECKING, TypeAlias

import yaml

from memstrata.intake.notes import Place

if TYPE_CHECKING:
    from memstrata.errors import Misplaced

#: A property is a text or a list of texts; what is nested deeper is left out.
Properties: TypeAlias = "dict[str, str | list[str]]"

_YAML = re.compile(r"---[ \t]*\n(?=[^\n]*\S)(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML = re.compile(r"\+\+\+[ \t]*\n(.*?)^\+\+\+[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_TOML_PLACE = re.compile(r"line (\d+)")


def split_front_matter(text: str, *, at: Place) -> tuple[Properties, str]:
    """The properties of a note, and its body. A first line that is a mere rule begins no front matter.

    Raises `Misplaced` with the line where the block is not YAML or not TOML.
    """
    found = _YAML.match(text)
    if found is not None:
        given = _yaml(found[1], at)
        if given is None or isinstance(given, dict):
            return _flat(given or {}), text[found.end() :]
        return {}, text
    found = _TOML.match(text)
    if found is not None:
        return _flat(_toml(found[1], at)), text[found.end() :]
    return {}, text


def _yaml(block: str, at: Place) -> object:
    try:
        return yaml.load(block, Loader=yaml.BaseLoader)  # noqa: S506 (the base loader makes texts only)
    except yaml.MarkedYAMLError as error:
        unclosed = error.context is not None and "quoted scalar" in error.context
        mark = error.context_mark if unclosed else error.problem_mark or error.context_mark
        problem = "quoted value is not closed" if unclosed else error.problem or "broken"
        raise _not(problem, "YAML", block, mark.line if mark else 0, at) from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _not(str(error).partition("\n")[0], "YAML", block, 0, at) from None


def _toml(block: str, at: Place) -> dict[str, object]:
    try:
        return tomllib.loads(block)
    except tomllib.TOMLDecodeError as error:
        line = _TOML_PLACE.search(str(error))
        raise _not(str(error), "TOML", block, int(line[1]) - 1 if line else 0, at) from None


def _not(problem: str, syntax: str, block: str, line: int, at: Place) -> Misplaced:
    lines = block.split("\n")
    key = lines[min(line, len(lines) - 1)].partition(":")[0].partition("=")[0].strip()
    field = f"front matter, {key}" if re.fullmatch(r"[\w-]+", key) else "front matter"
    return Place(file=at.file, line=line + 2, field=field).fault(f"{problem}: not {syntax}")


def _flat(given: dict[str, object]) -> Properties:
    flat: Properties = {}
    for key, value in given.items():
        if isinstance(value, (list, tuple)):
            flat[str(key)] = [_text(item) for item in value if not isinstance(item, (dict, list, tuple))]
        elif not isinstance(value, dict) and value is not None:
            flat[str(key)] = _text(value)
    return flat


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
