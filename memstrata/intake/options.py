"""What the caller says about an input beyond the input itself."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo, available_timezones

from memstrata.errors import Misplaced, nearest
from memstrata.model import DEFAULT_GROUP

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime, tzinfo

    from memstrata.model import Json


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How an input is to be read; everything has a default.

    `reference_time` (aware) stands in where neither an item nor its record gives a time. `timezone` is an
    IANA name for times without an offset. `encoding` is needed where the input is not Unicode. `delimiter`
    and `null_values` concern tables. `mapping` declares which field of a record means what (`mapping.py`).
    `saga` and `source` replace the ones derived from the input. `format` names the format instead of
    recognising it. `strict` makes any refusal an error.
    """

    group_id: str = DEFAULT_GROUP
    reference_time: datetime | None = None
    timezone: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    null_values: tuple[str, ...] = ("",)
    mapping: Mapping[str, Json] | None = None
    saga: str | None = None
    source: str | None = None
    format: str | None = None
    strict: bool = False

    @property
    def zone(self) -> tzinfo | None:
        """The time zone named by `timezone`, if any."""
        return None if self.timezone is None else ZoneInfo(self.timezone)


def check_options(options: Options) -> None:
    """Raises `Misplaced`, naming the option, when one of them cannot be meant."""
    if options.timezone is not None and options.timezone not in available_timezones():
        raise _no_such(
            "timezone", options.timezone, available_timezones(), "an IANA name such as Europe/Berlin"
        )
    if options.reference_time is not None and options.reference_time.utcoffset() is None:
        given = options.reference_time.isoformat()
        raise Misplaced(f"{given!r} has no UTC offset", field="reference_time", mend="add Z or ±HH:MM")
    if options.encoding is not None:
        try:
            codecs.lookup(options.encoding)
        except LookupError:
            raise Misplaced(
                f"unknown encoding {options.encoding!r}",
                field="encoding",
                mend="for instance utf-8 or cp1252",
            ) from None
    if options.delimiter is not None and len(options.delimiter) != 1:
        raise Misplaced(
            f"{options.delimiter!r} must be one character",
            field="delimiter",
            mend="for instance ; or a tab",
        )
    if options.mapping is not None and not isinstance(options.mapping, Mapping):
        raise Misplaced("must be a mapping of keys to fields", field="mapping")


def _no_such(field: str, given: str, known: Iterable[str], expected: str) -> Misplaced:
    near = nearest(given, known)
    mend = f"did you mean {near!r}?" if near else f"expected {expected}"
    return Misplaced(f"unknown {field} {given!r}", field=field, mend=mend)
