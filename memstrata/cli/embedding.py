"""`embed`: vectors for what has none, and the change to another embedder."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import console, json_option, progress
from memstrata.ports import Subject
from memstrata.settings import opened
from memstrata.workflow.embed import MOST_COUNTED, refuse_a_mix, spoken, waiting
from memstrata.workflow.embed import embed as embed_missing
from memstrata.workflow.embed import switch as switch_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.ports import Installation
    from memstrata.workflow.embed import Switch

_NOUNS = {
    Subject.FACT: "fact",
    Subject.ENTITY: "entity",
    Subject.EPISODE: "passage",
    Subject.SUMMARY: "summary",
    Subject.PROCEDURE: "procedure",
}


@click.command(epilog=examples("memstrata embed", "memstrata embed --switch --dry-run"))
@click.option("--switch", is_flag=True, help="Drop the vectors of another model first.")
@click.option("--dry-run", is_flag=True, help="Say what would be embedded and dropped, do neither.")
@json_option
def embed(switch: bool, dry_run: bool, as_json: bool) -> None:
    """Embed what has no vector yet. Search answers by words in the meantime.

    Interrupted, the same command goes on where it stopped. Vectors of two models are never mixed.
    """
    with opened() as installation:
        would = switch_model(installation, dry_run=True)
        if would.dropped is not None and not switch:
            refuse_a_mix(would.dropped, would.model)
        if dry_run:
            _show_waiting(installation, would, as_json=as_json)
            return
        if switch:
            switch_model(installation)
        with progress("embedding") as advance:
            embedded = embed_missing(installation, on_progress=advance)
    if as_json:
        print_json({"embedded": embedded, "model": would.model, "dropped": would.dropped, "dry_run": False})
        return
    if would.dropped is not None:
        console.print(f"dropped the vectors of {spoken(would.dropped)}", highlight=False)
    console.print(f"embedded {counted(embedded, 'text')} with {spoken(would.model)}", highlight=False)


def _show_waiting(installation: Installation, would: Switch, *, as_json: bool) -> None:
    """What would be done; after a switch that is everything."""
    counts = waiting(installation.graph) if would.dropped is None else _everything(installation)
    if as_json:
        print_json(
            {"without_vector": counts, "model": would.model, "dropped": would.dropped, "dry_run": True}
        )
        return
    if would.dropped is not None:
        console.print(f"would drop the vectors of {spoken(would.dropped)}", highlight=False)
    named = [_counted(subject, number) for subject, number in counts.items() if number]
    console.print(
        f"would embed {', '.join(named) or 'nothing'} with {spoken(would.model)}", highlight=False
    )


def _everything(installation: Installation) -> Mapping[Subject, int]:
    """What the store holds, as far as it counts it: a passage an episode at least."""
    counts = installation.graph.counts()
    return {
        Subject.FACT: sum(one.versions for one in counts),
        Subject.ENTITY: sum(one.entities for one in counts),
        Subject.EPISODE: sum(one.episodes for one in counts),
    }


def _counted(subject: Subject, number: int) -> str:
    noun = _NOUNS[subject]
    plural = noun[:-1] + "ies" if noun.endswith("y") else f"{noun}s"
    more = " or more" if number == MOST_COUNTED else ""
    return f"{number:,}{more} {noun if number == 1 else plural}"
