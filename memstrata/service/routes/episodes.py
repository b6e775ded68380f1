"""`/v1/episodes`: what happened, accepted, listed, looked up, withdrawn."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import orjson
from fastapi import APIRouter, Path, Query
from pydantic import ConfigDict, Field
from starlette.responses import Response

from memstrata import intake
from memstrata.errors import Misplaced
from memstrata.extraction.recalled import noting
from memstrata.model import Decision, Episode, Role, SourceType, Speaker
from memstrata.search.reads import EpisodeRecord
from memstrata.service.answers import answered
from memstrata.service.caller import Called, Caller, naming
from memstrata.service.documenting import IDEMPOTENT, answers
from memstrata.service.edge import Edge, GroupName, Id, OfGroup, PagedOfGroup, When, Withdrawing
from memstrata.service.shapes import Named, items_of, reference_to
from memstrata.workflow.waiting import Remembered

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memstrata.model import Draft

router = APIRouter(prefix="/v1/episodes", tags=["episodes"])

MOST_EPISODES = 1_000
_ID = "6b1fa4c5-6d0e-5e0b-8f6d-3c1a53f8a0c1"
_EPISODE = {"episode_id": _ID, "group_id": "default", "content": "Ada has worked at Acme since 2021."}
_ACCEPTED = Named("EpisodesAccepted", {"episode_ids": tuple[str, ...], "committed": tuple[Remembered, ...]})
EpisodeId = Annotated[str, Path(min_length=1, max_length=256, examples=[_ID])]


class Who(Edge):
    """Who spoke, or was spoken to: an account, not a name."""

    id: Id
    name: Annotated[str | None, Field(max_length=256)] = None
    role: Role = Role.USER


def _speaker(who: Who | None) -> Speaker | None:
    return None if who is None else Speaker(id=who.id, name=who.name, role=who.role)


class EpisodeBody(Edge):
    """One episode. `content` is a text, or for `json` and `fact_triple` the JSON itself."""

    content: Annotated[str | dict[str, Any] | list[Any], Field(examples=[_EPISODE["content"]])]
    group_id: GroupName | None = None
    source_type: Annotated[
        SourceType | None, Field(description="Default: message with a speaker, else text.")
    ] = None
    reference_time: Annotated[When | None, Field(description="When it happened (default: now).")] = None
    episode_id: Annotated[
        Id | None, Field(description="A key of your own: the same key again is the next revision.")
    ] = None
    speaker: Who | None = None
    addressee: Who | None = None
    saga: Annotated[str | None, Field(max_length=1_024, description="Its conversation or thread.")] = None
    position: Annotated[int | None, Field(ge=0, le=2**53, description="Its place in the saga.")] = None
    native_id: Annotated[str | None, Field(max_length=1_024)] = None
    source: Id = "api"
    metadata: dict[str, Any] = Field(default_factory=dict)
    recalled: Annotated[
        tuple[str | tuple[int, int], ...],
        Field(
            max_length=1_000,
            description="What of the content the memory gave, no news: texts, or spans in characters.",
        ),
    ] = ()

    def draft(self, caller: Caller) -> Draft:
        """The draft, checked as everything is at the door."""
        options = intake.Options(
            group_id=caller.group(self.group_id),
            reference_time=self.reference_time,
            saga=self.saga,
            source=self.source,
        )
        read = intake.read_text(
            self._text(),
            options,
            speaker=_speaker(self.speaker),
            addressee=_speaker(self.addressee),
            episode_id=self.episode_id,
            now=caller.service.installation.clock.now(),
        )
        whole = replace(
            read,
            source_type=self.source_type or read.source_type,
            position=self.position,
            native_id=self.native_id,
            metadata={
                **read.metadata,
                **self.metadata,
                **noting(read.content, self.recalled),
            },
        )
        if whole.source_type is SourceType.MESSAGE and whole.speaker is None:
            raise Misplaced("a message needs somebody who said it", field="speaker", mend="give its id")
        intake.validate(whole)
        return whole

    def _text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        if self.source_type not in (SourceType.JSON, SourceType.FACT_TRIPLE):
            raise Misplaced(
                "is JSON, and the episode is none", field="content", mend="give source_type json, or a text"
            )
        try:
            return orjson.dumps(self.content).decode()
        except (TypeError, ValueError) as error:
            raise Misplaced(str(error), field="content", mend="give JSON of ordinary size") from None


class EpisodesBody(Edge):
    """One or many episodes, accepted all or none."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "episodes": [{"content": _EPISODE["content"], "reference_time": "2024-05-14"}],
                    "wait": True,
                }
            ]
        }
    )

    episodes: Annotated[tuple[EpisodeBody, ...], Field(min_length=1, max_length=MOST_EPISODES)]
    wait: Annotated[
        bool, Field(description="Answer only when the facts are there to be found (vectors follow).")
    ] = False

    def drafts(self, caller: Caller) -> list[Draft]:
        """The drafts, each error with its place."""
        made = []
        for at, body in enumerate(self.episodes):
            try:
                made.append(body.draft(caller))
            except Misplaced as error:
                place = f"episodes.{at}.{error.field}" if error.field else f"episodes.{at}"
                raise Misplaced(error.problem, field=place, mend=error.mend) from None
        return made


