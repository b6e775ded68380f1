"""The record on disk: a spool of accepted lines, a lake of immutable parts, an index of both."""

from memstrata.stores.lake.record import Record

__all__ = ["Record"]
