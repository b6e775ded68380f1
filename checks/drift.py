"""Checks of drift: statistics of the memory that leave their baseline. All of them warn, none blocks."""

from collections.abc import Iterator

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSpec,
    AssetKey,
    asset_check,
    multi_asset_check,
)

from checks.outcome import day_judged, observed, outcome, result_of, unable
from memstrata.workflow.watch import label_findings, orphan_findings, stale_findings
from resources.memory import MemstrataResource

_DECIDED = (
    "Decided by chi-square over its trailing dispersion, windows of 1 and 3 days against the 28 before."
)
_LABEL_CHECKS = {
    "label_shift": f"Have the types of the entities that are spoken of shifted? {_DECIDED}",
    "relation_shift": f"Have the relations that are asserted shifted? {_DECIDED}",
    "new_labels": "Are there entity types that the 28 days before did not have, more than the usual few?",
    "new_relations": "Are there relations that the 28 days before did not have, more than the usual few?",
}


@asset_check(asset="graph")
def orphan_entities(context: AssetCheckExecutionContext, memory: MemstrataResource) -> AssetCheckResult:
    """The share of entities that stand in no fact."""
    with memory.opened() as installation:
        found = outcome(lambda: orphan_findings(installation))
    return observed(context, "graph", "orphan_entities", found)


@asset_check(asset="graph")
def stale_facts(context: AssetCheckExecutionContext, memory: MemstrataResource) -> AssetCheckResult:
    """The share of facts that are believed though nothing has confirmed them for longer than they last."""
    with memory.opened() as installation:
        found = outcome(lambda: stale_findings(installation))
    return observed(context, "graph", "stale_facts", found)


@multi_asset_check(
    name="label_distributions",
    specs=[AssetCheckSpec(name, asset="graph", description=said) for name, said in _LABEL_CHECKS.items()],
)
def label_distributions(
    context: AssetCheckExecutionContext, memory: MemstrataResource
) -> Iterator[AssetCheckResult]:
    """Four checks over one reading of the last 31 days' assertions."""
    try:
        with memory.opened() as installation:
            found = label_findings(installation, day_judged(context))
    except Exception as error:  # noqa: BLE001 (whatever a check runs into must not fail the run it watches)
        yield from (_of_graph(unable(error, check_name=name)) for name in _LABEL_CHECKS)
        return
    for name, findings in zip(_LABEL_CHECKS, found, strict=True):
        result = _of_graph(result_of(findings, check_name=name))
        yield observed(context, "graph", name, result)


def _of_graph(result: AssetCheckResult) -> AssetCheckResult:
    return result._replace(asset_key=AssetKey("graph"))
