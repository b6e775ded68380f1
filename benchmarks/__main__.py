"""Runs one benchmark, or lists them: `python -m benchmarks [NAME] [--data PATH] [--json]`."""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from memstrata.errors import Incorrect, MemstrataError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

#: Every benchmark, in the order of its part of the line, and whether `make bench` runs it.
BENCHMARKS = {
    "fold": True,
    "extraction": True,
    "cost": False,
    "resolution": True,
    "intake": True,
    "reextract": False,
    "history": True,
    "projection": False,
    "search": False,
    "write": False,
    "load": False,
    "retrieval": False,
    "crash": False,
    "echo": False,
    "faults": False,
    "isolation": False,
    "pages": False,
}

#: What some benchmarks take beside `--data`, by the parameter of their `run`; others refuse it.
OPTIONS: Mapping[str, Any] = {
    "as_of": {"action": "store_true", "help": "answers in force, updates first (retrieval)"},
    "store": {"help": "sqlite or neo4j"},
    "peer": {"help": "measure another product beside it: graphiti"},
}


def main() -> int:
    """The exit status: 0 done, 2 no such benchmark or option, 4 its data are missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="?", help="which benchmark; none lists them")
    parser.add_argument("--data", type=Path, help="file or folder of the benchmark's own format")
    parser.add_argument("--json", action="store_true", help="end with one JSON object of the figures")
    parser.add_argument("--quick", action="store_true", help="run all the quick ones")
    for option, described in OPTIONS.items():
        parser.add_argument(f"--{option.replace('_', '-')}", **described)
    given = parser.parse_args()
    if given.quick:
        return max(_run(name, None, {}, as_json=given.json) for name, quick in BENCHMARKS.items() if quick)
    if given.name is None:
        _list()
        return 0
    if given.name not in BENCHMARKS:
        print(f"no benchmark {given.name!r}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    options = {option: value for option in OPTIONS if (value := getattr(given, option))}
    return _run(given.name, given.data, options, as_json=given.json)


def _list() -> None:
    table = Table("benchmark", "what it does")
    for name in BENCHMARKS:
        module = importlib.import_module(f"benchmarks.{name}")
        table.add_row(name, (module.__doc__ or "").partition("\n")[0])
    Console().print(table)


def check_options(name: str, run: Callable[..., object], options: Mapping[str, object]) -> None:
    """Raises `Incorrect` for an option that this benchmark does not take, with those it does."""
    taken = [option for option in OPTIONS if option in inspect.signature(run).parameters]
    for option in options:
        if option not in taken:
            takes = " and ".join(f"--{one.replace('_', '-')}" for one in ("data", *taken))
            raise Incorrect(f"--{option.replace('_', '-')} is not for this benchmark; {name} takes {takes}")


def _run(name: str, data: Path | None, options: Mapping[str, object], *, as_json: bool) -> int:
    module = importlib.import_module(f"benchmarks.{name}")
    try:
        check_options(name, module.run, options)
        figures = module.run(data, **options)
    except MemstrataError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.exit_status
    show(name, figures, Console())
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
    return 0


def show(name: str, figures: Mapping[str, Any], console: Console) -> None:
    """The figures as a table; figures within figures follow in tables of their own."""
    table = Table("figure", name)
    within: dict[str, Mapping[str, Any]] = {}
    for key, value in figures.items():
        if isinstance(value, dict) and value:
            within[key] = value
        else:
            table.add_row(key, json.dumps(value, ensure_ascii=False))
    if table.row_count:
        console.print(table)
    for key, inner in within.items():
        if _is_a_table(inner):
            console.print(_crossed(key, inner))
        else:
            show(key, inner, console)


def _is_a_table(figures: Mapping[str, Any]) -> bool:
    """Whether each is a flat record of the same figures as the others."""
    records = list(figures.values())
    return all(
        isinstance(one, dict)
        and list(one) == list(records[0])
        and not any(isinstance(value, dict) for value in one.values())
        for one in records
    )


def _crossed(name: str, records: Mapping[str, Mapping[str, Any]]) -> Table:
    table = Table(name, *next(iter(records.values())))
    for key, record in records.items():
        table.add_row(key, *(json.dumps(value, ensure_ascii=False) for value in record.values()))
    return table


if __name__ == "__main__":
    sys.exit(main())
