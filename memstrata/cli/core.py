"""`core`: the blocks that stand in every context, kept by hand or by a rule; each edit is a decision."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from dataclasses import replace as replace_fields
from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.gathering import gathering, taken
from memstrata.cli.rendering import day_of, print_json
from memstrata.cli.session import complaints, console, group_option, json_option
from memstrata.cli.viewing import belief_options
from memstrata.errors import Incorrect
from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.memory.parts import core_of
from memstrata.memory.telling import Telling
from memstrata.ports import Filters
from memstrata.search.core_edits import (
    MOST_CHARACTERS,
    CoreEdit,
    CoreOperation,
    CoreRule,
    check_label,
    edit_of,
    written_after,
)
from memstrata.search.filters import as_written
from memstrata.search.view import View
from memstrata.search.wording import one_line, shortened
from memstrata.settings import opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.cli.gathering import Command
    from memstrata.search.core import CoreBlock, CoreChange
    from memstrata.search.core_edits import Written
    from memstrata.search.reads import Reads

_SHOWN_TEXT = 60


@click.group(
    epilog=examples(
        'memstrata core set persona "You are Ada\'s assistant. Be brief."',
        "memstrata core rule human --about Ada --relation works_at --relation lives_in",
    )
)
def core() -> None:
    """Keep the blocks that stand in every context: `persona`, `human`, or any other label."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the options of an edit say beside the edit itself."""

    group_id: str
    who: str
    reason: str
    dry_run: bool
    as_json: bool


def edit_options(command: Command) -> Command:
    """The options that all edits share, as one `Asked`."""
    return gathering(command, _EDIT_OPTIONS, lambda given: {"asked": taken(Asked, given)})


_EDIT_OPTIONS = (
    json_option,
    group_option,
    click.option("--reason", default="", help="Why; kept with the decision."),
    click.option("--who", default="", help="Who decides; kept with the decision."),
    click.option("--dry-run", is_flag=True, help="Show the block as it would be, change nothing."),
)


@core.command("set", epilog=examples('memstrata core set persona "You are a patient tutor."'))
@click.argument("label")
@click.argument("text")
@edit_options
def set_block(label: str, text: str, asked: Asked) -> None:
    """Write TEXT into the block of LABEL, whatever stood there; `-` reads standard input."""
    _edit(label, CoreEdit(operation=CoreOperation.SET, text=_given(text)), asked)


@core.command("append", epilog=examples('memstrata core append human "Prefers short answers."'))
@click.argument("label")
@click.argument("text")
@edit_options
def append(label: str, text: str, asked: Asked) -> None:
    """Add TEXT to the block of LABEL, on a line of its own; `-` reads standard input."""
    _edit(label, CoreEdit(operation=CoreOperation.APPEND, text=_given(text)), asked)


@core.command("replace", epilog=examples('memstrata core replace human "short" "very short"'))
@click.argument("label")
@click.argument("old")
@click.argument("new")
@edit_options
def replace(label: str, old: str, new: str, asked: Asked) -> None:
    """Put NEW in the place of OLD, which must stand once in the block of LABEL."""
    _edit(label, CoreEdit(operation=CoreOperation.REPLACE, old=old, text=new), asked)


@core.command("clear", epilog=examples("memstrata core clear human"))
@click.argument("label")
@edit_options
def clear(label: str, asked: Asked) -> None:
    """Empty the block of LABEL; what stood there stays in its history."""
    _edit(label, CoreEdit(operation=CoreOperation.CLEAR), asked)


@core.command("rule", epilog=examples("memstrata core rule human --about Ada --relation lives_in --most 5"))
@click.argument("label")
@click.option("--about", required=True, help="Whose facts it shows: a name, an alias or an id.")
@click.option("--relation", "relations", multiple=True, help="Only facts of this relation.")
@click.option("--most", default=10, show_default=True, help="How many facts at most, the latest first.")
@edit_options
def rule(label: str, about: str, relations: tuple[str, ...], most: int, asked: Asked) -> None:
    """Let the block of LABEL show the current facts of an entity, whenever it is read."""
    wanted = CoreRule(about=about, relations=relations, most=most)
    _edit(label, CoreEdit(operation=CoreOperation.RULE, rule=wanted), asked)


def _given(text: str) -> str:
    return sys.stdin.read().rstrip("\n") if text == "-" else text


