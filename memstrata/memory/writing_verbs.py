"""The verbs that write: each one definition, done at a desk or asked of a server.

Nothing is overwritten or erased: what is updated gets a further revision, what is deleted is retracted.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from memstrata.errors import Incorrect
from memstrata.memory import routes
from memstrata.memory.drafting import drafts
from memstrata.memory.looking import Where, check_keywords, group_of, instant_of
from memstrata.memory.reading_verbs import get
from memstrata.memory.verbs import Done, Refused, Verb
from memstrata.model import Draft
from memstrata.search.reads import EpisodeRecord, FactHistory
from memstrata.workflow.waiting import Remembered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Unpack

    from memstrata.memory.desk import Desk
    from memstrata.memory.drafting import About, Content
    from memstrata.memory.looking import Time
    from memstrata.memory.reading_verbs import Record
    from memstrata.memory.verbs import Exchange
    from memstrata.model import Decision, Fact, Json
    from memstrata.workflow.work import Worked

_NO_RETRACTION = (
    "{!r} is an entity, which is there as long as something is said of it; retract the episodes or facts "
    "that speak of it (`timeline` lists them)"
)
_NOT_WAITED_FOR = "accepted, and not waited for: the next pass takes it in (`memstrata work`)"


class Revised(Where, total=False):
    """What is new in a revision beside its text: when it happened, and further metadata."""

    time: Time
    metadata: Mapping[str, Json]


def add(content: Content, *, wait: bool = True, **about: Unpack[About]) -> Verb[Remembered]:
    """Remembers a text, messages in OpenAI's form, a fact triple, or another object that JSON can hold.

    Durable when it returns; with `wait` its facts can be found by then, too. The same content with the same
    `time`, or the same `id` and content, changes nothing. `held` of the answer counts what verification
    left to a person: `memory.review.list()` shows that. Raises `Misplaced` or `Incorrect`, naming what is
    wrong; then nothing was taken.
    """
    drafts(content, about, now=datetime.now(UTC))  # what is wrong is said before anything is sent
    return Verb(
        here=lambda desk: _told(desk, drafts(content, about, now=desk.installation.clock.now()), wait),
        there=lambda: _told_there(drafts(content, about, now=datetime.now(UTC)), wait),
    )


def update(
    id: str,  # noqa: A002 (the word that users know)
    text: str,
    *,
    wait: bool = True,
    **revised: Unpack[Revised],
) -> Verb[Remembered]:
    """Gives an episode another text: its next revision; what rested on the earlier one alone goes.

    Its time, speaker and saga stay unless told otherwise. A fact cannot be updated, since it is derived:
    the error names the episodes that it rests on. Raises `Incorrect` for that, for an unknown id and for an
    episode that has been retracted.
    """
    check_keywords(revised, Revised)
    group = group_of(revised)
    looked = get(id, group=group)
    return Verb(
        here=lambda desk: _told(desk, (_revision(looked.here(desk), text, revised),), wait),
        there=lambda: _update_there(looked, text, revised, wait=wait),
    )


def _update_there(looked: Verb[Record], text: str, revised: Revised, *, wait: bool) -> Exchange[Remembered]:
    record = yield from looked.there()
    return (yield from _told_there((_revision(record, text, revised),), wait))


def retract(
    id: str,  # noqa: A002 (the word that users know)
    *,
    reason: str = "",
    wait: bool = True,
    **where: Unpack[Where],
) -> Verb[Decision]:
    """Withdraws an episode, so that what rested on it alone goes; or a fact alone, with what it rests on.

    What it had closed opens again, and all of it stays readable as of earlier system times. With `wait` it
    has taken effect when this returns. Raises `Incorrect` for an unknown id, an entity's, and for what is
    gone already.
    """
    check_keywords(where, Where)
    group = group_of(where)
    looked = get(id, group=group)

    def here(desk: Desk) -> Decision:
        made = _withdrawn(desk, group, looked.here(desk), reason=reason)
        if wait:
            desk.telling.commit(group)
        return made

    asked = routes.Retraction(group_id=group, reason=reason, wait=wait)
    return Verb(here=here, there=lambda: _retract_there(looked, asked))


def _withdrawn(desk: Desk, group: str, record: Record, *, reason: str) -> Decision:
    if isinstance(record, EpisodeRecord):
        return desk.telling.retract(group, record.episode.episode_id, reason=reason)
    if isinstance(record, FactHistory):
        return desk.telling.retract_fact(group, record.fact_id, reason=reason)
    raise Incorrect(_NO_RETRACTION.format(record.entity_id))


def _retract_there(looked: Verb[Record], asked: routes.Retraction) -> Exchange[Decision]:
    record = yield from looked.there()
    if isinstance(record, EpisodeRecord | FactHistory):
        return (yield from routes.retract(record, asked))
    raise Incorrect(_NO_RETRACTION.format(record.entity_id))


def work() -> Verb[Done]:
    """One pass over everything that was accepted and not waited for, vectors included, in all groups."""
    return Verb(here=lambda desk: _done(desk.operating.work()), there=routes.work)


def _done(worked: Worked) -> Done:
    return Done(
        accepted=worked.compaction.new + worked.compaction.revised,
        extracted=worked.extracted.episodes,
        commits=sum(one.commits for one in worked.committed),
        embedded=worked.embedded,
        failed=tuple(Refused(group_id=group, why=why) for group, why in worked.failed),
        not_embedded=worked.not_embedded,
    )


def _told(desk: Desk, told: Sequence[Draft], wait: bool) -> Remembered:  # noqa: FBT001 (private)
    if wait:
        return merged(desk.telling.remember(told))
    ids = desk.telling.add(told).episode_ids
    return Remembered(group_id=told[0].group_id, episode_ids=ids, waiting=_NOT_WAITED_FOR)


def _told_there(told: Sequence[Draft], wait: bool) -> Exchange[Remembered]:  # noqa: FBT001 (private)
    answer = merged((yield from routes.add(told, wait=wait)))
    return answer if wait else replace(answer, waiting=_NOT_WAITED_FOR)


def merged(answers: Sequence[Remembered]) -> Remembered:
    """What became of several batches of one group, as one answer; the last one's belief counts."""
    created: dict[str, Fact] = {}
    ended: dict[str, None] = {}
    for one in answers:
        for fact_id in one.ended:
            created.pop(fact_id, None)
            ended[fact_id] = None
        for fact in one.created:
            created[fact.id] = fact
            ended.pop(fact.id, None)
    return Remembered(
        group_id=answers[0].group_id,
        episode_ids=tuple(dict.fromkeys(each for one in answers for each in one.episode_ids)),
        commit=next((one.commit for one in reversed(answers) if one.commit is not None), None),
        created=tuple(fact for _, fact in sorted(created.items())),
        ended=tuple(sorted(ended)),
        held=sum(one.held for one in answers),
        waiting="; ".join(one.waiting for one in answers if one.waiting),
    )


