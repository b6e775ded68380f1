"""The verbs that read: each one definition, done at a desk or asked of a server."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.memory import routes
from memstrata.memory.looking import (
    Belief,
    Where,
    belief_of,
    check_keywords,
    group_of,
    groups_of,
    instant_of,
    view_of,
)
from memstrata.memory.verbs import Verb
from memstrata.ports import Subject
from memstrata.search.context import DEFAULT_BUDGET
from memstrata.search.view import ANY, View

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from typing import Unpack

    from memstrata.memory.browsing import Page
    from memstrata.memory.desk import Desk
    from memstrata.memory.looking import Looking, Time
    from memstrata.model import Episode
    from memstrata.ports import Counts, NamedVersion
    from memstrata.search.changes import Changed
    from memstrata.search.context import Context
    from memstrata.search.reads import EntityRecord, EpisodeRecord, FactHistory
    from memstrata.search.results import Results
    from memstrata.search.timeline import Timeline

    Record = FactHistory | EntityRecord | EpisodeRecord


def search(
    query: str,
    *,
    limit: int = 10,
    preset: str = "everything",
    subjects: Collection[Subject | str] | None = None,
    centre: str | None = None,
    **looking: Unpack[Looking],
) -> Verb[Results]:
    """What the memory holds on a query: at most `limit` of each subject, best first.

    `preset` is a way to search that has a name (`facts`, `episodes_mmr`, ...); `subjects` stand instead of
    what it looks for; `centre` is the entity from which `node_distance` measures. Raises `Incorrect` for an
    empty query, and for presets, filters and keywords that there are not.
    """
    view = view_of(looking)
    wanted = None if subjects is None else tuple(_subject(one) for one in subjects)
    return Verb(
        here=lambda desk: desk.asking.search(
            query, view, preset=preset, subjects=wanted, limit=limit, centre=centre
        ),
        there=lambda: routes.search(
            view, {"query": query, "limit": limit, "preset": preset, "for": wanted, "centre": centre}
        ),
    )


def context(query: str, budget: int = DEFAULT_BUDGET, **looking: Unpack[Looking]) -> Verb[Context]:
    """What matters for a query as a text for a model, at most `budget` tokens long, with its citations.

    Core blocks come first, then facts with their times, summaries, and the turns that matter.
    """
    view = view_of(looking)
    return Verb(
        here=lambda desk: desk.asking.context(query, view, budget=budget),
        there=lambda: routes.context(view, {"query": query, "budget": budget}),
    )


def get(id: str, **looking: Unpack[Looking]) -> Verb[Record]:  # noqa: A002 (the word that users know)
    """What an id stands for, living or gone: a fact, an entity or an episode.

    Raises `Incorrect` if no record of that id was ever there.
    """
    view = view_of(looking)
    return Verb(here=lambda desk: _get(desk, id, view), there=lambda: routes.get(view, id))


def _get(desk: Desk, asked: str, view: View) -> Record:
    """The record; an episode from the moment on in which it was accepted."""
    try:
        return desk.asking.get(asked, view)
    except Incorrect:
        for group in view.groups:
            if not group.endswith(ANY):
                with suppress(Incorrect):
                    return desk.browsing.episode(group, asked)
        raise


def episode(id: str, **where: Unpack[Where]) -> Verb[EpisodeRecord]:  # noqa: A002 (as above)
    """An episode with its earlier revisions, from the moment on in which it was accepted.

    Raises `Incorrect` for an unknown id.
    """
    check_keywords(where, Where)
    group = group_of(where)
    return Verb(here=lambda desk: desk.browsing.episode(group, id), there=lambda: routes.episode(group, id))


def episodes(*, limit: int = 100, cursor: str | None = None, **where: Unpack[Where]) -> Verb[Page[Episode]]:
    """The episodes of a group that are not retracted, the latest accepted first; pages as in `get_all`."""
    check_keywords(where, Where)
    group = group_of(where)
    return Verb(
        here=lambda desk: desk.browsing.episodes(group, after=cursor, limit=limit),
        there=lambda: routes.episodes(group, {"limit": limit, "cursor": cursor}),
    )


def get_all(
    *, about: str | None = None, limit: int = 100, cursor: str | None = None, **looking: Unpack[Looking]
) -> Verb[Page[NamedVersion]]:
    """The facts of the groups, or those `about` an entity (a name or an id), a page at a time.

    The page's `following` is the `cursor` of the next one, None after the last.
    """
    view = view_of(looking)
    return Verb(
        here=lambda desk: desk.asking.listed(view, about=about, limit=limit, after=cursor),
        there=lambda: routes.facts(view, {"about": about, "limit": limit, "cursor": cursor}),
    )


def history(asked: str, *, limit: int = 100, **belief: Unpack[Belief]) -> Verb[tuple[FactHistory, ...]]:
    """Every version of what is asked for: a fact id, `Ada works_at`, `Ada works_at Acme`, or an entity.

    Each with the evidence that any version rested on. An episode's earlier revisions are in `get`.
    """
    view = belief_of(belief)
    return Verb(
        here=lambda desk: desk.asking.history(asked, view, limit=limit),
        there=lambda: routes.history(view, {"asked": asked, "limit": limit}),
    )


def timeline(entity: str, *, limit: int = 500, **belief: Unpack[Belief]) -> Verb[Timeline]:
    """What is and was true of an entity (a name or an id), in order of valid time, and what closed what."""
    view = belief_of(belief)
    return Verb(
        here=lambda desk: desk.asking.timeline(entity, view, limit=limit),
        there=lambda: routes.timeline(view, {"entity": entity, "limit": limit}),
    )


def diff(
    after: Time, until: Time | None = None, *, about: str | None = None, **belief: Unpack[Belief]
) -> Verb[Changed]:
    """What changed in belief between two system times: learned, ended, corrected or withdrawn.

    `until` None is now; `about` an entity, by name or id (None: everything).
    """
    check_keywords(belief, Belief)
    begin = instant_of(after, "after")
    end: datetime | None = None if until is None else instant_of(until, "until")
    view = View(groups=groups_of(belief))
    return Verb(
        here=lambda desk: desk.asking.diff(begin, end, about=about, view=view),
        there=lambda: routes.diff(view, {"after": begin, "until": end, "about": about}),
    )


def groups() -> Verb[tuple[Counts, ...]]:
    """How much each group holds that may be read."""
    return Verb(here=lambda desk: desk.asking.groups(), there=routes.groups)


def _subject(given: Subject | str) -> Subject:
    if given not in set(Subject):
        raise Incorrect(f"there is no subject {str(given)!r}; there are: {', '.join(Subject)}")
    return Subject(given)
