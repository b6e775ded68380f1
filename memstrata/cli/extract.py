"""`memstrata extract`: texts in, facts out, nothing stored."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from memstrata.cli.epilogs import examples
from memstrata.errors import Misplaced

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


@click.command(epilog=examples("memstrata extract --offline < texts.jsonl > facts.jsonl"))
@click.option("--offline", is_flag=True, help="Use the rules of this package: no model server, no network.")
def extract(*, offline: bool) -> None:
    """Extract facts from texts: JSON Lines on standard input, JSON Lines on standard output.

    In: {"id", "text", "reference_time"}. Out: any number of lines for each text, with subject, predicate,
    object, kind, valid_at, invalid_at, evidence, confidence and fact. Every text stands alone.
    """
    if not offline:
        raise click.UsageError("say --offline: it is the extractor that needs no model server")
    from memstrata.extraction.offline.extractor import OfflineExtractor
    from memstrata.extraction.wire import read_texts, write_facts

    episodes = list(read_texts(_decoded(sys.stdin.buffer)))
    for extraction in OfflineExtractor().extract_all((episode, ()) for episode in episodes):
        for line in write_facts(extraction):
            sys.stdout.buffer.write(line.encode("utf-8") + b"\n")


def _decoded(lines: Iterable[bytes]) -> Iterator[str]:
    for number, line in enumerate(lines, 1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise Misplaced(f"not UTF-8: {error}", line=number, mend="convert the input to UTF-8") from None
