"""Frequent closed contiguous sequences: runs of items that many sources have in common.

Contiguous, as a procedure is followed step by step; closed, so that a part of a longer run is told only
if it is more frequent than the run. The patterns of Zhang, Wang and Yang, "CCSpan: mining closed
contiguous sequential patterns", Knowledge-Based Systems 89 (2015) 1-13, found level by level.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    #: One source and the items it did in order; several runs may have one source.
    Run = tuple[Hashable, Sequence[str]]
    #: A sequence and the sources that have it.
    Found = dict[tuple[str, ...], frozenset[Hashable]]


def closed_sequences(runs: Sequence[Run], *, min_support: int, least: int = 2, most: int = 12) -> Found:
    """The closed contiguous sequences of `least` to `most` items that `min_support` sources have.

    Support counts distinct sources. A sequence is closed if no longer one that contains it has the same
    support; as support never grows with length, one more item at either end decides. Sequences of
    `most` items, which bounds time and memory, are judged among themselves.
    """
    if min_support < 1 or not 1 <= least <= most:
        raise Incorrect(
            f"min_support={min_support}, least={least}, most={most}; expected min_support of at least 1 "
            f"and 1 <= least <= most"
        )
    closed: Found = {}
    level = _frequent(runs, 1, min_support, None)
    for length in range(1, most + 1):
        longer = _frequent(runs, length + 1, min_support, level) if length < most else {}
        if length >= least:
            absorbed = {
                part
                for whole, sources in longer.items()
                for part in (whole[:-1], whole[1:])
                if len(level[part]) == len(sources)
            }
            closed |= {sequence: sources for sequence, sources in level.items() if sequence not in absorbed}
        level = longer
        if not level:
            break
    return closed


def _frequent(runs: Sequence[Run], length: int, min_support: int, shorter: Found | None) -> Found:
    """The sequences of one length that enough sources have, given those one item shorter."""
    sources: dict[tuple[str, ...], set[Hashable]] = {}
    for source, items in runs:
        for start in range(len(items) - length + 1):
            sequence = tuple(items[start : start + length])
            if shorter is None or (sequence[:-1] in shorter and sequence[1:] in shorter):
                sources.setdefault(sequence, set()).add(source)
    return {sequence: frozenset(own) for sequence, own in sources.items() if len(own) >= min_support}
