"""Dagster resources around the library's adapters."""
