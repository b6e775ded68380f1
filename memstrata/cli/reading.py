"""`search`, `facts`, `history`, `get`, `context`: the search module's answers, as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import day_of, facts_table, history_section, keyed, print_json
from memstrata.cli.session import When, complaints, console, group_option, json_option
from memstrata.ports import Subject
from memstrata.search.context import context as pack
from memstrata.search.reads import EntityRecord, FactHistory, Reads
from memstrata.search.searcher import Searcher
from memstrata.search.view import View
from memstrata.search.wording import one_line, shortened
from memstrata.settings import opened

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from rich.console import RenderableType

    from memstrata.model import Episode
    from memstrata.ports import Installation
    from memstrata.search.fusion import Found
    from memstrata.search.reads import EpisodeRecord
    from memstrata.search.results import Results

_EVERYTHING = tuple(Subject)
_SHOWN_TEXT = 160


def view_options(command: Callable[..., object]) -> Callable[..., object]:
    """The options that say where and when to look."""
    for option in (
        click.option("--history", is_flag=True, help="All that was ever held true, not one moment."),
        click.option("--system-as-of", type=When(), help="As believed at this time (default: now)."),
        click.option("--as-of", type=When(), help="What was true at this time (default: now)."),
    ):
        command = option(command)
    return group_option(command)


def view_of(group_id: str, as_of: datetime | None, system_as_of: datetime | None, *, history: bool) -> View:
    """The view that the options ask for."""
    return View(groups=(group_id,), as_of=as_of, system_as_of=system_as_of, history=history)


def searcher_of(installation: Installation) -> Searcher:
    """The search module over this installation."""
    return Searcher(graph=installation.graph, clock=installation.clock, embedder=installation.embedder)


def reads_of(installation: Installation) -> Reads:
    """The exact reads over this installation."""
    graph = installation.graph
    return Reads(texts=graph, reader=graph, clock=installation.clock, log=installation.record)


@click.command(epilog=examples('memstrata search "where does Ada work" --as-of 2022'))
@click.argument("query")
@view_options
@click.option(
    "--for",
    "subjects",
    type=click.Choice([str(subject) for subject in Subject]),
    multiple=True,
    help="What to look for (default: facts, entities and episodes).",
)
@click.option("--limit", "-n", default=10, show_default=True, help="How many of each at most.")
@json_option
def search(
    query: str,
    group_id: str,
    as_of: datetime | None,
    system_as_of: datetime | None,
    history: bool,
    subjects: tuple[str, ...],
    limit: int,
    as_json: bool,
) -> None:
    """Find what the memory holds on QUERY: words, meaning, names and one hop, fused."""
    wanted = tuple(Subject(one) for one in subjects) or _EVERYTHING
    with opened() as installation:
        results = searcher_of(installation).search(
            query,
            view_of(group_id, as_of, system_as_of, history=history),
            subjects=wanted,
            limit=limit,
        )
    if as_json:
        print_json(results)
    else:
        show_results(results)


def show_results(results: Results) -> None:
    """Prints what a search found."""
    if not (results.facts or results.entities or results.episodes):
        console.print("nothing found")
    if results.facts:
        _heading("facts")
        arms = [found_by(one.found) for one in results.facts]
        _indented(facts_table([one.fact for one in results.facts], found_by=arms))
    if results.entities:
        _heading("entities")
        for entity in results.entities:
            kind = f" ({entity.entity.type})" if entity.entity.type else ""
            _indented(Text(f"{entity.entity.name}{kind}"))
    if results.episodes:
        _heading("episodes")
        _indented(keyed([_turn(found.episode) for found in results.episodes]))
    for note in results.notes:
        complaints.print(f"note: {note}", style="dim", highlight=False, markup=False)


def _turn(episode: Episode) -> tuple[str, Text]:
    who = f"{episode.speaker.name or episode.speaker.id}: " if episode.speaker else ""
    said = Text(f"{who}{shortened(one_line(episode.content), _SHOWN_TEXT)}")
    return day_of(episode.reference_time, None, ""), said.append(
        f"\nepisode {episode.episode_id}", style="dim"
    )


def _heading(text: str) -> None:
    console.print(Text(text, style="bold"))


def _indented(what: RenderableType) -> None:
    console.print(Padding(what, (0, 0, 0, 2)))


def found_by(found: Sequence[Found]) -> str:
    """Which arms of the search found it, and at what rank."""
    return ", ".join(f"{one.arm} {one.rank}".replace("_", " ") for one in found)


@click.command(epilog=examples("memstrata facts Ada --as-of 2022-05"))
@click.argument("entity")
@view_options
@click.option("--limit", "-n", default=100, show_default=True, help="How many at most.")
@json_option
def facts(
    entity: str,
    group_id: str,
    as_of: datetime | None,
    system_as_of: datetime | None,
    history: bool,
    limit: int,
    as_json: bool,
) -> None:
    """List the facts about ENTITY (a name, an alias or an id)."""
    view = view_of(group_id, as_of, system_as_of, history=history)
    with opened() as installation:
        answer = reads_of(installation).facts(entity, view, limit=limit)
    if as_json:
        print_json(answer)
    elif answer.facts:
        console.print(facts_table(answer.facts, with_ids=history))
    else:
        console.print(f"{answer.entities[0].name}: no fact at that moment (try --history)", highlight=False)


@click.command(epilog=examples('memstrata history "Ada works_at Acme"'))
@click.argument("asked", metavar="FACT")
@group_option
@json_option
def history(asked: str, group_id: str, as_json: bool) -> None:
    """Tell all that was ever believed of FACT: a fact's id, `A RELATION B`, `A RELATION`, or an entity."""
    with opened() as installation:
        answer = reads_of(installation).history(asked, View(groups=(group_id,)))
    if as_json:
        print_json(answer)
    else:
        show_histories(answer)


