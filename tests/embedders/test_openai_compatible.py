"""The embedder over OpenAI's protocol, with the real package against a real server on loopback."""

from __future__ import annotations

import importlib.util
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from embeddings_server import DIMENSION, Answer, error_body, serving, vector_of

from memstrata.embedders.openai_compatible import MOST_BYTES, MOST_TEXTS, OpenAIEmbedder
from memstrata.endpoint import Endpoint
from memstrata.errors import Fault, Incorrect, Missing
from memstrata.settings import load_settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from embeddings_server import EmbeddingsServer

    from memstrata.errors import MemstrataError

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("openai") is None, reason="openai is not installed (memstrata[openai])"
)

KEY = "sk-secret-of-the-tests-123456"
SOON = (("retry-after-ms", "5"),)


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with serving() as state:
        yield state


def embedder(server: EmbeddingsServer, *, tries_again: int = 2, **more: Any) -> OpenAIEmbedder:
    endpoint = Endpoint(url=server.url, key=KEY, tries_again=tries_again, seconds=more.pop("seconds", 5))
    return OpenAIEmbedder(more.pop("model", "a-model"), endpoint, **more)


def test_vectors_come_back_normalised_in_the_order_of_the_texts(server: EmbeddingsServer) -> None:
    texts = [f"text {at}" for at in range(5)]
    vectors = embedder(server).passages(texts)
    assert vectors.dtype == np.float32
    for text, vector in zip(texts, vectors, strict=True):
        expected = vector_of(text) / np.linalg.norm(vector_of(text))
        np.testing.assert_allclose(vector, expected, atol=1e-6)


def test_a_reply_in_another_order_is_sorted_by_its_index(server: EmbeddingsServer) -> None:
    server.change = lambda reply: {**reply, "data": reply["data"][::-1]}
    vectors = embedder(server).passages(["one", "two", "three"])
    assert float(vectors[0] @ vector_of("one")) == pytest.approx(np.linalg.norm(vector_of("one")), rel=1e-5)


def test_the_key_and_the_model_are_sent(server: EmbeddingsServer) -> None:
    embedder(server).queries(["who?"])
    assert server.keys == [f"Bearer {KEY}"]
    assert server.requests[0]["model"] == "a-model"
    assert server.requests[0]["path"] == "/v1/embeddings"


def test_a_server_that_knows_numbers_alone_is_asked_for_numbers_from_then_on(
    server: EmbeddingsServer,
) -> None:
    server.instead.append(Answer(status=400, body=error_body("unsupported encoding_format: base64")))
    asked = embedder(server)
    assert asked.passages(["one"]).shape == (1, DIMENSION)
    asked.passages(["two"])
    formats = [request["encoding_format"] for request in server.requests]
    assert formats == ["base64", "float", "float"]


