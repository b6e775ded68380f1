"""Dagster assets, one file a stage: what each day of acceptance became. Bodies call the library."""

import warnings

from dagster import BetaWarning

# Backfill policies are called beta at every load; that they may change is why the minor version is pinned.
warnings.filterwarnings("ignore", category=BetaWarning)
