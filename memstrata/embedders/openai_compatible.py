"""Embeddings from any endpoint that speaks OpenAI's protocol: OpenAI, vLLM, Ollama, llama.cpp, a proxy.

The package `openai` (extra) sends, waits as the server asks and tries again where that may help. What a
reply holds is checked here, and each error says what to do; neither the key is in any of them, nor a user
and password that stand in the address.
"""

from __future__ import annotations

import time
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from memstrata.embedders.prefixes import prefixes_of
from memstrata.endpoint import check_askable, connected
from memstrata.errors import Fault, Incorrect, Missing
from memstrata.ports import VectorModel

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from openai import OpenAI

    from memstrata.endpoint import Endpoint
    from memstrata.errors import MemstrataError
    from memstrata.ports import Vectors

#: A request's texts, and their UTF-8 bytes together. OpenAI takes 2,048 texts and 300,000 tokens; a token
#: has at least one byte, so this many bytes are within that for any text.
MOST_TEXTS: Final = 256
MOST_BYTES: Final = 250_000

#: Of a question no more than this is sent.
QUERY_CHARACTERS: Final = 2_000

#: Somebody waits for a question, and words answer without it: it is tried once, and not for long.
_QUESTION_SECONDS: Final = 5.0
#: After a question that got no answer, how long none is asked.
_AWAY_SECONDS: Final = 10.0

#: What is known of OpenAI's own models without asking.
_DIMENSIONS: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}

#: What an exception of the package means, by the name of the nearest of its classes.
_MEANINGS: Final[dict[str, tuple[type[MemstrataError], str]]] = {
    "AuthenticationError": (Incorrect, "refuses the key; set OPENAI_API_KEY to one that is good for it"),
    "PermissionDeniedError": (Incorrect, "does not allow this key that model: {said}; ask for another"),
    "NotFoundError": (
        Missing,
        "has no such model or path: {said}; check MEMSTRATA_EMBEDDER and OPENAI_BASE_URL (ends in /v1)",
    ),
    "RateLimitError": (Fault, "takes no more requests now: {said}; try again later"),
    "APITimeoutError": (Fault, "did not answer in time; try again later"),
    "APIConnectionError": (Fault, "cannot be reached; see that it runs, and check OPENAI_BASE_URL"),
    "InternalServerError": (Fault, "failed: {said}; try again later"),
    "APIStatusError": (Incorrect, "refuses the request: {said}"),
    "OpenAIError": (Fault, "could not be asked: {said}"),
}


