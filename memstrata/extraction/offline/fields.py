"""Lists of fields ("Account: Dunmore Press", "- Headquarters: Sibiu"): the first names what it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memstrata.extraction.candidates import Candidate, Name
from memstrata.extraction.offline.copulas import snake
from memstrata.extraction.offline.turns import Shape
from memstrata.extraction.offline.words import word_set
from memstrata.model import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memstrata.extraction.offline.turns import Block, Turn

#: Fields that name the thing a record is about.
_SUBJECTS = word_set(
    "account client company customer name contact patient project product host service ticket order"
    " case supplier vendor organisation organization employee person team site system device property"
    " school event"
)
#: Fields about the message or the list itself.
_META = word_set(
    "subject from to cc bcc date re fw sent note notes todo to-do agenda reminder action actions task"
    " tasks next idea ideas attendees ps warning important summary steps reply-to question answer"
    " translation update"
)
_SHORT = 12


def field_facts(blocks: Sequence[Block], turn: Turn) -> Iterator[Candidate]:
    """The candidates of a run of field blocks; nothing without a field that names their subject."""
    subject: Name | None = None
    for block in blocks:
        if block.shape is not Shape.FIELD:
            continue
        key, value = block.key.casefold(), block.text.strip()
        if any(word in _META for word in key.split()[:1]) or len(value.split()) > _SHORT:
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


def _name(block: Block, turn: Turn) -> Name:
    text = block.text.strip().rstrip(".")
    return Name(
        text=" ".join(text.split()),
        span=(block.start, block.start + len(text)),
        sentence=f"{block.key}: {block.text}",
        speaker=turn.speaker,
        addressee=turn.addressee,
    )