def test_many_texts_go_in_requests_of_bounded_count_and_size(server: EmbeddingsServer) -> None:
    many = [f"{at}" for at in range(MOST_TEXTS + 3)]
    long = ["ü" * (MOST_BYTES // 3)] * 4  # two thirds of a request each
    vectors = embedder(server).passages([*many, *long])
    sent = [request["input"] for request in server.requests]
    assert [len(texts) for texts in sent] == [MOST_TEXTS, 4, 1, 1, 1]
    assert all(sum(len(text.encode()) for text in texts) <= MOST_BYTES for texts in sent)
    assert len(vectors) == len(many) + len(long)


def test_an_empty_text_and_a_lone_surrogate_are_sent_as_what_servers_take(server: EmbeddingsServer) -> None:
    embedder(server).passages(["", "\ud800"])
    assert server.requests[0]["input"] == [" ", "?"]


def test_no_texts_ask_nothing_but_the_length_of_a_vector(server: EmbeddingsServer) -> None:
    assert embedder(server).passages([]).shape == (0, DIMENSION)


def test_the_length_of_an_unknown_models_vectors_is_asked_once(server: EmbeddingsServer) -> None:
    asked = embedder(server)
    assert (asked.model.dimension, asked.model.dimension, asked.model.name) == (
        DIMENSION,
        DIMENSION,
        "a-model",
    )
    assert len(server.requests) == 1


def test_the_length_of_openais_own_models_is_known(server: EmbeddingsServer) -> None:
    assert embedder(server, model="text-embedding-3-large").model.dimension == 3072
    assert not server.requests


def test_shorter_vectors_are_asked_for(server: EmbeddingsServer) -> None:
    assert embedder(server, dimensions=4).passages(["one"]).shape == (1, 4)
    assert server.requests[0]["dimensions"] == 4


def test_models_trained_with_prefixes_get_them(server: EmbeddingsServer) -> None:
    asked = embedder(server, model="nomic-embed-text")
    asked.passages(["a"])
    asked.queries(["b"])
    assert [request["input"] for request in server.requests] == [
        ["search_document: a"],
        ["search_query: b"],
    ]


def test_a_passing_fault_is_tried_again_when_the_server_says(server: EmbeddingsServer) -> None:
    server.instead.append(Answer(status=429, body=error_body("slow down"), headers=(("Retry-After", "1"),)))
    begun = time.monotonic()
    assert embedder(server).passages(["one"]).shape == (1, DIMENSION)
    assert time.monotonic() - begun >= 1
    assert len(server.requests) == 2


def test_a_question_is_tried_once_for_somebody_waits_and_then_none_for_a_while(
    server: EmbeddingsServer,
) -> None:
    server.instead.append(Answer(status=503, body=error_body("down")))
    asked = embedder(server, dimensions=DIMENSION)
    for _ in range(3):
        with pytest.raises(Fault, match="down"):
            asked.queries(["who?"])
    assert len(server.requests) == 1
    assert asked.passages(["one"]).shape == (1, DIMENSION)  # what nobody waits for is not held back
    asked._away = (time.monotonic(), "")  # ten seconds later
    assert asked.queries(["who?"]).shape == (1, DIMENSION)


def test_a_failing_server_is_tried_again_a_few_times_only(server: EmbeddingsServer) -> None:
    server.instead.extend([Answer(status=500, body=error_body("boom"), headers=SOON)] * 9)
    with pytest.raises(Fault, match=r"failed: .*boom.*try again later"):
        embedder(server, tries_again=3).passages(["one"])
    assert len(server.requests) == 4


def test_a_server_that_takes_too_long_is_a_fault(server: EmbeddingsServer) -> None:
    server.instead.append(Answer(after_seconds=0.5))
    with pytest.raises(Fault, match="did not answer in time"):
        embedder(server, tries_again=0, seconds=0.1).passages(["one"])


def test_a_server_that_is_not_there_is_a_fault_naming_its_address() -> None:
    with serving() as server:
        gone = embedder(server, tries_again=0)
    with pytest.raises(Fault, match=r"127\.0\.0\.1:\d+/v1 .*cannot be reached.*OPENAI_BASE_URL"):
        gone.passages(["one"])


@pytest.mark.parametrize(
    ("status", "body", "family", "says"),
    [
        (401, error_body(f"Incorrect API key provided: {KEY}"), Incorrect, "set OPENAI_API_KEY"),
        (403, error_body("not yours"), Incorrect, "does not allow this key that model: .*not yours"),
        (404, error_body("The model `a-model` does not exist"), Missing, "check MEMSTRATA_EMBEDDER"),
        (400, error_body("input is too long: 513 tokens"), Incorrect, "513 tokens"),
        (422, error_body("input: wrong"), Incorrect, "refuses the request: .*422"),
        (429, error_body("You exceeded your quota", "insufficient_quota"), Incorrect, "no credit left"),
        (429, error_body("slow down"), Fault, "no more requests now"),
    ],
)
def test_a_refusal_says_what_to_do(
    server: EmbeddingsServer, status: int, body: str, family: type[MemstrataError], says: str
) -> None:
    server.instead.append(Answer(status=status, body=body, headers=SOON))
    with pytest.raises(family, match=says) as raised:
        embedder(server, tries_again=0).passages(["one"])
    assert type(raised.value) is family
    assert "secret" not in str(raised.value)


def test_what_is_not_the_callers_fault_alone_is_tried_again(server: EmbeddingsServer) -> None:
    server.instead.append(Answer(status=401, body=error_body("no"), headers=SOON))
    with pytest.raises(Incorrect):
        embedder(server).passages(["one"])
    assert len(server.requests) == 1


def test_a_key_that_the_server_repeats_is_cut_out(server: EmbeddingsServer) -> None:
    server.instead.append(
        Answer(status=400, body=error_body(f"bad request by {KEY} or Bearer abcdef123456"))
    )
    with pytest.raises(Incorrect, match=r"bad request by \.\.\. or \.\.\.") as raised:
        embedder(server, tries_again=0).passages(["one"])
    assert "secret" not in repr(raised.value.__cause__)


def test_an_endpoint_does_not_show_its_key() -> None:
    assert KEY not in repr(Endpoint(url="http://127.0.0.1:1/v1", key=KEY))


def _without(name: str) -> Callable[[dict[str, Any]], Any]:
    return lambda reply: {
        **reply,
        "data": [{key: value for key, value in item.items() if key != name} for item in reply["data"]],
    }


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda reply: {**reply, "data": reply["data"][:1]}, "1 vectors for 2 texts"),
        (lambda reply: {**reply, "data": [*reply["data"], reply["data"][0]]}, "3 vectors for 2 texts"),
        (lambda reply: {**reply, "data": [reply["data"][0]] * 2}, "2 vectors for 2 texts"),
        (lambda reply: {**reply, "data": []}, "no embeddings reply"),
        (lambda _: {"hello": "world"}, "no embeddings reply"),
        (lambda _: [1, 2], "no embeddings reply"),
        (lambda _: "vectors", "no embeddings reply"),
        (_without("index"), "without index or numbers"),
        (_without("embedding"), "without index or numbers"),
        (
            lambda reply: {**reply, "data": [{"index": at, "embedding": [0.0] * 8} for at in range(2)]},
            "zero or not finite",
        ),
        (
            lambda reply: {
                **reply,
                "data": [{"index": at, "embedding": [1.0] * (3 + at)} for at in range(2)],
            },
            "a vector of 4 dimensions where 3 were expected",
        ),
        (
            lambda reply: {**reply, "data": [{"index": at, "embedding": ["x"]} for at in range(2)]},
            "without index or numbers",
        ),
    ],
)
def test_a_reply_that_cannot_be_right_is_a_fault(
    server: EmbeddingsServer, change: Callable[[dict[str, Any]], Any], says: str
) -> None:
    server.change = change
    with pytest.raises(Fault, match=says):
        embedder(server, tries_again=0).passages(["one", "two"])


