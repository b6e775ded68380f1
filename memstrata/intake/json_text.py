"""JSON as people's files hold it: exact integers, no NaN, errors with line and column.

The standard library's parser is used on purpose: orjson reads integers beyond 64 bits as floats.
"""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Final, NoReturn, TypeAlias

import orjson

from memstrata.errors import Misplaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.notes import Notes, Place

    #: What `json` gives: fresh lists and dictionaries, which nobody else holds.
    Value: TypeAlias = str | int | float | bool | list["Value"] | dict[str, "Value"] | None

_SURROGATE = re.compile("[\ud800-\udfff]")
_SUSPICIOUS = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_DEEPEST: Final = 200
REPLACEMENT: Final = "\N{REPLACEMENT CHARACTER}"

_STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_COLON = re.compile(r"\s*:")


def parse(text: str, *, at: Place, notes: Notes) -> Value:
    """The JSON value of `text`, whose first character stands on line `at.line` (or 1).

    Lone surrogates become U+FFFD with a warning. Raises `Misplaced` with line and column for what is not
    JSON, NaN and infinities included, and for a NUL inside a string.
    """
    if at.line is not None and _is_too_deep(text):
        raise at.fault(f"is nested more than {_DEEPEST} levels deep", mend="flatten it")
    try:
        value = decode(text)
    except json.JSONDecodeError as error:
        raise _misplaced(text, error, at) from None
    except RecursionError:
        raise at.fault("is nested too deeply to be read", mend="flatten it") from None
    except ValueError as error:
        raise at.fault(f"not JSON: {error}") from None
    return _mended(value, at=at, notes=notes) if _SUSPICIOUS.search(text) else value


def decode(text: str) -> Value:
    """The JSON value of `text`. Raises `ValueError` or `RecursionError` for what is not JSON."""
    value: Value = _DECODER.decode(text)
    return value


def dump(value: object) -> str:
    """Compact JSON in the given order, non-ASCII as it is, integers of any size.

    `value` holds no NaN and no infinity: `decode` lets none in.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # an integer beyond 64 bits, or a view of a mapping
        return _ENCODER.encode(value)


def object_keys(text: str, *, most: int) -> Iterator[list[str]]:
    """The keys of each of the first objects in `text`, which may be cut or broken further on.

    Lists around the objects are looked through; what is nested in an object is not.
    """
    keys: list[str] = []
    depth = 0
    for token in _STRINGS.finditer(text):
        mark = token[0]
        if mark == "{" or (mark == "[" and depth):
            depth += 1
        elif mark in "}]" and depth:
            depth -= 1
            if not depth:
                yield keys
                keys, most = [], most - 1
                if not most:
                    return
        elif depth == 1 and _COLON.match(text, token.end()):
            keys.append(mark[1:-1])
    if keys:
        yield keys


def kind_of(value: object) -> str:
    """What a JSON value is, in words: `a number`, `a list`, `null`."""
    if value is None:
        return "null"
    for types, name in _KINDS:
        if isinstance(value, types):
            return name
    return f"a {type(value).__name__}"


def without_surrogates(text: str) -> str:
    """`text` with each lone surrogate replaced by U+FFFD."""
    return _SURROGATE.sub(REPLACEMENT, text)


_KINDS = (
    (bool, "a boolean"),
    (str, "a string"),
    ((int, float), "a number"),
    ((list, tuple), "a list"),
    (dict, "an object"),
)


def _is_too_deep(text: str) -> bool:
    """Whether a line's value is nested deeper than what walks through it later can follow."""
    if text.count("[") + text.count("{") <= _DEEPEST:
        return False
    depth = 0
    for token in _STRINGS.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
        if depth > _DEEPEST:
            return True
    return False


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _finite(number: str) -> float:
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number} is too large for a number")
    return value


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _misplaced(text: str, error: json.JSONDecodeError, at: Place) -> Misplaced:
    line = (at.line or 1) + error.lineno - 1
    whole = "file" if at.line is None else "line"
    problem = f"not JSON: {error.msg[0].lower()}{error.msg[1:]}"
    if error.msg.startswith("Unterminated string"):
        problem = f"{whole} ends inside a string: truncated JSON"
    elif error.pos >= len(text.rstrip()):
        problem = f"{whole} ends too early: truncated JSON"
    mend = "one object a line is JSONL: name the file .jsonl" if error.msg == "Extra data" else None
    return Misplaced(problem, file=at.file, line=line, field=f"column {error.colno}", mend=mend)


def _mended(value: Value, *, at: Place, notes: Notes) -> Value:
    if isinstance(value, str):
        if "\0" in value:
            raise at.fault("holds a NUL character", mend="remove it")
        mended = without_surrogates(value)
        if mended != value:
            notes.warn(f"{(at.line and f'line {at.line}: ') or ''}lone surrogates were replaced by U+FFFD")
        return mended
    if isinstance(value, list):
        return [_mended(item, at=at, notes=notes) for item in value]
    if isinstance(value, dict):
        return {
            str(_mended(key, at=at, notes=notes)): _mended(item, at=at, notes=notes)
            for key, item in value.items()
        }
    return value
