"""The verbs of the review queue: what verification left to a person, and the verdicts on it.

A verdict is a decision that outlives rebuilds and new extractor versions; the last one on an item counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from memstrata.errors import Incorrect
from memstrata.memory import routes
from memstrata.memory.looking import Where, check_keywords, group_of
from memstrata.memory.verbs import Verb
from memstrata.model import DecisionKind
from memstrata.workflow.proposals import State
from memstrata.workflow.review import Matter, Which

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Unpack

    from memstrata.memory.browsing import Page
    from memstrata.memory.desk import Desk
    from memstrata.model import Decision, Json
    from memstrata.workflow.proposals import Proposal
    from memstrata.workflow.review import Entry, WholeEntry

E = TypeVar("E", bound=StrEnum)


class Ruling(Where, total=False):
    """In which group, why, and whether it is waited for until it has taken effect (the default)."""

    reason: str
    wait: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A verdict on the item of an entry's id, or of a current fact's."""

    kind: DecisionKind
    entry_id: str
    changes: Mapping[str, Json] = field(default_factory=dict)


def waiting(
    *,
    matter: Matter | str | None = None,
    rule: str | None = None,
    relation: str | None = None,
    limit: int = 50,
    cursor: str | None = None,
    **where: Unpack[Where],
) -> Verb[Page[Entry]]:
    """What waits for a person in a group, a page of it: items in quarantine, then decisions that are lost.

    `matter` (`held` or `lost`), `rule` and `relation` narrow it down; `cursor` is a page's `following`. A
    lost one is a decision on an item that no extraction gives any more.
    """
    check_keywords(where, Where)
    group, which = group_of(where), Which(matter=_matter(matter), rule=rule, predicate=relation)
    asked = {"matter": which.matter, "rule": rule, "predicate": relation, "limit": limit, "cursor": cursor}
    return Verb(
        here=lambda desk: desk.reviewing.waiting(group, which, after=cursor, limit=limit),
        there=lambda: routes.review_items(group, asked),
    )


def show(
    id: str,  # noqa: A002 (the word that users know)
    **where: Unpack[Where],
) -> Verb[WholeEntry]:
    """One that waits, or the item that a current fact rests on (by its id), with its episode's text.

    Raises `NotThere` for other ids.
    """
    check_keywords(where, Where)
    group = group_of(where)
    return Verb(
        here=lambda desk: desk.reviewing.whole_entry(group, id), there=lambda: routes.review_item(group, id)
    )


def counts(**where: Unpack[Where]) -> Verb[Mapping[str, int]]:
    """How many wait in a group, by the rule that keeps them waiting, the most first."""
    check_keywords(where, Where)
    group = group_of(where)
    return Verb(here=lambda desk: desk.reviewing.counts(group), there=lambda: routes.review_counts(group))


def accept(
    id: str,  # noqa: A002 (the word that users know)
    **ruling: Unpack[Ruling],
) -> Verb[Decision]:
    """Lets an item that waits count. Raises `NotThere` for the id of nothing that waits."""
    return _ruled(_Asked(kind=DecisionKind.ACCEPT, entry_id=id), ruling)


def reject(
    id: str,  # noqa: A002 (the word that users know)
    **ruling: Unpack[Ruling],
) -> Verb[Decision]:
    """Settles that an item does not count; of a current fact's id, withdraws what it rests on."""
    return _ruled(_Asked(kind=DecisionKind.REJECT, entry_id=id), ruling)


def edit(
    id: str,  # noqa: A002 (the word that users know)
    changes: Mapping[str, Json],
    **ruling: Unpack[Ruling],
) -> Verb[Decision]:
    """Lets an item count with other fields: subject, predicate, object, kind, valid_at and the like.

    Raises `Incorrect` for an unknown field, and for an edit that breaks the ontology or the fold's rules.
    """
    return _ruled(_Asked(kind=DecisionKind.EDIT, entry_id=id, changes=dict(changes)), ruling)


def accept_all(
    *,
    rule: str | None = None,
    relation: str | None = None,
    dry_run: bool = False,
    **ruling: Unpack[Ruling],
) -> Verb[int]:
    """Lets everything in quarantine count that a rule keeps there, or of a relation, or both.

    How many they are, or with `dry_run` would be. Raises `Incorrect` where neither is named.
    """
    return _ruled_all(DecisionKind.ACCEPT, Which(rule=rule, predicate=relation), ruling, dry_run=dry_run)


def reject_all(
    *,
    rule: str | None = None,
    relation: str | None = None,
    dry_run: bool = False,
    **ruling: Unpack[Ruling],
) -> Verb[int]:
    """Settles that nothing in quarantine counts that a rule keeps there, or of a relation, or both.

    How many they are, or with `dry_run` would be. Raises `Incorrect` where neither is named.
    """
    return _ruled_all(DecisionKind.REJECT, Which(rule=rule, predicate=relation), ruling, dry_run=dry_run)


