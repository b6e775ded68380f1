"""The requests that each verb makes of a server, and how its answers are read: the REST API's other side.

Nothing is sent here: `remote` does that, blocking or not.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from memstrata.errors import Fault, Incorrect, NotThere
from memstrata.memory.browsing import Page
from memstrata.memory.decoding import Unreadable
from memstrata.memory.decoding import from_json as _read
from memstrata.memory.rendering import as_json
from memstrata.memory.verbs import Done, Pause, Request
from memstrata.model import Decision, Episode, TimeSource
from memstrata.ports import Counts, NamedVersion
from memstrata.search.changes import Changed
from memstrata.search.context import Context
from memstrata.search.core import CoreBlock, CoreChange
from memstrata.search.reads import EntityRecord, EpisodeRecord, FactHistory
from memstrata.search.results import Results
from memstrata.search.timeline import Timeline
from memstrata.workflow.proposals import Proposal
from memstrata.workflow.review import Entry, WholeEntry
from memstrata.workflow.waiting import Remembered

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from _typeshed import DataclassInstance

    from memstrata.memory.verbs import Exchange
    from memstrata.model import Draft
    from memstrata.search.core_edits import CoreEdit
    from memstrata.search.view import View

    Fields = Mapping[str, object]

_MOST_EPISODES: Final = 1_000
_LOOK_AGAIN: Final = 0.2


def search(view: View, asked: Fields) -> Exchange[Results]:
    """`POST /v1/search`."""
    answer = yield _post("/v1/search", {**_looking(view), **asked})
    return _read(Results, answer)


def context(view: View, asked: Fields) -> Exchange[Context]:
    """`POST /v1/context`."""
    answer = yield _post("/v1/context", {**_looking(view), **asked})
    return _read(Context, answer)


def get(view: View, asked: str) -> Exchange[FactHistory | EntityRecord | EpisodeRecord]:
    """The record of an id, asked for as a fact, then as an entity, then as an episode."""
    groups = {"groups": view.groups}
    try:
        answer = yield _get(f"/v1/facts/{_part(asked)}", groups)
        return _read(FactHistory, answer)
    except NotThere:
        pass
    try:
        answer = yield _get(f"/v1/entities/{_part(asked)}", _moment(view))
        return _read(EntityRecord, answer)
    except NotThere:
        pass
    for group in view.groups:
        try:
            answer = yield _get(f"/v1/episodes/{_part(asked)}", {"group_id": group})
            return _read(EpisodeRecord, answer)
        except NotThere:
            continue
    raise Incorrect(
        f"{asked!r} is the id of no fact, entity or episode in {', '.join(view.groups)}; take an id from "
        "search, get_all or history, or look in another group"
    )


def facts(view: View, asked: Fields) -> Exchange[Page[NamedVersion]]:
    """`GET /v1/facts`."""
    filters = {"relations": view.filters.relations, "least_confidence": view.filters.least_confidence}
    answer = yield _get("/v1/facts", {**_moment(view), **filters, **asked})
    items, following = _page(answer)
    return Page(items=_read(tuple[NamedVersion, ...], items), following=following)


def episode(group: str, asked: str) -> Exchange[EpisodeRecord]:
    """`GET /v1/episodes/ID`."""
    answer = yield _get(f"/v1/episodes/{_part(asked)}", {"group_id": group})
    return _read(EpisodeRecord, answer)


def episodes(group: str, asked: Fields) -> Exchange[Page[Episode]]:
    """`GET /v1/episodes`."""
    answer = yield _get("/v1/episodes", {"group_id": group, **asked})
    items, following = _page(answer)
    return Page(items=_read(tuple[Episode, ...], items), following=following)


def history(view: View, asked: Fields) -> Exchange[tuple[FactHistory, ...]]:
    """`GET /v1/history`."""
    answer = yield _get("/v1/history", {"groups": view.groups, **asked})
    return _read(tuple[FactHistory, ...], _page(answer)[0])


def timeline(view: View, asked: Fields) -> Exchange[Timeline]:
    """`GET /v1/timeline`."""
    believed = {"groups": view.groups, "system_as_of": view.system_as_of}
    answer = yield _get("/v1/timeline", {**believed, **asked})
    return _read(Timeline, answer)


def diff(view: View, asked: Fields) -> Exchange[Changed]:
    """`GET /v1/diff`."""
    answer = yield _get("/v1/diff", {"groups": view.groups, **asked})
    return _read(Changed, answer)


def groups() -> Exchange[tuple[Counts, ...]]:
    """`GET /v1/groups`."""
    answer = yield _get("/v1/groups")
    return _read(tuple[Counts, ...], _page(answer)[0])


def core_blocks(view: View) -> Exchange[tuple[CoreBlock, ...]]:
    """`GET /v1/core`."""
    answer = yield _get("/v1/core", {"groups": view.groups, "system_as_of": view.system_as_of})
    return _read(tuple[CoreBlock, ...], _page(answer)[0])


def core_history(group: str, label: str) -> Exchange[tuple[CoreChange, ...]]:
    """`GET /v1/core/LABEL/history`."""
    answer = yield _get(f"/v1/core/{_part(label)}/history", {"group_id": group})
    return _read(tuple[CoreChange, ...], _page(answer)[0])


def edit_core(group: str, label: str, edit: CoreEdit, why: Fields) -> Exchange[CoreBlock | None]:
    """`POST /v1/core/LABEL`."""
    answer = yield _post(f"/v1/core/{_part(label)}", {**as_fields(edit), **why, "group_id": group})
    block = _field(answer, "block")
    return None if block is None else _read(CoreBlock, block)


def review_items(group: str, asked: Fields) -> Exchange[Page[Entry]]:
    """`GET /v1/review/items`."""
    answer = yield _get("/v1/review/items", {"group_id": group, **asked})
    items, following = _page(answer)
    return Page(items=_read(tuple[Entry, ...], items), following=following)


def review_item(group: str, asked: str) -> Exchange[WholeEntry]:
    """`GET /v1/review/items/ID`."""
    answer = yield _get(f"/v1/review/items/{_part(asked)}", {"group_id": group})
    return _read(WholeEntry, answer)


def review_counts(group: str) -> Exchange[Mapping[str, int]]:
    """`GET /v1/review/counts`."""
    answer = yield _get("/v1/review/counts", {"group_id": group})
    counted = _read(tuple[dict[str, object], ...], _page(answer)[0])
    return {_read(str, one["rule"]): _read(int, one["count"]) for one in counted}


def proposals(group: str, asked: Fields) -> Exchange[Page[Proposal]]:
    """`GET /v1/review/proposals`."""
    answer = yield _get("/v1/review/proposals", {"group_id": group, **asked})
    items, following = _page(answer)
    return Page(items=_read(tuple[Proposal, ...], items), following=following)


def rule_on_proposal(body: Fields) -> Exchange[Decision]:
    """`POST /v1/review/proposals`."""
    answer = yield _post("/v1/review/proposals", body)
    return _read(Decision, answer)


def rule(entry_id: str, body: Fields) -> Exchange[Decision]:
    """`POST /v1/review/items/ID`."""
    answer = yield _post(f"/v1/review/items/{_part(entry_id)}", body)
    return _read(Decision, answer)


def rule_all(body: Fields) -> Exchange[int]:
    """`POST /v1/review/items`."""
    answer = yield _post("/v1/review/items", body)
    return _read(int, _field(answer, "count"))


def add(drafts: Sequence[Draft], *, wait: bool) -> Exchange[tuple[Remembered, ...]]:
    """`POST /v1/episodes`, a thousand at a time; one answer a batch and group."""
    done: list[Remembered] = []
    for begin in range(0, len(drafts), _MOST_EPISODES):
        some = drafts[begin : begin + _MOST_EPISODES]
        body = {"episodes": [_episode(one, is_alone=len(drafts) == 1) for one in some], "wait": wait}
        answer = yield _post("/v1/episodes", body)
        if wait:
            done += _read(tuple[Remembered, ...], _field(answer, "committed"))
        else:
            ids = _read(tuple[str, ...], _field(answer, "episode_ids"))
            done.append(Remembered(group_id=some[0].group_id, episode_ids=ids))
    return tuple(done)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """In which group, why, and whether it is waited for."""

    group_id: str
    reason: str
    wait: bool


def retract(record: FactHistory | EpisodeRecord, asked: Retraction) -> Exchange[Decision]:
    """`DELETE /v1/episodes/ID` or `DELETE /v1/facts/ID`."""
    if isinstance(record, FactHistory):
        path = f"/v1/facts/{_part(record.fact_id)}"
    else:
        path = f"/v1/episodes/{_part(record.episode.episode_id)}"
    answer = yield Request(method="DELETE", path=path, query=_wire(as_fields(asked)))
    return _read(Decision, answer)


def work() -> Exchange[Done]:
    """`POST /v1/operations`, and looking how it goes until it is over."""
    operation = yield _post("/v1/operations", {"kind": "work"})
    while _field(operation, "state") in ("queued", "running"):
        yield Pause(_LOOK_AGAIN)
        operation = yield _get(f"/v1/operations/{_part(str(_field(operation, 'operation_id')))}")
    if _field(operation, "state") != "done":
        raise Fault(
            f"the pass was {_field(operation, 'state')}: {_field(operation, 'error')} "
            f"{_field(operation, 'advice')}".strip()
        )
    return _read(Done, _field(operation, "result"))


def _episode(draft: Draft, *, is_alone: bool) -> Fields:
    """An episode as a body says it; where nobody said when it was, the server's clock does."""
    unsaid = is_alone and draft.time_source is TimeSource.RECEIVED
    said = {name: one for name, one in as_fields(draft).items() if name != "time_source"}
    return {**said, "reference_time": None if unsaid else draft.reference_time}


