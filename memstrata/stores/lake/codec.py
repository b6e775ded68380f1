"""Records as JSON, one a line: the form in which spool and index hold them, and the way back.

Times are written as UTC with Z; what a line means as columns of Parquet is in `columns`.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import orjson

from memstrata.errors import Damaged, Incorrect
from memstrata.instants import Precision, StatedTime
from memstrata.model import (
    Assertion,
    By,
    Commit,
    CommittedEpisode,
    Decision,
    DecisionKind,
    Episode,
    Extraction,
    ExtractionStatus,
    Held,
    Kind,
    Mention,
    ObjectKind,
    Outcome,
    Role,
    SourceType,
    Speaker,
    TimeSource,
    Verdict,
)

if TYPE_CHECKING:
    from memstrata.model import Json

    Wire = dict[str, Any]  # what orjson read; it does not leave this module

# Asked a dozen times a record: a dict is a third of the cost of an enumeration's own look-up.
_SOURCE_TYPES = {member.value: member for member in SourceType}
_TIME_SOURCES = {member.value: member for member in TimeSource}
_STATUSES = {member.value: member for member in ExtractionStatus}
_OBJECT_KINDS = {member.value: member for member in ObjectKind}
_KINDS = {member.value: member for member in Kind}
_PRECISIONS = {member.value: member for member in Precision}


def dump(record: Episode | Decision | Commit | Extraction) -> bytes:
    """The record as one line of JSON, without the line's end.

    Raises `Incorrect` for what JSON cannot carry unchanged: a lone surrogate, an integer past 64 bits.
    """
    return dump_json(record)


def dump_json(value: object) -> bytes:
    """Any value of the records as compact JSON; errors as in `dump`."""
    try:
        return orjson.dumps(value, default=_plain, option=orjson.OPT_UTC_Z)
    except orjson.JSONEncodeError as error:
        raise Incorrect(
            f"the record cannot be written as JSON: {error}; integers go up to 64 bits (give longer "
            "ones as text), and text must not hold lone surrogates"
        ) from error


def _plain(value: object) -> object:
    if type(value) is MappingProxyType or isinstance(value, Mapping):  # an abstract class is slow to ask
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is no JSON value")


def load_json(text: str | bytes) -> Json:
    """Reads a value that `dump_json` wrote."""
    value: Json = orjson.loads(text)
    return value


def load_episode(line: str | bytes, *, revision: int | None = None) -> Episode:
    """Reads an episode, as that revision if one is given; raises `Damaged` when the line is none."""
    try:
        wire = orjson.loads(line)
        return _episode(wire, wire["revision"] if revision is None else revision)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("episode", line, error) from error


def load_decision(line: str | bytes) -> Decision:
    """Reads a decision; raises `Damaged` when the line is none."""
    try:
        wire = orjson.loads(line)
        wire["kind"] = DecisionKind(wire["kind"])
        wire["at"] = _instant(wire["at"])
        wire["by"] = By(wire["by"])
        wire["evidence"] = tuple(wire["evidence"])
        return Decision(**wire)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("decision", line, error) from error


def load_commit(line: str | bytes) -> Commit:
    """Reads a commit; raises `Damaged` when the line is none."""
    try:
        wire = orjson.loads(line)
        wire["instant"] = _instant(wire["instant"])
        wire["episodes"] = tuple(CommittedEpisode(**episode) for episode in wire["episodes"])
        wire["decisions"] = tuple(wire["decisions"])
        return Commit(**wire)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("commit", line, error) from error


def load_extraction(line: str | bytes) -> Extraction:
    """Reads an extraction; raises `Damaged` when the line is none."""
    try:
        wire = orjson.loads(line)
        wire["status"] = _STATUSES[wire["status"]]
        wire["mentions"] = tuple(_mention(mention) for mention in wire["mentions"])
        wire["assertions"] = tuple(_assertion(assertion) for assertion in wire["assertions"])
        wire["outcomes"] = tuple(_outcome(outcome) for outcome in wire["outcomes"])
        wire["held"] = tuple(_held(held) for held in wire.get("held") or ())  # none in older records
        return Extraction(**wire)
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged("extraction", line, error) from error


def _damaged(kind: str, line: str | bytes, error: Exception) -> Damaged:
    shown = line[:80].decode("utf-8", "replace") if isinstance(line, bytes) else line[:80]
    return Damaged(f"a stored line is no {kind}: {error!r} in {shown!r}; restore the file from a backup")


def _instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _episode(wire: Wire, revision: int) -> Episode:
    return Episode(
        episode_id=wire["episode_id"],
        revision=revision,
        group_id=wire["group_id"],
        source=wire["source"],
        source_type=_SOURCE_TYPES[wire["source_type"]],
        content=wire["content"],
        reference_time=datetime.fromisoformat(wire["reference_time"]),
        time_source=_TIME_SOURCES[wire["time_source"]],
        ingested_at=datetime.fromisoformat(wire["ingested_at"]),
        content_hash=wire["content_hash"],
        saga=wire["saga"],
        position=wire["position"],
        native_id=wire["native_id"],
        speaker=_speaker(wire["speaker"]),
        addressee=_speaker(wire["addressee"]),
        metadata=wire["metadata"],
    )


def _speaker(wire: Wire | None) -> Speaker | None:
    return None if wire is None else Speaker(id=wire["id"], name=wire["name"], role=Role(wire["role"]))


def _mention(wire: Wire) -> Mention:
    wire["reference_time"] = datetime.fromisoformat(wire["reference_time"])
    if wire["span"] is not None:
        wire["span"] = _span(wire["span"])
    if wire["speaker"] is not None:
        wire["speaker"] = _speaker(wire["speaker"])
    if wire["addressee"] is not None:
        wire["addressee"] = _speaker(wire["addressee"])
    if wire["attributes"]:
        wire["attributes"] = {name: tuple(values) for name, values in wire["attributes"].items()}
    return Mention(**wire)


def _assertion(wire: Wire) -> Assertion:
    wire["reference_time"] = datetime.fromisoformat(wire["reference_time"])
    wire["object_kind"] = _OBJECT_KINDS[wire["object_kind"]]
    wire["kind"] = _KINDS[wire["kind"]]
    wire["valid_at"] = _stated(wire["valid_at"])
    wire["invalid_at"] = _stated(wire["invalid_at"])
    wire["span"] = _span(wire["span"])
    return Assertion(**wire)


def _held(wire: Wire) -> Held:
    wire["assertion"] = _assertion(wire["assertion"])
    wire["mentions"] = tuple(_mention(mention) for mention in wire["mentions"])
    return Held(**wire)


def _outcome(wire: Wire) -> Outcome:
    wire["verdict"] = Verdict(wire["verdict"])
    return Outcome(**wire)


def _stated(wire: Wire | None) -> StatedTime | None:
    return None if wire is None else StatedTime(_instant(wire["at"]), _PRECISIONS[wire["precision"]])


def _span(wire: list[int] | None) -> tuple[int, int] | None:
    return None if wire is None else (wire[0], wire[1])
