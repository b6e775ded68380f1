"""Passages: the texts by which an episode is searched, each with a little of the turns beside it. Pure.

A turn alone is often too short to be found ("Yes, on Tuesday!"); the end of what was said before it and
the beginning of what came after tell what it is about. Measured on LoCoMo: recall@10 63.0 -> 73.7 by
words (DESIGN.md "Search: measured").
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Episode

#: Words of a passage at most, and words of the turn before and of the turn after that go with it.
MOST_WORDS: Final = 120
WORDS_BEFORE: Final = 30
WORDS_AFTER: Final = 30

_NO_POSITION: Final = float("inf")
_BLANK_LINES = re.compile(r"\n\s*\n")


def saga_order(episode: Episode) -> tuple[float, datetime, str]:
    """The key that orders the turns of a saga: position (none last), then reference time, then id."""
    position = _NO_POSITION if episode.position is None else float(episode.position)
    return (position, episode.reference_time, episode.episode_id)


def said(episode: Episode) -> str:
    """`speaker: text`, or the text alone where nobody in particular speaks."""
    speaker = episode.speaker
    name = "" if speaker is None else speaker.name or ""
    return f"{name}: {episode.content}" if name else episode.content


def passages_of(
    episode: Episode, before: Episode | None = None, after: Episode | None = None
) -> tuple[str, ...]:
    """The episode's passages in order, at least one; each repeats who speaks.

    The first begins with the last words of `before`, the last ends with the first words of `after`.
    """
    speaker = episode.speaker
    name = "" if speaker is None else speaker.name or ""
    chunks = [f"{name}: {chunk}" if name else chunk for chunk in _chunks(episode.content)]
    if before is not None:
        chunks[0] = f"{' '.join(said(before).split()[-WORDS_BEFORE:])}\n{chunks[0]}"
    if after is not None:
        chunks[-1] = f"{chunks[-1]}\n{' '.join(said(after).split()[:WORDS_AFTER])}"
    return tuple(chunks)


def refreshed(
    placed: Collection[Episode], leaving: Collection[str], around: Iterable[Episode]
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The passages of each episode whose passages may be others now: (episode id, passages).

    That is one that is placed and did not stand so before, or whose neighbours say something else.
    `around` is what `Neighbourhood.turns_around` gives for a reach of 2: so near, the neighbours of all
    whose neighbours may change are known. Of an episode that leaves there are none.
    """
    known = {episode.episode_id: episode for episode in around}
    coming = {episode.episode_id: episode for episode in placed}
    staying = {name: one for name, one in known.items() if name not in coming and name not in leaving}
    earlier = _neighbours(known.values())
    later = _neighbours([*staying.values(), *coming.values()])
    return tuple(
        (name, passages_of(everyone, *later[name]))
        for name, everyone in sorted({**staying, **coming}.items())
        if not _stands(everyone, known.get(name)) or _said(later[name]) != _said(earlier[name])
    )


def _stands(episode: Episode, known: Episode | None) -> bool:
    """Whether the graph has the episode as it is: it is committed again, as it was."""
    return known is not None and (known.revision, known.content_hash) == (
        episode.revision,
        episode.content_hash,
    )


def _said(beside: tuple[Episode | None, Episode | None]) -> tuple[str | None, ...]:
    return tuple(None if one is None else said(one) for one in beside)


def _neighbours(episodes: Iterable[Episode]) -> Mapping[str, tuple[Episode | None, Episode | None]]:
    """Who stands before and after each, among these."""
    sagas: dict[str | None, list[Episode]] = defaultdict(list)
    for episode in episodes:
        sagas[episode.saga].append(episode)
    beside: dict[str, tuple[Episode | None, Episode | None]] = {
        one.episode_id: (None, None) for one in sagas.pop(None, [])
    }
    for turns in sagas.values():
        turns.sort(key=saga_order)
        for before, turn, after in zip([None, *turns], turns, [*turns[1:], None], strict=False):
            beside[turn.episode_id] = (before, after)
    return beside


def _chunks(content: str) -> Sequence[str]:
    """Paragraphs together as long as they have at most `MOST_WORDS` words; a longer one is cut."""
    chunks: list[str] = []
    room = 0
    for paragraph in _pieces(content):
        length = len(paragraph.split())
        if chunks and length <= room:
            chunks[-1] = f"{chunks[-1]}\n\n{paragraph}"
            room -= length
        else:
            chunks.append(paragraph)
            room = MOST_WORDS - length
    return chunks or [content]


def _pieces(content: str) -> Iterator[str]:
    for paragraph in _BLANK_LINES.split(content):
        words = paragraph.split()
        if not words:
            continue
        if len(words) <= MOST_WORDS:
            yield paragraph.strip()
        else:
            for start in range(0, len(words), MOST_WORDS):
                yield " ".join(words[start : start + MOST_WORDS])
