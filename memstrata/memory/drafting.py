"""What somebody hands over in Python (a text, messages, a triple, any JSON), as drafts of episodes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Final, cast

from memstrata import intake
from memstrata.errors import Incorrect, Misplaced
from memstrata.extraction.recalled import noting
from memstrata.instants import TICK
from memstrata.intake.conversation import Conversation, drafts_of
from memstrata.intake.json_text import kind_of
from memstrata.intake.notes import Notes, Place
from memstrata.intake.times import TimeReader
from memstrata.memory.looking import Where, check_keywords, group_of, instant_of
from memstrata.model import Role, SourceType, Speaker, TimeSource

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from memstrata.intake.json_text import Value
    from memstrata.memory.looking import Time
    from memstrata.model import Draft, Json

#: What `add` takes: a text; a message or a list of them in OpenAI's form; a fact triple; any other object.
Content = str | Mapping[str, "Json"] | Sequence[Mapping[str, "Json"]]

_SOURCE: Final = "python"
_USER: Final = "user"


class About(Where, total=False):
    """What is known of something that is handed over, beside its content.

    `saga` is the conversation that it belongs to, `speaker` who said it (of messages: who the user is),
    `time` when it happened (default: now), `id` a key of your own (the same key again is the next
    revision), `source` where it comes from, `type` what a text is, if it is none. `recalled` is what of it
    the memory gave and is no news: spans `(start, end)` of the content in characters, or the texts.
    """

    saga: str
    speaker: str | Speaker
    time: Time
    metadata: Mapping[str, Json]
    id: str
    source: str
    type: SourceType | str
    recalled: Sequence[str | Sequence[int]]


def drafts(content: Content, about: About, *, now: datetime) -> tuple[Draft, ...]:
    """The drafts of what was handed over, checked. Raises `Misplaced` or `Incorrect`.

    Messages without times of their own follow one another by a microsecond, in the order of the list.
    """
    check_keywords(about, About)
    if isinstance(content, Sequence) and not isinstance(content, str):
        made = _of_messages(content, about, now)
    elif isinstance(content, Mapping):
        is_message = "role" in content and "type" not in about
        made = _of_messages([content], about, now) if is_message else (_of_object(content, about, now),)
    else:
        made = (_of_text(content, about, now),)
    for draft in made:
        intake.validate(draft)
    return made


def _of_text(content: object, about: About, now: datetime) -> Draft:
    if not isinstance(content, str):
        raise Incorrect(
            f"what was handed over is {kind_of(content)}; expected a text, a message or a list of them, "
            "a triple, or another object that JSON can hold"
        )
    speaker = _speaker(about)
    draft = intake.read_text(content, _options(about), speaker=speaker, episode_id=about.get("id"), now=now)
    kind = _type(about)
    if kind is SourceType.MESSAGE and speaker is None:
        raise Incorrect("a message needs somebody who said it; give speaker")
    return replace(
        draft,
        source_type=draft.source_type if kind is None else kind,
        metadata=_metadata(draft, about),
    )


def _of_object(content: Mapping[str, Json], about: About, now: datetime) -> Draft:
    """A triple if it has a subject and a predicate, else JSON, unless the caller says what it is."""
    is_triple = {"subject", "predicate"} <= content.keys()
    kind = _type(about) or (SourceType.FACT_TRIPLE if is_triple else SourceType.JSON)
    return _of_text(_dumped(content), {**about, "type": kind}, now)


def _dumped(content: object) -> str:
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise Incorrect(f"what was handed over is no JSON: {error}") from None


def _of_messages(messages: Sequence[Mapping[str, Json]], about: About, now: datetime) -> tuple[Draft, ...]:
    if not messages:
        raise Incorrect("an empty list of messages was handed over; there is nothing to remember")
    at = instant_of(about["time"], "time") if "time" in about else now
    options = replace(_options(about), reference_time=at)
    notes = Notes()
    conversation = Conversation(
        place=Place(field="messages"),
        messages=[cast("Value", _plain(one)) for one in messages],
        source=about.get("source", _SOURCE),
        format="messages",
        saga=about.get("saga", ""),
    )
    times = TimeReader(zone=None, latest=now + timedelta(days=1))
    read = [draft for _, draft in drafts_of(conversation, options, notes=notes, times=times)]
    if notes.faults:
        raise notes.faults[0]
    if not read:
        skipped = ", ".join(f"{count} {kind}" for kind, count in notes.skipped.items())
        raise Incorrect(f"there is nothing to remember in these messages; left out: {skipped}")
    if len(read) > 1 and not all(isinstance(one, str) for one in about.get("recalled", ())):
        raise Misplaced(
            f"spans of one content for {len(read)} episodes", field="recalled", mend="give texts"
        )
    if "id" in about and len(read) > 1:
        raise Misplaced(f"one key for {len(read)} episodes", field="id", mend="add them one by one")
    return tuple(_as_told(read, about))


def _plain(value: object) -> object:
    """The value with fresh lists and dictionaries, as the reader of messages wants it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


def _as_told(read: Sequence[Draft], about: About) -> Iterator[Draft]:
    """The turns with what the caller knows of them, in an order that their times tell.

    A position would be that in this list alone: turns that come later to the saga would stand beside them.
    """
    user = _speaker(about)
    before: datetime | None = None
    for draft in read:
        at = draft.reference_time
        if draft.time_source is not TimeSource.OWN and before is not None and at <= before:
            at = before + TICK
        before = at
        received = draft.time_source is TimeSource.OPTION and "time" not in about
        yield replace(
            draft,
            reference_time=at,
            time_source=TimeSource.RECEIVED if received else draft.time_source,
            saga=about.get("saga"),
            position=None,
            episode_id=about.get("id"),
            speaker=_known(draft.speaker, user),
            addressee=_known(draft.addressee, user),
            metadata=_metadata(draft, about),
        )


def _metadata(draft: Draft, about: About) -> dict[str, Json]:
    recalled = noting(draft.content, cast("Sequence[Json] | None", about.get("recalled")))
    return {**draft.metadata, **about.get("metadata", {}), **recalled}


def _known(account: Speaker | None, user: Speaker | None) -> Speaker | None:
    """The user whom the caller knows, where a message names nobody."""
    is_nobody = account is not None and account.role is Role.USER and account.id == _USER
    return user if is_nobody and user is not None else account


def _options(about: About) -> intake.Options:
    return intake.Options(
        group_id=group_of(about),
        reference_time=instant_of(about["time"], "time") if "time" in about else None,
        saga=about.get("saga"),
        source=about.get("source", _SOURCE),
    )


def _speaker(about: About) -> Speaker | None:
    given = about.get("speaker")
    return Speaker(id=given, name=given) if isinstance(given, str) else given


def _type(about: About) -> SourceType | None:
    given = about.get("type")
    if given is None:
        return None
    if given not in set(SourceType):
        raise Incorrect(f"there is no type {str(given)!r}; there are: {', '.join(SourceType)}")
    return SourceType(given)