def _looking(view: View) -> dict[str, object]:
    """A view as a body says it."""
    filters = {**as_fields(view.filters), "properties": dict(view.filters.properties)}
    return {**_moment(view), "filters": _wire(filters)}


def _moment(view: View) -> dict[str, object]:
    """Groups and both times of a view."""
    return {
        "groups": view.groups,
        "as_of": view.as_of,
        "system_as_of": view.system_as_of,
        "during": view.during,
        "history": view.history or None,
    }


def _get(path: str, query: Fields | None = None) -> Request:
    return Request(method="GET", path=path, query=_wire(query or {}))


def _post(path: str, body: Fields) -> Request:
    return Request(method="POST", path=path, body=_wire(body))


def _wire(given: Fields) -> dict[str, object]:
    """The fields that say something, as JSON."""
    return {name: as_json(one) for name, one in given.items() if one is not None}


def as_fields(value: DataclassInstance) -> dict[str, object]:
    """A record's fields, not looking into them."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _part(text: str) -> str:
    """A text as one part of a path. Raises `Incorrect` for the two that every client resolves away."""
    if text in (".", ".."):
        raise Incorrect(f"{text!r} cannot be asked of a server by that id; search for it instead")
    return quote(text, safe="")


def _page(answer: object) -> tuple[object, str | None]:
    """The items of a list, and where it goes on."""
    following = _field(answer, "next_cursor") if "next_cursor" in _object(answer) else None
    return _field(answer, "items"), None if following is None else _read(str, following)


def _field(answer: object, name: str) -> object:
    found = _object(answer)
    if name not in found:
        raise Unreadable(f"the answer has no {name!r}; is this a Memstrata server of the same version?")
    return found[name]


def _object(answer: object) -> dict[str, object]:
    return _read(dict[str, object], answer)
