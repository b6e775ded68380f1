"""The Dagster project of Memstrata. Only wiring; loading it opens and writes nothing."""

from dagster import Definitions, in_process_executor

from assets.extractions import extractions
from assets.extractions_candidate import extractions_candidate
from assets.graph import graph
from assets.procedures import procedures
from assets.record import record
from assets.resolutions import resolutions
from assets.summaries import summaries
from assets.vectors import vectors
from checks.belief import bitemporal_invariants, log_store_parity
from checks.drift import label_distributions, orphan_entities, stale_facts
from checks.episodes import episodes_suite
from pipelines import jobs, schedules, sensors
from pipelines.rebuilding import rebuild
from resources.memory import MemstrataResource

definitions = Definitions(
    assets=[
        record,
        extractions,
        extractions_candidate,
        resolutions,
        graph,
        vectors,
        summaries,
        procedures,
    ],
    asset_checks=[
        bitemporal_invariants,
        log_store_parity,
        orphan_entities,
        stale_facts,
        label_distributions,
        episodes_suite,
    ],
    jobs=[jobs.intake, jobs.backfill, jobs.reextract, jobs.consolidation, jobs.drift, rebuild],
    sensors=[sensors.pending, sensors.commits],
    schedules=[schedules.consolidation, schedules.drift],
    resources={"memory": MemstrataResource()},
    executor=in_process_executor,  # a process a step would cost seconds each
)
