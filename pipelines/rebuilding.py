"""The job `rebuild`: the graph anew from the log, group by group, at the old system times."""

from dagster import AssetObservation, Config, Failure, OpExecutionContext, job, op
from pydantic import Field

from memstrata.errors import MemstrataError
from memstrata.workflow.embed import embed
from memstrata.workflow.rebuild import rebuild as rebuild_group
from resources.memory import MemstrataResource


class WhatToRebuild(Config):
    """Which groups."""

    groups: list[str] = Field(default_factory=list, description="Only these groups; all of them if empty.")


@op(pool="graph_write")
def rebuild_graph(context: OpExecutionContext, config: WhatToRebuild, memory: MemstrataResource) -> None:
    """Empties each group's graph, replays its commits, releases it if it was held, embeds again."""
    failed: dict[str, str] = {}
    commits = 0
    with memory.opened() as installation:
        for group in config.groups or installation.record.groups():
            try:
                commits += rebuild_group(installation, group).commits
            except MemstrataError as error:
                failed[group] = str(error)
        embedded = embed(installation)
    context.log_event(
        AssetObservation("graph", metadata={"commits_replayed": commits, "embedded": embedded})
    )
    if failed:
        raise Failure(f"{len(failed)} group(s) could not be rebuilt", metadata=dict(failed))


@job(description="The graph anew from the log. It mends a group whose graph differs from its log.")
def rebuild() -> None:
    """Rebuilds."""
    rebuild_graph()
