"""`init`, `rebuild`, `status`, `export`, `dead-letters`: keeping the memory and looking at it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click
from rich.table import Table
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, day_of, print_json
from memstrata.cli.session import (
    any_group_option,
    complaints,
    console,
    existing_group,
    group_option,
    json_option,
    progress,
)
from memstrata.errors import Incorrect
from memstrata.settings import FILE, Settings, opened
from memstrata.workflow.export import canonical_lines
from memstrata.workflow.lag import lag_of
from memstrata.workflow.rebuild import rebuild as replay

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import timedelta

    from memstrata.ports import Counts, Installation
    from memstrata.workflow.lag import Lag

_SETTINGS_HEAD = """\
# Settings of Memstrata; a variable of the same name in the environment wins.
"""


@click.command(epilog=examples("memstrata init"))
@click.option("--dry-run", is_flag=True, help="Print the file, write nothing.")
@json_option
def init(dry_run: bool, as_json: bool) -> None:
    """Write a memstrata.yaml into this directory, with every setting and its meaning."""
    text = _SETTINGS_HEAD + "".join(
        f"\n# {field.description}\n# {field.validation_alias}: {field.default or ''}\n"
        for field in Settings.model_fields.values()
    )
    if dry_run:
        if as_json:
            print_json({"file": FILE, "content": text, "dry_run": True})
        else:
            console.print(text, highlight=False, markup=False, soft_wrap=True, end="")
        return
    try:
        with Path(FILE).open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise Incorrect(f"{FILE} is here already; edit it, or remove it first") from None
    if as_json:
        print_json({"file": FILE, "content": text, "dry_run": False})
    else:
        console.print(f"wrote {FILE}", highlight=False)


@click.command(epilog=examples("memstrata rebuild --group acme/eng/alice --dry-run"))
@any_group_option
@click.option("--dry-run", is_flag=True, help="Say how many commits would be replayed.")
@json_option
def rebuild(group_id: str | None, dry_run: bool, as_json: bool) -> None:
    """Empty the graph and replay the commits: same facts, same versions, same times."""
    with opened() as installation:
        groups = (
            installation.record.groups() if group_id is None else (existing_group(installation, group_id),)
        )
        if dry_run:
            counts = {group: sum(1 for _ in installation.record.commits(group)) for group in groups}
            if as_json:
                print_json({"commits": counts, "dry_run": True})
                return
            for group, count in counts.items():
                console.print(f"{group}: would replay {counted(count, 'commit')}", highlight=False)
            return
        done, has_vectors = [], installation.embedder is not None
        for group in groups:
            with progress(f"rebuilding {group}") as advance:
                done.append(replay(installation, group, on_progress=advance))
    if as_json:
        print_json(done)
        return
    if has_vectors and any(one.commits for one in done):
        complaints.print("vectors follow with `memstrata work`", style="dim")
    for one in done:
        console.print(f"{one.group_id}: replayed {counted(one.commits, 'commit')}", highlight=False)
        if one.other_resolver:
            complaints.print(
                f"{one.other_resolver} of them were made by another version of the resolution rules: "
                "their merges may differ now",
                style="yellow",
            )


@click.command(epilog=examples("memstrata status --json"))
@json_option
def status(as_json: bool) -> None:
    """Show what the memory holds, a line a group, and what waits."""
    with opened() as installation:
        counts, groups = installation.graph.counts(), installation.record.groups()
        letters = installation.record.letters()
        with_work = installation.record.groups_with_work()
        model = installation.graph.model()
        lag = lag_of(installation)
    if as_json:
        print_json(
            {
                "groups": counts,
                "groups_with_work": with_work,
                "dead_letters": len(letters),
                "vectors": model,
                "lag": _lag_json(lag),
            }
        )
        return
    if groups and not counts:
        console.print(
            f"the graph lacks what the log has of {counted(len(groups), 'group')}; run `memstrata work`"
        )
    elif not counts:
        console.print("the memory is empty; `memstrata add` or `memstrata ingest` puts something into it")
    else:
        console.print(_table(counts))
    _show_lag(lag)
    if letters:
        complaints.print(
            f"{counted(len(letters), 'dead letter')}; see `memstrata dead-letters`", style="yellow"
        )


def _table(counts: Sequence[Counts]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    headings = (
        "group",
        "commits",
        "episodes",
        "waiting",
        "entities",
        "facts",
        "versions",
        "no vector",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "group" else "right")
    for one in counts:
        numbers = (
            one.last_seq,
            one.episodes,
            one.pending_episodes,
            one.entities,
            one.facts,
            one.versions,
            one.facts_without_vector,
        )
        table.add_row(one.group_id, *(f"{number:,}" for number in numbers))
    return table


def _lag_json(lag: Lag) -> dict[str, object]:
    return {
        "stages": [
            {"name": one.name, "waiting": one.waiting, "oldest_s": _seconds(one.oldest)}
            for one in lag.stages
        ],
        "commit": {
            "episodes": lag.episodes,
            "p50_s": _seconds(lag.p50),
            "p95_s": _seconds(lag.p95),
        },
    }


def _seconds(time: timedelta | None) -> float | None:
    return None if time is None else round(time.total_seconds(), 3)


def _show_lag(lag: Lag) -> None:
    """What waits for which stage, and how long the last commits took."""
    waits = [
        f"{one.name} {one.waiting:,}" + ("" if one.oldest is None else f" (oldest {_spoken(one.oldest)})")
        for one in lag.stages
        if one.waiting
    ]
    if waits:
        console.print(Text(f"waiting for {', '.join(waits)}"), soft_wrap=True)
    if lag.p50 is not None and lag.p95 is not None:
        console.print(
            Text(
                f"from acceptance to commit: {_spoken(lag.p50)} in the middle, {_spoken(lag.p95)} at the "
                f"95th of 100, of the last {counted(lag.episodes, 'episode')}"
            ),
            soft_wrap=True,
        )


def _spoken(time: timedelta) -> str:
    """A length of time in one unit: 0.25 s, 12 min, 3.4 h, 2.5 d."""
    seconds = time.total_seconds()
    for unit, length in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.2g} s" if seconds < 1 else f"{seconds:.3g} s"


@click.command(epilog=examples("memstrata export --canonical --history --output memory.jsonl"))
@click.option(
    "--canonical", is_flag=True, required=True, help="Sorted JSON Lines, equal for equal beliefs."
)
@click.option("--history", is_flag=True, help="All versions, with their system times.")
@any_group_option
@click.option(
    "--output", "-o", type=click.File("w", encoding="utf-8", atomic=True), default="-", help="File."
)
def export(canonical: bool, history: bool, group_id: str | None, output: TextIO) -> None:
    """Write the entities and facts as JSON Lines."""
    del canonical  # the only form so far, asked for by name
    with opened() as installation:
        groups: Iterable[str] = (
            (one.group_id for one in installation.graph.counts())
            if group_id is None
            else (existing_group(installation, group_id),)
        )
        for group in tuple(groups):
            output.writelines(
                f"{line}\n" for line in canonical_lines(installation.graph, group, history=history)
            )


@click.command("dead-letters", epilog=examples("memstrata dead-letters --release notes-17 --group acme"))
@click.option("--release", "episode_id", help="Let this episode be tried again.")
@click.option("--dry-run", is_flag=True, help="Say what would be released, release nothing.")
@group_option
@json_option
def dead_letters(episode_id: str | None, dry_run: bool, group_id: str, as_json: bool) -> None:
    """List the episodes that could not be processed, of all groups, each with its reason."""
    with opened() as installation:
        if episode_id is not None:
            _release(installation, group_id, episode_id, dry_run=dry_run)
            if as_json:
                print_json({"episode_id": episode_id, "group_id": group_id, "dry_run": dry_run})
            else:
                verb = "would" if dry_run else "will"
                console.print(
                    f"{episode_id} {verb} be tried again with the next `memstrata work`", highlight=False
                )
            return
        letters = installation.record.letters()
    if as_json:
        print_json(letters)
        return
    if not letters:
        console.print("no dead letters")
    for one in letters:
        when = day_of(one.at, None, "")
        console.print(
            f"{when}  {one.group_id}  {one.episode_id}  {one.stage} failed "
            f"{counted(one.attempts, 'time')}: {one.reason}",
            highlight=False,
            markup=False,
        )


def _release(installation: Installation, group_id: str, episode_id: str, *, dry_run: bool) -> None:
    record = installation.record
    is_letter = (
        any(one.episode_id == episode_id for one in record.letters(group_id))
        if dry_run
        else record.release(group_id, episode_id)
    )
    if not is_letter:
        raise Incorrect(
            f"{episode_id!r} is no dead letter of group {group_id!r}; `memstrata dead-letters` lists them"
        )
