"""What one commit changes: names resolved, placements replaced and moved, touched keys folded again.

A function of the graph as it stands, the commit and what it takes in; so replaying the commits gives
the same graph. No model is called here, and nothing is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata import bitemporal
from memstrata.bitemporal.changes import redeclared
from memstrata.errors import Damaged
from memstrata.model import DecisionKind, ObjectKind, Placement
from memstrata.ports import Changes
from memstrata.projection import PlacementChanges, moved, project, refreshed, replace_placements
from memstrata.workflow.items import said_by
from memstrata.workflow.resolve import resolve

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime

    from memstrata.bitemporal import Key
    from memstrata.model import Assertion, Commit, Episode, Fact
    from memstrata.ontology import Ontology
    from memstrata.ports import Neighbourhood, Pending
    from memstrata.projection import FactChanges
    from memstrata.workflow.resolve import Resolved
    from memstrata.workflow.rules import Rules


def plan(
    graph: Neighbourhood,
    commit: Commit,
    pending: Pending,
    rules: Rules,
    *,
    stored: Collection[str] | None = None,
    on_stored: Callable[[Sequence[Fact]], None] | None = None,
) -> Changes:
    """The changes of `commit`, which takes in `pending`, on the graph as it stands before it.

    `stored` are those of its episodes that may be in the graph already; None: any of them. Nothing is read
    there of the others. `on_stored`, for who compares and writes nothing, is told the facts that stand on
    the keys which are folded again; then there are no passages, which take longest. Raises `Damaged` if an
    invariant of the belief would break.
    """
    group = commit.group_id
    episodes = tuple(episode for episode, _ in pending.episodes)
    gone = _retracted(pending) - {episode.episode_id for episode in episodes}
    placed = {episode.episode_id for episode in episodes}
    leaving = gone | (placed if stored is None else placed.intersection(stored))
    said = [said_by(extraction, rules.standing) for _, extraction in pending.episodes]
    resolved = resolve(
        graph,
        group,
        [mention for extraction in said for mention in extraction.mentions],
        leaving=leaving,
        verdicts=rules.verdicts,
        taken_in=commit.decisions,
    )
    told = [assertion for extraction in said for assertion in extraction.assertions]
    changes = _placements(graph, commit, told, leaving, resolved)
    facts = _facts(graph, group, changes, rules, on_stored)
    _refuse_violations(commit, facts.violations)
    return Changes(
        commit=commit,
        episodes=episodes,
        episodes_gone=tuple(sorted(gone)),
        passages=() if on_stored else _passages(graph, group, episodes, gone, stored or ()),
        mentions=resolved.mentions,
        names=resolved.names,
        entities=resolved.entities,
        entities_gone=resolved.entities_gone,
        placements_recorded=changes.recorded,
        placements_retracted=tuple(placement.id for placement in changes.retracted),
        facts_created=facts.created,
        facts_expired=facts.expired,
        evidence_added=facts.evidence_added,
        evidence_removed=facts.evidence_removed,
    )


def _refuse_violations(commit: Commit, violations: Sequence[object]) -> None:
    if violations:
        raise Damaged(
            f"commit {commit.seq} of group {commit.group_id!r} would break {len(violations)} invariants, "
            f"the first: {violations[0]}; nothing of it was written"
        )


def _retracted(pending: Pending) -> set[str]:
    return {
        str(decision.target["episode_id"])
        for decision in pending.decisions
        if decision.kind is DecisionKind.RETRACT
    }


#: Turns on either side whose own neighbours may change when one comes or goes between them.
_REACH: Final = 2


def _passages(
    graph: Neighbourhood,
    group: str,
    placed: Sequence[Episode],
    gone: Collection[str],
    stored: Collection[str],
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The passages of what the commit brings, and of the turns that get other neighbours by it.

    Nobody stands beside a first revision without a saga: then the graph is not asked, unless it has that
    episode and need not get its passages again.
    """
    is_known = gone or any(
        one.saga is not None or one.revision > 1 or one.episode_id in stored for one in placed
    )
    around = graph.turns_around(group, placed, gone, reach=_REACH) if is_known else ()
    return refreshed(placed, gone, around)


