"""`adjudicate`: everything that rules leave open in a group is put to the language model now."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click
from rich.table import Table
from rich.text import Text

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
from memstrata.search.wording import one_line, shortened
from memstrata.settings import opened
from memstrata.workflow.adjudicate import adjudicate as put_to_the_model
from memstrata.workflow.proposals import proposals
from memstrata.workflow.questions import Names
from memstrata.workflow.work import compact

if TYPE_CHECKING:
    from memstrata.ports import Installation
    from memstrata.workflow.adjudicate import Adjudicated, Settled
    from memstrata.workflow.proposals import Proposal
    from memstrata.workflow.questions import Question

_FAULT: Final = 1
_WHATEVER_THERE_IS: Final = 1_000_000
_WIDTH: Final = 60


@click.command(epilog=examples("memstrata adjudicate", "memstrata adjudicate --group acme/eng --json"))
@any_group_option
@json_option
def adjudicate(group_id: str | None, as_json: bool) -> None:
    """Ask the language model what rules leave open: who is one, which facts exclude each other.

    Groups are looked through as a whole; what was answered is not asked again. Verdicts take effect with
    `memstrata work`. Relations that it proposes to declare are listed: see `memstrata review proposals`.
    """
    settled: list[tuple[str, Settled]] = []
    done: list[Adjudicated] = []
    with opened() as installation:
        compact(installation)
        groups = installation.record.groups()
        for group in groups if group_id is None else (existing_group(installation, group_id),):
            done.append(_asked(installation, group, settled))
            if not done[-1].others_go_on:
                break
        compact(installation)  # what was decided just now is listed too
        proposed = [(one.group_id, it) for one in done for it in proposals(installation, one.group_id)]
    if as_json:
        answers = [_row(group, one) for group, one in settled]
        found = [{"group_id": group, "proposal": one} for group, one in proposed]
        print_json({"groups": done, "questions": answers, "proposals": found})
    else:
        _show(done, settled, proposed)
    if any(one.stopped or one.unanswered for one in done):
        sys.exit(_FAULT)


def _asked(installation: Installation, group: str, settled: list[tuple[str, Settled]]) -> Adjudicated:
    with progress("asking") as advance:

        def note(one: Settled) -> None:
            settled.append((group, one))
            advance(1)

        return put_to_the_model(installation, group, most=_WHATEVER_THERE_IS, whole=True, on_settled=note)


def _show(
    done: list[Adjudicated], settled: list[tuple[str, Settled]], proposed: list[tuple[str, Proposal]]
) -> None:
    if settled:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading in ("group", "question", "answer", "became", "reason"):
            table.add_column(heading, overflow="fold")
        for group, one in settled:
            table.add_row(*(Text(cell) for cell in _row(group, one).values()))
        console.print(table)
    else:
        console.print("nothing to ask")
    for group, it in proposed:
        console.print(
            Text(f"proposed in {group}: declare {it.predicate} with cardinality one ({it.reason})"),
            soft_wrap=True,
        )
    for told in done:
        if told.unanswered:
            why = f": {told.fault}" if told.fault else ""
            said = f"{told.group_id}: {counted(told.unanswered, 'question')} without an answer{why}"
            complaints.print(Text(f"{said}; later passes ask again", style="red"), soft_wrap=True)
        if told.stopped:
            said = f"{told.group_id}: stopped, the rest waits: {told.stopped}"
            complaints.print(Text(said, style="red"), soft_wrap=True)
    if any(one.asked > one.unanswered for one in done):
        console.print("verdicts take effect with `memstrata work`", markup=False)


def _row(group: str, one: Settled) -> dict[str, str]:
    return {
        "group_id": group,
        "question": _about(one.question),
        "answer": "" if one.answer is None else one.answer.verdict,
        "became": one.became.replace("_", " "),
        "reason": "" if one.answer is None else one_line(one.answer.reason),
    }


def _about(question: Question) -> str:
    if isinstance(question, Names):
        return f"{_short(question.left.name)} / {_short(question.right.name)}"
    several = counted(len(question.facts), "fact")
    return f"{_short(question.subject.name)} {question.predicate}: {several}"


def _short(text: str) -> str:
    return shortened(one_line(text), _WIDTH)
