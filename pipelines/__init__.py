"""The wiring of the Dagster project: which assets, checks, jobs, sensors and schedules there are."""
