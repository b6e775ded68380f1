"""Budgets: how they are written, and that no call is made beyond them, in this process or another."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Incorrect, OverBudget
from memstrata.ports import Call, Prompt, Stage
from memstrata.spending import Limit, Period, load_prices, read_limits
from memstrata.spending.opening import allowance_of
from memstrata.stores.sqlite.model_calls import ModelCalls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from memstrata.spending import Allowance

PROMPT = Prompt(system="s" * 400, user="u" * 3_600)  # a thousand tokens
PRICES = load_prices("models: {m: {input: 1000, cached: 100, output: 2000}}")  # a tenth of a cent a token


class Clock:
    def __init__(self) -> None:
        self.instant = datetime(2026, 11, 30, 23, 50, tzinfo=UTC)

    def now(self) -> datetime:
        return self.instant


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def opening(tmp_path: Path, clock: Clock) -> Iterator[Callable[..., Allowance]]:
    """Opens the same log again each time, as another process would."""
    made: list[Allowance] = []

    def allow(**budgets: str) -> Allowance:
        made.append(allowance_of(ModelCalls(tmp_path / "models.db"), PRICES, clock, **budgets))
        return made[-1]

    yield allow
    for one in made:
        one.close()


def ask(
    allowance: Allowance, clock: Clock, *, group: str = "g", tokens: int = 900, model: str = "m"
) -> None:
    """One call that reads so many tokens and writes a hundred."""
    with allowance.spending(group, model, PROMPT):
        allowance.note([call(clock, group=group, tokens=tokens, model=model)])


def call(clock: Clock, *, group: str = "g", tokens: int = 900, model: str = "m") -> Call:
    return Call(
        at=clock.now(),
        group_id=group,
        episode_id="e",
        stage=Stage.EXTRACT,
        version="v",
        model=model,
        calls=1.0,
        input_tokens=tokens,
        output_tokens=100,
    )


def until_refused(allowance: Allowance, clock: Clock, *, group: str = "g") -> tuple[int, OverBudget]:
    """How many calls were allowed, and what was said then."""
    for number in range(1_000):
        try:
            ask(allowance, clock, group=group)
        except OverBudget as error:
            return number, error
    raise AssertionError


@pytest.mark.parametrize(
    ("text", "amount", "unit", "period"),
    [
        ("2.50 USD", 2.5, "USD", Period.ALL),
        ("100000 tokens", 100_000, "tokens", Period.ALL),
        ("100_000 tokens", 100_000, "tokens", Period.ALL),
        ("1 call", 1, "calls", Period.ALL),
        ("5 EUR a day", 5, "EUR", Period.DAY),
        ("20 USD a month", 20, "USD", Period.MONTH),
        ("0", 0, "calls", Period.ALL),
    ],
)
def test_a_limit_is_an_amount_of_something(text: str, amount: float, unit: str, period: Period) -> None:
    assert read_limits(text, Period.ALL) == (Limit(amount=amount, unit=unit, period=period, text=text),)


def test_a_budget_may_be_several_limits_or_none() -> None:
    assert [one.unit for one in read_limits("2 USD, 500 calls", Period.DAY)] == ["USD", "calls"]
    assert read_limits("  ", Period.DAY) == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("5", "does not say of what"),
        ("five USD", "is no limit"),
        ("-5 USD", "is no limit"),
        ("5 usd", "is no limit"),
        ("5 USD,", "is no limit"),
        ("5 USD a day", "is for the budget of groups"),
        ("9" * 400 + " calls", "too much to count"),
    ],
)
def test_what_is_no_limit_is_refused(text: str, said: str) -> None:
    with pytest.raises(Incorrect, match=said):
        read_limits(text, Period.RUN)


def test_the_wrong_setting_is_named(opening: Callable[..., Allowance]) -> None:
    with pytest.raises(Incorrect, match="MEMSTRATA_BUDGET_DAY = 'much'"):
        opening(day="much")
    with pytest.raises(Incorrect, match="MEMSTRATA_BUDGET_RUN = '1 EUR': prices are in USD"):
        opening(run="1 EUR")


def test_without_budgets_everything_is_allowed(opening: Callable[..., Allowance], clock: Clock) -> None:
    allowance = opening()
    for _ in range(3):
        ask(allowance, clock, model="unknown")


@pytest.mark.parametrize("text", ["0", "0 USD", "0 tokens", "0 calls"])
def test_a_budget_of_zero_refuses_at_once_and_says_so(
    opening: Callable[..., Allowance], clock: Clock, text: str
) -> None:
    count, error = until_refused(opening(run=text), clock)
    assert count == 0
    assert f"MEMSTRATA_BUDGET_RUN = {text!r}" in str(error)
    assert "allows no call: raise it, or unset it" in str(error)


def test_a_budget_of_zero_money_says_so_where_no_price_is_known(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    with pytest.raises(OverBudget, match="allows no call: raise it, or unset it"):
        ask(opening(run="0 USD"), clock, model="unknown")


@pytest.mark.parametrize(("text", "calls"), [("7 calls", 7), ("7000 tokens", 6), ("7.50 USD", 6)])
def test_no_call_is_begun_that_does_not_fit(
    opening: Callable[..., Allowance], clock: Clock, text: str, calls: int
) -> None:
    # each takes 1,000 tokens, 1.10 USD; the next is reckoned at 1,000 read and what replies took before
    count, error = until_refused(opening(run=text), clock)
    assert count == calls
    assert f"(MEMSTRATA_BUDGET_RUN = {text!r}) is spent" in str(error)
    assert error.group_id is None


def test_a_run_begins_anew_where_a_day_does_not(opening: Callable[..., Allowance], clock: Clock) -> None:
    assert until_refused(opening(run="2 calls", day="3 calls"), clock)[0] == 2
    count, error = until_refused(opening(run="2 calls", day="3 calls"), clock)
    assert count == 1
    assert "the budget of the day (MEMSTRATA_BUDGET_DAY = '3 calls') is spent: 3 calls" in str(error)


def test_a_day_passes(opening: Callable[..., Allowance], clock: Clock) -> None:
    allowance = opening(day="2 calls")
    assert until_refused(allowance, clock)[0] == 2
    clock.instant += timedelta(minutes=9)
    assert until_refused(allowance, clock)[0] == 0
    clock.instant += timedelta(minutes=2)
    assert until_refused(allowance, clock)[0] == 2


def test_a_groups_budget_stops_that_group_alone_and_does_not_pass(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    allowance = opening(group="2 calls")
    count, error = until_refused(allowance, clock, group="a/b")
    assert (count, error.group_id) == (2, "a/b")
    assert "group 'a/b'" in str(error)
    clock.instant += timedelta(days=400)
    assert until_refused(allowance, clock, group="a/b")[0] == 0
    assert until_refused(allowance, clock, group="a")[0] == 2


def test_a_groups_budget_may_be_for_each_day_or_month(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    allowance = opening(group="2 calls a day, 3 calls a month")
    assert until_refused(allowance, clock)[0] == 2
    clock.instant += timedelta(days=1)  # another month as well
    assert until_refused(allowance, clock)[0] == 2
    clock.instant += timedelta(days=1)
    count, error = until_refused(allowance, clock)
    assert count == 1
    assert "for the next month" in str(error)


def test_what_other_processes_spend_counts(
    opening: Callable[..., Allowance], clock: Clock, tmp_path: Path
) -> None:
    mine = opening(day="3 calls")
    ask(mine, clock)
    other = ModelCalls(tmp_path / "models.db")
    other.note([call(clock)])
    other.close()
    assert until_refused(mine, clock)[0] == 1


def test_money_without_a_price_is_refused_and_never_taken_for_nothing(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    with pytest.raises(OverBudget, match="no price of 'unknown' is known"):
        ask(opening(run="1000 USD"), clock, model="unknown")


def test_calls_under_way_are_reckoned_and_waited_for(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    allowance, began, may_end = opening(run="5 calls"), [], threading.Event()
    refused: list[OverBudget] = []

    def worker() -> None:
        try:
            with allowance.spending("g", "m", PROMPT):
                began.append(1)
                may_end.wait(10)
                allowance.note([call(clock)])
        except OverBudget as error:
            refused.append(error)

    threads = [threading.Thread(target=worker) for _ in range(8)]
    for one in threads:
        one.start()
    deadline = time.monotonic() + 10
    while len(began) < 5 and time.monotonic() < deadline:
        time.sleep(0.005)
    assert not refused  # what is under way may yet fail, and leave room
    may_end.set()
    for one in threads:
        one.join(10)
    assert (len(began), len(refused)) == (5, 3)


def test_a_call_that_failed_leaves_its_room_to_others(
    opening: Callable[..., Allowance], clock: Clock
) -> None:
    allowance = opening(run="1 call")
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), allowance.spending("g", "m", PROMPT):
            raise ZeroDivisionError
    assert until_refused(allowance, clock)[0] == 1


def test_a_long_log_does_not_slow_a_call_down(
    opening: Callable[..., Allowance], clock: Clock, tmp_path: Path
) -> None:
    log = ModelCalls(tmp_path / "models.db")
    log.note([call(clock)] * 20_000)
    log.close()
    allowance = opening(day="1000000 calls", group="1000000 calls")
    begun = time.process_time()
    for _ in range(5):
        ask(allowance, clock)
    assert (time.process_time() - begun) / 5 < 0.2
