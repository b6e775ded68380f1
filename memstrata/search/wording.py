"""How facts and turns are worded for a model: one line each, with times and citations. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.instants import Precision, format_instant
from memstrata.marks import mark

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from memstrata.model import Episode
    from memstrata.ports import NamedVersion

_YEAR, _MONTH, _DAY = 4, 7, 10
_DATE_LENGTHS = {
    Precision.DAY: _DAY,
    Precision.WEEK: _DAY,
    Precision.MONTH: _MONTH,
    Precision.QUARTER: _MONTH,
    Precision.YEAR: _YEAR,
    Precision.DECADE: _YEAR,
}


def fact_line(named: NamedVersion, episode_ids: Sequence[str], *, with_belief: bool = False) -> str:
    """`A -RELATION-> B (valid from .. to .., episode ..): the sentence [fact ..]`.

    `with_belief` adds until when an expired version was believed, which a history must tell.
    """
    version, fact = named.version, named.version.fact
    about = [f"valid {_period(named)}"]
    if with_belief and version.expired_at is not None:
        about.append(f"believed until {date_of(version.expired_at)}")
    if episode_ids:
        word = "episode" if len(episode_ids) == 1 else "episodes"
        about.append(f"{word} {', '.join(episode_ids)}")
    if fact.contested:
        about.append("contested")
    triple = f"{one_line(named.subject)} -{fact.predicate}-> {one_line(named.object)}"
    return f"{triple} ({', '.join(about)}): {one_line(fact.fact)} {mark('fact', fact.id)}"


def plain_fact_line(named: NamedVersion) -> str:
    """`A -RELATION-> B (valid from .. to ..)`: without sentence and ids, for what is in every context."""
    said = f"{one_line(named.subject)} -{named.version.fact.predicate}-> {one_line(named.object)}"
    return f"{said} (valid {_period(named)}{', contested' if named.version.fact.contested else ''})"


def turn_line(episode: Episode, *, most_characters: int) -> str:
    """`time speaker: text [episode ..]`, the text cut at a word if it is longer than that."""
    speaker = episode.speaker
    who = "" if speaker is None else f" {one_line(speaker.name or speaker.id)}"
    said = shortened(one_line(episode.content), most_characters)
    return f"{date_of(episode.reference_time)}{who}: {said} {mark('episode', episode.episode_id)}"


def date_of(instant: datetime, precision: Precision | None = None) -> str:
    """A UTC instant to the stated precision; without one, a day if it is midnight, else the time."""
    wire = format_instant(instant)
    if precision is not None and precision in _DATE_LENGTHS:
        return wire[: _DATE_LENGTHS[precision]]
    return wire[:_DAY] if wire.endswith("T00:00:00Z") else wire


def one_line(text: str) -> str:
    """The text with every run of white space, line breaks included, as one space."""
    return " ".join(text.split())


def shortened(text: str, most: int) -> str:
    """The text, or its beginning up to a word's end with an ellipsis, `most` characters at most."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    whole_words = head.rpartition(" ")[0]
    return f"{whole_words or head}…"


def _period(named: NamedVersion) -> str:
    fact = named.version.fact
    begun = "unknown" if fact.valid_at is None else date_of(fact.valid_at, fact.valid_at_precision)
    ended = "present" if fact.invalid_at is None else date_of(fact.invalid_at, fact.invalid_at_precision)
    return f"from {begun} to {ended}"
