"""`retract`, `entities`: verdicts of people, logged as decisions that the next commit takes in."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import caught_up_group, console, existing_group, group_option, json_option
from memstrata.drift.orphans import orphans
from memstrata.errors import Incorrect
from memstrata.model import DecisionKind
from memstrata.settings import opened
from memstrata.workflow.intake import decide
from memstrata.workflow.rejections import retraction
from memstrata.workflow.verdicts import verdict

if TYPE_CHECKING:
    from collections.abc import Callable

F = TypeVar("F", bound="Callable[..., object]")


def decision_options(command: F) -> F:
    """The options that all verdicts share."""
    for option in (
        click.option("--dry-run", is_flag=True, help="Say what would be decided, decide nothing."),
        click.option("--who", default="", help="Who decides; kept with the decision."),
        click.option("--reason", default="", help="Why; kept with the decision."),
    ):
        command = option(command)
    return json_option(group_option(command))


@click.command(
    epilog=examples(
        'memstrata retract 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1 --reason "said in jest" --dry-run'
    )
)
@click.argument("episode_id")
@decision_options
def retract(episode_id: str, group_id: str, reason: str, who: str, dry_run: bool, as_json: bool) -> None:
    """Withdraw the episode: what rested on it alone goes, what it had closed re-opens (with `work`)."""
    with opened() as installation:
        record = installation.record
        episode = record.latest(caught_up_group(installation, group_id), episode_id)
        if episode is None:
            raise Incorrect(
                f"there is no episode {episode_id!r} in group {group_id!r}; see `search --for episode`"
            )
        if record.is_retracted(group_id, episode_id):
            raise Incorrect(f"episode {episode_id!r} has been retracted already")
        resting = installation.graph.placements_of(group_id, [episode_id])
        if not dry_run:
            decide(installation, replace(retraction(episode), who=who, reason=reason))
    if as_json:
        print_json({"episode_id": episode_id, "assertions": len(resting), "dry_run": dry_run})
    else:
        verb = "would retract" if dry_run else "retracted"
        console.print(f"{verb} {episode_id} and its {counted(len(resting), 'assertion')}", highlight=False)


@click.group(
    epilog=examples('memstrata entities merge "Bob Smith" "Robert Smith" --reason "same staff number"')
)
def entities() -> None:
    """List entities, and say who is one and who is not; a verdict is a decision that outlives rebuild."""


@entities.command("list", epilog=examples("memstrata entities list --orphans"))
@click.option("--orphans", "lonely", is_flag=True, help="Only those that stand in no fact.")
@group_option
@json_option
def list_entities(lonely: bool, group_id: str, as_json: bool) -> None:
    """List the group's entities by name, with type, other names and id."""
    with opened() as installation:
        graph = installation.graph
        found = tuple(graph.all_entities(existing_group(installation, group_id)))
        if lonely:
            found = orphans(found, graph.all_facts(group_id))
    found = tuple(sorted(found, key=lambda one: (one.name.casefold(), one.entity_id)))
    if as_json:
        print_json(found)
        return
    for one in found:
        known = ", ".join((*((one.type,) if one.type else ()), *(f"also {alias}" for alias in one.aliases)))
        console.print(Text(f"{one.name}{f'  ({known})' if known else ''}"))
        console.print(Text(f"  {one.entity_id}", style="dim"))
    console.print(
        f"{counted(len(found), 'orphan')}" if lonely else f"{len(found):,} in all", highlight=False
    )


@entities.command(
    "merge",
    epilog=examples('memstrata entities merge "Bob Smith" "Robert Smith" --reason "same staff number"'),
)
@click.argument("one")
@click.argument("other")
@decision_options
def merge(one: str, other: str, group_id: str, reason: str, who: str, dry_run: bool, as_json: bool) -> None:
    """Make ONE and OTHER (names or ids) a single entity."""
    _rule(DecisionKind.MERGE, (one, other), group_id, (reason, who), dry_run=dry_run, as_json=as_json)


@entities.command(
    "keep-apart", epilog=examples('memstrata entities keep-apart "Paris" "Paris Hilton" --who ada')
)
@click.argument("one")
@click.argument("other")
@decision_options
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
