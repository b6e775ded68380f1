"""Models and time: language models, embedders, extractors, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from memstrata.model import Episode, Extraction, Json
    from memstrata.ports.reading import VectorModel, Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a language model; `schema` is the JSON schema of the reply that is wanted."""

    system: str
    user: str
    schema: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a language model answered; `finished` is False for a reply that was cut off."""

    text: str
    input_tokens: int
    output_tokens: int
    finished: bool = True


class LanguageModel(Protocol):
    """A language model behind any API."""

    @property
    def name(self) -> str:
        """The model's name, part of the extractor version."""

    def complete(self, prompt: Prompt) -> Reply:
        """Answers one prompt. Raises `Fault` when trying again may help, `Incorrect` when it will not."""


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with."""

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), dimension), unit length."""

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`."""


class Reranker(Protocol):
    """Judges how well texts answer a question, reading both together (a cross-encoder)."""

    @property
    def name(self) -> str:
        """The model's name."""

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, higher is better; [] for no texts. Raises `Fault` when it cannot be reached."""


class Clock(Protocol):
    """Where time enters."""

    def now(self) -> datetime:
        """The present instant, in UTC."""


class Extractor(Protocol):
    """Takes from an episode what it asserts."""

    @property
    def version(self) -> str:
        """The hash of everything that determines what is taken."""

    @property
    def context_turns(self) -> int:
        """How many preceding turns of a saga it is shown."""

    def extract_all(self, items: Iterable[tuple[Episode, Sequence[Episode]]]) -> Iterator[Extraction]:
        """One extraction for each (episode, preceding turns), in order."""
