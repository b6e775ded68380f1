"""What language models took, listed and priced: tokens, calls, retries, seconds, cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.ports import ListedBy, Spending

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date

    from memstrata.ports import CallLog, Installation, PriceList, Spent

_TENTHS_OF_A_CENT: Final = 6  # digits of money that are kept in figures that plot
_CENTS: Final = 0.995


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What calls took that agree in what they are listed by; `key` holds that, as text.

    `failed` of the `calls` gave no reply; `cached_tokens` are part of `input_tokens`. `cost` is None where
    the price of any of the models is not known; those are `unpriced`, and `priced` is what the others cost.
    """

    key: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    calls: float = 0.0
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    cached_tokens: float = 0.0
    retries: float = 0.0
    seconds: float = 0.0
    failed: float = 0.0
    cost: float | None = 0.0
    priced: float = 0.0
    unpriced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Spending listed by `by`, sorted by key, and its total; money is in `currency`."""

    by: tuple[str, ...]
    currency: str
    rows: tuple[Cost, ...]
    total: Cost


def costs(
    installation: Installation,
    by: Sequence[ListedBy] = (),
    *,
    since: date | None = None,
    until: date | None = None,
    group_id: str | None = None,
) -> Costs:
    """What was spent from day `since` to before day `until` (UTC), of one group or of all.

    Raises `Incorrect` for days of which none can be.
    """
    if since is not None and until is not None and since >= until:
        raise Incorrect(f"no day is from {since} on and before {until}")
    found = _spent(installation.calls, {*by, ListedBy.MODEL}, since=since, until=until, group_id=group_id)
    prices = installation.prices
    rows: dict[tuple[str, ...], list[Spent]] = {}
    for one in found:
        rows.setdefault(tuple(one.key[name] for name in by), []).append(one)
    listed = [
        priced(prices, rows[key], {name_of(name): text for name, text in zip(by, key, strict=True)})
        for key in sorted(rows)
    ]
    return Costs(
        by=tuple(name_of(name) for name in by),
        currency="" if prices is None else prices.currency,
        rows=tuple(listed) if by else (),
        total=priced(prices, found),
    )


def models_asked(installation: Installation) -> Mapping[str, tuple[str, ...]]:
    """The models that each extractor version has asked, by version; none for one that asks none."""
    asked: dict[str, set[str]] = {}
    for one in _spent(installation.calls, {ListedBy.VERSION, ListedBy.MODEL}, since=None, until=None):
        asked.setdefault(one.key[ListedBy.VERSION], set()).add(one.key[ListedBy.MODEL])
    return {version: tuple(sorted(models)) for version, models in asked.items()}


def name_of(by: ListedBy) -> str:
    """What people call it: `group`, not `group_id`."""
    return by.value.removesuffix("_id")


def priced(prices: PriceList | None, spent: Sequence[Spent], key: Mapping[str, str] | None = None) -> Cost:
    """The sum of what was spent, each with its model in its key, and what it cost."""
    known, unknown = 0.0, set()
    for one in spent:
        model = one.key[ListedBy.MODEL]
        cost = (
            None
            if prices is None
            else prices.cost(model, one.input_tokens, one.output_tokens, one.cached_tokens)
        )
        if cost is None:
            unknown.add(model)
        else:
            known += cost
    return Cost(
        key=MappingProxyType(dict(key or {})),
        **sum(spent, Spending()).numbers,
        cost=None if unknown else known,
        priced=known,
        unpriced=tuple(sorted(unknown)),
    )


def told_amount(amount: float) -> str:
    """Money in cents from one on, else in ten thousandths."""
    return f"{amount:,.2f}" if amount >= _CENTS or not amount else f"{amount:.4f}"


class Meter:
    """What this installation took since the meter was made, or read last: for one day of a run."""

    def __init__(self, installation: Installation) -> None:
        self._budget = installation.budget
        self._prices = installation.prices
        self._before = self._taken()

    def numbers(self) -> dict[str, float]:
        """Figures that plot: calls, tokens and cost, in all and by stage; an unknown cost is left out.

        Nothing where no language model was asked.
        """
        taken, before = self._taken(), self._before
        self._before = taken
        spent = [one - before[key] if key in before else one for key, one in taken.items()]
        spent = [one for one in spent if one.calls]
        stages = sorted({one.key[ListedBy.STAGE] for one in spent})
        figures = self._figures(spent, "") if spent else {}
        for stage in stages:
            of_stage = [one for one in spent if one.key[ListedBy.STAGE] == stage]
            figures |= self._figures(of_stage, f"_{stage}")
        return figures

    def _figures(self, spent: Sequence[Spent], suffix: str) -> dict[str, float]:
        took = priced(self._prices, spent)
        figures = {
            f"calls{suffix}": round(took.calls, 3),
            f"input_tokens{suffix}": round(took.input_tokens),
            f"output_tokens{suffix}": round(took.output_tokens),
        }
        if not suffix:
            figures |= {"failed_calls": round(took.failed, 3), "retries": round(took.retries)}
            figures["model_seconds"] = round(took.seconds, 3)
        if took.cost is not None:
            figures[f"cost{suffix}"] = round(took.cost, _TENTHS_OF_A_CENT)
        return figures

    def _taken(self) -> dict[tuple[str, ...], Spent]:
        taken: Iterable[Spent] = () if self._budget is None else self._budget.taken()
        return {tuple(one.key.values()): one for one in taken}


def forget_replies(installation: Installation, group_id: str, episode_ids: Collection[str]) -> int:
    """Removes the kept replies that tell of those episodes, beyond recovery; gives how many.

    An episode that is extracted again is asked about again then.
    """
    return 0 if installation.replies is None else installation.replies.evict(group_id, episode_ids)


def _spent(
    calls: CallLog | None,
    by: Collection[ListedBy],
    *,
    since: date | None,
    until: date | None,
    group_id: str | None = None,
) -> tuple[Spent, ...]:
    if calls is None:
        return ()
    return calls.spent(by, since=since, until=until, group_id=group_id)
