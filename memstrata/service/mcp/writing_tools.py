"""The tools that add: episodes and fact triples, committed before the tool answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final, Literal

import orjson
from pydantic import BeforeValidator, Field

from memstrata import intake
from memstrata.errors import Incorrect, Unsupported
from memstrata.extraction.recalled import noting
from memstrata.instants import format_instant
from memstrata.model import SourceType, Speaker
from memstrata.search.reads import EntityRecord
from memstrata.search.wording import shortened
from memstrata.service.mcp.answers import Page, new_fact_item
from memstrata.service.mcp.arguments import Arguments, GroupId, Instant
from memstrata.service.mcp.tool import Effect, Profile, Tool

if TYPE_CHECKING:
    from datetime import datetime

    from memstrata.model import Draft, Json
    from memstrata.service.mcp.answers import Answer
    from memstrata.service.mcp.caller import Caller
    from memstrata.workflow.waiting import Remembered

_SOURCE: Final = "mcp"
_MOST_SOURCE: Final = 256
_MOST_NAME: Final = 1_000
_GUIDED: Final = (
    "custom_extraction_instructions was not used: what is extracted follows the declared ontology"
)
_SHOWN_BY: Final = "`review_items` (extended profile) or `memstrata review list` shows them"
_PRECEDED: Final = "previous_episode_uuids was not used: what came before is found by saga and time"

Source = Annotated[
    Literal["text", "message", "json", "fact_triple"],
    BeforeValidator(lambda given: given.lower() if isinstance(given, str) else given),
]


class AddMemory(Arguments):
    """Arguments of `add_memory`."""

    name: str = Field(max_length=_MOST_NAME, description="A short title.")
    episode_body: str = Field(min_length=1, description="The content; for json, a JSON document as text.")
    group_id: GroupId = None
    source: Source = Field("text", description="What it is. A message is `speaker: text`, one a line.")
    source_description: str = Field("", description="Where it comes from; searches can be narrowed to it.")
    uuid: str | None = Field(
        None, description="A key of your own: the same key again replaces the episode."
    )
    reference_time: Instant | None = Field(
        None, description="When it happened (ISO 8601, UTC without an offset). Default: now."
    )
    excluded_entity_types: list[str] | None = Field(None, description="Not possible here: leave it out.")
    custom_extraction_instructions: str | None = Field(None, description="Taken, and not used.")
    previous_episode_uuids: list[str] | None = Field(None, description="Taken, and not used.")
    update_communities: bool = Field(
        default=False, description="Taken; communities are always built from what holds now."
    )
    saga: str | None = Field(None, description="The conversation or thread that it belongs to.")
    saga_previous_episode_uuid: str | None = Field(None, description="The episode before it in its saga.")
    recalled: list[str] | None = Field(
        None, description="What of episode_body this memory gave and is no news, word for word."
    )
    wait: bool = Field(
        default=True, description="Answer when its facts can be found; false: as soon as it is kept safe."
    )


def add_memory(caller: Caller, given: AddMemory) -> Answer:
    """Accepts an episode and, unless told otherwise, commits it."""
    if given.excluded_entity_types:
        raise Unsupported(
            "entity types cannot be excluded for one episode, and nothing was added; leave "
            "excluded_entity_types out, or keep what must not be remembered out of episode_body"
        )
    draft = _draft(caller, given)
    notes = [
        note
        for is_given, note in (
            (given.custom_extraction_instructions, _GUIDED),
            (given.previous_episode_uuids, _PRECEDED),
        )
        if is_given
    ]
    if given.wait:
        return _told(caller.telling.remember([draft])[0], notes)
    (episode,) = caller.telling.add([draft]).episodes
    page = Page(
        heading=f"Accepted episode {episode.episode_id} in group {episode.group_id}; not committed yet"
    )
    page.data |= {
        "episode_uuid": episode.episode_id,
        "group_id": episode.group_id,
        "is_committed": False,
    }
    page.note([*notes, "its facts follow with the next pass (`memstrata work`)"])
    return page.answer


def _draft(caller: Caller, given: AddMemory) -> Draft:
    group = caller.group(given.group_id)
    kind = SourceType(given.source)
    content, speaker = (
        _said(given.episode_body) if kind is SourceType.MESSAGE else (given.episode_body, None)
    )
    draft = intake.read_text(
        content,
        intake.Options(
            group_id=group,
            reference_time=given.reference_time,
            saga=given.saga or None,
            source=shortened(given.source_description.strip(), _MOST_SOURCE) or _SOURCE,
        ),
        speaker=speaker,
        episode_id=given.uuid or None,
        now=caller.installation.clock.now(),
    )
    metadata: dict[str, Json] = {**draft.metadata, **({"name": given.name} if given.name.strip() else {})}
    metadata |= noting(draft.content, given.recalled)
    draft = replace(draft, source_type=kind, metadata=metadata, position=_position(caller, given, group))
    intake.validate(draft)
    return draft


def _said(body: str) -> tuple[str, Speaker | None]:
    """One line `speaker: text` is that speaker's; of several lines each tells who speaks."""
    name, colon, text = body.partition(":")
    if "\n" not in body.strip() and colon and name.strip() and text.strip():
        return text.strip(), Speaker(id=name.strip(), name=name.strip())
    return body, None


