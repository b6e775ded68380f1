"""What extraction found, as numbers of an asset's metadata that plot."""

from collections.abc import Iterable

from memstrata.workflow.extract import Extracted
from memstrata.workflow.reextract import Tried


def counts_of(done: Extracted | Tried, names: Iterable[str]) -> dict[str, int]:
    """The named counts; episodes as `status_<status>`; candidates by rule as `<verdict>_<rule>`."""
    return {
        **{name: getattr(done, name) for name in names},
        **{f"status_{status}": count for status, count in done.by_status},
        **{f"{verdict}_{rule}": count for rule, verdict, count in done.by_outcome},
    }
