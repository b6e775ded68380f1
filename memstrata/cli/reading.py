"""`search` and `context`: what is looked for in words, as text or JSON."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click
from rich.padding import Padding
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.gathering import gathering, taken
from memstrata.cli.rendering import day_of, facts_table, keyed, print_json
from memstrata.cli.session import complaints, console, json_option
from memstrata.cli.viewing import view_options
from memstrata.memory.asking import Asking
from memstrata.ports import Subject
from memstrata.search.context import DEFAULT_BUDGET
from memstrata.search.presets import preset_of
from memstrata.search.reranking import Rerank
from memstrata.search.wording import one_line, shortened
from memstrata.settings import opened

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from memstrata.cli.gathering import Command
    from memstrata.model import Episode
    from memstrata.search.fusion import Found
    from memstrata.search.presets import Preset
    from memstrata.search.results import Results
    from memstrata.search.view import View

_SHOWN_TEXT = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What is looked for, how, and how much of it."""

    subjects: tuple[str, ...]
    preset: str
    rerank: str | None
    centre: str | None
    limit: int

    @property
    def chosen(self) -> Preset:
        """The preset, with another reranker if one is named."""
        preset = preset_of(self.preset)
        return preset if self.rerank is None else replace(preset, rerank=Rerank(self.rerank))


_WANTED = (
    click.option(
        "--for",
        "subjects",
        type=click.Choice([str(subject) for subject in Subject]),
        multiple=True,
        help="What to look for (default: what the preset looks for); may be repeated.",
    ),
    click.option(
        "--preset", default="everything", show_default=True, help="A way to search that has a name."
    ),
    click.option(
        "--rerank", type=click.Choice([str(one) for one in Rerank]), help="Order the first anew by this."
    ),
    click.option(
        "--centre", help="The entity from which `--rerank node_distance` measures (a name or an id)."
    ),
    click.option("--limit", "-n", default=10, show_default=True, help="How many of each at most."),
)


def search_options(command: Command) -> Command:
    """Hands the command what is `wanted`."""
    return gathering(command, _WANTED, lambda given: {"wanted": taken(_Wanted, given)})


@click.command(
    epilog=examples(
        'memstrata search "where does Ada work" --as-of 2022',
        'memstrata search "who plays chess" --for fact --relation plays --speaker Ada',
        'memstrata search "Ada" --preset facts_rrf --rerank recency',
    )
)
@click.argument("query")
@search_options
@view_options
@json_option
def search(query: str, view: View, wanted: _Wanted, as_json: bool) -> None:
    """Find what the memory holds on QUERY, by words, meaning, names and a few hops, fused."""
    preset = wanted.chosen
    with opened() as installation:
        results = Asking(installation=installation).search(
            query,
            view,
            preset=preset,
            subjects=tuple(Subject(one) for one in wanted.subjects) or None,
            limit=wanted.limit,
            centre=wanted.centre,
        )
    if as_json:
        print_json(results)
    else:
        show_results(results)


def show_results(results: Results) -> None:
    """Prints what a search found."""
    if not any((results.facts, results.entities, results.episodes, results.summaries, results.procedures)):
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
    if results.summaries:
        _heading("summaries")
        for summary in results.summaries:
            _indented(Text(shortened(one_line(summary.summary.text), _SHOWN_TEXT)))
    if results.procedures:
        _heading("procedures")
        for procedure in results.procedures:
            steps = " > ".join(step.tool for step in procedure.procedure.steps)
            _indented(Text(f"{procedure.procedure.name}: {steps}"))
    show_notes(results.notes)


def show_notes(notes: Sequence[str]) -> None:
    """Says what an answer had to do without."""
    for note in notes:
        complaints.print(f"note: {note}", style="dim", highlight=False, markup=False, soft_wrap=True)


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


@click.command(epilog=examples('memstrata context "what should I know before I call Ada" --budget 800'))
@click.argument("query")
@view_options
@click.option("--budget", default=DEFAULT_BUDGET, show_default=True, help="Tokens to fill at most.")
@json_option
def context(query: str, view: View, budget: int, as_json: bool) -> None:
    """Pack what matters for QUERY into a text for a model.

    Core blocks first, then facts with times and citations, summaries, and the raw turns that matter.
    """
    with opened() as installation:
        answer = Asking(installation=installation).context(query, view, budget=budget)
    if as_json:
        print_json(answer)
    else:
        console.print(answer.text, highlight=False, markup=False, soft_wrap=True)
        show_notes(answer.notes)