def _position(caller: Caller, given: AddMemory, group: str) -> int | None:
    """The place after the episode that is named as the one before."""
    if not given.saga_previous_episode_uuid:
        return None
    before = caller.asking.episode(group, given.saga_previous_episode_uuid)
    if before is None or before.saga != given.saga or not given.saga:
        raise Incorrect(
            f"there is no episode {given.saga_previous_episode_uuid!r} in saga {given.saga!r} of group "
            f"{group!r}; give the id and the saga of the episode before, or leave both out"
        )
    return None if before.position is None else before.position + 1


class AddTriplet(Arguments):
    """Arguments of `add_triplet`."""

    source_node_name: str = Field(
        min_length=1, max_length=_MOST_NAME, description="Whom the fact is about."
    )
    edge_name: str = Field(min_length=1, max_length=256, description="The relation, such as works_at.")
    fact: str = Field(min_length=1, description="The fact as a sentence.")
    target_node_name: str = Field(
        min_length=1, max_length=_MOST_NAME, description="Whom or what it leads to."
    )
    group_id: GroupId = None
    source_node_uuid: str | None = Field(None, description="The id of source_node_name, if it is known.")
    target_node_uuid: str | None = Field(None, description="The id of target_node_name, if it is known.")
    valid_at: Instant | None = Field(None, description="Since when it has been true.")
    invalid_at: Instant | None = Field(None, description="Until when it was true.")


def add_triplet(caller: Caller, given: AddTriplet) -> Answer:
    """Accepts one declared fact and commits it."""
    group = caller.group(given.group_id)
    ends = (
        (given.source_node_name, given.source_node_uuid),
        (given.target_node_name, given.target_node_uuid),
    )
    for name, entity_id in ends:
        if entity_id:
            _check_name(caller, name, entity_id, group)
    triple: dict[str, Json] = {
        "subject": given.source_node_name,
        "predicate": given.edge_name,
        "object": given.target_node_name,
        "fact": given.fact,
    }
    for key, instant in (("valid_at", given.valid_at), ("invalid_at", given.invalid_at)):
        if instant is not None:
            triple[key] = format_instant(instant)
    now: datetime = caller.installation.clock.now()
    draft = intake.read_text(
        orjson.dumps(triple).decode(), intake.Options(group_id=group, source=_SOURCE), now=now
    )
    draft = replace(draft, source_type=SourceType.FACT_TRIPLE)
    intake.validate(draft)
    done = caller.telling.remember([draft])[0]
    return _told(done, _resolved_otherwise(done, given))


def _check_name(caller: Caller, name: str, entity_id: str, group: str) -> None:
    """Raises `Incorrect` unless the entity of that id goes by that name."""
    found = caller.record(EntityRecord, entity_id, group)
    names = () if found.entity is None else (found.entity.name, *found.entity.aliases)
    if name.casefold() not in {one.casefold() for one in names}:
        called = f"is called {found.name!r}" if names else "is gone"
        raise Incorrect(
            f"entity {entity_id!r} {called}, not {name!r}; give its own name, or leave its id out"
        )


def _resolved_otherwise(done: Remembered, given: AddTriplet) -> list[str]:
    """Says so where a name was taken for somebody else than the id that came with it."""
    fact = next((one for one in done.created if one.predicate == given.edge_name), None)
    if fact is None:
        return []
    pairs = ((given.source_node_uuid, fact.subject), (given.target_node_uuid, fact.object))
    return [
        f"{meant} was meant, and its name was taken for {taken}, who has it too; merge them, or use a "
        "name that one of them has alone"
        for meant, taken in pairs
        if meant and meant != taken
    ]


def _told(done: Remembered, notes: list[str]) -> Answer:
    """What a write came to."""
    episode = done.episode_ids[0]
    if done.waiting:
        page = Page(heading=f"Accepted episode {episode} in group {done.group_id}; not committed yet")
        notes = [*notes, f"it is kept safe, do not send it again: {done.waiting}"]
    else:
        seq = "" if done.commit is None else f", commit {done.commit.seq}"
        page = Page(heading=f"Remembered episode {episode} in group {done.group_id}{seq}")
    page.data |= {
        "episode_uuid": episode,
        "group_id": done.group_id,
        "is_committed": not done.waiting,
    }
    page.put("facts", map(new_fact_item, done.created), heading="Facts:")
    if done.ended:
        page.data["believed_no_more"] = done.ended[:20]
    page.data["held_for_review"] = done.held
    if done.held:
        notes = [*notes, f"{done.held} more held for a person's verdict: {_SHOWN_BY}"]
    page.note(notes)
    return page.answer


TOOLS: Final = (
    Tool(
        name="add_memory",
        title="Remember",
        description="Remember something: a text, messages or JSON. Facts are extracted from it with their "
        "times, and older facts that it supersedes are closed, never lost. Answers when the facts can be "
        "found, and lists them.",
        arguments=AddMemory,
        run=add_memory,
        effect=Effect.ADDS,
    ),
    Tool(
        name="add_triplet",
        title="Remember one fact",
        description="Remember one fact as it is given (source, relation, target), without extraction.",
        arguments=AddTriplet,
        run=add_triplet,
        effect=Effect.ADDS,
        profile=Profile.EXTENDED,
    ),
)
