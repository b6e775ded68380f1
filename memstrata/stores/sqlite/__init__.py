"""The embedded default: SQLite through apsw, one file a store, several processes at once."""

from memstrata.stores.sqlite.graph import SqliteGraph

__all__ = ["SqliteGraph"]
