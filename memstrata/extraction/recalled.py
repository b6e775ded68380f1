"""Which spans of an episode only repeat what the memory gave: nothing is told there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.model import Episode

Span = tuple[int, int]


def recalled_spans(episode: Episode) -> tuple[Span, ...]:
    """The spans of the content that are recalled (`metadata["recalled"]`), in order."""
    given = episode.metadata.get("recalled")
    spans: list[Span] = []
    for one in given if isinstance(given, list | tuple) else ():
        match one:
            case [int(start), int(end)] if 0 <= start < end:
                spans.append((start, min(end, len(episode.content))))
    return tuple(sorted(span for span in spans if span[0] < span[1]))
