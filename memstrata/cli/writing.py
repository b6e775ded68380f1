"""`add`, `ingest`, `retract`, `entities`: what enters the record."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.text import Text

from memstrata import intake
from memstrata.cli.rendering import print_json
from memstrata.cli.session import (
    When,
    complaints,
    console,
    existing_group,
    group_option,
    json_option,
    opened,
    progress,
)
from memstrata.errors import Incorrect
from memstrata.model import DecisionKind, Speaker
from memstrata.workflow.intake import Ruling, accept, decide
from memstrata.workflow.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


_PARTLY_TAKEN = 3
_SHOWN_REFUSALS = 20


@click.command()
@click.argument("content")
@group_option
@click.option("--time", "reference_time", type=When(), help="When it happened (default: now).")
@click.option("--speaker", help="Who said it; without one it is a text that nobody said.")
@click.option("--saga", help="The conversation or thread that it belongs to.")
@click.option("--id", "episode_id", help="A key of your own: the same key again is the next revision.")
@click.option("--dry-run", is_flag=True, help="Check it, accept nothing.")
@json_option
def add(
    content: str,
    group_id: str,
    reference_time: datetime | None,
    speaker: str | None,
    saga: str | None,
    episode_id: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Accept one episode: CONTENT, or standard input for `-`. Its facts follow with `memstrata work`."""
    text = sys.stdin.read() if content == "-" else content
    with opened() as installation:
        draft = intake.read_text(
            text,
            intake.Options(group_id=group_id, reference_time=reference_time, saga=saga, source="cli"),
            speaker=Speaker(id=speaker, name=speaker) if speaker else None,
            episode_id=episode_id,
            now=installation.clock.now(),
        )
        if dry_run:
            intake.validate(draft)
            accepted: tuple[str, ...] = (intake.episode_id(draft),)
        else:
            accepted = next(accept(installation, [draft])).episode_ids
    if as_json:
        print_json({"episode_ids": accepted, "dry_run": dry_run})
    else:
        said = "would be accepted as" if dry_run else "accepted"
        console.print(f"{said} {accepted[0]}", highlight=False)


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@group_option
@click.option(
    "--mapping", type=click.Path(path_type=Path), help="YAML that declares what a record asserts."
)
@click.option("--format", "format_", help="Name the format instead of recognising it.")
@click.option("--reference-time", type=When(), help="The time of items that have none of their own.")
@click.option("--timezone", help="IANA zone of times without an offset, such as Europe/Berlin.")
@click.option("--encoding", help="The encoding, where it is not Unicode.")
@click.option("--delimiter", help="The column separator of a CSV file.")
@click.option("--saga", help="The conversation that all of it belongs to.")
@click.option("--strict", is_flag=True, help="Refuse everything if one item is bad.")
@click.option("--dry-run", is_flag=True, help="Read and check it, accept nothing.")
@json_option
def ingest(
    files: tuple[Path, ...],
    group_id: str,
    mapping: Path | None,
    format_: str | None,
    reference_time: datetime | None,
    timezone: str | None,
    encoding: str | None,
    delimiter: str | None,
    saga: str | None,
    strict: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Accept the episodes of FILES: text, Markdown, chat messages, records with a mapping, triples.

    What is refused is listed with its place (exit status 3); the rest is accepted.
    """
    options = intake.Options(
        group_id=group_id,
        mapping=None if mapping is None else intake.load_mapping(mapping),
        format=format_,
        reference_time=reference_time,
        timezone=timezone,
        encoding=encoding,
        delimiter=delimiter,
        saga=saga,
        strict=strict,
    )
    readings = [(file, intake.read(file, options)) for file in files]
    accepted: dict[str, int] = {}
    with opened() as installation, progress("accepting") as advance:
        for file, reading in readings:
            accepted[str(file)] = 0
            if dry_run:
                accepted[str(file)] = reading.summary.count
                continue
            for batch in accept(installation, reading.drafts):
                accepted[str(file)] += len(batch.episode_ids)
                advance(len(batch.episode_ids))
    refused = [(file, one) for file, reading in readings for one in reading.refused]
    skipped: Counter[str] = Counter()
    for _, reading in readings:
        skipped.update(reading.skipped)
    warnings = [f"{file}: {text}" for file, reading in readings for text in reading.warnings]
    if as_json:
        print_json(
            {
                "accepted": accepted,
                "refused": [
                    {"file": str(file), "place": one.place, "reason": one.reason} for file, one in refused
                ],
                "skipped": dict(skipped),
                "warnings": warnings,
                "dry_run": dry_run,
            }
        )
    else:
        _report(accepted, skipped, warnings, dry_run=dry_run)
        for file, one in refused[:_SHOWN_REFUSALS]:
            complaints.print(Text(f"refused: {file}, {one.place}: {one.reason}", style="red"))
        if len(refused) > _SHOWN_REFUSALS:
            complaints.print(f"... and {len(refused) - _SHOWN_REFUSALS} more (see --json)")
    if refused:
        sys.exit(_PARTLY_TAKEN)


def _report(
    accepted: Mapping[str, int], skipped: Mapping[str, int], warnings: list[str], *, dry_run: bool
) -> None:
    verb = "would accept" if dry_run else "accepted"
    for file, count in accepted.items():
        console.print(f"{verb} {count:,} episodes from {file}", highlight=False)
    if skipped:
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(skipped.items()))
        console.print(f"no evidence, left out: {kinds}", highlight=False, style="dim")
    for warning in warnings[:_SHOWN_REFUSALS]:
        complaints.print(Text(f"warning: {warning}", style="yellow"))


@click.command()
@click.argument("episode_id")
@group_option
@click.option("--reason", default="", help="Why; kept with the decision.")
@click.option("--who", default="", help="Who decides; kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Say what would be retracted, decide nothing.")
@json_option
def retract(episode_id: str, group_id: str, reason: str, who: str, dry_run: bool, as_json: bool) -> None:
    """Withdraw the episode: what rested on it alone goes, what it had closed re-opens (with `work`)."""
    with opened() as installation:
        record = installation.record
        record.compact(context_turns=installation.extractor.context_turns)
        episode = record.latest(existing_group(installation, group_id), episode_id)
        if episode is None:
            raise Incorrect(
                f"there is no episode {episode_id!r} in group {group_id!r}; see `search --for episode`"
            )
        if record.is_retracted(group_id, episode_id):
            raise Incorrect(f"episode {episode_id!r} has been retracted already")
        resting = installation.graph.placements_of(group_id, [episode_id])
        if not dry_run:
            ruling = Ruling(
                group_id=group_id,
                kind=DecisionKind.RETRACT,
                target={"episode_id": episode_id, "revision": episode.revision},
                payload={},
                who=who,
                reason=reason,
            )
            decide(installation, ruling)
    if as_json:
        print_json({"episode_id": episode_id, "assertions": len(resting), "dry_run": dry_run})
    else:
        verb = "would retract" if dry_run else "retracted"
        console.print(f"{verb} {episode_id} and its {len(resting)} assertions", highlight=False)


@click.group()
def entities() -> None:
    """Say who is one and who is not; each verdict is a decision that outlives rebuild."""


@entities.command("merge")
@click.argument("one")
@click.argument("other")
@group_option
@click.option("--reason", default="", help="Why; kept with the decision.")
@click.option("--who", default="", help="Who decides; kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Say what would be merged, decide nothing.")
@json_option
def merge(one: str, other: str, group_id: str, reason: str, who: str, dry_run: bool, as_json: bool) -> None:
    """Make ONE and OTHER (names or ids) a single entity."""
    _rule(DecisionKind.MERGE, (one, other), group_id, (reason, who), dry_run=dry_run, as_json=as_json)


@entities.command("keep-apart")
@click.argument("one")
@click.argument("other")
@group_option
@click.option("--reason", default="", help="Why; kept with the decision.")
@click.option("--who", default="", help="Who decides; kept with the decision.")
@click.option("--dry-run", is_flag=True, help="Say what would be kept apart, decide nothing.")
@json_option
def keep_apart(
    one: str, other: str, group_id: str, reason: str, who: str, dry_run: bool, as_json: bool
) -> None:
    """Keep ONE and OTHER apart, whatever evidence comes; undoes a merge."""
    _rule(DecisionKind.KEEP_APART, (one, other), group_id, (reason, who), dry_run=dry_run, as_json=as_json)


def _rule(
    kind: DecisionKind,
    pair: tuple[str, str],
    group_id: str,
    why: tuple[str, str],
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Logs a verdict on two names."""
    reason, who = why
    with opened() as installation:
        ruling = verdict(installation, kind, existing_group(installation, group_id), pair)
        decision = None if dry_run else decide(installation, replace(ruling, reason=reason, who=who))
    if as_json:
        print_json({"ruling": ruling, "decision_id": decision and decision.decision_id, "dry_run": dry_run})
        return
    verb = "would be decided" if decision is None else "decided, takes effect with `memstrata work`"
    console.print(
        f"{verb}: {kind.replace('_', ' ')} {pair[0]} and {pair[1]}", highlight=False, markup=False
    )
