"""The record on disk: a spool of accepted lines, a lake of immutable Parquet parts, and the index that answers for it."""

from memstrata.stores.lake.record import Record

__all__ = ["Record"]
