"""`memstrata fold`: assertions in, facts out, as docs/fold.md, section 7, lays down."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memstrata.bitemporal import believe, versions
from memstrata.bitemporal.wire import read_placements, write_fact, write_version
from memstrata.cli.epilogs import examples
from memstrata.errors import Misplaced
from memstrata.instants import NotAnInstant, parse_instant
from memstrata.ontology import load_stream

if TYPE_CHECKING:
    from datetime import datetime
    from typing import NoReturn

    from memstrata.ontology import OntologyStream


@click.command(epilog=examples("memstrata fold --ontology ontology.yaml < assertions.jsonl > facts.jsonl"))
@click.option(
    "--ontology",
    "ontology_file",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="YAML: the relations and their cardinality; several documents if it changed over system time.",
)
@click.option("--system-time", metavar="TIME", help="What was believed then, instead of now.")
@click.option("--history", is_flag=True, help="Every version of every fact, with its system time.")
def fold(ontology_file: Path, system_time: str | None, *, history: bool) -> None:
    """Fold assertions from standard input into facts.

    Both are JSON Lines; the formats, and the semantics to the byte, are in docs/fold.md. Exit status 2,
    with nothing on standard output, if the ontology, the time or a line is wrong.
    """
    ontologies = _ontologies(ontology_file)
    system = _system_time(system_time)
    try:
        placements = list(read_placements(sys.stdin.buffer))
    except Misplaced as error:
        _refuse(f"line {error.line}: {error.field}", error.problem)
    if history:
        lines = [write_version(version) for version in versions(placements, ontologies, until=system)]
    else:
        lines = [write_fact(fact) for fact in believe(placements, ontologies, system)]
    out = sys.stdout.buffer
    out.writelines(f"{line}\n".encode() for line in lines)
    out.flush()


def _ontologies(file: Path) -> OntologyStream:
    try:
        return load_stream(file.read_text(encoding="utf-8"))
    except Misplaced as error:
        _refuse("ontology", error.problem)
    except UnicodeDecodeError as error:
        _refuse("ontology", f"{file} is not UTF-8: {error.reason} at byte {error.start}")


def _system_time(text: str | None) -> datetime | None:
    if text is None:
        return None
    try:
        return parse_instant(text)
    except NotAnInstant as error:
        _refuse("--system-time", str(error))


def _refuse(place: str, problem: str) -> NoReturn:
    click.echo(f"{place}: {problem}", err=True)
    sys.exit(2)
