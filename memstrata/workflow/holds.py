"""Holds: a group that somebody, or a failed check, has stopped from committing until it is released.

Both are decisions of the log. The latest of them counts, whether a commit has taken it in or not, so a
hold works as soon as it is compacted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.errors import Damaged
from memstrata.model import By, DecisionKind
from memstrata.workflow.intake import Ruling, decide
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from memstrata.model import Decision
    from memstrata.ports import CommitLog, Installation

_KINDS = (DecisionKind.HOLD, DecisionKind.RELEASE)


def standing_hold(record: CommitLog, group_id: str) -> Decision | None:
    """The hold that stops the group's commits now; None if there is none."""
    latest = max(decided(record, group_id, _KINDS), key=lambda decision: decision.at, default=None)
    return latest if latest is not None and latest.kind is DecisionKind.HOLD else None


def require_released(record: CommitLog, group_id: str) -> None:
    """Raises `Damaged` with the way out if the group is held."""
    held = standing_hold(record, group_id)
    if held is None:
        return
    raise Damaged(
        f"group {group_id!r} takes no commits: {held.who or held.by} holds it since "
        f"{held.at:%Y-%m-%d %H:%M} UTC ({held.reason}); what was accepted waits and is safe. To go on, run "
        f"`memstrata rebuild --group {group_id}`: it replays the log into the graph and releases the group"
    )


def hold(installation: Installation, group_id: str, *, who: str, reason: str) -> bool:
    """Stops the group's commits from now on; False if it is held already."""
    return _decide(installation, group_id, DecisionKind.HOLD, who=who, reason=reason)


def release(installation: Installation, group_id: str, *, who: str, reason: str) -> bool:
    """Lets the group commit again; False if it was not held."""
    return _decide(installation, group_id, DecisionKind.RELEASE, who=who, reason=reason)


def _decide(
    installation: Installation, group_id: str, kind: DecisionKind, *, who: str, reason: str
) -> bool:
    is_held = standing_hold(installation.record, group_id) is not None
    if is_held == (kind is DecisionKind.HOLD):
        return False
    decide(
        installation,
        Ruling(
            group_id=group_id,
            kind=kind,
            target={"group_id": group_id},
            payload={},
            by=By.POLICY,
            who=who,
            reason=reason,
        ),
    )
    installation.record.compact(context_turns=installation.extractor.context_turns)
    return True
