"""One way to write the log: JSON Lines on standard error, with names, times and counts."""

from __future__ import annotations

import sys
from datetime import UTC, datetime

import orjson

from memstrata.instants import format_instant


def write_line(event: str, **said: object) -> None:
    """Writes one line of JSON to standard error."""
    line = {"at": format_instant(datetime.now(UTC)), "event": event, **said}
    sys.stderr.write(orjson.dumps(line).decode() + "\n")
    sys.stderr.flush()
