"""The one place where budgets are kept: every call to a model goes through `Allowance.spending`.

What others spend, in other processes, is seen in the log of calls as soon as they have noted it; what is
under way in this one is reckoned at what it is expected to take.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, timedelta
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, OverBudget
from memstrata.ports import ListedBy, Spent
from memstrata.spending.budgets import CALLS, TOKENS, Period
from memstrata.spending.tokens import tokens_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import date

    from memstrata.ports import Call, CallLog, Clock, PriceList, Prompt
    from memstrata.spending.budgets import Budgets, Limit

#: Tokens of a reply, before the first of a model has come.
REPLY_TOKENS: Final = 300
_OWN: Final = (ListedBy.GROUP, ListedBy.STAGE, ListedBy.VERSION, ListedBy.MODEL)
_SETTINGS: Final = {"run": "MEMSTRATA_BUDGET_RUN", "day": "MEMSTRATA_BUDGET_DAY"}


@dataclass(slots=True, eq=False)
class _UnderWay:
    """A call that has begun and was not noted yet."""

    group_id: str
    expected: Spent


class Allowance:
    """Both `ports.Budget` and `ports.CallLog`, over the log that holds the calls of all processes.

    A run is from its making on. Raises `Incorrect` for money of another currency than the prices'.
    """

    def __init__(self, log: CallLog, prices: PriceList, budgets: Budgets, clock: Clock) -> None:
        self._log = log
        self._prices = prices
        self._budgets = budgets
        self._clock = clock
        self._changed = threading.Condition()
        self._here = threading.local()
        self._under_way: list[_UnderWay] = []
        self._own: dict[tuple[str, ...], Spent] = {}
        self._read: dict[tuple[date | None, date, str | None], tuple[Spent, ...]] = {}
        for name, limits in (("RUN", budgets.run), ("DAY", budgets.day), ("GROUP", budgets.group)):
            for limit in limits:
                if limit.is_money and limit.unit != prices.currency:
                    raise Incorrect(
                        f"MEMSTRATA_BUDGET_{name} = {limit.text!r}: prices are in {prices.currency}; say "
                        "it in that, in tokens or in calls, or give other prices (MEMSTRATA_PRICES)"
                    )

    # --- Budget ---

    @contextmanager
    def spending(self, group_id: str, model: str, prompt: Prompt) -> Iterator[None]:
        """See `ports.Budget`."""
        if not self._budgets:
            yield
            return
        begun = _UnderWay(group_id, self._expected(model, prompt))
        with self._changed:
            while not self._fits(begun):
                self._changed.wait()
            self._under_way.append(begun)
        self._here.call = begun
        try:
            yield
        finally:
            self._here.call = None
            with self._changed:
                self._end(begun)

    def taken(self) -> tuple[Spent, ...]:
        """See `ports.Budget`."""
        with self._changed:
            return tuple(self._own[key] for key in sorted(self._own))

    # --- CallLog ---

    def note(self, calls: Sequence[Call]) -> None:
        """See `ports.CallLog`."""
        with self._changed:
            self._log.note(calls)
            for one in calls:
                key = (one.group_id, one.stage.value, one.version, one.model)
                before = self._own.get(key) or Spent(key=dict(zip(_OWN, key, strict=True)))
                self._own[key] = before + one
            self._end(getattr(self._here, "call", None))

    def spent(
        self,
        by: Collection[ListedBy] = (),
        *,
        since: date | None = None,
        until: date | None = None,
        group_id: str | None = None,
    ) -> tuple[Spent, ...]:
        """See `ports.CallLog`."""
        return self._log.spent(by, since=since, until=until, group_id=group_id)

    def close(self) -> None:
        """See `ports.CallLog`."""
        self._log.close()

    # --- what is left ---

    def _fits(self, call: _UnderWay) -> bool:
        """Whether it may begin; False if that depends on calls that are under way. Raises `OverBudget`."""
        waits = False
        for limit, group in self._limits(call.group_id):
            if not limit.amount:
                raise OverBudget(
                    f"{_named(limit, group)} allows no call: raise it, or unset it", group_id=group
                )
            taken = self._taken(limit, group)
            left = limit.amount - self._amount(limit, taken)
            needed = self._amount(limit, [call.expected])
            if needed > left:
                raise OverBudget(self._told(limit, group, taken, needed), group_id=group)
            begun = [one.expected for one in self._under_way if group is None or one.group_id == group]
            waits = waits or self._amount(limit, [*begun, call.expected]) > left
        return not waits

    def _limits(self, group_id: str) -> Iterator[tuple[Limit, str | None]]:
        yield from ((limit, None) for limit in (*self._budgets.run, *self._budgets.day))
        yield from ((limit, group_id) for limit in self._budgets.group)

    def _taken(self, limit: Limit, group: str | None) -> Sequence[Spent]:
        """What counts against the limit, by model at least."""
        if limit.period is Period.RUN:
            return list(self._own.values())
        today = self._clock.now().astimezone(UTC).date()
        until = today + timedelta(days=1) if limit.period is Period.DAY else None
        spent = self._log.spent([ListedBy.MODEL], since=today, until=until, group_id=group)
        if limit.period is Period.DAY:
            return spent
        return [*spent, *self._before(limit.period.since(today), today, group)]

    def _before(self, since: date | None, today: date, group: str | None) -> Sequence[Spent]:
        """What was spent before today: it does not change any more, so it is read once."""
        key = (since, today, group)
        if key not in self._read:
            self._read = {one: spent for one, spent in self._read.items() if one[1] == today}
            self._read[key] = self._log.spent([ListedBy.MODEL], since=since, until=today, group_id=group)
        return self._read[key]

    def _amount(self, limit: Limit, taken: Sequence[Spent]) -> float:
        if limit.unit == CALLS:
            return sum(one.calls for one in taken)
        if limit.unit == TOKENS:
            return sum(one.input_tokens + one.output_tokens for one in taken)
        return sum(self._cost(limit, one) for one in taken)

    def _cost(self, limit: Limit, one: Spent) -> float:
        model = one.key[ListedBy.MODEL]
        cost = self._prices.cost(model, one.input_tokens, one.output_tokens, one.cached_tokens)
        if cost is None:
            raise OverBudget(
                f"the budget {limit.text!r} cannot be kept: no price of {model!r} is known; add it to the "
                "file of MEMSTRATA_PRICES (0 if it costs nothing), or say the budget in tokens or calls"
            )
        return cost

    def _expected(self, model: str, prompt: Prompt) -> Spent:
        replies = [one for one in self.taken() if one.key[ListedBy.MODEL] == model]
        calls = sum(one.calls - one.failed for one in replies)
        output = sum(one.output_tokens for one in replies) / calls if calls else float(REPLY_TOKENS)
        if prompt.most_tokens is not None:
            output = min(output, float(prompt.most_tokens))
        return Spent(
            key={ListedBy.MODEL: model},
            calls=1.0,
            input_tokens=float(tokens_of(prompt)),
            output_tokens=output,
        )

    def _told(self, limit: Limit, group: str | None, taken: Sequence[Spent], needed: float) -> str:
        calls = _said(sum(one.calls for one in taken), CALLS)
        spent = calls
        if limit.unit != CALLS:
            spent = f"{_said(self._amount(limit, taken), limit.unit)} in {calls}, and the next call takes "
            spent += f"about {_said(needed, limit.unit)}"
        return f"{_named(limit, group)} is spent: {spent}; what is left waits{_until(limit.period, group)}"

    def _end(self, call: _UnderWay | None) -> None:
        if call in self._under_way:
            self._under_way.remove(call)
            self._changed.notify_all()


def _named(limit: Limit, group: str | None) -> str:
    """The budget that a limit is of, with its setting."""
    scope = "run" if limit.period is Period.RUN else "day"
    setting = "MEMSTRATA_BUDGET_GROUP" if group is not None else _SETTINGS[scope]
    whose = f"group {group!r}" if group is not None else f"the {scope}"
    return f"the budget of {whose} ({setting} = {limit.text!r})"


def _said(amount: float, unit: str) -> str:
    if unit in (CALLS, TOKENS):
        return f"{amount:,.0f} {unit.rstrip('s') if round(amount) == 1 else unit}"
    return f"{amount:,.4f} {unit}"


def _until(period: Period, group: str | None) -> str:
    match period:
        case Period.DAY:
            return " for the next day (UTC)"
        case Period.MONTH:
            return " for the next month (UTC)"
        case Period.RUN:
            return " for the next run"
    return "" if group is None else " until the budget is raised"
