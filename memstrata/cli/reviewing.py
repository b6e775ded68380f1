"""`review`: what waits for a person, and verdicts on it, logged as decisions that outlive rebuild."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import click
from rich.padding import Padding
from rich.text import Text

from memstrata.cli.deciding import decision_options
from memstrata.cli.epilogs import examples
from memstrata.cli.proposing import accept_proposal, list_proposals, reject_proposal
from memstrata.cli.rendering import counted, day_of, print_json
from memstrata.cli.session import caught_up_group, console, group_option, json_option
from memstrata.memory.reviewing import Reviewing
from memstrata.model import DecisionKind
from memstrata.settings import opened
from memstrata.workflow import review as reviews
from memstrata.workflow.edits import FIELDS
from memstrata.workflow.intake import decide_all
from memstrata.workflow.review import Matter, Which

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memstrata.ports import Installation
    from memstrata.workflow.intake import Ruling
    from memstrata.workflow.review import Entry

F = TypeVar("F", bound="Callable[..., object]")


@click.group(epilog=examples("memstrata review list --rule is_said_of_the_subject"))
def review() -> None:
    """Look through what verification left to a person, and accept, reject or edit it."""


review.add_command(list_proposals)
review.add_command(accept_proposal)
review.add_command(reject_proposal)


def _which_options(command: F) -> F:
    for option in (
        click.option("--relation", "predicate", help="Only items of this relation."),
        click.option("--rule", help="Only what this rule keeps waiting."),
    ):
        command = option(command)
    return command


@review.command(
    "list", epilog=examples("memstrata review list", "memstrata review list --kind lost --json")
)
@click.option(
    "--kind",
    type=click.Choice([*(one.value for one in Matter), "pair"]),
    help="held: in quarantine; lost: decisions that attach to nothing; pair: entities that may be one.",
)
@_which_options
@click.option("--after", help="Where the page before ended.")
@click.option("--limit", default=20, show_default=True, type=click.IntRange(1, 1000))
@group_option
@json_option
def list_reviews(
    kind: str | None,
    rule: str | None,
    predicate: str | None,
    after: str | None,
    limit: int,
    group_id: str,
    as_json: bool,
) -> None:
    """List what waits, with the rule that keeps it waiting, and how many wait by rule."""
    with opened() as installation:
        group = caught_up_group(installation, group_id)
        if kind == "pair":
            _list_pairs(installation, group, after=after, limit=limit, as_json=as_json)
            return
        desk = Reviewing(installation=installation)
        which = Which(matter=None if kind is None else Matter(kind), rule=rule, predicate=predicate)
        page = desk.waiting(group, which, after=after, limit=limit)
        by_rule = desk.counts(group)
    if as_json:
        print_json({"items": page.items, "following": page.following, "by_rule": by_rule})
        return
    for entry in page.items:
        _print(entry)
    _print_counts(by_rule, page.following)


@review.command(epilog=examples("memstrata review show 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1"))
@click.argument("entry_id")
@group_option
@json_option
def show(entry_id: str, group_id: str, as_json: bool) -> None:
    """Show one of them whole, or the item that a current fact rests on, by its id."""
    with opened() as installation:
        group = caught_up_group(installation, group_id)
        whole = Reviewing(installation=installation).whole_entry(group, entry_id)
        entry = whole.entry
        episode = installation.record.latest(group, entry.item.episode_id)
    if as_json:
        print_json(whole)
        return
    _print(entry)
    if entry.says is not None:
        for name, value in entry.says.payload().items():
            console.print(Text(f"  {name:<13} {value if value is not None else '-'}"))
    if episode is not None:
        who = f", by {entry.speaker}" if entry.speaker else ""
        told = f"  episode {episode.episode_id}, of {day_of(episode.reference_time, None, '')}{who}"
        console.print(Text(told, style="dim"))
        console.print(Text(f"  {episode.content}"))


@review.command(
    epilog=examples("memstrata review accept 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1 --who ada"),
)
@click.argument("entry_id", required=False)
@click.option("--batch", is_flag=True, help="All that are in quarantine and meant by --rule or --relation.")
@_which_options
@decision_options
def accept(entry_id: str | None, **given: object) -> None:
    """Let what waits count: it comes into the graph with the next commit."""
    _verdict(DecisionKind.ACCEPT, entry_id, given)


@review.command(
    epilog=examples(
        "memstrata review reject 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1",
        "memstrata review reject --batch --rule is_no_suggestion --dry-run",
    ),
)
@click.argument("entry_id", required=False)
@click.option("--batch", is_flag=True, help="All that are in quarantine and meant by --rule or --relation.")
@_which_options
@decision_options
def reject(entry_id: str | None, **given: object) -> None:
    """Settle that what waits does not count; a fact's id withdraws the fact."""
    _verdict(DecisionKind.REJECT, entry_id, given)


