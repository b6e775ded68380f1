"""The Great Expectations suite over a day's episodes: is what the door let in what it should let in?

Great Expectations is called directly, on pandas with pyarrow, in an ephemeral context that tells nobody.
The frame holds lengths and ids, never content, and no result shows a value.
"""

import os
from collections.abc import Iterable
from datetime import date
from typing import TYPE_CHECKING, Any

from dagster import AssetCheckExecutionContext, AssetCheckResult, asset_check

from checks.outcome import Judgement, day_judged
from memstrata.drift import EVERY_GROUP, Finding
from memstrata.model import Episode, SourceType, TimeSource
from resources.memory import MemstrataResource

if TYPE_CHECKING:
    import pandas as pd

_HASH = r"^[0-9a-f]{64}$"
_GROUP = r"^[^\s/*]+(?:/[^\s/*]+)*$"
_COLUMNS = (
    "episode_id",
    "revision",
    "group_id",
    "source",
    "source_type",
    "time_source",
    "content_length",
    "content_hash",
    "hours_ahead",
    "accepted_on",
)


@asset_check(asset="episodes")
def episodes_suite(context: AssetCheckExecutionContext, memory: MemstrataResource) -> AssetCheckResult:
    """Great Expectations over the day's episodes: ids, kinds, hashes, lengths, days, times not to come.

    The number counts the expectations that failed.
    """
    day = day_judged(context)
    judgement = Judgement(context=context, memory=memory, asset="episodes", names=("episodes_suite",))
    return judgement.of(lambda installation: [suite_finding(installation.record.accepted_on(day), day)])


def suite_finding(episodes: Iterable[Episode], day: date) -> Finding:
    """What the suite finds in the episodes that were accepted on `day`; a day without any passes."""
    frame = frame_of(episodes)
    failed = _failed(frame, day) if len(frame) else []
    named = "; ".join(failed)
    said = f"{len(frame)} episodes of {day} meet every expectation."
    advice = (
        f"Of {len(frame)} episodes of {day}, some fail: {named}. Find the source that sent them (asset "
        "`episodes`, metadata `source`), mend it, and retract what should not have been accepted."
    )
    return Finding(
        check="episodes_suite",
        group_id=EVERY_GROUP,
        value=float(len(failed)),
        threshold=0.0,
        passed=not failed,
        sentence=advice if failed else said,
        details={"episodes": float(len(frame))},
    )


def frame_of(episodes: Iterable[Episode]) -> "pd.DataFrame":
    """The episodes as a pandas frame on pyarrow types: what can be checked without their content."""
    import pandas as pd

    rows = [
        (
            one.episode_id,
            one.revision,
            one.group_id,
            one.source,
            str(one.source_type),
            str(one.time_source),
            len(one.content),
            one.content_hash,
            max(0.0, (one.reference_time - one.ingested_at).total_seconds() / 3600),
            one.ingested_at.date().isoformat(),
        )
        for one in episodes
    ]
    return pd.DataFrame(rows, columns=list(_COLUMNS)).convert_dtypes(dtype_backend="pyarrow")


def _failed(frame: "pd.DataFrame", day: date) -> list[str]:
    """The expectations that failed, each with how many rows did."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"  # read when it is imported
    import great_expectations as gx
    from great_expectations.data_context.types.base import ProgressBarsConfig

    context = gx.get_context(mode="ephemeral")
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    batch = (
        context.data_sources.add_pandas("day")
        .add_dataframe_asset("episodes")
        .add_batch_definition_whole_dataframe("all")
        .get_batch({"dataframe": frame})
    )
    suite = gx.ExpectationSuite(name="episodes", expectations=_expectations(gx.expectations, day))
    result = batch.validate(suite, result_format="BASIC")
    return [_named(one) for one in result.results if not one.success]


def _expectations(expect: Any, day: date) -> list[Any]:
    return [
        expect.ExpectColumnValuesToNotBeNull(column="episode_id"),
        expect.ExpectCompoundColumnsToBeUnique(column_list=["group_id", "episode_id", "revision"]),
        expect.ExpectColumnValuesToBeBetween(column="revision", min_value=1),
        expect.ExpectColumnValuesToMatchRegex(column="group_id", regex=_GROUP),
        expect.ExpectColumnValueLengthsToBeBetween(column="source", min_value=1),
        expect.ExpectColumnValuesToBeInSet(
            column="source_type", value_set=[str(one) for one in SourceType]
        ),
        expect.ExpectColumnValuesToBeInSet(
            column="time_source", value_set=[str(one) for one in TimeSource]
        ),
        expect.ExpectColumnValuesToBeBetween(column="content_length", min_value=1),
        expect.ExpectColumnValuesToMatchRegex(column="content_hash", regex=_HASH),
        expect.ExpectColumnValuesToBeBetween(column="hours_ahead", max_value=24, mostly=0.95),
        expect.ExpectColumnValuesToBeInSet(column="accepted_on", value_set=[day.isoformat()]),
    ]


def _named(result: Any) -> str:
    config = result.expectation_config
    columns = config.kwargs.get("column") or ", ".join(config.kwargs.get("column_list", ()))
    rows = result.result.get("unexpected_count")
    counted = "could not be evaluated" if rows is None else f"{rows} rows"
    return f"{config.type} of {columns} ({counted})"
