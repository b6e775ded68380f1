"""Any model of the package sentence-transformers (extra), from a folder or by name; on a GPU if there.

A name that is not cached on this machine is fetched from the Hugging Face hub by the package itself; a
folder never is.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from memstrata.embedders.prefixes import Prefixes, prefixes_of
from memstrata.errors import Fault, Missing
from memstrata.ports import VectorModel

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.ports import Vectors

_PACKAGE: Final = "sentence_transformers"
_BATCH: Final = 64
#: The names by which models define what to put before a stored text, as the package looks for them.
_PASSAGE_PROMPTS: Final = ("document", "passage", "corpus")


class SentenceTransformerEmbedder:
    """A sentence-transformers model with the prompts that it defines; calls wait for one another."""

    def __init__(self, model: str, *, dimensions: int | None = None) -> None:
        """Checks that the package is there, and the folder; the model is loaded when it is first needed.

        `dimensions` cuts the vectors (for models trained so that their beginnings suffice). Raises
        `Missing`.
        """
        if find_spec(_PACKAGE) is None:
            raise Missing(
                f"MEMSTRATA_EMBEDDER = 'sentence-transformers:{model}' needs the package "
                "sentence-transformers; install it with: pip install 'memstrata[sentence-transformers]'"
            )
        self._given = model
        self._dimensions = dimensions
        self._lock = Lock()
        self._loaded: Any = None

    @property
    def model(self) -> VectorModel:
        """What the vectors are made with; loads the model to know their length."""
        dimension = int(self._model().get_embedding_dimension())
        return VectorModel(name=_name_of(self._given), dimension=dimension, engine="sentence-transformers")

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of stored texts: float32, shape (len(texts), dimension), unit length.

        Of a text longer than the model reads, its beginning. Raises `Fault` when it fails (memory).
        """
        return self._embedded(texts, query=False)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions: as `passages`."""
        return self._embedded(texts, query=True)

    def _embedded(self, texts: Sequence[str], *, query: bool) -> Vectors:
        import numpy as np

        model = self._model()
        prefixes = _prefixes(model.prompts, self._given)
        encode = model.encode_query if query else model.encode_document
        if not texts:
            return np.zeros((0, self.model.dimension), np.float32)
        try:
            with self._lock:
                table = encode(
                    [text.encode("utf-8", "replace").decode("utf-8") for text in texts],
                    prompt=prefixes.query if query else prefixes.passage,
                    batch_size=_BATCH,
                    normalize_embeddings=True,
                    convert_to_numpy=True,
                    show_progress_bar=False,
                )
        except (RuntimeError, MemoryError) as error:
            raise Fault(
                f"the model {self._given} failed: {error}; try again, with less running beside it"
            ) from error
        return np.asarray(table, np.float32)

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                from sentence_transformers import SentenceTransformer
                from transformers.utils.logging import disable_progress_bar

                disable_progress_bar()  # it would be drawn into whatever standard error is
                try:
                    self._loaded = SentenceTransformer(self._given, truncate_dim=self._dimensions)
                except (OSError, ValueError) as error:
                    raise Missing(
                        f"no sentence-transformers model can be loaded from {self._given!r}: "
                        f"{_first(error)}; name a folder that holds one, or a model of the Hugging Face "
                        "hub that this machine can reach, in MEMSTRATA_EMBEDDER"
                    ) from error
            return self._loaded


def _name_of(given: str) -> str:
    """A name of the hub as it is; of a folder its last two parts, so that it may lie elsewhere tomorrow."""
    folder = Path(given)
    return "/".join(folder.absolute().parts[-2:]) if folder.is_dir() else given


def _prefixes(prompts: Mapping[str, str], given: str) -> Prefixes:
    """The prompts that the model's configuration defines; else those that its name is known for."""
    passage = next((prompts[one] for one in _PASSAGE_PROMPTS if prompts.get(one)), "")
    defined = Prefixes(query=prompts.get("query") or "", passage=passage)
    return defined if defined != Prefixes() else prefixes_of(given)


def _first(error: Exception) -> str:
    """The first line of what went wrong."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
