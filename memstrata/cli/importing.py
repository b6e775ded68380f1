"""`memstrata import`: another memory's graph, with its own system times, into an empty group."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import complaints, console, group_option, json_option, progress
from memstrata.errors import Incorrect
from memstrata.intake import graphiti
from memstrata.settings import address_of, load_settings, opened, read_foreign_graph
from memstrata.stores.addresses import server_address
from memstrata.workflow.importing import import_graphiti

if TYPE_CHECKING:
    from collections.abc import Mapping

#: Some of the items did not come in; they are listed.
_PARTLY = 3
_SHOWN = 20


@click.command(
    "import",
    epilog=examples(
        "memstrata import bolt://127.0.0.1:7687 --from-group plant --group plant --dry-run",
        "memstrata import --from-group plant --group acme/plant",
    ),
)
@click.argument("uri", required=False, default="")
@click.option("--from-group", required=True, metavar="GROUP", help="The group of the Graphiti graph.")
@group_option
@click.option("--dry-run", is_flag=True, help="Say what would come in, and write nothing.")
@json_option
def import_(uri: str, from_group: str, group_id: str, dry_run: bool, as_json: bool) -> int:
    """Take in a graph that Graphiti keeps in Neo4j at URI (default: NEO4J_URI).

    What Graphiti believed when stays so: its times of learning and unlearning become the commits' times.
    The group must be empty; an import that was interrupted goes on.
    """
    settings = load_settings()
    if from_group == group_id and server_address(uri or settings.neo4j_uri) == address_of(settings):
        raise Incorrect(
            f"group {group_id!r} of the store in use is the one to be read: what is there would "
            "stand in the way; name another with --group"
        )
    graph = read_foreign_graph(settings, uri, from_group)
    planned = graphiti.plan(graph, group_id)
    if dry_run:
        _tell_plan(planned, as_json=as_json)
        return _PARTLY if planned.refused else 0
    with opened(settings) as installation, progress("importing", len(planned.steps)) as advance:
        done = import_graphiti(installation, graph, group_id, on_progress=advance)
    if as_json:
        print_json(done)
    else:
        console.print(
            f"{done.group_id}: {counted(done.episodes, 'episode')}, {counted(done.facts, 'fact version')} "
            f"in {counted(done.commits, 'commit')}",
            highlight=False,
        )
        complaints.print("vectors follow with `memstrata work`", style="dim")
        _tell_rest(done.refused, done.left_out)
        if done.failed:
            complaints.print(
                f"{counted(done.failed, 'failure')} of extraction, the last: {done.failure}; the same "
                "import tries them again, and what fails for good is listed by `memstrata dead-letters`",
                style="red",
                highlight=False,
                markup=False,
            )
    return _PARTLY if done.refused or done.failed else 0


def _tell_plan(planned: graphiti.Plan, *, as_json: bool) -> None:
    episodes = len({draft.episode_id for step in planned.steps for draft in step.drafts})
    withdrawn = sum(len(step.withdrawn) for step in planned.steps)
    if as_json:
        print_json(
            {
                "episodes": episodes,
                "withdrawn": withdrawn,
                "commits": len(planned.steps),
                "refused": planned.refused,
                "left_out": planned.left_out,
                "dry_run": True,
            }
        )
        return
    console.print(
        f"would take in {counted(episodes, 'episode')} and withdraw {counted(withdrawn, 'fact')}, at "
        f"{counted(len(planned.steps), 'instant')}",
        highlight=False,
    )
    _tell_rest(planned.refused, planned.left_out)


def _tell_rest(refused: tuple[str, ...], left_out: Mapping[str, int]) -> None:
    for kind, count in left_out.items():
        complaints.print(f"left out: {count} {kind}", style="dim", highlight=False)
    if refused:
        complaints.print(f"{counted(len(refused), 'item')} refused", style="red", highlight=False)
    for reason in refused[:_SHOWN]:
        complaints.print(f"refused: {reason}", style="red", highlight=False, markup=False)
    if len(refused) > _SHOWN:
        complaints.print(f"and {len(refused) - _SHOWN} more (--json lists all)", style="red")