class OpenAIEmbedder:
    """A model behind an embeddings endpoint. Several threads may ask at once."""

    def __init__(self, model: str, endpoint: Endpoint, *, dimensions: int | None = None) -> None:
        """Checks what can be checked without asking the server; `dimensions` asks for shorter vectors.

        Raises `Missing` without the package, or without a key for OpenAI's own server.
        """
        check_askable(endpoint, f"MEMSTRATA_EMBEDDER = 'openai:{model}'")
        self._name = model
        self._endpoint = endpoint
        self._asked_for = dimensions
        self._away = 0.0, ""  # until when no question is asked, and why
        self._dimension = dimensions or _DIMENSIONS.get(model)
        self._prefixes = prefixes_of(model)
        self._numbers_alone = False
        self._lock = Lock()
        self._client: OpenAI | None = None

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with. For an unknown model it asks the server once, and may raise."""
        if self._dimension is None:
            self.queries(["How long is a vector?"])
        assert self._dimension is not None  # noqa: S101 (the first reply has told it)
        return VectorModel(name=self._name, dimension=self._dimension, engine="openai")

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), dimension), unit length.

        Raises `Fault` when trying again may help, `Incorrect` or `Missing` when it will not.
        """
        return self._embedded([self._prefixes.passage + text for text in texts], self._connected)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`, of the first 2,000 characters of each.

        It is asked once, for five seconds. After a `Fault` the same is raised at once for ten more.
        """
        until, said = self._away
        if time.monotonic() < until:
            raise Fault(said)
        try:
            return self._embedded(
                [self._prefixes.query + text[:QUERY_CHARACTERS] for text in texts], self._hurried
            )
        except Fault as error:
            self._away = time.monotonic() + _AWAY_SECONDS, str(error)
            raise

    def _embedded(self, texts: Sequence[str], client: Callable[[], Any]) -> Vectors:
        import numpy as np

        rows = [row for batch in _batches(texts) for row in self._asked(batch, client)]
        if not rows:
            return np.zeros((0, self.model.dimension), np.float32)
        table = np.array(rows, np.float32)
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            raise Fault(
                f"{self._where} gave a vector that is zero or not finite; try again, or ask its makers"
            )
        return np.asarray(table / lengths, np.float32)

    @property
    def _where(self) -> str:
        return f"the embeddings server at {self._endpoint.shown} (model {self._name})"

    def _asked(self, texts: Sequence[str], client: Callable[[], Any]) -> list[list[float]]:
        """The vectors of one request, in the order of the texts."""
        data = self._data(texts, client)
        rows: dict[int, list[float]] = {}
        try:
            for item in data:
                rows[int(item.index)] = [float(number) for number in item.embedding]
        except (AttributeError, TypeError, ValueError):
            raise self._malformed("an item without index or numbers") from None
        if sorted(rows) != list(range(len(texts))) or len(data) != len(texts):
            raise self._malformed(f"{len(data)} vectors for {len(texts)} texts")
        for row in rows.values():
            self._check_length(len(row))
        return [rows[at] for at in range(len(texts))]

    def _check_length(self, length: int) -> None:
        if self._dimension is None and length:
            self._dimension = length
        if length == self._dimension:
            return
        if self._asked_for is not None:
            raise Incorrect(
                f"{self._where} gave {length} dimensions where {self._asked_for} were asked for: this "
                "model cannot shorten its vectors; unset MEMSTRATA_EMBEDDER_DIMENSIONS"
            )
        raise self._malformed(f"a vector of {length} dimensions where {self._dimension} were expected")

    def _malformed(self, what: str) -> Fault:
        return Fault(
            f"{self._where} gave {what}; try again, or look at what listens there (OPENAI_BASE_URL)"
        )

    def _data(self, texts: Sequence[str], client: Callable[[], Any]) -> list[Any]:
        import openai

        more: dict[str, Any] = {} if self._asked_for is None else {"dimensions": self._asked_for}
        if self._numbers_alone:
            more["encoding_format"] = "float"  # else the package asks for base64, a third of the size
        try:
            reply = client().embeddings.create(model=self._name, input=list(texts), **more)
            return list(reply.data)
        except openai.BadRequestError as error:
            if not self._numbers_alone and "encoding_format" in str(error):
                self._numbers_alone = True  # an older server, which does not know base64
                return self._data(texts, client)
            raise self._refused(error) from None
        except openai.OpenAIError as error:
            raise self._refused(error) from None
        except (AttributeError, TypeError, ValueError):  # the package reads what is no reply as it comes
            raise self._malformed("what is no embeddings reply") from None

    def _connected(self) -> OpenAI:
        with self._lock:
            if self._client is None:
                self._client = connected(self._endpoint, tries_again=self._endpoint.tries_again)
            return self._client

    def _hurried(self) -> OpenAI:
        seconds = min(self._endpoint.seconds, _QUESTION_SECONDS)
        return self._connected().with_options(max_retries=0, timeout=seconds)

    def _refused(self, error: Exception) -> MemstrataError:
        """What the package raised, as what it means here. It has tried again where that may help."""
        if getattr(error, "code", None) == "insufficient_quota":
            return Incorrect(f"{self._where} says that the account has no credit left; pay, or ask another")
        names = [one.__name__ for one in type(error).__mro__]
        family, meaning = next(_MEANINGS[name] for name in names if name in _MEANINGS)
        told = meaning.format(said=self._endpoint.told(str(error)), seconds=self._endpoint.seconds)
        return family(f"{self._where} {told}")


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts in order, as many together as a request may hold; an empty one as a space."""
    batch: list[str] = []
    room = MOST_BYTES
    for text in texts:
        sent = text.encode("utf-8", "replace").decode("utf-8") or " "
        size = len(sent.encode())
        if batch and (size > room or len(batch) == MOST_TEXTS):
            yield batch
            batch, room = [], MOST_BYTES
        batch.append(sent)
        room -= size
    if batch:
        yield batch
