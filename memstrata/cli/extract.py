"""`memstrata extract`: texts in, facts out, nothing stored."""

from __future__ import annotations

import sys

import click

from memstrata.errors import MemstrataError


@click.command()
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

    try:
        episodes = list(read_texts(line.decode("utf-8") for line in sys.stdin.buffer))
        for extraction in OfflineExtractor().extract_all((episode, ()) for episode in episodes):
            for line in write_facts(extraction):
                click.echo(line)
    except MemstrataError as error:
        click.echo(f"memstrata extract: {error}", err=True)
        sys.exit(error.exit_status)
