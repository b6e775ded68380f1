"""A text as turns (who speaks) and blocks (a paragraph, a list item, a field, a line of a log).

Only the shape is read here, no grammar. Offsets are those of the episode's content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from memstrata.extraction.offline.stance import addresses_the_memory
from memstrata.extraction.offline.words import is_role, word_set
from memstrata.model import Role, Speaker

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.model import Episode

_ASSISTANTS = frozenset({"assistant", "ai", "ai assistant", "bot", "chatbot", "model", "copilot", "system"})
#: Words before a colon that name a field, not a speaker.
_FIELDS = word_set(
    "account action actions address agenda attendees bcc case cc city client company contact country"
    " date deadline decision decisions description due e-mail email env environment from headquarters"
    " host idea ideas impact industry issue location name next note notes order outcome owner phone"
    " place priority product project ps re reason ref reminder reply-to sent service severity status"
    " steps subject summary task tasks team tel ticket time title to todo to-do topic update url version"
    " warning where when who why what how website example important fyi tl;dr p.s. p.s invoice role"
    " department manager ceo cause fix resolution timeline result results question answer translation"
)
_LABEL = re.compile(
    r"[ \t]*(?P<label>[^\W\d_][\w.'\u2019-]*(?:[ ][^\W\d_][\w.'\u2019-]*){0,2})[ \t]*:[ \t]+(?=\S)"
)
#: Labels whose sentence is a name, a task or somebody else's words.
_NOT_TELLING = word_set("subject re title fw fwd question answer translation translate quote example")
_ANNOUNCING = word_set("action actions decision decisions update note notes outcome")
_SENTENCE = 5
_BULLET = re.compile(r"[ \t]*(?:[-*•\u2023\u2013]|\d{1,2}[.)]|\[[ xX]?\])[ \t]+(?:\[[ xX]?\][ \t]*)?")
_FIELD = re.compile(r"(?P<key>[^\W\d_][\w '\u2019/.-]{0,40}?)[ \t]*:[ \t]+(?P<value>\S.*)")
_OF_WHAT = re.compile(r"^[A-Z][\w -]{2,24} (?:for|of) (?:the )?[A-Z]")
_LOG = re.compile(
    r"(?:(?!\d{4}-)[\w-]+[ \t]+)?\[?(?P<stamp>(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d"
    r"(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)\]?[ \t]+"
    r"(?:[-\u2013][ \t]+)?(?:\[?(?P<level>TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\]?:?"
    r"[ \t]+)?"
)
_SALUTATION = re.compile(
    r"\s*(?:dear|hi|hello|hey|good (?:morning|afternoon|evening))\b[^,]{0,40},\s*", re.IGNORECASE
)
_LEVEL = re.compile(r"\[?(?:INFO|NOTICE|WARN|WARNING|ERROR|CRITICAL|FATAL)\]?:?[ \t]+(?=\S)")
#: A verb shows that a label only announces what it is about: "Heating: the contractor found a leak".
_VERB = re.compile(
    r"\s(?:is|are|was|were|has|have|had|will|can|found|left|went|came|got|took|gave|made|costs?|needs?|wants?|[a-z]{2,}ed)\s"
)
_FROM = re.compile(
    r"^From:[ \t]*\"?(?P<name>[^\W\d_][\w .'\u2019-]*?)\"?[ \t]*(?:<[^>\n]*>)?[ \t]*$", re.MULTILINE
)
_LONGEST = 20_000
#: A form has at least so many fields, and at most so many words in each.
_FORM, _VALUE = 3, 7
_DONE = (".", "!", "?", ":", ";")


class Shape(StrEnum):
    """What kind of block it is."""

    PROSE = "prose"
    ITEM = "item"
    FIELD = "field"
    LOG = "log"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one speaker says at a stretch; `speaker` None if the text names none."""

    text: str
    start: int
    speaker: Speaker | None = None
    addressee: Speaker | None = None
    record: bool = False

    @property
    def by_assistant(self) -> bool:
        """Whether a program speaks."""
        return self.speaker is not None and self.speaker.role in {Role.ASSISTANT, Role.SYSTEM, Role.TOOL}


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A piece of a turn that is parsed by itself, at `start` of the content.

    `heading` is the line before a list, `stamp` the time at the head of a log line, `key` that of a field.
    With `quote` the text is a sentence made of a question and its answer: the answer as it stands.
    """

    text: str
    start: int
    shape: Shape = Shape.PROSE
    heading: str = ""
    quote: str | None = None
    key: str = ""
    stamp: str = ""


def turns_of(episode: Episode) -> tuple[Turn, ...]:
    """The turns of an episode's content: its `Speaker:` lines, else one turn by the episode's speaker."""
    content = episode.content
    labels = [] if is_record(content) else list(_labels(content))
    if not labels:
        sender = _FROM.search(content)
        writer = Speaker(id=sender["name"], name=sender["name"]) if sender else None
        return (
            Turn(
                text=content,
                start=0,
                speaker=episode.speaker or writer,
                addressee=episode.addressee,
                record=is_record(content),
            ),
        )
    turns: list[Turn] = []
    if content[: labels[0][0]].strip():
        turns.append(Turn(text=content[: labels[0][0]], start=0, speaker=episode.speaker))
    named = list(dict.fromkeys(label for _, _, label in labels))
    for number, (_, body, label) in enumerate(labels):
        stop = labels[number + 1][0] if number + 1 < len(labels) else len(content)
        others = [name for name in named if name != label]
        other = _speaker(others[0], episode) if len(others) == 1 else None
        turns.append(
            Turn(text=content[body:stop], start=body, speaker=_speaker(label, episode), addressee=other)
        )
    return tuple(turns)


def is_record(content: str) -> bool:
    """Whether a text is a form: lines of keys with short values, no key twice, perhaps under a title."""
    lines = [line for line in content.splitlines() if line.strip()]
    fields = [_FIELD.fullmatch(_BULLET.sub("", line, count=1).strip()) for line in lines]
    found = [field for field in (fields if fields and fields[0] else fields[1:]) if field is not None]
    untitled = len(lines) - len(found) <= (0 if fields and fields[0] else 1)
    keys = {field["key"].casefold() for field in found}
    if not untitled or len(found) < _FORM or len(keys) < len(found) or keys & _ASSISTANTS:
        return False
    return all(len(f["value"].split()) <= _VALUE and f["value"][-1] not in _DONE for f in found)


def _labels(content: str) -> Iterator[tuple[int, int, str]]:
    """The `Speaker:` labels: where the line starts, where its text starts, the label."""
    at = 0
    asked = False
    for line in content.splitlines(keepends=True):
        match = _LABEL.match(line)
        replies = asked and match is not None and match["label"].istitle() and " " not in match["label"]
        if match is not None and (replies or _is_speaker(match["label"], line[match.end() :])):
            asked = line.rstrip().endswith("?")
            yield at, at + match.end(), match["label"]
        at += len(line)


def _is_speaker(label: str, said: str) -> bool:
    words = label.split()
    known = label.casefold() in _ASSISTANTS | {"user", "customer", "agent", "human", "support", "caller"}
    asks = is_role(words[-1].casefold()) and said.rstrip().endswith("?")
    if any(word.casefold() in _FIELDS for word in words) and not known and not asks:
        return False
    return known or (
        all(word[0].isupper() for word in words)
        and (not label.isupper() or said.rstrip().endswith("?"))
        and len(said.split()) > 0
    )


def _speaker(label: str, episode: Episode) -> Speaker:
    """The account that the label stands for, else a voice of this text."""
    for account in (episode.speaker, episode.addressee):
        if account is not None and label.casefold() in {
            account.id.casefold(),
            (account.name or "").casefold(),
        }:
            return account
    role = Role.ASSISTANT if label.casefold() in _ASSISTANTS else Role.USER
    return Speaker(id=label, name=label, role=role)


def blocks_of(turn: Turn) -> tuple[Block, ...]:
    """The blocks of a turn: list items, fields and log lines each alone, other lines as paragraphs."""
    blocks: list[Block] = []
    heading = ""
    at = turn.start
    for line in turn.text.splitlines(keepends=True):
        text = line.rstrip()
        if not text.strip():
            heading = ""
        elif blocks and _continues(blocks[-1], text):
            blocks[-1] = _with_line(blocks[-1], turn, at + len(text))
        else:
            block = _block(text, at, heading, record=turn.record)
            if block.text:
                blocks.append(block)
                if block.text.endswith(":"):
                    heading = block.text
        at += len(line)
    return tuple(part for block in blocks for part in _short_enough(block))


def _short_enough(block: Block) -> Iterator[Block]:
    """The block, cut at ends of sentences or at white space where it is too long for the parser."""
    text, start = block.text, block.start
    while len(text) > _LONGEST:
        cut = max(
            text.rfind(". ", 0, _LONGEST) + 1, text.rfind(" ", 0, _LONGEST) if ". " not in text else 0
        )
        cut = cut or _LONGEST
        yield replace(block, text=text[:cut], start=start)
        text, start = text[cut:], start + cut
    yield replace(block, text=text, start=start)


def _continues(block: Block, line: str) -> bool:
    """Whether `line` only goes on after a line break set by some editor."""
    if _SALUTATION.fullmatch(block.text):
        return False
    hard = _BULLET.match(line) or block.shape in {Shape.LOG, Shape.FIELD} or block.text.endswith(_DONE)
    return not hard and line.lstrip()[:1].islower()


def _with_line(block: Block, turn: Turn, end: int) -> Block:
    text = turn.text[block.start - turn.start : end - turn.start]
    return Block(text=text, start=block.start, shape=block.shape, heading=block.heading)


def _block(line: str, at: int, heading: str, *, record: bool = False) -> Block:
    bullet = _BULLET.match(line)
    lead = bullet.end() if bullet else len(line) - len(line.lstrip())
    text, start = line[lead:], at + lead
    level = _LEVEL.match(text)
    if level is not None:
        return Block(text=text[level.end() :], start=start + level.end(), shape=Shape.LOG, heading=heading)
    log = _LOG.match(text)
    if log is not None:
        rest = "" if log["level"] in {"TRACE", "DEBUG"} else text[log.end() :]
        return Block(
            text=rest, start=start + log.end(), shape=Shape.LOG, heading=heading, stamp=log["stamp"]
        )
    field = _FIELD.fullmatch(text)
    if field and _is_short(field["key"]) and _is_field(field["key"], bullet is not None or record):
        if addresses_the_memory(text):
            return Block(text=text, start=start, heading=heading)
        told = bullet is not None and _is_a_sentence(field["value"])
        if told or _tells(field["key"], field["value"]):
            heading = heading or field["key"]
            return Block(text=field["value"], start=start + field.start("value"), heading=heading)
        return Block(
            text=field["value"],
            start=start + field.start("value"),
            shape=Shape.FIELD,
            heading=heading,
            key=field["key"],
        )
    return Block(text=text, start=start, shape=Shape.ITEM if bullet else Shape.PROSE, heading=heading)


def _is_short(key: str) -> bool:
    return len(key.split()) <= (6 if _OF_WHAT.search(key) else 4)


def _is_a_sentence(value: str) -> bool:
    return len(value.split()) >= _SENTENCE and _VERB.search(value) is not None


def _tells(key: str, value: str) -> bool:
    """Whether a label only announces a sentence, as in "Decision: we stay with Fennel.", and is no key."""
    labels = set(key.casefold().split())
    least = _SENTENCE - 1 if labels & _ANNOUNCING else _SENTENCE
    return len(value.split()) >= least and value.rstrip()[-1] in ".!" and not labels & _NOT_TELLING


def _is_field(key: str, bulleted: bool) -> bool:  # noqa: FBT001 (one caller, beside it)
    if _OF_WHAT.search(key):
        return True
    return bulleted or all(word.casefold() in _FIELDS for word in key.split()[:1])