def _revision(record: Record, text: str, revised: Revised) -> Draft:
    """The next revision of an episode. Raises `Incorrect` for anything else."""
    if isinstance(record, FactHistory):
        said = dict.fromkeys(one.episode_id for one in record.evidence if one.retracted_at is None)
        raise Incorrect(
            f"{record.fact_id!r} is a fact, which is derived from episodes: update those that it rests on "
            f"({', '.join(said) or 'none is left'}), or add what holds instead as a fact triple"
        )
    if not isinstance(record, EpisodeRecord):
        raise Incorrect(f"{record.entity_id!r} is an entity; update the episodes that speak of it")
    episode = record.episode
    if record.is_retracted:
        raise Incorrect(f"episode {episode.episode_id!r} has been retracted; add it again with that id")
    draft = Draft(
        group_id=episode.group_id,
        source=episode.source,
        source_type=episode.source_type,
        content=text,
        reference_time=episode.reference_time,
        time_source=episode.time_source,
        episode_id=episode.episode_id,
        saga=episode.saga,
        position=episode.position,
        native_id=episode.native_id,
        speaker=episode.speaker,
        addressee=episode.addressee,
        metadata={**episode.metadata, **revised.get("metadata", {})},
    )
    if "time" in revised:
        draft = replace(draft, reference_time=instant_of(revised["time"], "time"))
    return draft
