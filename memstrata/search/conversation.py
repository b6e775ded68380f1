"""Turns: which arms find them, and what is known of them besides: whose, when, beside what, by which facts.

What is done with the scores lives in `turns`, whose turns are meant in `speakers`, how much is stated in
`statements`, when in `when`, and what puts what out of date in `recency`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.ports import Beside, Subject
from memstrata.search.defaults import DAY_NAMED, LATER_POOL, MOST_EVIDENCE, POOL, STATED, VOTING_FACTS
from memstrata.search.fusion import Arm
from memstrata.search.recency import asks_how_it_stands, later_first, said
from memstrata.search.speakers import named_words, preferred
from memstrata.search.statements import is_assistant, statements
from memstrata.search.subjects import ordered, pool
from memstrata.search.turns import raised, spread, with_facts
from memstrata.search.when import days_named, nearness

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Episode
    from memstrata.ports import Handle
    from memstrata.search.fusion import Fused, Ranking
    from memstrata.search.look import Look


def episodes(look: Look) -> tuple[tuple[Fused, Episode], ...]:
    """The turns: found themselves, by facts that rest on them, or beside one that was found."""
    arms = look.wish.preset.arms
    rankings = look.direct(Subject.EPISODE)
    found = look.fused(rankings)
    if not found:
        return ()
    records = dict(look.graph.episodes_at([one.handle for one in found[:POOL]]))
    if Arm.BESIDE in arms:
        found = _without_names(look, rankings, records) or found
        found = spread(found, look.graph.beside([one.handle for one in found], look.wish.scope))[:POOL]
        missing = [one.handle for one in found if one.handle not in records]
        records.update(look.graph.episodes_at(missing))
    if Arm.FACTS in arms or Arm.BESIDE in arms:
        found = with_facts(found, _votes(look, found, records) if Arm.FACTS in arms else {})
    if Arm.BESIDE in arms:
        found = _as_it_stands(look, raised(found, _gains(look, found, records)), records)
    return ordered(look, Subject.EPISODE, found[: pool(look)], records)


def beside(look: Look, found: Sequence[Handle]) -> Mapping[Handle, tuple[Episode | None, Episode | None]]:
    """The turns before and after each of those episodes."""
    sides = look.graph.beside(found, look.wish.scope)
    near = {side for one in sides.values() for side in (one.before, one.after) if side is not None}
    records = look.graph.episodes_at(sorted(near, key=str))
    return {
        handle: (
            None if one.before is None else records.get(one.before),
            None if one.after is None else records.get(one.after),
        )
        for handle in found
        for one in (sides.get(handle, Beside()),)
    }


def _without_names(
    look: Look, rankings: Sequence[Ranking], records: Mapping[Handle, Episode]
) -> tuple[Fused, ...]:
    """What is found where the names of speakers stay out of the query's vector; () if it names none.

    A name in the query draws its vector to whatever speaks of that person; whose turns are meant is known
    better from who spoke.
    """
    names = named_words(records.values(), look.wish.query)
    again = look.nearest_without(Subject.EPISODE, names) if names else None
    if again is None:
        return ()
    return look.fused([again if one.arm is Arm.VECTORS else one for one in rankings])


def _gains(look: Look, found: Sequence[Fused], records: Mapping[Handle, Episode]) -> Mapping[Handle, float]:
    """What turns gain by who spoke, by how much was stated, and by when."""
    there = {one.handle: records[one.handle] for one in found if one.handle in records}
    handles, boost = preferred(there, look.wish.query)
    told = statements(there)
    days = days_named(look.wish.query.text)
    return {
        handle: (boost if handle in handles else 0.0)
        + STATED * told[handle]
        + DAY_NAMED * nearness(days, one.reference_time)
        for handle, one in there.items()
    }


def _as_it_stands(
    look: Look, found: tuple[Fused, ...], records: Mapping[Handle, Episode]
) -> tuple[Fused, ...]:
    """For a question how something stands now: what people said later above what it puts out of date."""
    query = look.wish.query
    if not asks_how_it_stands(query.text):
        return found
    people = {handle: one for handle, one in records.items() if not is_assistant(one)}
    names = named_words(people.values(), query)
    words = [word for word in query.words if word not in names]
    first = [one.handle for one in found[:LATER_POOL] if one.handle in people]
    return later_first(found, {handle: said(people[handle]) for handle in first}, words)


def _votes(look: Look, found: Sequence[Fused], records: Mapping[Handle, Episode]) -> Mapping[Handle, float]:
    """What the best facts say for the turns they rest on: the score of the best fact each."""
    best = look.facts()[:VOTING_FACTS]
    versions = look.graph.versions([one.handle for one in best]) if best else {}
    wanted: dict[str, dict[str, float]] = {}
    for one in best:
        if one.handle in versions:
            fact = versions[one.handle].version.fact
            scores = wanted.setdefault(fact.group_id, {})
            for assertion_id in fact.evidence[:MOST_EVIDENCE]:
                scores[assertion_id] = max(one.score, scores.get(assertion_id, 0.0))
    rests: dict[tuple[str, str], float] = {}
    for group_id, scores in wanted.items():
        for placement in look.graph.evidence(group_id, scores):
            key = (group_id, placement.episode_id)
            rests[key] = max(scores[placement.id], rests.get(key, 0.0))
    there = [(one.handle, records[one.handle]) for one in found if one.handle in records]
    votes = {handle: rests.get((one.group_id, one.episode_id), 0.0) for handle, one in there}
    return {handle: vote for handle, vote in votes.items() if vote > 0.0}
