"""Core blocks as the log of decisions tells them: what an edit is, and what edits make. Pure.

A block is its edits, one after the other, in the order in which commits took them in; an edit that does
not apply by then (an `append` past the limit, a `replace` of words that are gone) leaves the block as it
is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Json

#: The most characters that a block may hold: it stands in every context.
MOST_CHARACTERS: Final = 2_000

#: The most facts that a rule may show.
MOST_RULE_FACTS: Final = 50

_LABEL = re.compile(r"\w[\w.-]{0,49}")


class CoreOperation(StrEnum):
    """What an edit does to its block."""

    SET = "set"
    APPEND = "append"
    REPLACE = "replace"
    CLEAR = "clear"
    RULE = "rule"


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreRule:
    """A block that shows the facts of an entity, as they are when it is read: the latest `most` of them.

    `about` is a name or an id, looked up at each reading; `relations` are as the memory writes them,
    none are all.
    """

    about: str
    relations: tuple[str, ...] = ()
    most: int = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreEdit:
    """One edit, as a decision's payload holds it; `old` are the words that a replacement replaces."""

    operation: CoreOperation
    text: str = ""
    old: str = ""
    rule: CoreRule | None = None

    def payload(self) -> dict[str, Json]:
        """The payload of its decision."""
        if self.rule is not None:
            rule = self.rule
            asked: dict[str, Json] = {"about": rule.about, "relations": list(rule.relations)}
            return {"operation": str(self.operation), **asked, "most": rule.most}
        filled = {"text": self.text, "old": self.old}
        return {"operation": str(self.operation), **{name: said for name, said in filled.items() if said}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What stands in a block: a text kept by hand, or a rule; neither if it is empty."""

    text: str = ""
    rule: CoreRule | None = None

    def __bool__(self) -> bool:
        """Whether anything stands there."""
        return bool(self.text or self.rule)


def check_label(label: object) -> str:
    """The label; raises `Incorrect` for one that is no single word of 1 to 50 characters."""
    if isinstance(label, str) and _LABEL.fullmatch(label):
        return label
    raise Incorrect(
        f"{label!r} is no label of a core block; expected one word such as 'persona' or 'human': letters, "
        "digits, '_', '-' and '.', 50 characters at most"
    )


def edit_of(payload: Mapping[str, Json]) -> CoreEdit:
    """The edit that a payload holds; raises `Incorrect` for one that holds none."""
    said = str(payload.get("operation"))
    if said not in set(CoreOperation):
        near = nearest(said, CoreOperation)
        raise Incorrect(
            f"{said!r} is no edit of a core block; expected one of {', '.join(CoreOperation)}"
            + (f" (did you mean {near}?)" if near else "")
        )
    operation = CoreOperation(said)
    if operation is CoreOperation.RULE:
        return CoreEdit(operation=operation, rule=_rule_of(payload))
    text, old = payload.get("text", ""), payload.get("old", "")
    if not isinstance(text, str) or not isinstance(old, str):
        raise Incorrect("the text of a core block is no text; give a string")
    edit = CoreEdit(operation=operation, text=text, old=old)
    if operation in (CoreOperation.SET, CoreOperation.APPEND) and not text.strip():
        raise Incorrect(f"there is nothing to {operation}: the text is blank; to empty a block, clear it")
    if operation is CoreOperation.REPLACE and not old:
        raise Incorrect("a replacement names no words to replace; give those that stand in the block")
    if operation is not CoreOperation.CLEAR:
        _check_length(text)
    return edit


def written_after(before: Written, edit: CoreEdit) -> Written:
    """What stands in the block after the edit. Raises `Incorrect` if the edit does not apply to it."""
    if edit.operation is CoreOperation.CLEAR:
        return Written()
    if edit.rule is not None:
        return Written(rule=edit.rule)
    if edit.operation is CoreOperation.SET:
        text = edit.text
    elif before.rule is not None:
        raise Incorrect(
            f"the block is written by a rule (about {before.rule.about}), so nothing can be "
            f"{'appended' if edit.operation is CoreOperation.APPEND else 'replaced'}; set or clear it first"
        )
    elif edit.operation is CoreOperation.APPEND:
        text = f"{before.text}\n{edit.text}" if before.text else edit.text
    else:
        text = _replaced(before.text, edit)
    _check_length(text)
    return Written(text=text)


def _replaced(text: str, edit: CoreEdit) -> str:
    times = text.count(edit.old)
    if times != 1:
        how = "does not stand" if not times else f"stands {times} times"
        hint = "see it with `core show`" if not times else "give more words around the place that you mean"
        raise Incorrect(f"{edit.old!r} {how} in the block, and is to be replaced once; {hint}")
    return text.replace(edit.old, edit.text)


def _rule_of(payload: Mapping[str, Json]) -> CoreRule:
    about, relations, most = payload.get("about"), payload.get("relations", ()), payload.get("most", 10)
    if not isinstance(about, str) or not about.strip():
        raise Incorrect("a rule names nobody whose facts it shows; give an entity's name or id")
    if not isinstance(relations, list | tuple) or not all(isinstance(one, str) for one in relations):
        raise Incorrect(f"the relations of a rule are {relations!r}; expected a list of names")
    if not isinstance(most, int) or isinstance(most, bool) or not 1 <= most <= MOST_RULE_FACTS:
        raise Incorrect(f"a rule is to show {most!r} facts; expected a number from 1 to {MOST_RULE_FACTS}")
    return CoreRule(about=about.strip(), relations=tuple(str(one) for one in relations), most=most)


def _check_length(text: str) -> None:
    if len(text) > MOST_CHARACTERS:
        raise Incorrect(
            f"the block would hold {len(text):,} characters, {len(text) - MOST_CHARACTERS:,} too many; "
            f"expected at most {MOST_CHARACTERS:,}, for it stands in every context: shorten it, or use a "
            "second label"
        )