def show_histories(histories: Sequence[FactHistory]) -> None:
    """Prints versions and evidence, a fact after the other."""
    for number, one in enumerate(histories):
        if number:
            console.print()
        console.print(history_section(one))


@click.command(epilog=examples("memstrata get 6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1"))
@click.argument("id_", metavar="ID")
@group_option
@json_option
def get(id_: str, group_id: str, as_json: bool) -> None:
    """Show the fact, entity or episode of ID, living or gone."""
    with opened() as installation:
        record = reads_of(installation).get(id_, View(groups=(group_id,)))
    if as_json:
        print_json(record)
    elif isinstance(record, FactHistory):
        show_histories([record])
        _show_successors(record.successors)
    elif isinstance(record, EntityRecord):
        _show_entity(record)
    else:
        _show_episode(record)


def _show_entity(record: EntityRecord) -> None:
    entity = record.entity
    kind = f" ({entity.type})" if entity and entity.type else ""
    console.print(f"{record.name}{kind}{'' if entity else ', gone'}", style="bold", highlight=False)
    if entity and entity.aliases:
        console.print(f"also: {', '.join(entity.aliases)}", highlight=False, markup=False)
    if record.facts:
        console.print(facts_table(record.facts))
    _show_successors(record.successors)


def _show_episode(record: EpisodeRecord) -> None:
    episode = record.episode
    state = " (retracted)" if record.is_retracted else ""
    console.print(f"episode {episode.episode_id}, revision {episode.revision}{state}", highlight=False)
    who = f", {episode.speaker.name or episode.speaker.id}" if episode.speaker else ""
    console.print(
        f"{day_of(episode.reference_time, None, '')}{who}, from {episode.source}", highlight=False
    )
    console.print(episode.content, highlight=False, markup=False)


def _show_successors(successors: Sequence[str]) -> None:
    for successor in successors:
        console.print(f"its evidence now speaks for {successor}", highlight=False)


@click.command(epilog=examples('memstrata context "what should I know before I call Ada" --budget 800'))
@click.argument("query")
@view_options
@click.option("--budget", default=1_500, show_default=True, help="Tokens to fill at most.")
@json_option
def context(
    query: str,
    group_id: str,
    as_of: datetime | None,
    system_as_of: datetime | None,
    history: bool,
    budget: int,
    as_json: bool,
) -> None:
    """Pack what matters for QUERY into a text for a model: facts with times and citations, raw turns."""
    view = view_of(group_id, as_of, system_as_of, history=history)
    with opened() as installation:
        answer = pack(searcher_of(installation), query, view, budget=budget)
    if as_json:
        print_json(answer)
    else:
        console.print(answer.text, highlight=False, markup=False, soft_wrap=True)
