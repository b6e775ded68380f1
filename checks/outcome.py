"""How findings become the results that Dagster shows and the memory keeps: the one way of every check."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetKey,
    AssetObservation,
    FloatMetadataValue,
    MetadataValue,
    TableRecord,
)

from memstrata.drift import EVERY_GROUP, Finding
from memstrata.ports import Installation, Severity
from memstrata.workflow.judging import note_findings, note_inability
from resources.memory import MemstrataResource

#: The run tag by which a schedule says which day's labels and episodes are judged.
DAY_TAG = "memstrata/day"
#: How many groups get numbers of their own, those that fail first; the rest stand in the table.
_MOST_GROUPS = 20
_MOST_ROWS = 200
#: Details that say on what a number rests; they stand with the check and need no plot.
_UNPLOTTED = ("judged", "dispersion", "p_", "facts", "baseline", "entities", "episodes", "labels", "lines")


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One run of the checks `names` on an asset; those that fail are errors or warnings."""

    context: AssetCheckExecutionContext
    memory: MemstrataResource
    asset: str
    names: tuple[str, ...]
    severity: AssetCheckSeverity = AssetCheckSeverity.WARN

    def of(self, find: Callable[[Installation], Sequence[Finding]]) -> AssetCheckResult:
        """The result of the only check: found, kept, shown."""
        (result,) = self.of_each(lambda installation: [find(installation)])
        return result

    def of_each(
        self, find: Callable[[Installation], Sequence[Sequence[Finding]]]
    ) -> Iterator[AssetCheckResult]:
        """The results of the checks, whose findings come in the order of their names.

        That they could not run is a warning of its own, and fails neither the run nor another check; that
        their results could not be kept is a line in the log.
        """
        try:
            with self.memory.opened() as installation:
                found = self._found(installation, find)
        except Exception as error:  # noqa: BLE001 (whatever a check runs into must not fail the run it watches)
            found = error
        if isinstance(found, Exception):
            yield from (self._of_asset(unable(found, check_name=name)) for name in self.names)
            return
        for name, findings in zip(self.names, found, strict=True):
            result = result_of(findings, severity=self.severity, check_name=name)
            yield observed(self.context, self.asset, name, self._of_asset(result))

    def _found(
        self,
        installation: Installation,
        find: Callable[[Installation], Sequence[Sequence[Finding]]],
    ) -> Sequence[Sequence[Finding]] | Exception:
        """What is found, and kept; or why it could not be."""
        day = day_judged(self.context)
        try:
            found = find(installation)
        except Exception as error:  # noqa: BLE001 (as above)
            for name in self.names:
                with self._only_logging():
                    note_inability(installation, name, _inability(error), day=day)
            return error
        with self._only_logging():
            severity = Severity.ERROR if self.severity is AssetCheckSeverity.ERROR else Severity.WARNING
            every = [one for findings in found for one in findings]
            note_findings(installation, every, day=day, severity=severity)
        return found

    @contextmanager
    def _only_logging(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 (a result that Dagster has is a result)
            said = "the results of %s could not be kept: %s"
            self.context.log.warning(said, ", ".join(self.names), error)

    def _of_asset(self, result: AssetCheckResult) -> AssetCheckResult:
        return result._replace(asset_key=AssetKey(self.asset))


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
    said = _inability(error)
    return AssetCheckResult(
        passed=False,
        severity=AssetCheckSeverity.WARN,
        check_name=check_name,
        description=said,
        metadata={"could_not_run": True, "what_to_do": said},
    )


def _inability(error: Exception) -> str:
    return f"This check could not run: {type(error).__name__}: {error}"


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