@router.post(
    "",
    status_code=202,
    summary="Accept episodes",
    description="Durable once answered: 202 where the facts follow, 201 where they are there (`wait`). "
    "`held` then counts what verification left to a person: `GET /v1/review/items` lists that.",
    responses={
        **answers({"episode_ids": [_ID], "committed": []}, of=_ACCEPTED, status=202, writes=True),
        201: {
            "description": "Committed: `committed` says what it came to, by group.",
            "content": {"application/json": {"schema": reference_to(_ACCEPTED)}},
        },
    },
    openapi_extra=IDEMPOTENT,
)
async def add_episodes(body: EpisodesBody, caller: Called) -> Response:
    """Accepts episodes."""

    def add() -> Response:
        drafts = body.drafts(caller)
        if not body.wait:
            accepted = caller.telling.add(drafts)
            return answered({"episode_ids": accepted.episode_ids, "committed": ()}, 202)
        return _remembered(caller.telling.remember(drafts))

    return await caller.write(add)


def _remembered(done: Sequence[Remembered]) -> Response:
    is_whole = not any(one.waiting for one in done)
    ids = [episode_id for one in done for episode_id in one.episode_ids]
    return answered({"episode_ids": ids, "committed": done}, 201 if is_whole else 202)


@router.get(
    "",
    summary="The episodes of a group, the latest accepted first",
    responses=answers({"items": [_EPISODE], "next_cursor": None}, of=items_of(Episode)),
)
def episodes(asked: Annotated[PagedOfGroup, Query()], caller: Called) -> Response:
    """A page of episodes that are not retracted."""
    return caller.page("episodes", caller.browsing.episodes, asked)


@router.get(
    "/{episode_id:path}",
    summary="An episode, with its earlier revisions",
    responses=answers({"episode": _EPISODE, "earlier": [], "is_retracted": False}, 404, of=EpisodeRecord),
)
def episode(episode_id: EpisodeId, asked: Annotated[OfGroup, Query()], caller: Called) -> Response:
    """An episode by id."""
    group = caller.group(asked.group_id)
    with naming("episode"):
        record = caller.browsing.episode(group, episode_id)
    return answered(record)


@router.delete(
    "/{episode_id:path}",
    summary="Retract an episode",
    description="What rested on it alone goes with the next commit, what it had closed re-opens; the "
    "episode stays in the record.",
    responses=answers({"decision_id": "...", "kind": "retract"}, 404, 409, of=Decision),
    openapi_extra=IDEMPOTENT,
)
async def retract_episode(
    episode_id: EpisodeId, asked: Annotated[Withdrawing, Query()], caller: Called
) -> Response:
    """Withdraws an episode."""

    def retract(group: str) -> Decision:
        with naming("episode"):
            return caller.telling.retract(group, episode_id, reason=asked.reason)

    return await caller.decide(asked.group_id, retract, wait=asked.wait)
