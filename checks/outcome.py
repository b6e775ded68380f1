"""How findings become the results that Dagster shows."""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetObservation,
    FloatMetadataValue,
    MetadataValue,
    TableRecord,
)

from memstrata.drift import EVERY_GROUP, Finding

#: The run tag by which a schedule says which day's labels and episodes are judged.
DAY_TAG = "memstrata/day"
#: How many groups get numbers of their own, those that fail first; the rest stand in the table.
_MOST_GROUPS = 20
_MOST_ROWS = 200
#: Details that say on what a number rests; they stand with the check and need no plot.
_UNPLOTTED = ("judged", "dispersion", "p_", "facts", "entities", "episodes", "labels", "lines")


def outcome(
    find: Callable[[], Sequence[Finding]], *, severity: AssetCheckSeverity = AssetCheckSeverity.WARN
) -> AssetCheckResult:
    """The result of one check over all groups; that it could not run is a warning of its own."""
    try:
        return result_of(find(), severity=severity)
    except Exception as error:  # noqa: BLE001 (whatever a check runs into must not fail the run it watches)
        return unable(error)


def observed(
    context: AssetCheckExecutionContext, asset: str, check: str, result: AssetCheckResult
) -> AssetCheckResult:
    """The same result; its numbers are also told as an observation of the asset, which Dagster plots."""
    numbers = {
        name.replace("value", check, 1) if name.startswith("value") else f"{check}: {name}": number.value
        for name, number in result.metadata.items()
        if isinstance(number, FloatMetadataValue) and not name.startswith(_UNPLOTTED)
    }
    numbers.pop(check, None)  # the same as the first group's
    context.op_execution_context.log_event(AssetObservation(asset, metadata=numbers))
    return result


def unable(error: Exception, *, check_name: str | None = None) -> AssetCheckResult:
    """The result of a check that could not run."""
    said = f"This check could not run: {type(error).__name__}: {error}"
    return AssetCheckResult(
        passed=False,
        severity=AssetCheckSeverity.WARN,
        check_name=check_name,
        description=said,
        metadata={"could_not_run": True, "what_to_do": said},
    )


def result_of(
    findings: Iterable[Finding],
    *,
    severity: AssetCheckSeverity = AssetCheckSeverity.WARN,
    check_name: str | None = None,
) -> AssetCheckResult:
    """Passed if every finding is; the sentences of those that are not say what to do."""
    ordered = sorted(findings, key=lambda one: (one.passed, one.group_id != EVERY_GROUP, one.group_id))
    failed = [one for one in ordered if not one.passed]
    said = _said(ordered, failed)
    return AssetCheckResult(
        passed=not failed,
        severity=severity,
        check_name=check_name,
        description=said,
        metadata={
            "groups_failed": len(failed),
            **_numbers(ordered),
            "what_to_do": said,
            "findings": MetadataValue.table([_row(one) for one in ordered[:_MOST_ROWS]] or [_NO_ROW]),
        },
    )


def day_judged(context: AssetCheckExecutionContext) -> date:
    """The day a check is about: the run's partition, the day its schedule names, else the present one."""
    if context.has_partition_key:
        return date.fromisoformat(context.partition_key)
    named = context.run.tags.get(DAY_TAG)
    return date.fromisoformat(named) if named else datetime.now(UTC).date()


def _said(ordered: Sequence[Finding], failed: Sequence[Finding]) -> str:
    if failed:
        return " ".join(one.sentence for one in failed[:5])
    if len(ordered) > 1 and ordered[0].group_id != EVERY_GROUP:
        return f"All {len(ordered)} groups pass."
    return ordered[0].sentence if ordered else "There is no group to look at yet."


def _numbers(findings: Sequence[Finding]) -> dict[str, float]:
    """What is plotted: the value and the details of each finding, those of a group under its name."""
    numbers: dict[str, float] = {}
    for place, one in enumerate(findings[:_MOST_GROUPS]):
        if place == 0:
            numbers["value"] = one.value
        suffix = " [all groups]" if one.group_id == EVERY_GROUP else f" [{one.group_id}]"
        numbers[f"value{suffix}"] = one.value
        numbers |= {f"{name}{suffix}": number for name, number in one.details.items()}
    return numbers


_NO_ROW = TableRecord({"group": "", "value": 0.0, "limit": "", "passed": True, "what to do": ""})


def _row(one: Finding) -> TableRecord:
    return TableRecord(
        {
            "group": "all groups" if one.group_id == EVERY_GROUP else one.group_id,
            "value": one.value,
            "limit": "" if one.threshold is None else str(one.threshold),
            "passed": one.passed,
            "what to do": one.sentence,
        }
    )
