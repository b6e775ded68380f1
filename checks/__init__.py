"""Dagster asset checks: invariants, parity, drift, and a Great Expectations suite over the episodes.

Each shows a number, whether it holds, and a sentence that says what to do. A check that cannot run says so
and fails nothing else.
"""
