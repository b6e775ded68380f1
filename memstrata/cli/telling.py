"""Lives, changes and ways as tables for people; single facts and histories are in `rendering`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from memstrata.cli.rendering import day_of, grid, period_of, statement
from memstrata.search.changes import Turn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.ports import NamedVersion
    from memstrata.search.changes import Change
    from memstrata.search.paths import Step
    from memstrata.search.timeline import Spell

_SHOWN_EPISODES = 3

_COLOURS = {
    Turn.LEARNED: "green",
    Turn.ENDED: "cyan",
    Turn.REOPENED: "cyan",
    Turn.CORRECTED: "yellow",
    Turn.WITHDRAWN: "red",
    Turn.CONTESTED: "yellow",
}


def timeline_table(spells: Sequence[Spell]) -> Table:
    """A spell a row: when true, what, and below it how it ended and where it was said."""
    table = grid()
    for spell in spells:
        fact = spell.fact.version.fact
        row = statement(spell.fact)
        if fact.contested:
            row.append("  contested: outweighed at that very time", style="yellow")
        elif fact.invalid_at is not None:
            row.append(f"\n{_ending(spell)}", style="dim")
        row.append(f"\n{_episodes(spell.episode_ids)}", style="dim")
        when = (
            day_of(fact.valid_at, fact.valid_at_precision, "?")
            if fact.contested
            else period_of(spell.fact.version)
        )
        table.add_row(Text(when), row)
    return table


def _ending(spell: Spell) -> str:
    """What closed the spell."""
    follower = spell.followed_by
    then = "" if follower is None else f"{follower.version.fact.predicate} {follower.object}"
    if spell.ended_in:
        return f"ended as said in {_episodes(spell.ended_in)}{f'; then {then}' if then else ''}"
    return f"closed by {then}" if then else "closed"


def _episodes(ids: Sequence[str]) -> str:
    word = "episode" if len(ids) == 1 else "episodes"
    more = f" and {len(ids) - _SHOWN_EPISODES} more" if len(ids) > _SHOWN_EPISODES else ""
    return f"{word} {', '.join(ids[:_SHOWN_EPISODES])}{more}"


def changes_table(changes: Sequence[Change], *, with_groups: bool) -> Table:
    """A change a row: its kind, when it was believed from, and what it says."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for change in changes:
        stated = change.now or change.before
        assert stated is not None  # noqa: S101 (a change has one side at least)
        row = statement(stated)
        row.append(f"  {_told(change)}", style="dim")
        if with_groups:
            row.append(f"  [{stated.version.fact.group_id}]", style="dim")
        table.add_row(
            Text(day_of(change.at, None, "")),
            Text(change.turn, style=_COLOURS[change.turn]),
            row,
        )
    return table


def _told(change: Change) -> str:
    """What the change is, after the statement of the fact."""
    instead = ", ".join(map(_brief, change.replaced_by))
    before, now = change.before, change.now
    match change.turn:
        case Turn.ENDED if now is not None:
            fact = now.version.fact
            ended = day_of(fact.invalid_at, fact.invalid_at_precision, "?")
            return f"true until {ended}{f'; then {instead}' if instead else ''}"
        case Turn.WITHDRAWN:
            return f"believed no longer{f'; instead {instead}' if instead else ''}"
        case Turn.CONTESTED:
            return "outweighed at that very time"
        case Turn.CORRECTED | Turn.REOPENED if before is not None and now is not None:
            return f"{_difference(before, now)}"
        case _:
            return "" if now is None else period_of(now.version)


def _difference(before: NamedVersion, now: NamedVersion) -> str:
    """How a fact that is still believed is believed otherwise."""
    old, new = before.version.fact, now.version.fact
    if (old.subject, old.object) != (new.subject, new.object):
        return f"{period_of(now.version)}; before: {before.subject} {old.predicate} {before.object}"
    if period_of(before.version) != period_of(now.version):
        return f"{period_of(now.version)}; before: {period_of(before.version)}"
    if old.confidence != new.confidence:
        return f"confidence {new.confidence:g}; before: {old.confidence:g}"
    return f"{period_of(now.version)}; in other words"


def _brief(named: NamedVersion) -> str:
    fact = named.version.fact
    return f"{fact.predicate} {named.object} ({period_of(named.version)})"


def path_table(way: Sequence[Step]) -> Table:
    """A step a row: the names that it joins, and the facts that join them."""
    table = grid()
    for step in way:
        for at, named in enumerate(step.facts):
            table.add_row(Text("" if at else f"{step.start} - {step.end}"), _joined(named))
    return table


def _joined(named: NamedVersion) -> Text:
    return statement(named).append(f"  {period_of(named.version)}", style="dim")
