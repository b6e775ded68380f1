"""`review proposals`, `accept-proposal`, `reject-proposal`: relations that a model proposes to declare."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click
from rich.text import Text

from memstrata.cli.deciding import decision_options
from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import print_json
from memstrata.cli.session import caught_up_group, console, group_option, json_option
from memstrata.memory.reviewing import Reviewing
from memstrata.model import DecisionKind
from memstrata.search.wording import one_line
from memstrata.settings import opened
from memstrata.workflow.intake import decide
from memstrata.workflow.proposals import State, ruling_on_proposal

if TYPE_CHECKING:
    from memstrata.workflow.proposals import Proposal


@click.command(
    "proposals",
    epilog=examples("memstrata review proposals", "memstrata review proposals --state rejected --json"),
)
@click.option(
    "--state",
    type=click.Choice([one.value for one in State]),
    help="Default: open ones, and accepted ones that are not declared yet.",
)
@click.option("--after", help="Where the page before ended.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@group_option
@json_option
def list_proposals(state: str | None, after: str | None, limit: int, group_id: str, as_json: bool) -> None:
    """List the relations that a model proposes to declare with cardinality `one`, and on which facts.

    A verdict changes no fact: only what the ontology (MEMSTRATA_ONTOLOGY) declares does.
    """
    with opened() as installation:
        group = caught_up_group(installation, group_id)
        wanted = None if state is None else State(state)
        desk = Reviewing(installation=installation)
        page = desk.proposals(group, wanted, after=after, limit=limit)
    if as_json:
        print_json(page)
        return
    for one in page.items:
        _print(one)
    if not page.items:
        console.print("nothing is proposed")
    if page.following is not None:
        console.print(f"more: --after {page.following}", highlight=False, markup=False)


@click.command(
    "accept-proposal",
    epilog=examples("memstrata review accept-proposal lives_in --who ada"),
)
@click.argument("relation")
@decision_options
def accept_proposal(relation: str, **given: object) -> None:
    """Settle that a relation is to be declared `one`; it is listed until the ontology declares it."""
    _verdict(DecisionKind.ACCEPT, relation, given)


@click.command(
    "reject-proposal",
    epilog=examples('memstrata review reject-proposal lives_in --reason "two homes are common"'),
)
@click.argument("relation")
@decision_options
def reject_proposal(relation: str, **given: object) -> None:
    """Settle that a relation is not to be declared `one`: it is not listed again."""
    _verdict(DecisionKind.REJECT, relation, given)


def _verdict(kind: DecisionKind, relation: str, given: dict[str, object]) -> None:
    is_dry = bool(given["dry_run"])
    with opened() as installation:
        group = caught_up_group(installation, str(given["group_id"]))
        made = ruling_on_proposal(installation, group, kind, relation)
        signed = replace(made, who=str(given["who"]), reason=str(given["reason"]))
        decision = None if is_dry else decide(installation, signed)
    if given["as_json"]:
        ids = [] if decision is None else [decision.decision_id]
        print_json({"verdict": kind, "predicate": relation, "decision_ids": ids, "dry_run": is_dry})
        return
    verb = "would be decided" if is_dry else "decided"
    console.print(Text(f"{verb}: {kind} the proposal to declare {one_line(relation)}"), soft_wrap=True)


def _print(one: Proposal) -> None:
    who = "" if one.verdict is None else f" by {one.verdict.who or one.verdict.by}"
    console.print(Text(f"{one_line(one.predicate)}  ({one.state}{who})"))
    console.print(Text(f"  {one.who}: {one_line(one.reason)}"), soft_wrap=True)
    for fact in one.facts:
        console.print(Text(f"  - {one_line(fact.fact)}"), soft_wrap=True)
    console.print(Text(f"  to declare: {one.declaration}", style="dim"), soft_wrap=True)