def _placements(
    graph: Neighbourhood,
    commit: Commit,
    said: Iterable[Assertion],
    leaving: Collection[str],
    resolved: Resolved,
) -> PlacementChanges:
    """New placements instead of those of the leaving episodes; others move with their names."""
    group = commit.group_id
    old = graph.placements_of(group, tuple(leaving)) if leaving else ()
    new = tuple(
        placement
        for assertion in said
        if (placement := _placement(assertion, resolved, commit.instant)) is not None
    )
    replaced = replace_placements(old, new)
    if not resolved.moved:
        return replaced
    leaving_ids = {placement.id for placement in old}
    elsewhere = [
        placement
        for placement in graph.placements_naming(group, tuple(resolved.moved))
        if placement.id not in leaving_ids
    ]
    entity_of = {
        mention: resolved.moved[name.signature_id]
        for mention, name in graph.names_for(group, _mentions(elsewhere)).items()
        if name.signature_id in resolved.moved
    }
    follows = replace_placements(
        elsewhere, [moved(placement, entity_of, commit.instant) for placement in elsewhere]
    )
    return PlacementChanges(
        recorded=replaced.recorded + follows.recorded, retracted=replaced.retracted + follows.retracted
    )


def _mentions(placements: Iterable[Placement]) -> set[tuple[str, str]]:
    return {
        (placement.episode_id, mention)
        for placement in placements
        for mention in (placement.subject_mention, placement.object_mention)
        if mention is not None
    }


def _placement(assertion: Assertion, resolved: Resolved, instant: datetime) -> Placement | None:
    """The assertion where its ends stand; None if resolution refused one of them."""
    is_entity = assertion.object_kind is ObjectKind.ENTITY
    subject = resolved.entity_of.get(assertion.subject)
    target = resolved.entity_of.get(assertion.object) if is_entity else assertion.object
    if subject is None or target is None:
        return None
    return Placement(
        id=assertion.assertion_id,
        group_id=assertion.group_id,
        episode_id=assertion.episode_id,
        subject=subject,
        predicate=assertion.predicate,
        object=target,
        fact=assertion.fact,
        kind=assertion.kind,
        reference_time=assertion.reference_time,
        recorded_at=instant,
        valid_at=assertion.valid_at,
        invalid_at=assertion.invalid_at,
        confidence=assertion.confidence,
        object_kind=assertion.object_kind,
        subject_mention=assertion.subject,
        object_mention=assertion.object if is_entity else None,
        quote=assertion.quote,
    )


def _facts(
    graph: Neighbourhood,
    group: str,
    changes: PlacementChanges,
    rules: Rules,
    on_stored: Callable[[Sequence[Fact]], None] | None,
) -> FactChanges:
    """The touched keys folded again, against the facts that are stored of them."""
    again = _redeclared(graph, group, rules)
    keys = bitemporal.touched_keys(
        (*_told(changes.retracted), *again),
        (*_told(changes.recorded), *_told(changes.kept(again))),
        rules.before,
        rules.after,
    )
    if not keys:
        return project((), (), rules.after)
    live = changes.after(_live(graph, group, keys, rules.after))
    told = [placement for placement in _told(live) if bitemporal.key_of(placement, rules.after) in keys]
    stored = graph.facts_on(group, keys)
    if on_stored is not None:
        on_stored(stored)
    return project(told, stored, rules.after)


def _told(placements: Iterable[Placement]) -> list[Placement]:
    """Those that the fold is told of: an assertion whose two ends are one entity says nothing."""
    return [placement for placement in placements if placement.subject != placement.object]


def _redeclared(graph: Neighbourhood, group: str, rules: Rules) -> list[Placement]:
    """The live placements of relations that the commit's ontology declares otherwise."""
    if rules.before.hash == rules.after.hash:
        return []
    return [
        placement
        for placement in _told(graph.placements_saying(group, None))
        if redeclared(placement.predicate, rules.before, rules.after)
    ]


def _live(
    graph: Neighbourhood, group: str, keys: frozenset[Key], ontology: Ontology
) -> tuple[Placement, ...]:
    """What is live on the keys now; of a symmetric relation, whichever end is written first."""
    live = {placement.id: placement for placement in graph.placements_on(group, keys)}
    symmetric = frozenset(key for key in keys if ontology.symmetric(key.predicate))
    if symmetric:
        live |= {p.id: p for p in graph.placements_toward(group, symmetric)}
    return tuple(live.values())
