"""Runs one benchmark, or lists them: `python -m benchmarks [NAME] [--data PATH] [--json]`."""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from memstrata.errors import MemstrataError

#: Every benchmark, in the order of its part of the line, and whether `make bench` runs it.
BENCHMARKS = {
    "fold": True,
    "extraction": True,
    "resolution": True,
    "intake": True,
    "history": True,
    "projection": False,
    "search": False,
    "crash": False,
}


def main() -> int:
    """The exit status: 0 done, 2 no such benchmark, 4 its data are missing."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("name", nargs="?", help="which benchmark; none lists them")
    parser.add_argument("--data", type=Path, help="file or folder of the benchmark's own format")
    parser.add_argument("--json", action="store_true", help="end with one JSON object of the figures")
    parser.add_argument("--quick", action="store_true", help="run all the quick ones")
    given = parser.parse_args()
    if given.quick:
        return max(_run(name, None, as_json=given.json) for name, quick in BENCHMARKS.items() if quick)
    if given.name is None:
        _list()
        return 0
    if given.name not in BENCHMARKS:
        print(f"no benchmark {given.name!r}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
        return 2
    return _run(given.name, given.data, as_json=given.json)


def _list() -> None:
    table = Table("benchmark", "what it does")
    for name in BENCHMARKS:
        module = importlib.import_module(f"benchmarks.{name}")
        table.add_row(name, (module.__doc__ or "").partition("\n")[0])
    Console().print(table)


def _run(name: str, data: Path | None, *, as_json: bool) -> int:
    module = importlib.import_module(f"benchmarks.{name}")
    try:
        figures = module.run(data)
    except MemstrataError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return error.exit_status
    table = Table("figure", name)
    for key, value in figures.items():
        table.add_row(key, json.dumps(value, ensure_ascii=False))
    Console().print(table)
    if as_json:
        print(json.dumps(figures, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
