"""Checks of the whole belief: do its invariants hold, and is the graph what the log says?"""

from dagster import AssetCheckResult, AssetCheckSeverity, asset_check

from checks.outcome import outcome
from memstrata.workflow.watch import invariant_findings, parity_findings
from resources.memory import MemstrataResource


@asset_check(asset="graph", blocking=True)
def bitemporal_invariants(memory: MemstrataResource) -> AssetCheckResult:
    """Every fact has evidence, and no two are true where only one can be; blocks what follows.

    Each commit checks this of what it touches; here it is the whole graph. The number is what is broken.
    """
    with memory.opened() as installation:
        return outcome(lambda: invariant_findings(installation), severity=AssetCheckSeverity.ERROR)


@asset_check(asset="graph")
def log_store_parity(memory: MemstrataResource) -> AssetCheckResult:
    """Replaying the log gives the graph, history and all; a group where it does not takes no more commits.

    The number is 1 for a group that differs. A rebuild mends it, and passing here lets the group go on.
    """
    with memory.opened() as installation:
        return outcome(
            lambda: parity_findings(installation, memory.scratch), severity=AssetCheckSeverity.ERROR
        )
