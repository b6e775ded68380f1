"""The one encoder of records as JSON: every face shows a record with the same keys and times."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import date, datetime

from memstrata.instants import format_instant


def as_json(value: object) -> object:
    """Dataclasses as objects, tuples and sets as lists, times as on the wire."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, datetime):
        return format_instant(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (tuple, list, set, frozenset)):
        return [as_json(item) for item in value]
    if hasattr(value, "items"):
        return {str(key): as_json(item) for key, item in value.items()}
    return value
