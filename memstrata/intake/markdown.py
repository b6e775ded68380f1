"""Obsidian's Markdown as plain words: links show their text, comments and embeds go, code stays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.model import Json

_CODE = re.compile(
    r"^(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"%%.*?%%", re.DOTALL)
_LINK = re.compile(
    r"(?P<embed>!)?\[\[(?P<target>[^\[\]|#\n]*)(?P<part>#[^\[\]|\n]*)?(?:\|(?P<alias>[^\[\]\n]*))?\]\]"
)
_FIELD = re.compile(r"^[ \t]*(?:[-*][ \t]+)?(?P<key>[\w][\w -]*?)::[ \t]*(?P<value>[^\n]+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A note's words, its links (target and text), what it embeds, its inline `key:: value` fields."""

    text: str
    links: tuple[tuple[str, str], ...]
    embeds: tuple[str, ...]
    fields: tuple[tuple[str, str], ...]

    def metadata(self) -> dict[str, Json]:
        """What the text alone no longer shows."""
        found: dict[str, Json] = {}
        if self.links:
            found["links"] = [{"target": target, "text": text} for target, text in self.links]
        if self.embeds:
            found["attachments"] = list(self.embeds)
        if self.fields:
            found["fields"] = dict(self.fields)
        return found


def plain(markdown: str) -> Plain:
    """The note without its private comments, with links as words."""
    masked, codes = _without_code(markdown)
    links: list[tuple[str, str]] = []
    embeds: list[str] = []

    def shown(link: re.Match[str]) -> str:
        target = link["target"].strip() or (link["part"] or "").lstrip("#")
        if link["embed"]:
            embeds.append(_with_code(target, codes))
            return ""
        text = (link["alias"] or "").strip() or target
        links.append((_with_code(target, codes), _with_code(text, codes)))
        return text

    words = _LINK.sub(shown, _COMMENT.sub("", masked))
    fields = (
        (field["key"].strip(), _with_code(field["value"].strip(), codes))
        for field in _FIELD.finditer(words)
    )
    return Plain(
        text=_with_code(words, codes), links=tuple(links), embeds=tuple(embeds), fields=tuple(fields)
    )


def _without_code(markdown: str) -> tuple[str, list[str]]:
    """The text with `NUL number NUL`, which no text holds, in place of each piece of code."""
    codes: list[str] = []

    def keep(code: re.Match[str]) -> str:
        codes.append(code[0])
        return f"\0{len(codes) - 1}\0"

    return _CODE.sub(keep, markdown), codes


def _with_code(text: str, codes: list[str]) -> str:
    return re.sub(r"\0(\d+)\0", lambda mark: codes[int(mark[1])], text)