@review.command(
    epilog=examples(
        "memstrata review edit 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1 --set object=Oakmere --set kind=ended"
    ),
)
@click.argument("entry_id")
@click.option(
    "--set",
    "changes",
    multiple=True,
    required=True,
    metavar="FIELD=VALUE",
    help=f"What to change, any number of times: {', '.join(FIELDS)}. No value takes a type or time away.",
)
@decision_options
def edit(entry_id: str, changes: tuple[str, ...], **given: object) -> None:
    """Let what waits count as you say it; a fact's id edits the item that it rests on."""
    _verdict(DecisionKind.EDIT, entry_id, {**given, "changes": _read(changes)})


def _read(changes: tuple[str, ...]) -> Mapping[str, str]:
    read: dict[str, str] = {}
    for one in changes:
        name, equals, value = one.partition("=")
        if not equals:
            raise click.UsageError(f"--set {one!r} has no value; expected FIELD=VALUE")
        read[name.strip()] = value
    return read


def _verdict(kind: DecisionKind, entry_id: str | None, given: Mapping[str, object]) -> None:
    is_batch, is_dry = bool(given.get("batch")), bool(given["dry_run"])
    if (entry_id is None) != is_batch or (entry_id is not None and _is_by_rule(given)):
        raise click.UsageError("give the id of one, or --batch with --rule or --relation")
    with opened() as installation:
        group = caught_up_group(installation, str(given["group_id"]))
        if entry_id is None:
            made = reviews.rulings(installation, group, kind, _meant(given))
        else:
            changes = given.get("changes")
            told = changes if isinstance(changes, dict) else None
            made = (reviews.ruling(installation, group, kind, entry_id, told),)
        decisions = () if is_dry else decide_all(installation, [_signed(one, given) for one in made])
    count = reviews.items_in(made)
    if given["as_json"]:
        ids = [one.decision_id for one in decisions]
        print_json({"kind": kind, "items": count, "decision_ids": ids, "dry_run": is_dry})
        return
    if not count:
        console.print("nothing in quarantine is meant by that; `memstrata review list` counts what waits")
        return
    verb = "would be decided" if is_dry else "decided, takes effect with `memstrata work`"
    console.print(f"{verb}: {kind} {counted(count, 'item')}", highlight=False, markup=False)


def _is_by_rule(given: Mapping[str, object]) -> bool:
    return given.get("rule") is not None or given.get("predicate") is not None


def _meant(given: Mapping[str, object]) -> Which:
    rule, predicate = given.get("rule"), given.get("predicate")
    if rule is None and predicate is None:
        raise click.UsageError("--batch needs --rule or --relation: `memstrata review list` counts them")
    return Which(
        matter=Matter.HELD,
        rule=None if rule is None else str(rule),
        predicate=None if predicate is None else str(predicate),
    )


def _signed(one: Ruling, given: Mapping[str, object]) -> Ruling:
    return replace(one, who=str(given["who"]), reason=str(given["reason"]))


def _list_pairs(
    installation: Installation, group: str, *, after: str | None, limit: int, as_json: bool
) -> None:
    from memstrata.memory.browsing import Browsing

    page = Browsing(installation=installation).reviews(group, after=after, limit=limit)
    if as_json:
        print_json(page)
        return
    for pair in page.items:
        console.print(Text(f"{pair.left.name} / {pair.right.name}: {pair.reason}"))
        console.print(Text(f"  {pair.left.entity_id}  {pair.right.entity_id}", style="dim"))
    console.print(f"{counted(len(page.items), 'pair')}; `memstrata entities merge` or `keep-apart` decides")


def _print(entry: Entry) -> None:
    console.print(Text(f"{entry.sentence}  ({entry.item.kind})"))
    console.print(Padding(Text(f"{entry.rule}: {entry.reason}"), (0, 0, 0, 2)))
    if entry.quote:
        said_by = f"  {entry.speaker}" if entry.speaker else ""
        told = Text(f"“{' '.join(entry.quote.split())[:160]}”{said_by}", style="italic")
        console.print(Padding(told, (0, 0, 0, 2)))
    console.print(Text(f"  {entry.entry_id}", style="dim"))


def _print_counts(by_rule: Mapping[str, int], following: str | None) -> None:
    for rule, count in by_rule.items():
        console.print(f"{count:>6,}  {rule}", highlight=False)
    if not by_rule:
        console.print("nothing waits for review")
    if following is not None:
        console.print(f"more: --after {following}", highlight=False, markup=False)
