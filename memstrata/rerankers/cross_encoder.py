"""Any cross-encoder of the package sentence-transformers (extra), from a folder or by name.

A name that is not cached on this machine is fetched from the Hugging Face hub by the package itself; a
folder never is.
"""

from __future__ import annotations

from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from memstrata.errors import Fault, Incorrect, Missing

if TYPE_CHECKING:
    from collections.abc import Sequence

_PACKAGE: Final = "sentence_transformers"
_BATCH: Final = 32


class CrossEncoderReranker:
    """A cross-encoder with one score a pair; calls wait for one another."""

    def __init__(self, model: str) -> None:
        """Checks that the package is there; the model is loaded with the first question.

        Raises `Missing`.
        """
        if find_spec(_PACKAGE) is None:
            raise Missing(
                f"MEMSTRATA_RERANKER = 'cross-encoder:{model}' needs the package sentence-transformers; "
                "install it with: pip install 'memstrata[sentence-transformers]'"
            )
        self._given = model
        self._lock = Lock()
        self._loaded: Any = None

    @property
    def name(self) -> str:
        """The model's name, or its folder."""
        return self._given

    def scores(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """One score a text, higher is better; [] for no texts.

        Of a pair longer than the model reads, its beginning. Raises `Missing` if there is no such model,
        `Incorrect` if it is no reranker, `Fault` when it fails (memory).
        """
        if not texts:
            return []
        with self._lock:
            model = self._model()
            pairs = [(_whole(query), _whole(text)) for text in texts]
            try:
                found = model.predict(pairs, batch_size=_BATCH, show_progress_bar=False)
            except (RuntimeError, MemoryError) as error:
                raise Fault(
                    f"the reranker {self._given} failed: {error}; try again, with fewer texts at once"
                ) from error
        return [float(score) for score in found]

    def _model(self) -> Any:
        if self._loaded is None:
            from sentence_transformers import CrossEncoder
            from transformers.utils.logging import disable_progress_bar

            disable_progress_bar()  # it would be drawn into whatever standard error is
            try:
                model = CrossEncoder(self._given)
            except (OSError, ValueError) as error:
                why = (str(error).strip().splitlines() or [type(error).__name__])[0]
                raise Missing(
                    f"no cross-encoder can be loaded from {self._given!r}: {why}; name a folder that holds "
                    "one, or a model of the Hugging Face hub that this machine can reach, in "
                    "MEMSTRATA_RERANKER"
                ) from error
            if model.num_labels != 1:
                raise Incorrect(
                    f"MEMSTRATA_RERANKER: {self._given!r} gives {model.num_labels} labels a pair, so it is "
                    "a classifier; a reranker gives one score, such as cross-encoder/ms-marco-MiniLM-L6-v2"
                )
            self._loaded = model
        return self._loaded


def _whole(text: str) -> str:
    """The text without lone surrogates, which tokenizers refuse."""
    return text.encode("utf-8", "replace").decode("utf-8")
