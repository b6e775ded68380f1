"""Drift: statistics of the memory that leave their baseline, each as one `Finding`.

Pure: values in, values out; no clock, no store, no Dagster.
"""

from memstrata.drift.finding import EVERY_GROUP, Finding

__all__ = ["EVERY_GROUP", "Finding"]
