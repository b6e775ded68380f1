"""The app: one open memory, the routes, and the layers around them.

From outside inwards: the journal (ids, times, the unforeseen), the gate (who), the limits (how much),
the routes. A page or another protocol is mounted beside the routes, behind the same layers.
"""

from __future__ import annotations

import threading
from contextlib import asynccontextmanager, closing, contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from memstrata import __version__
from memstrata.errors import MemstrataError
from memstrata.extraction.offline.extractor import OfflineExtractor
from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.memory.audit import Audit
from memstrata.memory.tokens import Tokens
from memstrata.model import DEFAULT_GROUP, Episode, SourceType, TimeSource
from memstrata.search.view import View
from memstrata.service import mounting, problems, shapes
from memstrata.service.attending import Attendant
from memstrata.service.caller import Service
from memstrata.service.configured import limits_of
from memstrata.service.documenting import PROBLEM_SCHEMA, operation_id
from memstrata.service.embedding import Embedding, bell_of
from memstrata.service.gate import Gate
from memstrata.service.idempotency import Answers
from memstrata.service.journal import Journal
from memstrata.service.limits import Limited, Limits
from memstrata.service.metrics import Metrics
from memstrata.service.operations import Operations
from memstrata.service.routes import (
    about,
    checking,
    core,
    costs,
    deciding,
    episodes,
    housekeeping,
    letters,
    operating,
    querying,
    reading,
    reviewing,
    searching,
    walking,
)
from memstrata.service.supervised import end_with_supervisor
from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from datetime import datetime
    from pathlib import Path

    from memstrata.ports import Installation
    from memstrata.service.embedding import Vectors
    from memstrata.settings import Settings

#: How many groups, those with most facts, are searched once at start: their vectors come into memory.
_WARM_GROUPS: Final = 5

_ABOUT = (
    "The memory of AI agents as a bitemporal knowledge graph. Every answer is narrowed to the groups of "
    "the token; errors are problem+json and say what to do. Times are ISO 8601 in UTC; a date, a month or "
    "a year will do where a time is asked for."
)


def from_settings() -> FastAPI:
    """The app over the installation that the settings choose: what a server process runs."""
    end_with_supervisor()
    settings = load_settings()
    home, metrics, limits = settings.home.absolute(), Metrics(), limits_of(settings)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        with opened(settings) as installation, _following(installation, settings) as vectors:
            async with _serving(app, _service(installation, home, limits, metrics, vectors)):
                yield

    return _assembled(Tokens(home), limits, metrics, life)


def application(installation: Installation, home: Path, limits: Limits | None = None) -> FastAPI:
    """The app over an open installation, which the caller closes."""
    vectors = Embedding(installation)
    service = _service(installation, home, limits or Limits(), Metrics(), vectors)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        with closing(vectors):
            async with _serving(app, service):
                yield

    return _assembled(Tokens(home, clock=installation.clock), service.limits, service.metrics, life)


@contextmanager
def _following(installation: Installation, settings: Settings) -> Iterator[Vectors]:
    """What follows writes: a process that works, and embeds; without one, a thread that embeds."""
    if not settings.serve_work:
        with closing(Embedding(installation)) as embedding:
            yield embedding
        return
    home = settings.home.absolute()
    with closing(Attendant(home)) as attendant:
        attendant.start()
        yield bell_of(home)


def _service(
    installation: Installation, home: Path, limits: Limits, metrics: Metrics, vectors: Vectors
) -> Service:
    return Service(
        installation=installation,
        home=home,
        limits=limits,
        metrics=metrics,
        answers=Answers(home),
        operations=Operations(home),
        audit=Audit(home=home, face="rest"),
        vectors=vectors,
        writers=CapacityLimiter(limits.writers),
        exports=CapacityLimiter(limits.exports),
    )


@asynccontextmanager
async def _serving(app: FastAPI, service: Service) -> AsyncIterator[None]:
    """The service at the app, warm; afterwards what it runs is stopped."""
    anyio.to_thread.current_default_thread_limiter().total_tokens = service.limits.readers
    app.state.service = service
    app.state.pulse = housekeeping.Pulse(service.installation)
    service.answers.forget_old()
    service.operations.forget_old()
    await anyio.to_thread.run_sync(_warmed, service.installation)
    closing_down = threading.Event()
    warming = threading.Thread(
        target=_warmed_beside_readers, args=(service.installation, closing_down), daemon=True
    )
    warming.start()
    try:
        async with mounting.running(app, service):
            yield
    finally:
        closing_down.set()
        await anyio.to_thread.run_sync(warming.join)  # it reads what is closed after this
        await anyio.to_thread.run_sync(service.operations.close)
        if service.audit is not None:
            service.audit.close()


def _warmed(installation: Installation) -> None:
    """Loads the embedder's model before anybody waits for it; without one, words answer."""
    if installation.embedder is not None:
        with suppress(MemstrataError):
            installation.embedder.queries(["warm"])


def _warmed_beside_readers(installation: Installation, closing_down: threading.Event) -> None:
    """Loads what the first search of a large group, and the first waiting write, would wait for."""
    asking = Asking(installation=installation, grant=OWNER)
    with suppress(MemstrataError):  # who asks is told
        largest = sorted(asking.groups(), key=lambda one: one.facts, reverse=True)[:_WARM_GROUPS]
        for group in largest:
            if closing_down.is_set():
                return
            asking.search("warm", View(groups=(group.group_id,)))
    if isinstance(installation.extractor, OfflineExtractor):  # one that asks a model has nothing to load
        with suppress(MemstrataError):  # the write says it
            installation.extractor.extract(_anything(installation.clock.now()))


def _anything(now: datetime) -> Episode:
    """An episode that nobody told, with a time in it."""
    return Episode(
        episode_id="warm",
        revision=1,
        group_id=DEFAULT_GROUP,
        source="warm",
        source_type=SourceType.TEXT,
        content="Ada has worked at Acme since May 2021.",
        reference_time=now,
        time_source=TimeSource.RECEIVED,
        ingested_at=now,
        content_hash="",
    )


def _assembled(tokens: Tokens, limits: Limits, metrics: Metrics, life: Any) -> FastAPI:
    app = FastAPI(
        title="Memstrata",
        version=__version__,
        description=_ABOUT,
        lifespan=life,
        docs_url=None,  # they would load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=operation_id,
    )
    parts = (
        episodes,
        searching,
        reading,
        reviewing,
        about,
        walking,
        core,
        costs,
        deciding,
        letters,
        operating,
        querying,
        checking,
        housekeeping,
    )
    for part in parts:
        app.include_router(part.router)
    mounting.mount(app)
    problems.install(app)
    app.add_middleware(Limited, limits=limits, uploads=operating.UPLOADS)
    app.add_middleware(Gate, tokens=tokens)
    app.add_middleware(Journal, metrics=metrics)
    _describe(app)
    return app


def _describe(app: FastAPI) -> None:
    """Adds to the document what the models do not say: problems, and the token."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            made = get_openapi(
                title=app.title, version=app.version, description=app.description, routes=app.routes
            )
            components = made.setdefault("components", {})
            components.setdefault("schemas", {})["Problem"] = PROBLEM_SCHEMA
            components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
            made["security"] = [{"token": []}, {}]
            shapes.describe(components["schemas"])
            for name in ("HTTPValidationError", "ValidationError"):
                components["schemas"].pop(name, None)
            app.openapi_schema = made
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # as FastAPI documents it
