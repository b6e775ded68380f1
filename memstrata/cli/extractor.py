"""`extractor`: other extractor versions over old episodes, compared, promoted and taken back."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.table import Table
from rich.text import Text

from memstrata.cli.cost import show_estimate
from memstrata.cli.deciding import decision_options
from memstrata.cli.differing import show_difference, write_difference
from memstrata.cli.epilogs import examples
from memstrata.cli.gathering import gathering
from memstrata.cli.rendering import counted, day_of, print_json
from memstrata.cli.session import (
    When,
    any_group_option,
    caught_up_group,
    complaints,
    console,
    existing_group,
    group_option,
    json_option,
    progress,
)
from memstrata.instants import format_instant
from memstrata.ports import Days, Promotion
from memstrata.settings import opened
from memstrata.workflow.costs import models_asked
from memstrata.workflow.difference import as_mapping, difference
from memstrata.workflow.estimate import estimate_run
from memstrata.workflow.promotions import promote as promote_version
from memstrata.workflow.promotions import promotions
from memstrata.workflow.promotions import rollback as take_back
from memstrata.workflow.reextract import run_candidate, untried

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from memstrata.cli.gathering import Command
    from memstrata.model import Decision
    from memstrata.ports import KeptVersion
    from memstrata.workflow.estimate import Estimate
    from memstrata.workflow.promotions import Promoted
    from memstrata.workflow.reextract import Tried

C = TypeVar("C", bound="Command")

_PARTLY = 3
_DAYS = (
    click.option("--since", type=When(), help="First day of acceptance (UTC)."),
    click.option("--until", type=When(), help="The day after the last one."),
)


def _days_options(command: Command) -> Command:
    """Hands the command `days`."""
    return gathering(command, _DAYS, _days)


def _days(given: dict[str, Any]) -> Mapping[str, object]:
    since, until = (_day(name, given.pop(name)) for name in ("since", "until"))
    return {"days": Days(since=since, until=until)}


def _day(name: str, given: datetime | None) -> date | None:
    if given is None:
        return None
    if given.time() != time():
        raise click.UsageError(
            f"--{name} {format_instant(given)} is within a day; give a day, as 2026-05-14"
        )
    return given.date()


@click.group(epilog=examples("memstrata extractor run --since 2026-05-01", "memstrata extractor list"))
def extractor() -> None:
    """Try another model, prompt or rules on old episodes, compare, promote, and take back.

    Days are those on which episodes were accepted.
    """


@extractor.command("list", epilog=examples("memstrata extractor list --group acme/eng"))
@any_group_option
@json_option
def list_versions(group_id: str | None, as_json: bool) -> None:
    """List the versions that groups have extractions of, and what was promoted."""
    with opened() as installation:
        record = installation.record
        groups = record.groups() if group_id is None else (existing_group(installation, group_id),)
        versions = {group: record.versions(group) for group in groups}
        promoted = {group: promotions(installation, group) for group in groups}
        configured = installation.extractor.version
        models = models_asked(installation)
    if as_json:
        print_json(
            {"configured": configured, "versions": versions, "models": models, "promotions": promoted}
        )
        return
    if any(versions.values()):
        console.print(_versions_table(versions, configured, models))
    else:
        console.print("nothing is extracted yet; `memstrata work` does that", highlight=False)
    for group in groups:
        for one in promoted[group]:
            console.print(Text(_told(one)), soft_wrap=True)
    console.print(Text(f"* extracts what is new now: {configured}", style="dim"))


def _versions_table(
    versions: Mapping[str, tuple[KeptVersion, ...]], configured: str, models: Mapping[str, tuple[str, ...]]
) -> Table:
    """Each version with the models that it asked below it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    table.add_column("group")
    table.add_column("version", no_wrap=True)
    for heading in ("kept", "in force", "committed", "failed"):
        table.add_column(heading, justify="right")
    table.add_column("accepted on")
    for group, kept in versions.items():
        for one in kept:
            named = Text("\n".join([one.version, ", ".join(models.get(one.version, ()))]).rstrip())
            named.stylize("dim", len(one.version))
            numbers = (one.kept, one.in_force, one.committed, one.failed)
            first, last = one.first_day.isoformat(), one.last_day.isoformat()
            days = first if first == last else f"{first} .. {last}"
            mark = "*" if one.version == configured else ""
            table.add_row(mark, group, named, *(f"{number:,}" for number in numbers), days)
    return table


