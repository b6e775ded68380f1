"""Lists of fields ("Account: Dunmore Press", "- Headquarters: Sibiu"): the first names what it is about."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.copulas import snake
from memstrata.extraction.offline.turns import Shape
from memstrata.extraction.offline.words import word_set
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.extraction.offline.turns import Block, Turn
    from memstrata.instants import StatedTime

#: Fields that name the thing a record is about.
_SUBJECTS = word_set(
    "account client company customer name contact patient project product host service ticket order"
    " case supplier vendor organisation organization employee person team site system device property"
    " school event incident invoice lead opportunity deal member guest server application repository"
    " release booking reservation model vehicle building address course candidate"
)
#: Fields about the message or the list itself.
_META = word_set(
    "subject from to cc bcc date re fw sent note notes todo to-do agenda reminder action actions task"
    " tasks next idea ideas attendees ps warning important summary steps reply-to question answer"
    " translation update"
)
#: What of whom or what: "Budget for Q4".
_OF_WHAT = re.compile(
    r"(?P<what>[A-Za-z][\w -]{2,24}?) (?:for|of) (?:the )?"
    r"(?P<whose>[A-Z][\w'\u2019-]*(?: [A-Z0-9][\w'\u2019-]*){0,2})"
)
_SHORT = 12
_TITLE = 5
_PAIR = re.compile(r"(?<![\w=])(?P<key>[A-Za-z][\w.-]*)=(?P<value>[^\s=]+)")
_ARROW = re.compile(r"(?P<old>[^\s=]+)\s*(?:->|=>|\u2192)\s*(?P<new>[^\s=]+)")
_RUNNING = ("service", "app", "host", "node", "component", "instance", "pod", "job", "device", "name")


def field_facts(blocks: Sequence[Block], turn: Turn) -> Iterator[Candidate]:
    """The candidates of a run of field blocks; nothing without a field that names their subject."""
    subject = _title(blocks, turn)
    for block in blocks:
        if block.shape is not Shape.FIELD:
            continue
        key, value = block.key.casefold(), block.text.strip()
        if any(word in _META for word in key.split()[:1]) or len(value.split()) > _SHORT:
            continue
        if (attribute := _OF_WHAT.fullmatch(block.key.strip())) and attribute[
            "what"
        ].casefold() not in _META:
            yield _attribute(block, turn, attribute)
            continue
        if subject is None:
            if key.split()[0] in _SUBJECTS:
                subject = _name(block, turn)
            continue
        target: Name | str = (
            _name(block, turn) if value[:1].isupper() and not any(c.isdigit() for c in value) else value
        )
        yield Candidate(
            subject=subject,
            predicate=snake(block.key),
            object=target,
            kind=Kind.HOLDS,
            fact=f"The {block.key.casefold()} of {subject.text} is {value}",
            confidence=0.8,
            quote=value,
            span=(block.start, block.start + len(value)),
        )


def _attribute(block: Block, turn: Turn, key: re.Match[str]) -> Candidate:
    """Booking reference for Noemi Lang: QX7-44D."""
    value = block.text.strip().rstrip(".")
    return Candidate(
        subject=Name(text=key["whose"], sentence=f"{block.key}: {value}", speaker=turn.speaker),
        predicate=snake(key["what"]),
        object=value,
        kind=Kind.HOLDS,
        fact=f"The {key['what'].casefold()} of {key['whose']} is {value}",
        confidence=0.7,
        quote=f"{block.key}: {value}",
    )


def _title(blocks: Sequence[Block], turn: Turn) -> Name | None:
    """The line over a form, which names what it is about."""
    if not turn.record or not blocks or blocks[0].shape is Shape.FIELD:
        return None
    words = blocks[0].text.rstrip(":").split()
    plain = (
        bool(words) and words[0][:1].isupper() and len(words) <= _TITLE and words[0].casefold() not in _META
    )
    return _name(replace(blocks[0], text=" ".join(words)), turn) if plain else None


def change_facts(block: Block, stamp: StatedTime | None) -> Iterator[Candidate]:
    """`service=cart-api v4.11.0 -> v4.12.1`: what took the place of what in a line of keys and values."""
    keys = {match["key"].casefold(): match for match in _PAIR.finditer(block.text)}
    subject = next((keys[key] for key in _RUNNING if key in keys), None)
    change = _ARROW.search(block.text)
    if subject is None or change is None:
        return
    quote = block.text.strip()
    span = (block.start, block.start + len(quote))
    name = Name(text=subject["value"], sentence=quote)
    for value, kind in ((change["new"], Kind.STARTED), (change["old"], Kind.ENDED)):
        yield Candidate(
            subject=name,
            predicate="deployed_version",
            object=value,
            kind=kind,
            fact=f"{name.text} changed from version {change['old']} to version {change['new']}",
            valid_at=stamp if kind is Kind.STARTED else None,
            invalid_at=stamp if kind is Kind.ENDED else None,
            confidence=0.7,
            quote=quote,
            span=span,
        )


def is_structured(text: str) -> bool:
    """Whether a line is keys and values for machines rather than a sentence."""
    return len(_PAIR.findall(text)) > 1


def _name(block: Block, turn: Turn) -> Name:
    text = block.text.strip().rstrip(".")
    return Name(
        text=" ".join(text.split()),
        span=(block.start, block.start + len(text)),
        sentence=f"{block.key}: {block.text}",
        speaker=turn.speaker,
        addressee=turn.addressee,
    )
