"""What is to be asked about a group: found where its commits have changed something, kept until answered.

A mark says up to which commit was looked; it moves in the write that keeps what was found, so that a kill
loses no question. Questions that are kept wait for a model, a budget or a better reply.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memstrata.model import VERDICTS
from memstrata.workflow.closing import WITHDRAWN, ended_by, withdraw
from memstrata.workflow.doubts import suspects
from memstrata.workflow.questions import are_rivals, exclusions_on, names_of
from memstrata.workflow.rules import rules_waiting
from memstrata.workflow.verdicts import judged_mentions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memstrata.model import Decision
    from memstrata.ports import About, Installation, QuestionQueue, Waiting
    from memstrata.workflow.questions import Question
    from memstrata.workflow.rules import Rules

#: How often a question may go by without an answer, before it waits for a change or for a person's command.
TRIES: Final = 6
#: Beyond so much that is new, a group is looked through as a whole.
_COMMITS, _VERSIONS = 200, 50_000
_PAGE: Final = 1_000


@dataclass(slots=True, kw_only=True)
class _Touched:
    """The entities, and the (subject, predicate) keys, that something has changed about."""

    entities: set[str] = field(default_factory=set)
    keys: set[tuple[str, str]] = field(default_factory=set)


def to_ask(installation: Installation, queue: QuestionQueue) -> tuple[str, ...]:
    """The groups that have questions waiting, or commits that were not looked at, sorted."""
    looked, waiting = queue.looked(), queue.open(tries=TRIES)
    return tuple(
        group
        for group in installation.record.groups()
        if group in waiting or installation.graph.last_seq(group) != looked.get(group, 0)
    )


def look(installation: Installation, queue: QuestionQueue, group_id: str, *, whole: bool = False) -> None:
    """Keeps the questions that the group's commits since the last look have opened.

    With `whole` all of the group is looked through, and what went by too often counts as new. What ended
    a fact on evidence that is gone is taken back.
    """
    last = installation.graph.last_seq(group_id)
    looked = queue.looked().get(group_id, 0)
    if last == looked and not whole:
        return
    rules = rules_waiting(installation, group_id)
    touched = None if whole or looked > last else _since(installation, group_id, looked, last)
    anew = touched is None
    if touched is None:
        touched = _everything(installation, group_id, rules)
    withdraw(installation, group_id, touched.keys, rules)
    found = _questions(installation, group_id, touched, rules)
    open_ = [one.about for one in found if _is_open(rules.answers.get(one.key))]
    queue.put(group_id, list(dict.fromkeys(open_)), looked=last, anew=anew)


def is_settled(answer: Decision | None) -> bool:
    """Whether that last decision on a question answers it."""
    return answer is not None and answer.payload.get("verdict") != WITHDRAWN


def _is_open(answer: Decision | None) -> bool:
    """Whether something is left to do: also where the facts stand that an answer has ended."""
    return answer is None or not is_settled(answer) or bool(ended_by(answer))


def questions_for(
    installation: Installation, group_id: str, waiting: Mapping[About, Waiting], rules: Rules
) -> dict[About, Question]:
    """What waits, as it stands now, in its order; what is no question any more is left out."""
    touched = _Touched()
    for sort, one, other in waiting:
        if sort == "names":
            touched.entities |= {one, other}
        else:
            touched.keys.add((one, other))
    found = {one.about: one for one in _questions(installation, group_id, touched, rules)}
    return {about: found[about] for about in waiting if about in found}


def _questions(
    installation: Installation, group_id: str, touched: _Touched, rules: Rules
) -> Iterator[Question]:
    graph = installation.graph
    ids = sorted(touched.entities)
    for page in (ids[at : at + _PAGE] for at in range(0, len(ids), _PAGE)):
        yield from names_of(graph, group_id, suspects(installation, group_id, page, either=True))
    yield from exclusions_on(graph, group_id, touched.keys, rules.after)


def _since(installation: Installation, group_id: str, looked: int, last: int) -> _Touched | None:
    """What the commits after `looked` have changed; None where that is more than a part."""
    record, graph = installation.record, installation.graph
    if not looked or last - looked > _COMMITS:
        return None
    before, *new = list(record.commits(group_id, after=looked - 1))
    versions = graph.versions_between(group_id, before.instant, None, limit=_VERSIONS)
    if len(versions) == _VERSIONS:
        return None
    facts = [one.version.fact for one in versions]
    told = {one.episode_id for commit in new for one in commit.episodes}
    verdicts = record.committed_decisions(group_id, VERDICTS, after=looked)
    judged = {mention for _, decision in verdicts for mention in judged_mentions(decision)}
    names = [name for name, _ in graph.names_in(group_id, told)] if told else []
    names += graph.names_for(group_id, judged).values() if judged else ()
    return _Touched(
        entities={name.entity_id for name in names},
        keys={(fact.subject, fact.predicate) for fact in facts},
    )


def _everything(installation: Installation, group_id: str, rules: Rules) -> _Touched:
    """All entities, and the keys on which facts may exclude each other or an answer has ended some."""
    graph = installation.graph
    touched = _Touched()
    after = ""
    while page := graph.entities_after(group_id, after, limit=_PAGE):
        touched.entities.update(one.entity_id for one in page)
        after = page[-1].entity_id
    objects = defaultdict[tuple[str, str], set[str]](set)
    for fact in graph.all_facts(group_id):
        if fact.invalid_at is None and rules.after.relation(fact.predicate) is None:
            objects[fact.subject, fact.predicate].add(fact.object)
    touched.keys.update(key for key, of in objects.items() if are_rivals(of))
    ended = {name for answer in rules.answers.values() for name in ended_by(answer)}
    live = graph.placements_of(group_id, ended) if ended else ()
    touched.keys.update((one.subject, one.predicate) for one in live)
    return touched