def _told(one: Promoted) -> str:
    """A promotion as one line."""
    assert one.decision is not None  # noqa: S101 (it is listed)
    state = f"in force for {counted(one.standing, 'episode')}"
    if one.rolled_back is not None:
        state = f"taken back {day_of(one.rolled_back.at, None, '')}{_signed(one.rolled_back)}"
    return (
        f"{day_of(one.decision.at, None, '')}  {one.group_id}: promoted {one.promotion.version} for "
        f"{one.promotion.days}{_signed(one.decision)}: {state}; decision {one.decision.decision_id}"
    )


def _signed(decision: Decision) -> str:
    who = f" by {decision.who}" if decision.who else ""
    return f"{who} ({decision.reason})" if decision.reason else who


@extractor.command(
    epilog=examples("memstrata extractor run --since 2026-05-01 --until 2026-06-01 --dry-run")
)
@any_group_option
@_days_options
@click.option(
    "--dry-run",
    is_flag=True,
    help="Say how many episodes would be extracted and what that would cost, extract none.",
)
@json_option
def run(group_id: str | None, days: Days, dry_run: bool, as_json: bool) -> None:
    """Extract old episodes with the configured extractor, beside what is in force.

    Nothing changes until the version is promoted. Interrupted, the same command goes on where it stopped.
    """
    with opened() as installation:
        installation.record.compact(context_turns=installation.extractor.context_turns)
        groups = None if group_id is None else (existing_group(installation, group_id),)
        left = untried(installation, days=days, groups=groups)
        version = installation.extractor.version
        if dry_run:
            estimated = estimate_run(installation, days=days, groups=groups)
            _show_dry_run(version, left, estimated, as_json=as_json)
            return
        with progress(f"extracting with {version}", left) as advance:
            tried = run_candidate(installation, days=days, groups=groups, on_progress=advance)
    if as_json:
        print_json(tried)
    else:
        _show_tried(tried, days)
    if tried.stopped or tried.failed:
        click.get_current_context().exit(_PARTLY)


def _show_dry_run(version: str, left: int, estimated: Estimate, *, as_json: bool) -> None:
    if as_json:
        print_json({"version": version, "episodes": left, "extraction": estimated, "dry_run": True})
        return
    console.print(f"would extract {counted(left, 'episode')} with version {version}", highlight=False)
    show_estimate(estimated)


def _show_tried(tried: Tried, days: Days) -> None:
    if not (tried.groups or tried.stopped):
        console.print(
            f"version {tried.version}: nothing is left to extract of {days}",
            highlight=False,
            soft_wrap=True,
        )
        return
    known = f" ({tried.already_known:,} were known)" if tried.already_known else ""
    held = f", {counted(tried.held, 'candidate')} held for review" if tried.held else ""
    console.print(
        f"version {tried.version}: {counted(tried.episodes, 'episode')} extracted{known}, "
        f"{counted(tried.assertions, 'assertion')}{held}; nothing of it is in force before it is promoted",
        highlight=False,
        soft_wrap=True,
    )
    if tried.unread:
        complaints.print(
            f"of {counted(tried.unread, 'episode')} not all could be read: `memstrata review` has it once "
            "the version is promoted",
            style="yellow",
            soft_wrap=True,
        )
    if tried.failed:
        complaints.print(
            f"{counted(tried.failed, 'episode')} failed; nothing changes for those. Run again to retry:",
            style="yellow",
        )
    for one in tried.failures:
        said = Text(f"  {one.group_id}  {one.episode_id}  {one.reason}")
        complaints.print(said, soft_wrap=True)
    if tried.stopped:
        said = Text(f"stopped: {tried.stopped}; run again to go on", style="yellow")
        complaints.print(said, soft_wrap=True)


