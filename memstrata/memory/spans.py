"""Between which times it is worth looking: where beliefs and what is believed begin and end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from memstrata.ports import Installation


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A first and a last instant; None for both where there is none."""

    first: datetime | None = None
    last: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spans:
    """`valid`: when the facts believed now begin; `system`: the first and the last commit."""

    valid: Span
    system: Span
    now: datetime


def spans_of(installation: Installation, groups: Sequence[str]) -> Spans:
    """The spans of those groups together; a few seeks a group, however much it holds."""
    graph = installation.graph
    begun = [span for group in groups if (span := graph.beginnings(group)) is not None]
    committed = [at for group in groups for at in _commits(installation, group)]
    return Spans(
        valid=_over(at for span in begun for at in span),
        system=_over(committed),
        now=installation.clock.now(),
    )


def _commits(installation: Installation, group_id: str) -> list[datetime]:
    """The instants of the group's first and last commit; none where it has none."""
    record, last = installation.record, installation.graph.last_seq(group_id)
    if not last:
        return []
    ends = (record.commits(group_id), record.commits(group_id, after=last - 1))
    return [commit.instant for commits in ends if (commit := next(commits, None)) is not None]


def _over(instants: Iterable[datetime]) -> Span:
    found = list(instants)
    return Span(first=min(found), last=max(found)) if found else Span()
