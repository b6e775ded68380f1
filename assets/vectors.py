"""`vectors`: what can be searched and has no vector yet gets one."""

from dagster import AssetExecutionContext, MaterializeResult, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, hash_of
from memstrata.workflow.embed import embed
from resources.memory import MemstrataResource


@asset(
    deps=["graph"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="projection",
    kinds={"sqlite", "numpy"},
    owners=OWNERS,
    pool="graph_write",
    code_version=hash_of("memstrata.embedders"),
)
def vectors(context: AssetExecutionContext, memory: MemstrataResource) -> MaterializeResult:
    """Vectors of facts, entities and episodes, in bulk; words find them in the meantime.

    Whatever has none is embedded, of whichever day: a vector belongs to a version, not to a day.
    """
    watch = Stopwatch()
    with memory.opened() as installation:
        embedded = embed(installation)
        engine = installation.embedder
        model = engine.model.name if engine else "none: no embedder is installed, search is by words"
    context.log.info("embedded %d texts with %s", embedded, model)
    return MaterializeResult(metadata={"embedded": embedded, "model": model, "seconds": watch.seconds})
