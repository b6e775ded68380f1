"""What a model is asked: the prompt files, filled with episodes as material that cannot break out.

A text stands between tags that are named after what they hold, so that no text can close its own; turns
before and items are quoted as JSON, names cut to a line.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memstrata.extraction.model.schema import reply_schema, verdicts_schema, vocabulary
from memstrata.extraction.prompts import prompt_named
from memstrata.ids import digest
from memstrata.instants import format_instant
from memstrata.ports import Prompt

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.extraction.model.parts import Part, Wrong
    from memstrata.extraction.model.sharing import Unit
    from memstrata.extraction.prompts import PromptFile
    from memstrata.model import Episode, Json, Speaker
    from memstrata.ontology import Ontology

RECALLED: Final = "[recalled]"
_FILES: Final = ("extract", "shared", "rest", "again", "repair", "second_pass")
_TURN: Final = 1_500  # characters of a turn before that are shown; of a longer one its ends
_OPENING: Final = 200  # characters of its beginning that a later piece of a long text is shown
_NAME: Final = 80
_ITEM: Final = 300  # characters of an item, or of what is wrong with it, that are told in words
_SHORTEST_TAG: Final = 6


class Questions:
    """The prompts of one extractor: from its prompt files and its ontology."""

    def __init__(self, ontology: Ontology, *, reply_tokens: int | None) -> None:
        self._ontology = ontology
        self._reply_tokens = reply_tokens
        self._files: Mapping[str, PromptFile] = {name: prompt_named(name) for name in _FILES}

    @cached_property
    def shown(self) -> Json:
        """What determines how every prompt looks but for its episode: for the version."""
        return [[one.hash for one in self._files.values()], self._system, dict(self._schema(1))]

    def extract(self, unit: Unit) -> Prompt:
        """What the parts of a unit assert."""
        return self._prompt(_join(self._texts(unit)), self._schema(len(unit)))

    def again(self, unit: Unit, problem: str) -> Prompt:
        """The same, after a reply that could not be read."""
        asked = self._files["again"].filled({"problem": problem})
        return self._prompt(_join(self._texts(unit), asked), self._schema(len(unit)))

    def rest(self, unit: Unit, had: Sequence[str]) -> Prompt:
        """What is missing of a reply that was cut off after the items `had`."""
        asked = self._files["rest"].filled({"had": "\n".join(f"- {_line(one, _ITEM)}" for one in had)})
        return self._prompt(_join(self._texts(unit), asked), self._schema(len(unit)))

    def repair(self, unit: Unit, wrongs: Sequence[Wrong]) -> Prompt:
        """The items that cannot stand, numbered from 1."""
        failing = "\n".join(
            f"{number}. in {wrong.place}: {_quoted(wrong.item)}\n   {_line(wrong.reason, _ITEM)}"
            for number, wrong in enumerate(wrongs, 1)
        )
        asked = self._files["repair"].filled({"failing": failing})
        schema = reply_schema(self._ontology, episodes=len(unit), repaired=len(wrongs))
        return self._prompt(_join(self._texts(unit), asked), schema)

    def second_pass(self, unit: Unit, doubted: Sequence[tuple[Part, Json, str]]) -> Prompt:
        """Whether the episodes say the doubted items; each with its part and why it is doubted."""
        numbers = {id(part): number for number, part in enumerate(unit, 1)}
        lines = "\n".join(
            f"{number}. {_of_episode(unit, numbers[id(part)])}{_quoted(item)}\n"
            f"   doubted: {_line(reason, _ITEM)}"
            for number, (part, item, reason) in enumerate(doubted, 1)
        )
        file = self._files["second_pass"]
        return Prompt(
            system=file.system,
            user=file.filled({**self._slots(unit), "doubted": lines}),
            schema=verdicts_schema(len(doubted)),
            name="verdicts",
            most_tokens=self._reply_tokens,
        )

    def _prompt(self, user: str, schema: Mapping[str, Json]) -> Prompt:
        return Prompt(
            system=self._system, user=user, schema=schema, name="extraction", most_tokens=self._reply_tokens
        )

    @cached_property
    def _system(self) -> str:
        declared = vocabulary(self._ontology)
        return self._files["extract"].ruled({"declared": declared})

    def _schema(self, episodes: int) -> Mapping[str, Json]:
        return reply_schema(self._ontology, episodes=episodes)

    def _texts(self, unit: Unit) -> str:
        form = self._files["extract"].filled(self._slots(unit))
        if len(unit) == 1:
            return form
        return _join(form, self._files["shared"].filled({"count": str(len(unit))}))

    def _slots(self, unit: Unit) -> Mapping[str, str]:
        shown = unit[0].shown  # what the later parts are shown beyond it are the parts before them
        turns = "\n".join(_turn(turn) for turn in shown)
        tag = _tag(unit)
        return {
            "before": f"Turns before:\n{turns or '(none)'}",
            "texts": "\n\n".join(_text(part, tag, _title(unit, part)) for part in unit),
        }


def _join(*parts: str) -> str:
    return "\n\n".join(parts)


def _of_episode(unit: Unit, number: int) -> str:
    return f"episode {number}: " if len(unit) > 1 else ""


def _title(unit: Unit, part: Part) -> str:
    return f"Episode {unit.index(part) + 1}" if len(unit) > 1 else "The episode"


def _turn(turn: Episode) -> str:
    text = turn.content
    if len(text) > _TURN:
        text = f"{text[: _TURN // 3]} [...] {text[-2 * _TURN // 3 :]}"
    return f"{_called(turn.speaker)}: {json.dumps(text, ensure_ascii=False)}"


def _text(part: Part, tag: str, title: str) -> str:
    episode = part.episode
    when = f"{format_instant(episode.reference_time)} ({episode.reference_time:%A})"
    lines = [f"{title}, said on {when} by {_called(episode.speaker)} to {_called(episode.addressee)}"]
    if not part.is_whole:
        opening = json.dumps(episode.content[:_OPENING], ensure_ascii=False)
        lines.append("It is a piece of a longer text" + (f" that begins {opening}" if part.start else ""))
    return "\n".join([*lines, f"<{tag}>", _told(part), f"</{tag}>"])


def _told(part: Part) -> str:
    """The text without what it only recalls."""
    content, at, told = part.episode.content, part.start, ""
    for start, end in part.source.recalled:
        if start < part.end and end > at:
            told += content[at : max(at, start)] + RECALLED
            at = min(end, part.end)
    return told + content[at : part.end]


def _tag(unit: Unit) -> str:
    """A name for the tags that occurs nowhere between them."""
    texts = [part.episode.content for part in unit]
    named = digest(texts)
    for length in range(_SHORTEST_TAG, len(named)):
        tag = f"text-{named[:length]}"
        if not any(tag in text for text in texts):
            return tag
    return f"text-{named}"


def _called(speaker: Speaker | None) -> str:
    return "(unknown)" if speaker is None else _line(speaker.name or speaker.role.value, _NAME)


def _line(text: str, most: int) -> str:
    """On one line, and not endless."""
    return " ".join(text.split())[:most]


def _quoted(item: Json) -> str:
    return json.dumps(item, ensure_ascii=False, default=str)
