"""What an extractor proposes before anything is verified: names and candidate assertions, as values.

Every extractor (declared records, offline rules, a language model) ends in these; `verification` judges
them and `assembly` makes mentions and assertions of what is left. No ids here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.instants import StatedTime
    from memstrata.model import Kind, Outcome, Speaker

_NONE: Mapping[str, tuple[str, ...]] = MappingProxyType({})
_FIRST_PERSON = frozenset({"i", "me", "we", "us", "myself"})
_SECOND_PERSON = frozenset({"you", "yourself", "the user"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name as the text wrote it: `I` and `my sister` stay as they are and carry who spoke.

    `span` is where it stands in the content, `sentence` the sentence around it. Two equal names are
    one mention.
    """

    text: str
    type: str | None = None
    span: tuple[int, int] | None = None
    sentence: str = ""
    speaker: Speaker | None = None
    addressee: Speaker | None = None
    attributes: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NONE)

    def __hash__(self) -> int:
        """By text and place: what else differs is left to equality."""
        return hash((self.text, self.span))

    @property
    def said(self) -> str:
        """How to write this name for a reader who does not know who spoke."""
        if self.speaker is not None and self.text.casefold() in _FIRST_PERSON:
            return self.speaker.name or "User"
        if self.addressee is not None and self.text.casefold() in _SECOND_PERSON:
            return self.addressee.name or "User"
        return self.text


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One proposed assertion. An `object` that is text is a literal: a number, a date, a phrase.

    `settled` is what was decided on it before: an acceptance (of a second pass) answers what asks for one,
    any other verdict stands.
    """

    subject: Name
    predicate: str
    object: Name | str
    kind: Kind
    fact: str
    valid_at: StatedTime | None = None
    invalid_at: StatedTime | None = None
    confidence: float = 1.0
    quote: str = ""
    span: tuple[int, int] | None = None
    settled: Outcome | None = None

    @property
    def object_said(self) -> str:
        """The object as a reader sees it."""
        return self.object if isinstance(self.object, str) else self.object.said

    @property
    def label(self) -> str:
        """What names this candidate in an outcome."""
        return f"{self.subject.said} {self.predicate} {self.object_said} ({self.kind})"
