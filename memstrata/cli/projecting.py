"""`memstrata project`: the graph built from the log in another store."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import (
    any_group_option,
    complaints,
    console,
    existing_group,
    json_option,
    progress,
)
from memstrata.errors import Incorrect
from memstrata.settings import address_of, load_settings, open_graph, opened
from memstrata.workflow.project import project as build

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import Installation
    from memstrata.settings import Settings
    from memstrata.workflow.project import Projected

#: What MEMSTRATA_STORE would be for the short names.
_STORES = {"sqlite": "", "neo4j": "neo4j"}


@click.command(epilog=examples("memstrata project --to neo4j --dry-run", "memstrata project --to neo4j"))
@click.option(
    "--to", "store", required=True, metavar="STORE", help="neo4j, sqlite, or what MEMSTRATA_STORE may be."
)
@any_group_option
@click.option("--dry-run", is_flag=True, help="Say how many commits would be replayed.")
@json_option
def project(store: str, group_id: str | None, dry_run: bool, as_json: bool) -> None:
    """Build the graph from the log in another store, beside the one in use.

    Both stores are compared afterwards, history and all. Nothing switches by itself: set MEMSTRATA_STORE
    when it is done, then run `memstrata embed`.
    """
    settings = load_settings()
    there = _there(settings, store)
    with opened(settings) as installation:
        groups = (
            installation.record.groups() if group_id is None else (existing_group(installation, group_id),)
        )
        if dry_run:
            _show_plan(installation, groups, as_json=as_json)
            return
        with closing(open_graph(there)) as target:
            done = []
            for group in groups:
                with progress(f"projecting {group}") as advance:
                    done.append(build(installation, group, target, on_progress=advance))
    _show(done, there.store or "sqlite", as_json=as_json)


def _there(settings: Settings, store: str) -> Settings:
    """The settings with the other store; raises `Incorrect` for the one in use."""
    there = settings.model_copy(update={"store": _STORES.get(store, store)})
    if address_of(there) == address_of(settings):
        raise Incorrect(
            f"--to {store}: that is the store in use; `memstrata rebuild` builds it anew from the log"
        )
    return there


def _show_plan(installation: Installation, groups: Sequence[str], *, as_json: bool) -> None:
    counts = {group: sum(1 for _ in installation.record.commits(group)) for group in groups}
    if as_json:
        print_json({"commits": counts, "dry_run": True})
        return
    for group, count in counts.items():
        console.print(f"{group}: would replay {counted(count, 'commit')}", highlight=False)


def _show(done: Sequence[Projected], store: str, *, as_json: bool) -> None:
    different = [one for one in done if not one.identical]
    if as_json:
        print_json({"store": store, "groups": done, "identical": not different})
    else:
        for one in done:
            console.print(
                f"{one.group_id}: replayed {counted(one.commits, 'commit')}, {counted(one.lines, 'line')} "
                + ("as in the store in use" if one.identical else "NOT as in the store in use"),
                highlight=False,
            )
        if not different:
            switch = "unset MEMSTRATA_STORE" if store == "sqlite" else f"set MEMSTRATA_STORE={store}"
            console.print(f"to use it, {switch}, then `memstrata embed` for the vectors", highlight=False)
    for one in different:
        complaints.print(f"{one.group_id}: {one.difference}", style="red", markup=False, highlight=False)
    if different:
        raise SystemExit(1)
