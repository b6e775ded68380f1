"""What the demonstration shows, from the same module that answers the command line."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from memstrata.cli.reading import found_by
from memstrata.cli.rendering import day_of, facts_table, history_section, keyed
from memstrata.cli.session import console
from memstrata.memory.parts import reads_of, searcher_of
from memstrata.ports import Subject
from memstrata.search.view import View
from memstrata.search.wording import one_line, shortened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dagster import DagsterInstance
    from rich.console import RenderableType

    from memstrata.model import Procedure, Rate
    from memstrata.ports import Installation

_IN_1963: Final = datetime(1963, 11, 23, tzinfo=UTC)
_FOUND: Final = 3
_BY_HAND: Final = """\
export MEMSTRATA_HOME=demo-home/memory
export MEMSTRATA_ONTOLOGY=examples/congress/ontology.yaml
.venv/bin/memstrata --help"""


def show_everything(installation: Installation, instance: DagsterInstance) -> None:
    """All views, one after another."""
    show_counts(installation)
    show_search(installation, "congress", "President of the United States", as_of=_IN_1963)
    show_search(installation, "congress", "Vice President of the United States")
    show_search(installation, "bfcl/finance", "joined Legend Investments", episodes=True)
    show_history(
        installation, "congress", "President of the United States HELD_BY Franklin Delano Roosevelt"
    )
    show_summary(installation, "congress", "Grover Cleveland")
    show_procedure(installation, "airline")
    show_checks(instance)
    show_what_next()


def section(title: str, command: str = "") -> None:
    """A heading, and the command that shows the same."""
    console.print()
    console.rule(Text(title, style="bold"), align="left", style="dim")
    if command:
        console.print(Text(f"$ memstrata {command}", style="dim"), soft_wrap=True)


def indented(what: RenderableType) -> None:
    """Prints it a little to the right."""
    console.print(Padding(what, (0, 0, 0, 2)))


def show_counts(installation: Installation) -> None:
    """How much the memory holds, a line a group."""
    section("What the memory holds")
    table = Table.grid(padding=(0, 3, 0, 0))
    table.add_row("group", "episodes", "entities", "facts", "summaries", "procedures", style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for one in installation.graph.counts():
        summaries = len(installation.graph.summary_hashes(one.group_id))
        procedures = len(installation.graph.procedures(one.group_id))
        numbers = (one.episodes, one.entities, one.facts, summaries, procedures)
        table.add_row(one.group_id, *(f"{number:,}" for number in numbers))
    indented(table)


def show_search(
    installation: Installation,
    group_id: str,
    query: str,
    *,
    as_of: datetime | None = None,
    episodes: bool = False,
) -> None:
    """The best facts for a query, and the best raw turns if asked."""
    when = f" as of {day_of(as_of, None, '')}" if as_of else ""
    option = f" --as-of {day_of(as_of, None, '')}" if as_of else ""
    section(f"Search{when}: {query}", f'search "{query}" -g {group_id}{option} -n {_FOUND}')
    subjects = (Subject.FACT, Subject.EPISODE) if episodes else (Subject.FACT,)
    results = searcher_of(installation).search(
        query, View(groups=(group_id,), as_of=as_of), subjects=subjects, limit=_FOUND
    )
    arms = [found_by(one.found) for one in results.facts]
    indented(facts_table([one.fact for one in results.facts], found_by=arms))
    said = [
        (day_of(one.episode.reference_time, None, ""), shortened(one_line(one.episode.content), 150))
        for one in results.episodes[:2]
    ]
    if said:
        indented(keyed([(when, Text(f"“{words}”", style="italic")) for when, words in said]))


def show_history(installation: Installation, group_id: str, asked: str) -> None:
    """One fact in both times, with what it rests on."""
    section("One history", f'history "{asked}" -g {group_id}')
    for one in reads_of(installation).history(asked, View(groups=(group_id,))):
        indented(history_section(one))


def show_summary(installation: Installation, group_id: str, name: str) -> None:
    """What is known of an entity, with the facts that each sentence rests on."""
    entity = reads_of(installation).facts(name, View(groups=(group_id,), history=True)).entities[0]
    summary = installation.graph.summary(group_id, entity.entity_id)
    section(f"One summary: {entity.name}")
    for block in summary.blocks if summary else ():
        indented(Text(block.text))
        for fact_id in block.facts:
            indented(Text(f"  fact {fact_id}", style="dim"))
        indented(Text(f"  {len(block.evidence)} assertions are cited as evidence", style="dim"))


def show_procedure(installation: Installation, group_id: str) -> None:
    """The procedure with the best support among those of several steps."""
    procedures = installation.graph.procedures(group_id)
    section(f"One procedure of {len(procedures)}, found in what the agent did")
    if procedures:
        indented(_procedure(procedures[0]))


def _procedure(one: Procedure) -> Table:
    steps = Text("\n").join(
        Text.assemble(f"{number}. ", (step.tool, "cyan"), str(step).removeprefix(step.tool))
        for number, step in enumerate(one.steps, 1)
    )
    return keyed(
        [
            ("name", Text(one.name)),
            ("steps", steps),
            ("support", Text(f"{one.support} {one.support_of} in which it succeeded")),
            ("success", Text(f"{_share(one.success_with)} with it, {_share(one.success_without)} without")),
            ("rests on", Text(f"{len(one.evidence)} episodes")),
        ]
    )


def _share(rate: Rate) -> str:
    share = "none" if rate.share is None else f"{rate.share:.0%}"
    return f"{share} ({rate.successes} of {rate.runs} runs)"


def show_checks(instance: DagsterInstance) -> None:
    """The latest result of every check."""
    section("The checks")
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, passed, said in _check_results(instance):
        mark = Text("passed", style="green") if passed else Text("warns", style="yellow")
        table.add_row(Text(name), mark, Text(said, style="dim"))
    indented(table)


def _check_results(instance: DagsterInstance) -> Sequence[tuple[str, bool, str]]:
    from pipelines.definitions import definitions

    keys = sorted(definitions.resolve_asset_graph().asset_check_keys, key=str)
    latest = instance.event_log_storage.get_latest_asset_check_execution_by_key(keys)
    found = []
    for key in keys:
        record = latest.get(key)
        evaluation = record.event.asset_check_evaluation if record and record.event else None
        if evaluation is not None:
            found.append((key.name, evaluation.passed, evaluation.description or ""))
    return found


def show_what_next() -> None:
    """Where to go from here."""
    section("Where to go from here")
    indented(
        keyed(
            [
                (
                    "make up",
                    Text("opens the pages at port 8765, and these runs and checks in Dagster at 3000"),
                ),
                ("by hand", Text(_BY_HAND)),
                ("again", Text("make demo finds nothing to do; make clean removes demo-home")),
            ]
        )
    )
