"""When what runs by the clock runs; times are UTC."""

from datetime import UTC, timedelta

from dagster import DefaultScheduleStatus, RunRequest, ScheduleEvaluationContext, schedule

from checks.outcome import DAY_TAG
from pipelines import jobs


@schedule(
    name="consolidation",
    job=jobs.consolidation,
    cron_schedule="30 1 * * *",
    execution_timezone="UTC",
    default_status=DefaultScheduleStatus.RUNNING,
)
def consolidation(context: ScheduleEvaluationContext) -> RunRequest:
    """Consolidates every night; the partition is the day of the run."""
    return RunRequest(partition_key=context.scheduled_execution_time.astimezone(UTC).date().isoformat())


@schedule(
    name="drift",
    job=jobs.drift,
    cron_schedule="0 2 * * *",
    execution_timezone="UTC",
    default_status=DefaultScheduleStatus.RUNNING,
)
def drift(context: ScheduleEvaluationContext) -> RunRequest:
    """Runs all checks every night and judges the labels of the day that has just ended."""
    ended = context.scheduled_execution_time.astimezone(UTC).date() - timedelta(days=1)
    return RunRequest(tags={DAY_TAG: ended.isoformat()})
