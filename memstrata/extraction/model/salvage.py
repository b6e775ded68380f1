"""Whole items out of a reply that may be cut off, fenced, broken, or no JSON at all.

A reply is an object of lists. It is walked value by value with the standard decoder, so that nothing is
taken that does not stand there whole, and what comes before a break is not lost.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Json

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_OBJECT: Final = re.compile(r'\{(?=[ \t\r\n]*["}])')
_HALF: Final = re.compile(r"\\u[dD][89a-fA-F]|[\ud800-\udfff]")
_THOUGHT: Final = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
#: So many openings of an object are tried before the text counts as no JSON.
_MOST_STARTS: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """The lists of a reply by key, as far as they stand there whole; `is_whole` if nothing was missing."""

    lists: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    is_whole: bool = False


def salvaged(text: str, keys: tuple[str, ...]) -> Salvaged:
    """What can be read of a reply: of the first object in it that has one of `keys`, else nothing.

    Prose and fences around it, and a model's `<think>` before it, are skipped. Never raises.
    """
    text = _THOUGHT.sub("", text, count=1)
    for number, match in enumerate(_OBJECT.finditer(text)):
        if number >= _MOST_STARTS:
            break
        walk = _Walk(text, match.end())
        is_whole = walk.object()
        if any(key in walk.lists for key in keys):
            return Salvaged(lists={key: tuple(held) for key, held in walk.lists.items()}, is_whole=is_whole)
    return Salvaged()


class _Broken(ValueError):
    """The text ends here, or goes on with what no JSON has."""


def _no_number(name: str) -> NoReturn:
    raise _Broken(f"{name} is no JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_number)


def _sound(value: Json) -> Json:
    """The value with `?` for each half of a character that stands alone: no record can hold one."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_sound(one) for one in value]
    if isinstance(value, dict):
        return {name.encode("utf-8", "replace").decode(): _sound(held) for name, held in value.items()}
    return value


class _Walk:
    """A walk through one object; `lists` fills as it goes."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._may_be_torn = _HALF.search(text) is not None
        self.lists: dict[str, list[Json]] = {}

    def object(self) -> bool:
        """Reads members up to the closing brace; whether it came to that."""
        try:
            while self._next() != "}":
                key = self._value()
                if not isinstance(key, str):
                    return False
                self._skip(":")
                if self._next() == "[":
                    self._at += 1
                    self._array(self.lists.setdefault(key, []))
                else:
                    self._value()
                if self._next() == ",":
                    self._at += 1
                elif self._next() != "}":
                    return False
        except (ValueError, RecursionError):  # the decoder's own errors are ValueErrors
            return False
        return True

    def _array(self, items: list[Json]) -> None:
        while self._next() != "]":
            item = self._value()
            if not isinstance(item, int | float):
                items.append(item)
            after = self._next()  # a number may go on where the text was cut: it is taken only now
            if isinstance(item, int | float) and after in ",]":
                items.append(item)
            if after == ",":
                self._at += 1
            elif after != "]":
                raise _Broken
        self._at += 1

    def _value(self) -> Json:
        self._next()
        value, self._at = _DECODER.raw_decode(self._text, self._at)
        found: Json = _sound(value) if self._may_be_torn else value
        return found

    def _skip(self, mark: str) -> None:
        if self._next() != mark:
            raise _Broken
        self._at += 1

    def _next(self) -> str:
        """The next character that is no space."""
        space = _SPACE.match(self._text, self._at)
        self._at = space.end() if space else self._at
        if self._at >= len(self._text):
            raise _Broken
        return self._text[self._at]
