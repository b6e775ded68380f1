"""Dry runs: what extraction would take is told, day by day and in all, and nothing is extracted."""

from collections.abc import Callable
from datetime import date

from dagster import AssetExecutionContext, AssetObservation, Config, MetadataValue, TableRecord
from pydantic import Field

from assets.days import days_of
from memstrata.workflow.estimate import Estimate


class DryRun(Config):
    """Whether it is one."""

    dry_run: bool = Field(
        default=False,
        description="Tell what extraction would take (episodes, calls, tokens, model time, cost) and "
        "extract nothing: no day is materialised, and the steps that follow are skipped.",
    )


def tell_estimates(context: AssetExecutionContext, of: Callable[[date], Estimate]) -> None:
    """Reports what each day would take, and all together, as observations of the asset and in the log."""
    total: Estimate | None = None
    rows: list[TableRecord] = []
    for day in days_of(context):
        one = of(day)
        total = one if total is None else total + one
        rows.append(TableRecord({"day": day.isoformat(), **_told(one)}))
        _observe(context, {**_numbers(one), "estimate": str(one)}, day)
    if total is None:
        return
    told = f"would extract {total}"
    _observe(
        context,
        {**_numbers(total), "estimate": told, "basis": total.basis, "days": MetadataValue.table(rows)},
    )
    context.log.info("dry run: %s (%s); nothing was extracted", told, total.basis)


def _observe(context: AssetExecutionContext, metadata: dict[str, object], day: date | None = None) -> None:
    partition = None if day is None else day.isoformat()
    context.log_event(AssetObservation(context.asset_key, partition=partition, metadata=metadata))


def _numbers(one: Estimate) -> dict[str, object]:
    """Figures that plot, under names of their own: what was not spent is not added to what was."""
    figures: dict[str, object] = {
        "estimated_episodes": one.to_do,
        "estimated_calls": round(one.calls + one.more_calls, 3),
        "estimated_input_tokens": one.input_tokens,
        "estimated_output_tokens": one.output_tokens,
        "estimated_seconds": round(one.seconds, 3),
    }
    return figures if one.cost is None else {**figures, "estimated_cost": round(one.cost, 6)}


def _told(one: Estimate) -> dict[str, str | int | float]:
    return {
        "episodes": one.to_do,
        "calls": round(one.calls + one.more_calls, 1),
        "input tokens": one.input_tokens,
        "output tokens": one.output_tokens,
        "cost": "unknown" if one.cost is None else f"{one.cost:.4f} {one.currency}",
    }
