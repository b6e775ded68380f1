"""What checks found, page by page: what wants somebody first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.drift.catalogue import about
from memstrata.errors import Incorrect
from memstrata.memory.browsing import Page
from memstrata.memory.cursors import key_in, written
from memstrata.workflow.judging import judged_days, order_of, series_of, standing

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import date

    from memstrata.drift.catalogue import About
    from memstrata.ports import CheckResult, Installation
    from memstrata.workflow.judging import Judged, Point

_KEY_PARTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A check on a group as it stands: what it is about, its latest result, its days."""

    about: About
    latest: CheckResult
    series: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """All kept days of a check on a group."""

    about: About
    group_id: str
    days: tuple[Judged, ...]


class OverAll(StrEnum):
    """Whether what was found over all groups together is asked for, beside what was found in each."""

    ALSO = "also"
    ONLY = "only"
    NO = "no"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which checks: `days` of each series (0 for none), `failing` ones alone, from the page's place on."""

    over_all: OverAll = OverAll.ALSO
    days: int = 0
    failing: bool = False
    after: str | None = None
    limit: int = 100


def checks_page(installation: Installation, groups: Collection[str], asked: Asked) -> Page[Standing]:
    """The checks of the groups: errors, then other failures, then what passes; by check and group.

    Series end with the newest day of them all. Raises `Incorrect` for an `after` that no page gave.
    """
    key = _key(asked.after)
    all_ = standing(installation.record.latest_checks(groups))
    wanted = [
        one for one in all_ if not (asked.failing and one.passed) and (key is None or order_of(one) > key)
    ]
    found = wanted[: asked.limit]
    series: tuple[tuple[Point, ...], ...] = ((),) * len(found)
    if asked.days and found:
        newest = max(one.day for one in all_)
        series = series_of(installation, found, days=asked.days, until=newest)
    following = None
    if len(wanted) > len(found):
        urgency, check, group_id = order_of(found[-1])
        following = written((str(urgency), check, group_id))
    return Page(
        items=tuple(
            Standing(about=about(one.check), latest=one, series=days)
            for one, days in zip(found, series, strict=True)
        ),
        following=following,
    )


def history_of(
    installation: Installation,
    check: str,
    group_id: str,
    *,
    since: date | None = None,
    until: date | None = None,
) -> History:
    """What is kept of a check on a group; raises `Incorrect` for one that has never run there."""
    there = [one.check for one in installation.record.latest_checks([group_id])]
    if check not in there:
        listed = ", ".join(there) or "none yet: docs/operations.md says how they are run"
        raise Incorrect(f"there is no result of a check {check!r} there; there are: {listed}")
    days = judged_days(installation, check, group_id, since=since, until=until)
    return History(about=about(check), group_id=group_id, days=days)


def _key(after: str | None) -> tuple[int, str, str] | None:
    if after is None:
        return None
    key = key_in(after, parts=_KEY_PARTS)
    if key is None or key[0] not in ("0", "1", "2"):
        raise Incorrect("the cursor is none of this list; give `next_cursor` of the page before, or none")
    return int(key[0]), key[1], key[2]
