"""What may be spent: for a run, for a day, and for each group.

A budget is one or more limits: `2.50 USD`, `100000 tokens`, `500 calls`, or several with commas between.
`tokens` are read and written together. That of a group counts everything it ever took, unless it says
`a day` or `a month` (UTC). 0 allows nothing.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect

if TYPE_CHECKING:
    from datetime import date

TOKENS: Final = "tokens"
CALLS: Final = "calls"
_LIMIT: Final = re.compile(
    r"(?P<amount>\d[\d_]*(?:\.\d+)?)"
    r"(?:\s+(?P<unit>[A-Z]{3}|tokens?|calls?))?"
    r"(?:\s+(?P<period>a day|a month|in all))?"
)
_EXPECTED: Final = "expected such as 2.50 USD, 100000 tokens or 500 calls, several with commas between"


class Period(StrEnum):
    """How long a limit counts."""

    RUN = "run"
    DAY = "a day"
    MONTH = "a month"
    ALL = "in all"

    def since(self, today: date) -> date | None:
        """Its first day; None for no first one."""
        match self:
            case Period.DAY:
                return today
            case Period.MONTH:
                return today.replace(day=1)
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """So much of `unit` (`tokens`, `calls` or a currency) in a period; `text` is how it was written."""

    amount: float
    unit: str
    period: Period
    text: str

    @property
    def is_money(self) -> bool:
        """Whether prices decide on it."""
        return self.unit not in (TOKENS, CALLS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgets:
    """The limits of a run, of a UTC day over all groups, and of each group."""

    run: tuple[Limit, ...] = ()
    day: tuple[Limit, ...] = ()
    group: tuple[Limit, ...] = ()

    def __bool__(self) -> bool:
        """Whether there is any limit."""
        return bool(self.run or self.day or self.group)


def read_limits(text: str, period: Period) -> tuple[Limit, ...]:
    """The limits of one budget; none for an empty text. `Period.ALL` may be written otherwise.

    Raises `Incorrect` for what is none.
    """
    parts = [part.strip() for part in text.split(",")] if text.strip() else []
    return tuple(_limit(part, period) for part in parts)


def _limit(text: str, period: Period) -> Limit:
    found = _LIMIT.fullmatch(text)
    if found is None:
        raise Incorrect(f"{text!r} is no limit; {_EXPECTED}")
    amount = float(found["amount"].replace("_", ""))
    if not math.isfinite(amount):
        raise Incorrect(f"{text!r} is too much to count; leave the budget out for none")
    unit = found["unit"] or ""
    if not unit and amount:
        raise Incorrect(f"{text!r} does not say of what; {_EXPECTED}")
    if found["period"] and period is not Period.ALL:
        raise Incorrect(f"{text!r}: {found['period']!r} is for the budget of groups; leave it out here")
    unit = unit if unit.isupper() else f"{unit.rstrip('s')}s" if unit else CALLS
    return Limit(
        amount=amount,
        unit=unit,
        period=Period(found["period"]) if found["period"] else period,
        text=text,
    )