@extractor.command(
    epilog=examples(
        "memstrata extractor diff 3f2a --since 2026-05-01",
        "memstrata extractor diff 3f2a --output compared --format csv",
    )
)
@click.argument("version")
@group_option
@_days_options
@click.option(
    "--samples",
    default=5,
    show_default=True,
    type=click.IntRange(min=0),
    help="How many of each kind to show.",
)
@click.option(
    "--output", "-o", type=click.Path(path_type=Path, file_okay=False), help="Folder for all of it."
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("jsonl", "csv")),
    default="jsonl",
    show_default=True,
    help="Its files.",
)
@json_option
def diff(**given: Any) -> None:
    """Say what the graph would gain, lose and change if VERSION (or its beginning) were promoted."""
    group_id: str = given["group_id"]
    with opened() as installation:
        group = caught_up_group(installation, group_id)
        found = difference(installation, group, Promotion(version=given["version"], days=given["days"]))
    if given["output"] is not None:
        written = write_difference(found, given["output"], form=given["form"])
        complaints.print(
            f"wrote {', '.join(str(path) for path in written)}", highlight=False, soft_wrap=True
        )
    if given["as_json"]:
        print_json(
            {
                "group_id": group_id,
                "version": found.promotion.version,
                "episodes": found.episodes,
                "coverage": found.coverage,
                "relations": found.relations(),
                "facts": [as_mapping(one) for one in found.facts],
                "entities": {"come": found.come, "gone": found.gone, "renamed": found.renamed},
                "held": found.held,
                "held_before": found.held_before,
                "uncommitted": found.uncommitted,
            }
        )
    else:
        show_difference(found, samples=given["samples"])


@extractor.command(
    epilog=examples(
        "memstrata extractor promote 3f2a --since 2026-05-01 --until 2026-06-01 --who ada --dry-run"
    )
)
@click.argument("version")
@_days_options
@decision_options
def promote(**given: Any) -> None:
    """Bring VERSION (or its beginning) into force for the episodes of some days; `work` makes it believed.

    What was believed before stays readable as of its time, and `rollback` puts it back.
    """
    wanted = Promotion(version=given["version"], days=given["days"])
    with opened() as installation:
        group_id = existing_group(installation, given["group_id"])
        done = promote_version(
            installation,
            group_id,
            wanted,
            who=given["who"],
            reason=given["reason"],
            dry_run=given["dry_run"],
        )
        configured = installation.extractor.version
    if given["as_json"]:
        print_json({**_as_mapping(done), "configured": configured, "dry_run": given["dry_run"]})
        return
    verb = "would promote" if given["dry_run"] else "promoted"
    console.print(
        f"{verb} {done.promotion.version} for {counted(done.standing, 'episode')} of {done.promotion.days}"
        f"{'' if given['dry_run'] else '; `memstrata work` takes them in'}",
        highlight=False,
        soft_wrap=True,
    )
    if done.coverage is not None and done.coverage.failed:
        complaints.print(
            f"it failed on {counted(done.coverage.failed, 'episode')}, for which nothing changes",
            style="yellow",
        )
    if configured != done.promotion.version:
        complaints.print(
            f"what is new goes on with version {configured}, the configured extractor; to change that, set "
            "MEMSTRATA_LLM_MODEL (and the settings beside it) in memstrata.yaml or the environment to what "
            f"{done.promotion.version} was run with",
            style="yellow",
            highlight=False,
            soft_wrap=True,
        )


@extractor.command(epilog=examples('memstrata extractor rollback --who ada --reason "loses dates"'))
@click.argument("decision_id", required=False)
@decision_options
def rollback(**given: Any) -> None:
    """Take back the last promotion (or that of DECISION_ID) where nothing newer has come."""
    with opened() as installation:
        done = take_back(
            installation,
            existing_group(installation, given["group_id"]),
            given["decision_id"],
            who=given["who"],
            reason=given["reason"],
            dry_run=given["dry_run"],
        )
    if given["as_json"]:
        print_json({**_as_mapping(done), "dry_run": given["dry_run"]})
        return
    verb = "would take back" if given["dry_run"] else "took back"
    follows = "; `memstrata work` makes it so"
    if not done.standing:
        follows = ": something newer is in force for all of them, and stays"
    elif given["dry_run"]:
        follows = ""
    console.print(
        f"{verb} the promotion of {done.promotion.version} for {counted(done.standing, 'episode')} of "
        f"{done.promotion.days}{follows}",
        highlight=False,
        soft_wrap=True,
    )


def _as_mapping(done: Promoted) -> dict[str, object]:
    return {
        "group_id": done.group_id,
        **done.promotion.target(),
        "episodes": done.standing,
        "coverage": done.coverage,
        "decision_id": done.decision and done.decision.decision_id,
        "rolled_back_by": done.rolled_back and done.rolled_back.decision_id,
    }
