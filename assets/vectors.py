"""`vectors`: what can be searched and has no vector yet gets one."""

from dagster import AssetExecutionContext, Config, MaterializeResult, asset
from pydantic import Field

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, hash_of
from memstrata.workflow.embed import embed, spoken, switch
from resources.memory import MemstrataResource


class WhatToEmbed(Config):
    """How to deal with vectors of another model than the configured one."""

    switch: bool = Field(
        default=False,
        description="Drop the vectors of another model and embed all again; else they are a failure.",
    )


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
def vectors(
    context: AssetExecutionContext, config: WhatToEmbed, memory: MemstrataResource
) -> MaterializeResult:
    """Vectors of everything that is searched, in bulk; words find it in the meantime.

    Whatever has none is embedded, of whichever day: a vector belongs to a version, not to a day.
    """
    watch = Stopwatch()
    with memory.opened() as installation:
        if config.switch and (dropped := switch(installation).dropped):
            context.log.info("dropped the vectors of %s", spoken(dropped))
        embedded = embed(installation, on_progress=lambda done: context.log.debug("embedded %d more", done))
        engine = installation.embedder
        model = engine.model.name if engine else "none: no embedder is installed, search is by words"
    context.log.info("embedded %d texts with %s", embedded, model)
    return MaterializeResult(metadata={"embedded": embedded, "model": model, "seconds": watch.seconds})