def _edit(label: str, edit: CoreEdit, asked: Asked) -> None:
    """Checks the edit against what stands in the block, logs it, commits it, shows the block."""
    check_label(label)
    edit_of(edit.payload())
    with opened() as installation:
        memory = core_of(installation)
        edit = _as_known(memory.reads, asked.group_id, edit)
        written = written_after(memory.standing(asked.group_id, label), edit)
        if asked.dry_run:
            blocks = memory.blocks(View(groups=(asked.group_id,)))
            block = next((one for one in blocks if one.label == label), None)
        else:
            telling = Telling(installation=installation, grant=replace_fields(OWNER, who=asked.who))
            block = telling.edit_core(asked.group_id, label, edit, reason=asked.reason)
    if asked.as_json:
        answer = {"label": label, "group_id": asked.group_id, "written": written, "dry_run": asked.dry_run}
        print_json(answer if asked.dry_run else {**answer, "block": block})
        return
    size = "" if written.rule else f" ({len(written.text):,} of {MOST_CHARACTERS:,} characters)"
    verb = "would be" if asked.dry_run else "is now"
    console.print(Text(f"{label} {verb} {f'as follows{size}' if written else 'empty'}"))
    if asked.dry_run and written:
        console.print(Padding(Text(_rule(written.rule) if written.rule else written.text), (0, 0, 0, 2)))
    elif block is not None:
        _show(block)


def _as_known(reads: Reads, group_id: str, edit: CoreEdit) -> CoreEdit:
    """The edit; a rule with its relations as the memory writes them. Refuses a rule about nobody."""
    rule = edit.rule
    if rule is None:
        return edit
    reads.lookup.one(rule.about, View(groups=(group_id,)).scope(reads.clock.now(), reads.reader))
    relations: list[str] = []
    for relation in rule.relations:
        try:
            written = as_written(Filters(relations=(relation,)), (group_id,), reads.reader).relations
        except Incorrect as error:  # no such fact yet: the rule may be there before it
            complaints.print(f"note: {error}", style="dim", highlight=False, markup=False)
            written = (relation,)
        relations.extend(written)
    return replace_fields(edit, rule=replace_fields(rule, relations=tuple(relations)))


@core.command(
    "show", epilog=examples("memstrata core show", "memstrata core show human --system-as-of 2024-06")
)
@click.argument("label", required=False)
@belief_options
@json_option
def show(label: str | None, view: View, as_json: bool) -> None:
    """Show the blocks, or that of LABEL, as they stand in every context."""
    with opened() as installation:
        memory = core_of(installation)
        blocks = memory.blocks(view)
        if label is not None:
            check_label(label)
            blocks = tuple(one for one in blocks if one.label == label)
    if as_json:
        print_json(blocks)
    elif not blocks:
        console.print("empty" if label else "no core blocks; write one with `memstrata core set`")
    for block in blocks if not as_json else ():
        console.print(Text(_heading(block, blocks), style="bold"))
        _show(block)


def _heading(block: CoreBlock, blocks: Sequence[CoreBlock]) -> str:
    return (
        block.label if len({one.group_id for one in blocks}) == 1 else f"{block.label} ({block.group_id})"
    )


def _show(block: CoreBlock) -> None:
    if block.rule is not None:
        console.print(Padding(Text(_rule(block.rule), style="dim"), (0, 0, 0, 2)))
    if block.text:
        console.print(Padding(Text(block.text), (0, 0, 0, 2)))
    if block.facts_left_out:
        console.print(Text(f"  {block.facts_left_out} more facts have no room", style="dim"))


@core.command("history", epilog=examples("memstrata core history persona"))
@click.argument("label")
@group_option
@json_option
def history(label: str, group_id: str, as_json: bool) -> None:
    """Tell every edit of the block of LABEL: when, by whom, and what stood there afterwards."""
    with opened() as installation:
        changes = Asking(installation=installation).core_history(group_id, label)
    if as_json:
        print_json(changes)
        return
    for change in changes:
        console.print(_told(change))


def _told(change: CoreChange) -> Text:
    by = change.who or str(change.by)
    why = f": {change.reason}" if change.reason else ""
    said = Text(f"{day_of(change.at, None, '')}  {change.edit.operation}  by {by}{why}")
    if change.ignored:
        return said.append(f"\n  had no effect: {change.ignored}", style="yellow")
    return said.append(f"\n  {_brief(change.after)}", style="dim")


def _brief(written: Written) -> str:
    if written.rule is not None:
        return _rule(written.rule)
    return f"“{shortened(one_line(written.text), _SHOWN_TEXT)}”" if written.text else "empty"


def _rule(asked: CoreRule) -> str:
    which = f", only {', '.join(asked.relations)}" if asked.relations else ""
    return f"by rule: the latest {asked.most} facts about {asked.about}{which}"
