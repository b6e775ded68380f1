"""The server's log: JSON Lines on standard error, with names, times and outcomes, and never content."""

from __future__ import annotations

import logging
import sys
from datetime import UTC, datetime
from typing import Final

import orjson

_OURS: Final = "memstrata"
_FIELDS: Final = ("tool", "who", "outcome", "milliseconds", "fault", "at_place", "address")


class _JsonLines(logging.Formatter):
    """A line a record; of other libraries' records the place alone: their texts may quote requests."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
        }
        if record.name.partition(".")[0] == _OURS:
            line["event"] = record.getMessage()
            line |= {name: vars(record)[name] for name in _FIELDS if name in vars(record)}
        else:
            line["event"] = f"{record.module}:{record.lineno}"
            if record.exc_info and record.exc_info[0] is not None:
                line["fault"] = record.exc_info[0].__name__
        return orjson.dumps(line).decode()


def log_to_standard_error(level: str = "INFO") -> None:
    """Sends the logs of this process to standard error, ours from `level` on, others' from warnings on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLines())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger(_OURS).setLevel(level)
