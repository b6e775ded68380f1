"""The verbs of core blocks: the texts that stand in every context, and that an agent may edit itself.

Each edit is a decision, kept with who made it: a model, unless the caller says that a person did.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.memory import routes
from memstrata.memory.looking import Where, belief_of, check_keywords, group_of
from memstrata.memory.verbs import Verb
from memstrata.model import By
from memstrata.search.core_edits import CoreEdit, CoreOperation, CoreRule, check_label
from memstrata.search.view import View

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Unpack

    from memstrata.memory.looking import Belief
    from memstrata.memory.verbs import Exchange
    from memstrata.search.core import CoreBlock, CoreChange


class Editing(Where, total=False):
    """Whose block is edited, by whom (`model` or `person`), and why; kept with the decision."""

    by: By | str
    reason: str


def blocks(**belief: Unpack[Belief]) -> Verb[tuple[CoreBlock, ...]]:
    """The blocks that are not empty: `persona`, `human`, then the others by label."""
    view = belief_of(belief)
    return Verb(here=lambda desk: desk.asking.core_blocks(view), there=lambda: routes.core_blocks(view))


def get(label: str, **where: Unpack[Where]) -> Verb[CoreBlock | None]:
    """The block of that label as it reads now; None if it is empty."""
    check_label(label)
    check_keywords(where, Where)
    view = View(groups=(group_of(where),))
    return Verb(
        here=lambda desk: _labelled(desk.asking.core_blocks(view), label),
        there=lambda: _get_there(view, label),
    )


def _get_there(view: View, label: str) -> Exchange[CoreBlock | None]:
    return _labelled((yield from routes.core_blocks(view)), label)


def _labelled(found: Sequence[CoreBlock], label: str) -> CoreBlock | None:
    return next((one for one in found if one.label == label), None)


def set_block(label: str, text: str, **editing: Unpack[Editing]) -> Verb[CoreBlock | None]:
    """Writes the text into the block, whatever stood there. Raises `Incorrect` past 2,000 characters."""
    return _edit(label, CoreEdit(operation=CoreOperation.SET, text=text), editing)


def append(label: str, text: str, **editing: Unpack[Editing]) -> Verb[CoreBlock | None]:
    """Adds the text to the block, on a line of its own."""
    return _edit(label, CoreEdit(operation=CoreOperation.APPEND, text=text), editing)


def replace(label: str, old: str, new: str, **editing: Unpack[Editing]) -> Verb[CoreBlock | None]:
    """Puts `new` in the place of `old`, which must stand once in the block."""
    return _edit(label, CoreEdit(operation=CoreOperation.REPLACE, old=old, text=new), editing)


def clear(label: str, **editing: Unpack[Editing]) -> Verb[CoreBlock | None]:
    """Empties the block; what stood there stays in its history."""
    return _edit(label, CoreEdit(operation=CoreOperation.CLEAR), editing)


def rule(
    label: str,
    about: str,
    *,
    relations: Sequence[str] = (),
    most: int = 10,
    **editing: Unpack[Editing],
) -> Verb[CoreBlock | None]:
    """Lets the block show the latest `most` facts about an entity, whenever it is read."""
    wanted = CoreRule(about=about, relations=tuple(relations), most=most)
    return _edit(label, CoreEdit(operation=CoreOperation.RULE, rule=wanted), editing)


def history(label: str, **where: Unpack[Where]) -> Verb[tuple[CoreChange, ...]]:
    """Every edit of a block, oldest first: when, by whom, why, and what stood there afterwards."""
    check_keywords(where, Where)
    group = group_of(where)
    return Verb(
        here=lambda desk: desk.asking.core_history(group, label),
        there=lambda: routes.core_history(group, label),
    )


def _edit(label: str, edit: CoreEdit, editing: Editing) -> Verb[CoreBlock | None]:
    check_keywords(editing, Editing)
    group, reason = group_of(editing), editing.get("reason", "")
    by = _by(editing.get("by", By.MODEL))
    return Verb(
        here=lambda desk: desk.telling.edit_core(group, label, edit, by=by, reason=reason),
        there=lambda: routes.edit_core(group, label, edit, {"by": by, "reason": reason}),
    )


def _by(given: By | str) -> By:
    if given not in (By.MODEL, By.PERSON):
        raise Incorrect(f"by is {str(given)!r}; a core block is edited by 'model' or 'person'")
    return By(given)
