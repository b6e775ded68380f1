"""`cost`: what language models took, as a table; and how estimates are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import click
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import print_json
from memstrata.cli.session import When, any_group_option, console, existing_group, json_option
from memstrata.errors import nearest
from memstrata.memory.asking import Asking
from memstrata.ports import ListedBy
from memstrata.settings import opened
from memstrata.workflow.costs import name_of, told_amount

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from memstrata.workflow.costs import Cost, Costs
    from memstrata.workflow.estimate import Estimate

_SUMS: Final[dict[str, Callable[[Cost], float]]] = {
    "calls": lambda row: row.calls,
    "failed": lambda row: row.failed,
    "retries": lambda row: row.retries,
    "input": lambda row: row.input_tokens,
    "cached": lambda row: row.cached_tokens,
    "output": lambda row: row.output_tokens,
    "seconds": lambda row: row.seconds,
}
_OFTEN_NONE: Final = ("failed", "retries", "cached")
_WIDEST: Final = 10_000
_NAMES: Final = {name_of(one): one for one in ListedBy}


class _By(click.ParamType[tuple[ListedBy, ...]]):
    """`day,group`: what to list by, in that order."""

    name = "LIST"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[ListedBy, ...]:
        """Reads the names; fails with the nearest that there is."""
        if isinstance(value, tuple):
            return value
        asked = [part.strip() for part in str(value).split(",") if part.strip()]
        for name in asked:
            if name not in _NAMES:
                near = nearest(name, _NAMES)
                hint = f"did you mean {near}?" if near else f"there are: {', '.join(_NAMES)}"
                self.fail(f"nothing is listed by {name!r}; {hint}", param, ctx)
        return tuple(dict.fromkeys(_NAMES[name] for name in asked))


@click.command(
    epilog=examples("memstrata cost", "memstrata cost --by day,stage --since 2026-11 --group acme/eng")
)
@click.option(
    "--by",
    type=_By(),
    default="day,model",
    show_default=True,
    help="What to list by: day, group, stage, version, model, episode; several with commas.",
)
@click.option("--since", type=When(), help="From this day on (UTC).")
@click.option("--until", type=When(), help="Up to this day, without it.")
@any_group_option
@json_option
def cost(
    by: tuple[ListedBy, ...],
    since: datetime | None,
    until: datetime | None,
    group_id: str | None,
    as_json: bool,
) -> None:
    """Tell what language models took: calls, tokens, retries, seconds, cost.

    `failed` are those of the calls that gave no reply, `cached` what of the input had been read before.
    Prices are per name of the model: those that come with Memstrata, and yours (MEMSTRATA_PRICES).
    """
    with opened() as installation:
        found = Asking(installation=installation).costs(
            by,
            since=None if since is None else since.date(),
            until=None if until is None else until.date(),
            group_id=group_id,
        )
        if group_id is not None and not found.total.calls:
            existing_group(installation, group_id)
    if as_json:
        print_json(found)
    elif not found.total.calls:
        console.print("no language model was asked")
    else:
        _show(found)


def _show(found: Costs) -> None:
    named = _columns(found)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in found.by:
        table.add_column(name, overflow="fold")
    for name in (*named, f"cost {found.currency}".strip()):
        table.add_column(name, justify="right", no_wrap=True)
    for row in found.rows:
        table.add_row(*(Text(row.key[name]) for name in found.by), *_cells(row, named))
    if len(found.rows) != 1:
        total = ("total" if at == 0 else "" for at in range(len(found.by)))
        table.add_row(*total, *_cells(found.total, named))
    if Measurement.get(console, console.options.update(max_width=_WIDEST), table).maximum > console.width:
        _show_narrow(found, named)
    else:
        console.print(table)
    if found.total.unpriced:
        console.print(
            f"no price is known of {', '.join(found.total.unpriced)}: name it in the file of "
            "MEMSTRATA_PRICES (0 if it costs nothing)",
            soft_wrap=True,
            highlight=False,
            markup=False,
        )


def _columns(found: Costs) -> list[str]:
    """The sums to show: what was nothing everywhere, and often is, is left out."""
    return [name for name, of in _SUMS.items() if name not in _OFTEN_NONE or of(found.total)]


def _show_narrow(found: Costs, named: list[str]) -> None:
    """The rows one below the other, so that nothing of a number or an id is cut."""
    rows = [("  ".join(row.key[name] for name in found.by), row) for row in found.rows]
    for heading, row in [*rows, *([("total", found.total)] if len(rows) != 1 else [])]:
        console.print(Text(heading, style="bold"), soft_wrap=True)
        sums = zip((*named, f"cost {found.currency}".strip()), _cells(row, named), strict=True)
        told = ", ".join(f"{name} {said}" for name, said in sums)
        console.print(f"  {told}", soft_wrap=True, highlight=False, markup=False)


def _cells(row: Cost, named: list[str]) -> list[str]:
    numbers = {name: of(row) for name, of in _SUMS.items()}
    said = [_seconds(numbers[name]) if name == "seconds" else _number(numbers[name]) for name in named]
    return [*said, _money(row)]


def _seconds(value: float) -> str:
    return f"{value:,.1f}" if value >= 1 else f"{value:.2f}"


def _number(value: float) -> str:
    """Whole, or as the share of a call that it is."""
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-6 or value >= 100 else f"{value:,.2f}"  # noqa: PLR2004


def _money(row: Cost) -> str:
    if row.cost is not None:
        return told_amount(row.cost)
    return f"{told_amount(row.priced)} + unknown" if row.priced else "unknown"


def show_estimate(estimated: Estimate) -> None:
    """What extraction would take, in a line or two; nothing where there is nothing to extract."""
    if estimated.to_do:
        console.print(f"extract   {estimated}", highlight=False, soft_wrap=True, markup=False)
        if estimated.model:
            console.print(f"          an estimate; {estimated.basis}", highlight=False)
