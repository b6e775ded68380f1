"""Checks of drift: statistics of the memory that leave their baseline. All of them warn, none blocks."""

from collections.abc import Iterator

from dagster import (
    AssetCheckExecutionContext,
    AssetCheckResult,
    AssetCheckSpec,
    asset_check,
    multi_asset_check,
)

from checks.outcome import Judgement, day_judged
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
    judgement = Judgement(context=context, memory=memory, asset="graph", names=("orphan_entities",))
    return judgement.of(orphan_findings)


@asset_check(asset="graph")
def stale_facts(context: AssetCheckExecutionContext, memory: MemstrataResource) -> AssetCheckResult:
    """The share of facts that are believed though nothing has confirmed them for longer than they last."""
    judgement = Judgement(context=context, memory=memory, asset="graph", names=("stale_facts",))
    return judgement.of(stale_findings)


@multi_asset_check(
    name="label_distributions",
    specs=[AssetCheckSpec(name, asset="graph", description=said) for name, said in _LABEL_CHECKS.items()],
)
def label_distributions(
    context: AssetCheckExecutionContext, memory: MemstrataResource
) -> Iterator[AssetCheckResult]:
    """Four checks over one reading of the last 31 days' assertions."""
    judgement = Judgement(context=context, memory=memory, asset="graph", names=tuple(_LABEL_CHECKS))
    yield from judgement.of_each(lambda installation: label_findings(installation, day_judged(context)))
