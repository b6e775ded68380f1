"""`facts`, `history`, `get`, `timeline`, `diff`, `path`: what is asked for by name, as text or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, day_of, facts_table, history_section, print_json
from memstrata.cli.session import When, complaints, console, json_option
from memstrata.cli.telling import changes_table, path_table, timeline_table
from memstrata.cli.viewing import belief_options, groups_option, moment_options, view_options
from memstrata.memory.parts import reads_of
from memstrata.search.reads import EntityRecord, FactHistory
from memstrata.search.view import View
from memstrata.settings import opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.model import Entity
    from memstrata.search.reads import EpisodeRecord


@click.command(
    epilog=examples("memstrata facts Ada --as-of 2022-05", "memstrata facts Ada --relation works_at")
)
@click.argument("entity")
@view_options
@click.option("--limit", "-n", default=100, show_default=True, help="How many at most.")
@json_option
def facts(entity: str, view: View, limit: int, as_json: bool) -> None:
    """List the facts about ENTITY (a name, an alias or an id)."""
    with opened() as installation:
        answer = reads_of(installation).facts(entity, view, limit=limit)
    if as_json:
        print_json(answer)
        return
    _say_if_shared(entity, answer.entities)
    if answer.facts:
        console.print(facts_table(answer.facts, with_ids=view.history))
    else:
        hint = "try --history" if not view.filters else "try --history, or fewer filters"
        console.print(f"{answer.entities[0].name}: no fact at that moment ({hint})", highlight=False)


def _say_if_shared(asked: str, entities: Sequence[Entity]) -> None:
    """A name that stands for several entities is answered for all of them, and that is said."""
    if len(entities) > 1:
        each = ", ".join(f"{one.name} ({one.group_id}, {one.entity_id})" for one in entities)
        complaints.print(
            f"note: {len(entities)} entities go by {asked!r}: {each}; the facts are of all of them",
            style="dim",
            highlight=False,
            markup=False,
            soft_wrap=True,
        )


@click.command(epilog=examples('memstrata history "Ada works_at Acme"'))
@click.argument("asked", metavar="FACT")
@groups_option
@json_option
def history(asked: str, groups: tuple[str, ...], as_json: bool) -> None:
    """Tell all that was ever believed of FACT: a fact's id, `A RELATION B`, `A RELATION`, or an entity."""
    with opened() as installation:
        answer = reads_of(installation).history(asked, View(groups=groups))
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
@groups_option
@json_option
def get(id_: str, groups: tuple[str, ...], as_json: bool) -> None:
    """Show the fact, entity or episode of ID, living or gone."""
    with opened() as installation:
        record = reads_of(installation).get(id_, View(groups=groups))
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


@click.command(
    epilog=examples("memstrata timeline Ada", "memstrata timeline Ada --system-as-of 2024-02-01")
)
@click.argument("entity")
@belief_options
@click.option("--limit", "-n", default=500, show_default=True, help="How many facts at most.")
@json_option
def timeline(entity: str, view: View, limit: int, as_json: bool) -> None:
    """Tell the life of ENTITY: what is and was true of it, in order of valid time, and what closed what."""
    with opened() as installation:
        answer = reads_of(installation).timeline(entity, view, limit=limit)
    if as_json:
        print_json(answer)
        return
    for one in answer.entities:
        kind = f" ({one.type})" if one.type else ""
        console.print(Text(f"{one.name}{kind}", style="bold"))
    said = f"named in {counted(answer.mentions, 'episode')}"
    if answer.episodes:
        first, last = (day_of(answer.episodes[at][0], None, "") for at in (0, -1))
        said += f"; what is known of it was said {f'from {first} to {last}' if first != last else first}"
    console.print(Text(said, style="dim"))
    console.print(timeline_table(answer.spells))
    if not answer.is_whole:
        complaints.print(f"note: the latest {limit} facts only; see --limit", style="dim", highlight=False)


@click.command(epilog=examples("memstrata diff 2024-06-03", "memstrata diff 2024-01 2024-07 --about Ada"))
@click.argument("after", type=When())
@click.argument("until", type=When(), required=False)
@click.option("--about", help="Only what concerns this entity (a name, an alias or an id).")
@groups_option
@json_option
def diff(
    after: datetime, until: datetime | None, about: str | None, groups: tuple[str, ...], as_json: bool
) -> None:
    """Say what changed in what is believed, from AFTER until UNTIL (default: now).

    What became false in the world has `ended`; what is believed no longer, because it was wrong, is
    `corrected` or `withdrawn`.
    """
    with opened() as installation:
        answer = reads_of(installation).diff(after, until, about=about, groups=groups)
    if as_json:
        print_json(answer)
        return
    if answer.changes:
        console.print(changes_table(answer.changes, with_groups=len(answer.groups) > 1))
    else:
        console.print("nothing changed")
    if answer.passing:
        said = f"{counted(answer.passing, 'version')} came and went in between"
        console.print(Text(said, style="dim"))
    if not answer.is_whole:
        complaints.print(
            "note: too many changes to compare them all; ask about an entity, or a shorter time",
            style="dim",
            highlight=False,
        )


@click.command(epilog=examples('memstrata path Ada "Acme" --most-hops 2'))
@click.argument("start")
@click.argument("end")
@moment_options
@click.option("--most-hops", default=3, show_default=True, help="How many facts a way may have, up to 6.")
@click.option("--limit", "-n", default=3, show_default=True, help="How many ways at most.")
@json_option
def path(start: str, end: str, view: View, most_hops: int, limit: int, as_json: bool) -> None:
    """Show the shortest ways that facts lead from START to END (names, aliases or ids)."""
    with opened() as installation:
        answer = reads_of(installation).path((start, end), view, most_hops=most_hops, limit=limit)
    if as_json:
        print_json(answer)
        return
    if not answer.paths:
        hops = counted(most_hops, "hop")
        console.print(
            f"no way from {answer.start.name} to {answer.end.name} of at most {hops}", highlight=False
        )
    for number, way in enumerate(answer.paths):
        if number:
            console.print()
        console.print(path_table(way))
    if answer.more:
        complaints.print(
            f"note: there are more ways of {counted(answer.hops, 'hop')}; see --limit", style="dim"
        )
    if not answer.is_exhaustive:
        complaints.print(
            "note: some entities have more facts than were looked at; there may be other ways",
            style="dim",
            highlight=False,
        )
