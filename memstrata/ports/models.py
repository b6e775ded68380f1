"""Models and time: language models, embedders, extractors, the clock."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from threading import Event

    from memstrata.model import Episode, Extraction, Json
    from memstrata.ports.reading import VectorModel, Vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One request to a language model; `schema` is the JSON schema of the reply, which `name` names.

    `most_tokens` bounds the reply; None leaves it to the model.
    """

    system: str
    user: str
    schema: Mapping[str, Json] | None = None
    name: str = "reply"
    most_tokens: int | None = None


class Finish(StrEnum):
    """How a reply ended: by itself, at a limit of tokens, or as a refusal."""

    WHOLE = "whole"
    CUT_OFF = "cut_off"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a language model answered. Of a refusal, `text` is what it said about it.

    `cached_tokens` are those of `input_tokens` that the endpoint had read before, if it says so. `retries`
    are the requests that failed before, `seconds` the time of all of them together.
    """

    text: str
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    finish: Finish = Finish.WHOLE
    retries: int = 0
    seconds: float = 0.0


class LanguageModel(Protocol):
    """A language model behind any API; several threads may ask at once."""

    @property
    def name(self) -> str:
        """The model's name, part of the extractor version."""

    def complete(self, prompt: Prompt) -> Reply:
        """Answers one prompt.

        Raises `Away` when nothing can be asked now (no answer, no quota, a refused key, no such model, a
        limit that stays), `TooLong` for a prompt that does not fit the model, `Incorrect` or `Missing`
        for what is set up wrong (an address that is none, no key, no package), and `Fault` for what failed
        with this prompt.
        """


@runtime_checkable
class Patient(Protocol):
    """A language model that waits by itself, for its turns and for faults to pass."""

    def until(self, given_up: Event) -> LanguageModel:
        """The same model, for whoever may give up: its waits then end with `Away`, its requests as ever."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Unextracted:
    """An episode that could not be extracted, and why.

    `is_final` if trying again will not help; `is_put_off` if it was not tried while others were: it
    goes on waiting and counts no attempt.
    """

    episode: Episode
    reason: str
    is_final: bool = False
    is_put_off: bool = False


class Extractor(Protocol):
    """Takes from an episode what it asserts."""

    @property
    def version(self) -> str:
        """The hash of everything that determines what is taken."""

    @property
    def context_turns(self) -> int:
        """How many preceding turns of a saga it is shown."""

    @property
    def at_once(self) -> int:
        """How many episodes are best handed over, and kept, together."""

    def extract_all(
        self, items: Iterable[tuple[Episode, Sequence[Episode]]]
    ) -> Iterator[Extraction | Unextracted]:
        """One answer for each (episode, preceding turns), in order; what a budget stops is put off.

        Raises `Away` when nothing more can be had now: what was given before that stands. Raises
        `Incorrect` or `Missing` for what is set up wrong.
        """


@runtime_checkable
class Foretelling(Protocol):
    """An extractor that can say beforehand what it would ask."""

    @property
    def model(self) -> str:
        """The model that it asks."""

    def first_prompts(
        self, items: Iterable[tuple[Episode, Sequence[Episode]]]
    ) -> Iterator[tuple[tuple[Episode, ...], Prompt]]:
        """The calls that these items take if nothing fails, with their episodes; kept replies take none."""
