"""Checks of the whole belief: do its invariants hold, and is the graph what the log says?"""

from dagster import AssetCheckExecutionContext, AssetCheckResult, AssetCheckSeverity, asset_check

from checks.outcome import Judgement
from memstrata.workflow.watch import invariant_findings, parity_findings
from resources.memory import MemstrataResource


@asset_check(asset="graph", blocking=True)
def bitemporal_invariants(
    context: AssetCheckExecutionContext, memory: MemstrataResource
) -> AssetCheckResult:
    """Every fact has evidence, and no two are true where only one can be; blocks what follows.

    Each commit checks this of what it touches; here it is the whole graph. The number is what is broken.
    """
    return Judgement(
        context=context,
        memory=memory,
        asset="graph",
        names=("bitemporal_invariants",),
        severity=AssetCheckSeverity.ERROR,
    ).of(invariant_findings)


@asset_check(asset="graph")
def log_store_parity(context: AssetCheckExecutionContext, memory: MemstrataResource) -> AssetCheckResult:
    """Replaying the log gives the graph, history and all; a group where it does not takes no more commits.

    The number is 1 for a group that differs. A rebuild mends it, and passing here lets the group go on.
    """
    return Judgement(
        context=context,
        memory=memory,
        asset="graph",
        names=("log_store_parity",),
        severity=AssetCheckSeverity.ERROR,
    ).of(lambda installation: parity_findings(installation, memory.scratch))
