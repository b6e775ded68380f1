"""`work`: the line from the spool to the graph, once or for as long as it is let."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Final

import click
from rich.text import Text

from memstrata.cli.cost import show_estimate
from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, print_json
from memstrata.cli.session import complaints, console, json_option, progress
from memstrata.settings import opened
from memstrata.workflow.estimate import estimate_waiting
from memstrata.workflow.steady import Steady
from memstrata.workflow.watch import waiting
from memstrata.workflow.work import work as pass_over

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.ports import Installation
    from memstrata.workflow.adjudicate import Adjudicated
    from memstrata.workflow.extract import Extracted
    from memstrata.workflow.work import Worked

_FAULT: Final = 1
_PAUSE: Final = 1.0


@click.command(epilog=examples("memstrata work --once"))
@click.option("--once", is_flag=True, help="One pass, then stop (default: go on until interrupted).")
@click.option(
    "--dry-run", is_flag=True, help="Say what waits and what its extraction would cost, do nothing."
)
@json_option
def work(once: bool, dry_run: bool, as_json: bool) -> None:
    """Take in what was accepted: compact, extract, resolve, fold, commit, embed."""
    with opened() as installation:
        if dry_run:
            _show_waiting(installation, as_json=as_json)
        elif once:
            worked = _one_pass(installation)
            _show_work(worked, as_json=as_json)
            if worked.failed or worked.not_embedded or worked.extracted.stopped or worked.extracted.put_off:
                sys.exit(_FAULT)
        else:
            _go_on(installation, as_json=as_json)


def _go_on(installation: Installation, *, as_json: bool) -> None:
    """Pass after pass until it is interrupted."""
    steady = Steady(installation=installation)
    is_first = True
    try:
        while True:
            with progress("working") as advance:
                turn = steady.turn(on_progress=lambda _stage, done: advance(done))
            if turn.fault:
                complaints.print(Text(turn.fault, style="red"), soft_wrap=True)
            if turn.worked is not None and (is_first or turn.is_news):
                _show_work(turn.worked, as_json=as_json)
                is_first = False
            if turn.is_idle:
                time.sleep(_PAUSE)
    except KeyboardInterrupt:  # how a worker is meant to end: everything done so far is committed
        return


def _show_waiting(installation: Installation, *, as_json: bool) -> None:
    """What a pass would take in."""
    record, graph = installation.record, installation.graph
    found = waiting(installation)
    spooled = sum(record.spooled().values())
    estimated = estimate_waiting(installation)
    without_vector = sum(one.facts_without_vector for one in graph.counts()) if installation.embedder else 0
    if as_json:
        answer = {"days": found.days, "spooled_bytes": spooled, "facts_without_vector": without_vector}
        print_json({**answer, "extraction": estimated, "dry_run": True})
        return
    if not found and not without_vector:
        console.print("nothing to do")
    if spooled:
        console.print(f"spool     {spooled:,} bytes accepted and not compacted", highlight=False)
    if found.days:
        named = ", ".join(day.isoformat() for day in found.days)
        console.print(f"pending   episodes or decisions accepted on {named}", highlight=False)
    show_estimate(estimated)
    if without_vector:
        console.print(f"vectors   {without_vector:,} facts have none yet", highlight=False)


def _one_pass(installation: Installation) -> Worked:
    with progress("working") as advance:
        return pass_over(installation, on_progress=lambda _stage, done: advance(done))


def _show_stopped(worked: Worked) -> None:
    """Why the extractor stopped, in all or for some groups, if it did."""
    extracted = worked.extracted
    said = [f"nothing more was extracted: {extracted.stopped}"] if extracted.stopped else []
    said += [f"group {group} is not extracted now: {why}" for group, why in extracted.put_off]
    if said:
        said.append(f"left for extraction: {counted(extracted.pending, 'episode')}, all groups together")
    for line in said:
        complaints.print(Text(line, style="red"), soft_wrap=True)


def _show_work(worked: Worked, *, as_json: bool) -> None:
    if as_json:
        print_json(worked)
        return
    _show_stopped(worked)
    if worked.not_embedded:
        why = Text(f"nothing more was embedded: {worked.not_embedded}", style="red")
        complaints.print(why, soft_wrap=True)
    if worked.is_idle and not worked.failed and not worked.extracted.failed:
        if not worked.extracted.what_is_left:
            console.print("nothing to do")
        return
    compaction = worked.compaction
    console.print(
        f"episodes    {compaction.new} new, {compaction.revised} revised, {compaction.repeated} repeated",
        highlight=False,
    )
    _show_extracted(worked.extracted)
    for one in worked.committed:
        console.print(
            f"graph       {one.group_id}: {counted(one.episodes, 'episode')}, "
            f"{counted(one.decisions, 'decision')} in {counted(one.commits, 'commit')}; "
            f"{counted(one.facts_created, 'fact')} believed, {one.facts_expired:,} no longer",
            highlight=False,
            soft_wrap=True,
        )
    _show_adjudicated(worked.adjudicated)
    console.print(f"vectors     {worked.embedded} new", highlight=False)
    for group, reason in worked.failed:
        complaints.print(Text(f"group {group} was not committed: {reason}", style="red"), soft_wrap=True)


def _show_extracted(extracted: Extracted) -> None:
    kinds = ", ".join(f"{count} {status}" for status, count in extracted.by_status)
    refused = ", ".join(f"{count:,} by {rule}" for rule, count in extracted.refused)
    nothing = "stopped" if extracted.stopped else "nothing to extract"
    console.print(
        f"extraction  {counted(extracted.assertions, 'assertion')} ({kinds or nothing})"
        + (f", {extracted.held:,} held for `memstrata review`" if extracted.held else "")
        + (f", refused: {refused}" if refused else "")
        + (f", {counted(extracted.failed, 'failure')}" if extracted.failed else ""),
        highlight=False,
    )
    if extracted.failed:
        complaints.print(Text(f"the last that failed: {extracted.reason}", style="yellow"), soft_wrap=True)


def _show_adjudicated(adjudicated: Iterable[Adjudicated]) -> None:
    for asked in adjudicated:
        if not (asked.asked or asked.stopped):
            continue
        console.print(
            f"adjudicated {asked.group_id}: {counted(asked.asked, 'question')}, {asked.merged} one, "
            f"{asked.kept_apart} apart, {counted(asked.closed, 'conflict')} closed, "
            f"{counted(asked.proposed, 'declaration')} proposed, {asked.unsure} left open, "
            f"{asked.unanswered} without an answer" + (f"; then {asked.stopped}" if asked.stopped else ""),
            highlight=False,
            soft_wrap=True,
        )
