"""Names cut into words: brackets, quoted nicknames and decoration apart; nothing here knows a type."""

# ruff: noqa: RUF001 (full-width brackets are meant)

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from memstrata.resolution import folding
from memstrata.resolution.numerals import ungrouped

_BRACKETS: Final = re.compile(r"[(\[{（]([^()\[\]{}（）]*)[)\]}）]")
_QUOTED: Final = re.compile(r"(?<!\w)(?:\"([^\"]+)\"|'([^']{2,}?)')(?!\w)")
_STATED: Final = re.compile(
    r"^(?:née|nee|né|born|formerly|previously|once|f\.?k\.?a\.?|a\.?k\.?a\.?"
    r"|also known as|formerly known as|now|called|alias)\.?:?\s+(.+)$",
    re.IGNORECASE,
)
_INNER_STATED: Final = re.compile(
    r"^(.+?),?\s+(?:née|f\.?k\.?a\.?|a\.?k\.?a\.?|also known as|formerly(?: known as)?)\.?:?\s+(.+)$",
    re.IGNORECASE,
)
_BIRTH_NAME: Final = re.compile(r"^(?:née|nee|né|born)\b", re.IGNORECASE)
_DECORATION: Final = '"<>|,;:!?=…•·¡¿'
#: Decoration only where it stands on both sides: **Acme** is Acme, but A* is not A.
_PAIRED: Final = "*_~`"
_DOTTED: Final = re.compile(r"(?:\w\.){2,}\w?|\w\.", re.UNICODE)
_INNER_DOT: Final = re.compile(r"(?<!\d)\.|\.(?!\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A name with what stood in brackets and quotation marks beside it.

    `stated` are other names that it gives outright (formerly, a.k.a.), `birth` a former surname.
    """

    core: str
    brackets: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    stated: tuple[str, ...] = ()
    birth: tuple[str, ...] = ()


def cut(name: str) -> Cut:
    """The parts of a name, in plain typography; `core` is never empty if the name holds a letter."""
    plain = _undecorated(ungrouped(folding.compatible(folding.cleaned(name))))
    if plain.isalnum():
        return Cut(core=plain)
    brackets: list[str] = []
    stated: list[str] = []
    birth: list[str] = []
    core = plain
    if "(" in core or "[" in core or "{" in core:
        for inner in _BRACKETS.findall(core):
            found = _STATED.match(inner.strip())
            if found is None:
                brackets.append(inner.strip())
            else:
                (birth if _BIRTH_NAME.match(inner.strip()) else stated).append(found[1].strip())
        core = " ".join(_BRACKETS.sub(" ", core).split())
    if found := _INNER_STATED.match(core):
        core, other = found[1], found[2]
        (birth if " " not in other.strip() else stated).append(other)
    quoted = _quoted(core)
    if quoted:
        bare = " ".join(_QUOTED.sub(" ", core).split())
        core, quoted = (bare, quoted) if _has_letter(bare) else (core.replace('"', " ").strip(), ())
    if not _has_letter(core):
        return Cut(core=plain)
    return Cut(
        core=core,
        brackets=tuple(filter(None, brackets)),
        quoted=quoted,
        stated=tuple(stated),
        birth=tuple(birth),
    )


def _undecorated(text: str) -> str:
    while len(text) > 2 and text[0] in _PAIRED and text[-1] == text[0]:  # noqa: PLR2004
        text = text[1:-1].strip()
    return text


def _quoted(core: str) -> tuple[str, ...]:
    if '"' not in core and "'" not in core:
        return ()
    return tuple((double or single).strip() for double, single in _QUOTED.findall(core))


def _has_letter(text: str) -> bool:
    return any(char.isalnum() for char in text)


def words_of(text: str) -> tuple[str, ...]:
    """The words of a cut name in their own case: hyphens and slashes part, apostrophes and dots do not.

    Dots stay inside numbers (1.2), vanish in acronyms (Z.Q.T.A.), and part elsewhere (Node.js).
    """
    words: list[str] = []
    for raw in text.replace("-", " ").replace("_", " ").replace("/", " / ").replace("&", " & ").split():
        word = raw.strip(_DECORATION).replace("'", "")
        if not word or word == "/":
            continue
        if "." in word:
            words.extend(_undotted(word))
        elif _has_letter(word) or word in "&+#":
            words.append(word)
    return tuple(words)


def _undotted(word: str) -> list[str]:
    if _DOTTED.fullmatch(word) and not word[0].isdigit():
        return [word.replace(".", "")]
    return [part for part in _INNER_DOT.sub(" ", word).split() if _has_letter(part)]
