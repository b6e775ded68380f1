"""The formats that can be read: a table of one line each, open to more.

A format is a module with a `NAME`, `recognises(sample) -> bool` and `read(input)`, which yields drafts with
their places, notes what is faulty in `input.notes` and raises `Misplaced` where the whole input is. `read`
is called twice for large inputs, so it must not keep anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from memstrata.intake import fact_triples, markdown_text, openai_chat, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.intake.notes import Notes, Place
    from memstrata.intake.options import Options
    from memstrata.intake.sources import Sample, Source
    from memstrata.intake.times import TimeReader
    from memstrata.model import Draft


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One input on its way through a format."""

    source: Source
    sample: Sample
    options: Options
    times: TimeReader
    notes: Notes


class Format(Protocol):
    """What a format's module offers."""

    NAME: str

    def recognises(self, sample: Sample) -> bool:
        """Whether the content looks like this format; the name of the file alone never decides."""
        ...

    def read(self, given: Input) -> Iterator[tuple[Place, Draft]]:
        """The drafts of an input, in its order, each with its place."""
        ...


#: In the order of recognition: the more particular first. Records are never recognised: a mapping says so.
FORMATS: Final[tuple[Format, ...]] = (openai_chat, fact_triples, records, markdown_text)