def proposals(
    *,
    state: State | str | None = None,
    limit: int = 50,
    cursor: str | None = None,
    **where: Unpack[Where],
) -> Verb[Page[Proposal]]:
    """The relations that a model proposes to declare `one` in a group, a page of them, by name.

    Without a `state` (`open`, `accepted`, `rejected`) those that are open, and those that are accepted and
    not declared yet. `cursor` is a page's `following`.
    """
    check_keywords(where, Where)
    group, wanted = group_of(where), _state(state)
    asked = {"state": wanted, "limit": limit, "cursor": cursor}
    return Verb(
        here=lambda desk: desk.reviewing.proposals(group, wanted, after=cursor, limit=limit),
        there=lambda: routes.proposals(group, asked),
    )


def accept_proposal(relation: str, **ruling: Unpack[Ruling]) -> Verb[Decision]:
    """Settles that a relation is to be declared `one`; it takes effect once the ontology declares it.

    Raises `NotThere` for a relation that is not proposed, or declared by now.
    """
    return _ruled_on_proposal(DecisionKind.ACCEPT, relation, ruling)


def reject_proposal(relation: str, **ruling: Unpack[Ruling]) -> Verb[Decision]:
    """Settles that a relation is not to be declared `one`: it is listed no more, whoever proposes it again.

    Raises `NotThere` for a relation that is not proposed, or declared by now.
    """
    return _ruled_on_proposal(DecisionKind.REJECT, relation, ruling)


def _ruled_on_proposal(kind: DecisionKind, relation: str, ruling: Ruling) -> Verb[Decision]:
    check_keywords(ruling, Ruling)
    group, reason, wait = group_of(ruling), ruling.get("reason", ""), ruling.get("wait", True)

    def here(desk: Desk) -> Decision:
        is_accepted = kind is DecisionKind.ACCEPT
        judge = desk.reviewing.accept_proposal if is_accepted else desk.reviewing.reject_proposal
        made = judge(group, relation, reason=reason)
        if wait:
            desk.telling.commit(group)
        return made

    body = {"predicate": relation, "verdict": kind, "reason": reason, "wait": wait, "group_id": group}
    return Verb(here=here, there=lambda: routes.rule_on_proposal(body))


def _ruled_all(kind: DecisionKind, which: Which, ruling: Ruling, *, dry_run: bool) -> Verb[int]:
    check_keywords(ruling, Ruling)
    if which.rule is None and which.predicate is None:
        raise Incorrect("name what is meant: rule, relation or both; counts() tells how many wait by rule")
    group, reason, wait = group_of(ruling), ruling.get("reason", ""), ruling.get("wait", True)

    def here(desk: Desk) -> int:
        count = desk.reviewing.rule_all(kind, group, which, reason=reason, dry_run=dry_run)
        if wait and count and not dry_run:
            desk.telling.commit(group)
        return count

    body = {"verdict": kind, "rule": which.rule, "predicate": which.predicate, "dry_run": dry_run}
    said = {**body, "reason": reason, "wait": wait, "group_id": group}
    return Verb(here=here, there=lambda: routes.rule_all(said))


def _ruled(asked: _Asked, ruling: Ruling) -> Verb[Decision]:
    check_keywords(ruling, Ruling)
    group, reason, wait = group_of(ruling), ruling.get("reason", ""), ruling.get("wait", True)

    def here(desk: Desk) -> Decision:
        made = _judged(desk, group, asked, reason)
        if wait:
            desk.telling.commit(group)
        return made

    body = {"verdict": asked.kind, "changes": asked.changes or None, "reason": reason, "wait": wait}
    return Verb(here=here, there=lambda: routes.rule(asked.entry_id, {**body, "group_id": group}))


def _judged(desk: Desk, group: str, asked: _Asked, reason: str) -> Decision:
    if asked.kind is DecisionKind.EDIT:
        return desk.reviewing.edit(group, asked.entry_id, asked.changes, reason=reason)
    judge = desk.reviewing.accept if asked.kind is DecisionKind.ACCEPT else desk.reviewing.reject
    return judge(group, asked.entry_id, reason=reason)


def _matter(given: Matter | str | None) -> Matter | None:
    return None if given is None else _one_of(Matter, given, "matter")


def _state(given: State | str | None) -> State | None:
    return None if given is None else _one_of(State, given, "state")


def _one_of(kind: type[E], given: str, name: str) -> E:
    if given in set(kind):
        return kind(given)
    raise Incorrect(f"{name} is {str(given)!r}; expected {' or '.join(repr(one.value) for one in kind)}")
