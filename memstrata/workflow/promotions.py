"""Promotions: another extractor version comes into force over some days, and is taken back.

Both are decisions, which the record applies when it takes them in; the commits that follow make it believed
(docs/record.md, 5).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from memstrata.errors import Incorrect
from memstrata.model import DecisionKind
from memstrata.ports import Promotion, Rollback, switch_of
from memstrata.workflow.intake import Ruling, decide
from memstrata.workflow.rules import decided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Decision
    from memstrata.ports import Coverage, Days, Installation, KeptVersion

_KINDS: Final = (DecisionKind.PROMOTE_EXTRACTOR, DecisionKind.ROLLBACK_EXTRACTOR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promoted:
    """One promotion of a group; `standing` counts the episodes for which it is in force still.

    `decision` is None where it was not decided (a dry run); `rolled_back` is what took it back.
    """

    group_id: str
    promotion: Promotion
    standing: int
    coverage: Coverage | None = None
    decision: Decision | None = None
    rolled_back: Decision | None = None


def promotions(installation: Installation, group_id: str) -> tuple[Promoted, ...]:
    """The promotions that the record has taken in, in order."""
    found: dict[str, tuple[Decision, Promotion]] = {}
    undone: dict[str, Decision] = {}
    for decision in decided(installation.record, group_id, _KINDS):
        try:
            switch = switch_of(decision)
        except Incorrect:  # a decision that names nothing switches nothing
            continue
        if isinstance(switch, Promotion):
            found[decision.decision_id] = (decision, switch)
        elif isinstance(switch, Rollback) and switch.decision_id in found:
            undone.setdefault(switch.decision_id, decision)
    return tuple(
        Promoted(
            group_id=group_id,
            promotion=switch,
            standing=installation.record.standing(group_id, decision_id),
            decision=decision,
            rolled_back=undone.get(decision_id),
        )
        for decision_id, (decision, switch) in found.items()
    )


def promote(
    installation: Installation,
    group_id: str,
    promotion: Promotion,
    *,
    who: str = "",
    reason: str = "",
    dry_run: bool = False,
) -> Promoted:
    """Brings a version into force for the group's episodes of some days; the next commits believe it.

    What the version failed on stays as it is. Raises `Incorrect` if the group has nothing of that version,
    if it has not been tried on all that something else is in force for, and if nothing would change.
    """
    _take_in(installation)
    promotion = replace(promotion, version=version_named(installation, group_id, promotion.version).version)
    coverage = _promotable(installation, group_id, promotion)
    ruling = Ruling(
        group_id=group_id,
        kind=DecisionKind.PROMOTE_EXTRACTOR,
        target=promotion.target(),
        payload={},
        who=who,
        reason=reason,
    )
    decision = None if dry_run else _switched(installation, ruling)
    return Promoted(
        group_id=group_id,
        promotion=promotion,
        standing=coverage.ready,
        coverage=coverage,
        decision=decision,
    )


def rollback(
    installation: Installation,
    group_id: str,
    decision_id: str | None = None,
    *,
    who: str = "",
    reason: str = "",
    dry_run: bool = False,
) -> Promoted:
    """Takes a promotion of the group back (the last that stands, by default), where nothing newer has come.

    Raises `Incorrect` if there is none, or it was taken back already.
    """
    _take_in(installation)
    promoted = _to_take_back(promotions(installation, group_id), group_id, decision_id)
    assert promoted.decision is not None  # noqa: S101 (it is of the record)
    ruling = Ruling(
        group_id=group_id,
        kind=DecisionKind.ROLLBACK_EXTRACTOR,
        target=Rollback(promoted.decision.decision_id).target(),
        payload={},
        who=who,
        reason=reason,
    )
    decision = None if dry_run else _switched(installation, ruling)
    return Promoted(
        group_id=group_id,
        promotion=promoted.promotion,
        standing=promoted.standing,
        decision=promoted.decision,
        rolled_back=decision,
    )


def _switched(installation: Installation, ruling: Ruling) -> Decision:
    """Logs the decision, and lets the record take it in at once."""
    decision = decide(installation, ruling)
    _take_in(installation)
    return decision


def _take_in(installation: Installation) -> None:
    installation.record.compact(context_turns=installation.extractor.context_turns)


def version_named(installation: Installation, group_id: str, asked: str) -> KeptVersion:
    """The version of the group that is called so: by its name, or the beginning of that or of its hash.

    Raises `Incorrect` if there is none, or several.
    """
    kept = installation.record.versions(group_id)
    found = [one for one in kept if one.version == asked] or [
        one
        for one in kept
        if asked and any(part.startswith(asked) for part in (one.version, one.version.rpartition("-")[2]))
    ]
    if len(found) == 1:
        return found[0]
    there = ", ".join(one.version for one in (found or kept)) or "none yet"
    if found:
        raise Incorrect(
            f"{len(found)} extractor versions of group {group_id!r} begin with {asked!r}: {there}"
        )
    raise Incorrect(
        f"group {group_id!r} has no extraction by version {asked!r}; there are: {there}. "
        "`memstrata extractor run` makes one with the configured extractor"
    )


def _promotable(installation: Installation, group_id: str, promotion: Promotion) -> Coverage:
    """How far the version has come; raises `Incorrect` where it cannot be promoted."""
    coverage = installation.record.coverage(group_id, promotion)
    if coverage.lacking:
        raise Incorrect(
            f"version {promotion.version} is half run: {coverage.lacking} of {coverage.episodes} episodes "
            f"of {promotion.days} in group {group_id!r} have nothing of it in their present context. "
            f"Finish it with `memstrata extractor run {_options(group_id, promotion.days)}` (that extractor"
            " configured), or promote fewer days"
        )
    if not coverage.episodes:
        raise Incorrect(
            f"group {group_id!r} has accepted no episode, or none that stands, on {promotion.days}; "
            "`memstrata extractor list` says from which days its versions have some"
        )
    if not coverage.ready:
        raise Incorrect(
            f"nothing of version {promotion.version} waits for promotion in group {group_id!r} on "
            f"{promotion.days}: it is in force for {coverage.in_force} of {coverage.episodes} episodes, "
            f"failed on {coverage.failed}, and {coverage.waiting} await extraction"
        )
    return coverage


def _options(group_id: str, days: Days) -> str:
    given = [f"--group {group_id}"]
    given += [] if days.since is None else [f"--since {days.since}"]
    given += [] if days.until is None else [f"--until {days.until}"]
    return " ".join(given)


def _to_take_back(found: Sequence[Promoted], group_id: str, decision_id: str | None) -> Promoted:
    standing = [one for one in found if one.rolled_back is None]
    if decision_id is None:
        if not standing:
            raise Incorrect(f"group {group_id!r} has no promotion to take back")
        return standing[-1]
    for one in found:
        if one.decision is not None and one.decision.decision_id == decision_id:
            if one.rolled_back is None:
                return one
            raise Incorrect(
                f"promotion {decision_id} was taken back already, by decision {one.rolled_back.decision_id}"
            )
    raise Incorrect(
        f"{decision_id!r} is no promotion of group {group_id!r}; `memstrata extractor list` names them"
    )
