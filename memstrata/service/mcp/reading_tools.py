"""The tools that read exactly: histories, single facts, what episodes left, and how the memory is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pydantic import Field

from memstrata.errors import Incorrect, MemstrataError
from memstrata.search.reads import EpisodeRecord, FactHistory
from memstrata.search.wording import date_of, one_line, shortened
from memstrata.service.mcp.answers import Answer, Item, Page, counted, entity_item, episode_item, fact_item
from memstrata.service.mcp.arguments import Arguments, GroupId, GroupIds, MostFacts
from memstrata.service.mcp.tool import Profile, Tool

if TYPE_CHECKING:
    from memstrata.ports import NamedVersion
    from memstrata.service.mcp.caller import Caller

_MOST_QUOTE: Final = 200
_MOST_VERSIONS: Final = 20


class History(Arguments):
    """Arguments of `history`."""

    about: str = Field(
        min_length=1,
        max_length=1_000,
        description="A fact id, `Ada works_at`, `Ada works_at Acme`, or a name.",
    )
    group_ids: GroupIds = None
    max_facts: MostFacts = 20


def history(caller: Caller, given: History) -> Answer:
    """Every version of what was asked for, oldest belief first, with what each fact rests on."""
    found = caller.asking.history(given.about, caller.view(given.group_ids), limit=given.max_facts)
    page = Page(
        heading=f"{counted(len(found), 'fact', 'facts')}, each with all that was ever believed of it"
    )
    page.put("facts", (_history_item(one) for one in found))
    return page.answer


def _history_item(found: FactHistory) -> Item:
    latest = found.versions[-1]
    versions = [_version_item(one, found) for one in found.versions[-_MOST_VERSIONS:]]
    gone = latest.version.expired_at is not None
    said = [
        {
            "episode": one.episode_id,
            "said_at": one.reference_time,
            "quote": shortened(one_line(one.quote or one.fact), _MOST_QUOTE),
            "retracted_at": one.retracted_at,
        }
        for one in found.evidence[:_MOST_VERSIONS]
    ]
    quotes = [
        f"  said {date_of(one.reference_time)}: “{shortened(one_line(one.quote or one.fact), _MOST_QUOTE)}”"
        f"{' (retracted)' if one.retracted_at else ''} [episode {one.episode_id}]"
        for one in found.evidence[:_MOST_VERSIONS]
    ]
    after = f"  in its place: {', '.join(found.successors)}" if found.successors else ""
    return Item(
        line="\n".join((*(one.line for one in versions), *quotes, *((after,) if after else ()))),
        data={
            "uuid": found.fact_id,
            "is_believed": not gone,
            "versions": [one.data for one in versions],
            "evidence": said,
            "successors": found.successors,
        },
    )


def _version_item(version: NamedVersion, found: FactHistory) -> Item:
    episodes = {one.id: one.episode_id for one in found.evidence}
    resting = dict.fromkeys(episodes[one] for one in version.version.fact.evidence if one in episodes)
    return fact_item(version, tuple(resting), with_belief=True)


class GetEntityEdge(Arguments):
    """Arguments of `get_entity_edge`."""

    uuid: str = Field(min_length=1, max_length=256, description="The fact's id.")
    group_id: GroupId = None


def get_entity_edge(caller: Caller, given: GetEntityEdge) -> Answer:
    """One fact by its id, living or gone."""
    found = caller.record(FactHistory, given.uuid, given.group_id)
    item = _history_item(found)
    latest = _version_item(found.versions[-1], found)
    rest = {key: item.data[key] for key in ("is_believed", "evidence", "successors")}
    return Answer(text=item.line, data={**latest.data, **rest})


class GetEpisodes(Arguments):
    """Arguments of `get_episodes`."""

    group_ids: GroupIds = None
    max_episodes: int = Field(10, ge=1, le=100, description="Episodes at most.")
    cursor: str | None = Field(None, description="Where to go on, from the answer before (one group only).")


def get_episodes(caller: Caller, given: GetEpisodes) -> Answer:
    """The episodes accepted last, of one group page by page, of several together."""
    groups = caller.asking.reached(caller.view(given.group_ids))
    if given.cursor and len(groups) != 1:
        raise Incorrect("a cursor goes on in one group; name that group alone, or leave the cursor out")
    pages = [
        caller.browsing.episodes(group, after=given.cursor, limit=given.max_episodes) for group in groups
    ]
    found = sorted(
        (episode for page in pages for episode in page.items),
        key=lambda one: (one.ingested_at, one.episode_id),
        reverse=True,
    )
    page = Page(heading=counted(len(found[: given.max_episodes]), "episode", "episodes"))
    page.put("episodes", map(episode_item, found[: given.max_episodes]))
    if len(pages) == 1 and pages[0].following:
        page.data["next_cursor"] = pages[0].following
        page.note((f"there are more: cursor {pages[0].following}",))
    return page.answer


class GetEpisodeEntities(Arguments):
    """Arguments of `get_episode_entities`."""

    episode_uuids: list[str] = Field(
        min_length=1, max_length=50, description="Ids of episodes of one group."
    )
    group_id: GroupId = None


def get_episode_entities(caller: Caller, given: GetEpisodeEntities) -> Answer:
    """What is believed because of some episodes."""
    group = given.group_id
    if group is None:
        group = caller.record(EpisodeRecord, given.episode_uuids[0], None).episode.group_id
    ids = tuple(dict.fromkeys(given.episode_uuids))
    produced = caller.asking.produced(caller.group(group), ids)
    cited = ids if len(ids) == 1 else ()
    entities, facts = len(produced.entities), len(produced.facts)
    page = Page(
        heading=f"{counted(entities, 'entity', 'entities')} and {counted(facts, 'fact', 'facts')} from "
        f"{counted(len(ids), 'episode', 'episodes')}"
    )
    page.put("edges", (fact_item(one, cited) for one in produced.facts), heading="Facts:")
    page.put("nodes", (entity_item(one) for one in produced.entities), heading="Entities:")
    return page.answer


class GetStatus(Arguments):
    """`get_status` takes no arguments."""


def get_status(caller: Caller, given: GetStatus) -> Answer:
    """Whether the store answers, what the groups within reach hold, and what waits."""
    del given
    try:
        counts = caller.asking.groups()
        lag = caller.asking.lag()
    except MemstrataError as error:
        return Answer(
            text=f"The graph cannot be asked now: {error}. What is added meanwhile is kept.",
            data={"status": "error", "message": str(error)},
        )
    waiting = {stage.name: stage.waiting for stage in lag.stages if stage.waiting}
    told = ", ".join(f"{count} wait for {name}" for name, count in waiting.items()) or "nothing waits"
    page = Page(heading=f"The memory answers; {told}")
    page.data |= {"status": "ok", "waiting": waiting, "default_group": caller.own_group}
    page.put(
        "groups",
        (
            Item(
                line=f"- {one.group_id}: {counted(one.episodes, 'episode', 'episodes')}, "
                f"{counted(one.entities, 'entity', 'entities')}, {counted(one.facts, 'fact', 'facts')}",
                data={
                    "group_id": one.group_id,
                    "episodes": one.episodes,
                    "pending_episodes": one.pending_episodes,
                    "entities": one.entities,
                    "facts": one.facts,
                },
            )
            for one in counts
        ),
    )
    return page.answer


TOOLS: Final = (
    Tool(
        name="history",
        title="History of a fact or entity",
        description="All versions ever believed of a fact, a relation or an entity, and the quotes they "
        "rest on; what was corrected or retracted too.",
        arguments=History,
        run=history,
    ),
    Tool(
        name="get_entity_edge",
        title="Read a fact",
        description="One fact by its id, living or gone, with its versions and evidence.",
        arguments=GetEntityEdge,
        run=get_entity_edge,
    ),
    Tool(
        name="get_episode_entities",
        title="What episodes left",
        description="The entities and facts that are believed because of some episodes.",
        arguments=GetEpisodeEntities,
        run=get_episode_entities,
        profile=Profile.EXTENDED,
    ),
    Tool(
        name="get_episodes",
        title="List episodes",
        description="The episodes (raw inputs) accepted last, the latest first.",
        arguments=GetEpisodes,
        run=get_episodes,
    ),
    Tool(
        name="get_status",
        title="Status",
        description="Whether the memory answers, how much each group holds and what waits.",
        arguments=GetStatus,
        run=get_status,
    ),
)
