"""`resolutions`: whom the day's mentions leave in doubt, before they are committed."""

from functools import partial

from dagster import AssetExecutionContext, MaterializeResult, MetadataValue, TableRecord, asset

from assets.days import DAYS, IN_ONE_RUN, OWNERS, Stopwatch, days_of, hash_of, tell
from assets.groups import walked
from memstrata.workflow.doubts import Doubts, bare_reason, doubts
from memstrata.workflow.work import adjudicate_groups
from resources.memory import MemstrataResource

_MOST_ROWS = 200
_ADJUDICATED = ("asked", "calls", "merged", "kept_apart", "closed", "proposed", "unsure", "unanswered")


@asset(
    deps=["extractions"],
    partitions_def=DAYS,
    backfill_policy=IN_ONE_RUN,
    group_name="projection",
    kinds={"python"},
    owners=OWNERS,
    pool="llm",
    code_version=hash_of("memstrata.resolution"),
)
def resolutions(context: AssetExecutionContext, memory: MemstrataResource) -> MaterializeResult:
    """Suspects and ties among the day's uncommitted mentions: kept apart until somebody decides.

    `memstrata entities merge` and `keep-apart` decide; with MEMSTRATA_ADJUDICATE a model is asked first,
    about the graph as it stands.
    """
    with memory.opened() as installation:
        for day in days_of(context):
            watch = Stopwatch()
            groups = installation.record.groups_with_work(day=day)
            asked = adjudicate_groups(installation)
            found, failed = walked(groups, partial(doubts, installation, day=day))
            counts = {
                "mentions": sum(one.mentions for one in found),
                "refused": sum(one.refused for one in found),
                "reviews": sum(len(one.reviews) for one in found),
                "groups_failed": len(failed),  # the commit that follows says why, and fails for them alone
            }
            counts |= {name: sum(getattr(one, name) for one in asked) for name in _ADJUDICATED}
            tell(context, day, {**counts, "table": _table(found), "seconds": watch.seconds})
    return MaterializeResult()


def _table(found: list[Doubts]) -> MetadataValue:
    """The reviews by the ids of their signatures, never by name."""
    rows = [
        TableRecord({"group": one.group_id, "left": it.left, "right": it.right, "why": bare_reason(it)})
        for one in found
        for it in one.reviews
    ]
    return MetadataValue.table(rows[:_MOST_ROWS] or [_NOTHING])


_NOTHING = TableRecord({"group": "", "left": "", "right": "", "why": "nothing is in doubt"})
