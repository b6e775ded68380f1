"""Prices and budgets as settings give them: a file and three texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect, Missing
from memstrata.spending.allowance import Allowance
from memstrata.spending.budgets import Budgets, Period, read_limits
from memstrata.spending.prices import default_prices, load_prices

if TYPE_CHECKING:
    from pathlib import Path

    from memstrata.ports import CallLog, Clock, PriceList
    from memstrata.spending.budgets import Limit
    from memstrata.spending.prices import Prices


def prices_in(file: Path | None) -> Prices:
    """The prices of a user's file over the packaged ones. Raises `Missing`, `Misplaced`."""
    packaged = default_prices()
    if file is None:
        return packaged
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Missing(
            f"MEMSTRATA_PRICES = {str(file)!r}: no such file; write it, or unset the setting"
        ) from None
    except UnicodeDecodeError:
        raise Incorrect(f"MEMSTRATA_PRICES = {str(file)!r}: not UTF-8") from None
    return load_prices(text, str(file)).over(packaged)


def allowance_of(
    log: CallLog, prices: PriceList, clock: Clock, *, run: str = "", day: str = "", group: str = ""
) -> Allowance:
    """What may be spent by these texts (see `budgets`). Raises `Incorrect` naming the wrong setting."""
    budgets = Budgets(
        run=_limits("MEMSTRATA_BUDGET_RUN", run, Period.RUN),
        day=_limits("MEMSTRATA_BUDGET_DAY", day, Period.DAY),
        group=_limits("MEMSTRATA_BUDGET_GROUP", group, Period.ALL),
    )
    return Allowance(log, prices, budgets, clock)


def _limits(setting: str, text: str, period: Period) -> tuple[Limit, ...]:
    try:
        return read_limits(text, period)
    except Incorrect as error:
        raise Incorrect(f"{setting} = {text!r}: {error}") from None
