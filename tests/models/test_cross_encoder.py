"""The cross-encoder, with the real package and a tiny BERT whose weights the test draws at random."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Incorrect, Missing
from memstrata.rerankers.cross_encoder import CrossEncoderReranker
from memstrata.settings import load_settings, open_reranker

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.models

WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    "where",
    "does",
    "alice",
    "live",
    "in",
    "oslo",
    "a",
    "cat",
]


def tiny_bert(folder: Path, *, labels: int) -> Path:
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizer

    torch.manual_seed(7)
    folder.mkdir()
    (folder / "vocab.txt").write_text("\n".join(WORDS))
    config = BertConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
        num_labels=labels,
        initializer_range=1.0,
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_bert(tmp_path_factory.mktemp("models") / "tiny", labels=1)


@pytest.fixture(scope="module")
def reranker(folder: Path) -> CrossEncoderReranker:
    return CrossEncoderReranker(str(folder))


def test_each_text_has_a_score_of_its_own(reranker: CrossEncoderReranker) -> None:
    scores = reranker.scores("where does alice live", ["alice in oslo", "a cat", "oslo"])
    assert len(scores) == 3
    assert all(isinstance(score, float) for score in scores)
    assert len({round(score, 4) for score in scores}) == 3


def test_a_score_depends_on_the_question(reranker: CrossEncoderReranker) -> None:
    one, other = (reranker.scores(query, ["alice in oslo"])[0] for query in ("where", "a cat"))
    assert one != pytest.approx(other, abs=1e-4)


def test_a_text_scores_the_same_wherever_it_stands(reranker: CrossEncoderReranker) -> None:
    texts = ["oslo", "a cat in oslo " * 40, *(["alice"] * 40), "a cat"]
    together = reranker.scores("where", texts)
    alone = [reranker.scores("where", [text])[0] for text in (texts[0], texts[1], texts[-1])]
    assert [together[0], together[1], together[-1]] == pytest.approx(alone, abs=1e-4)


def test_no_texts_have_no_scores_and_load_nothing(tmp_path: Path) -> None:
    assert CrossEncoderReranker(str(tmp_path / "none")).scores("where", []) == []


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "山" * 5_000])
def test_odd_texts_have_scores_too(reranker: CrossEncoderReranker, text: str) -> None:
    assert len(reranker.scores(text, [text])) == 1


def test_a_classifier_is_refused(tmp_path: Path) -> None:
    classifier = CrossEncoderReranker(str(tiny_bert(tmp_path / "three", labels=3)))
    with pytest.raises(Incorrect, match="gives 3 labels a pair"):
        classifier.scores("where", ["oslo"])


def test_a_folder_without_a_model_is_missing(tmp_path: Path) -> None:
    with pytest.raises(Missing, match="no cross-encoder can be loaded from"):
        CrossEncoderReranker(str(tmp_path)).scores("where", ["oslo"])


def test_the_settings_choose_it(folder: Path) -> None:
    chosen = open_reranker(load_settings(MEMSTRATA_RERANKER=f"cross-encoder:{folder}"))
    assert chosen is not None
    assert chosen.name == str(folder)
    assert len(chosen.scores("where", ["oslo"])) == 1
