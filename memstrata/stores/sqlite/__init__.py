"""The embedded default: SQLite through apsw, one file a store, several processes at once."""