def test_what_is_no_json_is_a_fault(server: EmbeddingsServer) -> None:
    server.instead.append(Answer(body="<html>a proxy's page</html>"))
    with pytest.raises(Fault, match=r"OPENAI_BASE_URL|could not be asked"):
        embedder(server, tries_again=0).passages(["one"])


def test_a_model_that_cannot_shorten_its_vectors_is_told_so(server: EmbeddingsServer) -> None:
    server.change = lambda reply: {**reply, "data": [{"index": 0, "embedding": [1.0] * 8}]}
    with pytest.raises(Incorrect, match="unset MEMSTRATA_EMBEDDER_DIMENSIONS"):
        embedder(server, dimensions=4).passages(["one"])


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(Missing, match="set OPENAI_API_KEY, or OPENAI_BASE_URL"):
        OpenAIEmbedder("text-embedding-3-small", Endpoint())


def test_a_server_of_ones_own_needs_no_key(server: EmbeddingsServer) -> None:
    assert OpenAIEmbedder("a-model", Endpoint(url=server.url)).passages(["one"]).shape == (1, DIMENSION)


def test_an_absent_package_is_reported_with_the_extra_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(Missing, match=r"pip install 'memstrata\[openai\]'"):
        OpenAIEmbedder("a-model", Endpoint(key=KEY))


# --- a user and a password in the address ---


@pytest.mark.parametrize("user", ["ada:hunter2", "ada:x@hunter2", "ada:x/hunter2", ":hunter2", "hunter2"])
def test_a_password_in_the_address_is_in_no_message_and_no_representation(
    server: EmbeddingsServer, user: str
) -> None:
    said = error_body(f"who is {user}?")
    server.instead.append(Answer(status=400, body=said))
    endpoint = Endpoint(url=server.url.replace("://", f"://{user}@"), key=KEY, tries_again=0, seconds=5)
    asking = OpenAIEmbedder("a-model", endpoint)
    with pytest.raises((Incorrect, Fault)) as refused:
        asking.passages(["one"])
    assert "hunter2" not in f"{refused.value!r} {refused.value} {endpoint!r} {asking!r}"
    assert "://...@127.0.0.1" in str(refused.value)


def test_an_address_that_is_none_is_refused_without_its_password() -> None:
    asking = OpenAIEmbedder("a-model", Endpoint(url="http://ada:hunter2@here:port/v1", key=KEY))
    with pytest.raises(Incorrect, match=r"'http://\.\.\.@here:port/v1' is no address") as refused:
        asking.passages(["one"])
    assert "hunter2" not in str(refused.value)


def test_settings_show_no_address_with_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://ada:hunter2@here/v1")
    assert "hunter2" not in repr(load_settings())
    with pytest.raises(Incorrect, match="OPENAI_BASE_URL") as refused:
        load_settings(OPENAI_BASE_URL=["http://ada:hunter2@here/v1"])
    assert "hunter2" not in str(refused.value)
