"""The jobs: which assets and checks run together."""

from dagster import AssetSelection, define_asset_job

#: From acceptance to search. Checks read whole groups, so they have a job of their own: `drift`.
_LINE = AssetSelection.assets(
    "episodes", "decisions", "extractions", "resolutions", "graph", "vectors"
).without_checks()

intake = define_asset_job(
    "intake",
    selection=_LINE,
    description="Works in what was accepted on one day: compacts, extracts, resolves, commits, embeds.",
)
backfill = define_asset_job(
    "backfill",
    selection=_LINE,
    description="The same for a range of days, in one run and in their order. Days that are worked in "
    "already cost nothing.",
)
reextract = define_asset_job(
    "reextract",
    selection=AssetSelection.assets("extractions_candidate").without_checks(),
    description="Extracts days again with the model that the run gives the resource, beside what is in "
    "force. `memstrata extractor diff` compares, `promote` brings it into force.",
)
consolidation = define_asset_job(
    "consolidation",
    selection=AssetSelection.assets("summaries", "procedures").without_checks(),
    description="Tells anew what has changed of entities, and finds procedures in tool traces.",
)
drift = define_asset_job(
    "drift",
    selection=AssetSelection.all_asset_checks(),
    description="All checks over the whole memory; a group whose graph differs from its log is held.",
)
