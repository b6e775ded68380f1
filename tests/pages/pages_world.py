"""What the tests of the pages share: a server with a memory behind it, and a watched browser."""

from __future__ import annotations

import os
import shutil
import socket
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import httpx
import uvicorn

from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens
from memstrata.service.app import application
from memstrata.settings import Settings, opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from fastapi import FastAPI
    from playwright.sync_api import Browser, ConsoleMessage, Page, Request

    from memstrata.ports import Installation

LAPTOP: Final = {"width": 1280, "height": 800}
PHONE: Final = {"width": 390, "height": 844}
ARGUMENTS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

#: One place at a time, so that a move closes the stay before, and two at once contest each other.
ONTOLOGY: Final = """
relations:
  - {name: lives_in, cardinality: one}
"""
HOSTILE_NAME: Final = "<img src=x onerror=window.hacked=1>"
HOSTILE_TEXT: Final = "<script>window.hacked=1</script>"
TOLD: Final = (
    ("Ada Byron has worked at Acme since March 2019.", "2019-03-04"),
    ("Ada Byron lives in London.", "2019-05-01"),
    ("Ada Byron is married to William King.", "2020-02-11"),
    ("Ada Byron moved to Berlin in July 2021.", "2021-07-20"),
    ("Ada Byron left Acme in 2022. She works at Globex since June 2022.", "2022-06-30"),
    ("Robert Smith works at Globex.", "2022-07-01"),
    ("Bob Smith lives in Berlin.", "2022-08-01"),
    ("Bob Smith manages Ada Byron.", "2023-01-15"),
    (f"Carol Jones works at Acme since 2020. {HOSTILE_TEXT}", "2024-07-02"),
)


def chromium() -> str | None:
    """Where Chromium is; None where there is none."""
    named = os.environ.get("MEMSTRATA_CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A server of the pages, by its address, and the memory behind it."""

    url: str
    home: Path
    installation: Installation

    def call(self, method: str, path: str, **also: Any) -> Any:
        """Asks the API, and expects a good answer."""
        answer = httpx.request(method, f"{self.url}{path}", timeout=60, **also)
        assert answer.is_success, answer.text
        return answer.json()

    def tell(self, *told: tuple[str, str], group: str = "default") -> None:
        """Adds episodes and waits for their facts, one commit each."""
        for content, at in told:
            episode = {"content": content, "reference_time": at, "group_id": group}
            self.call("POST", "/v1/episodes", json={"episodes": [episode], "wait": True})

    def declare(self, subject: str, predicate: str, object_: str, at: str) -> None:
        """Adds a fact as it stands."""
        content = {"subject": subject, "predicate": predicate, "object": object_}
        episode = {"content": content, "source_type": "fact_triple", "reference_time": at}
        self.call("POST", "/v1/episodes", json={"episodes": [episode], "wait": True})

    def token(self, *groups: str, can: Iterable[Right] = tuple(Right)) -> str:
        """A new token; from the first on, nobody enters without one."""
        _, text = Tokens(self.home).create("somebody", groups=groups or ("*",), rights=can)
        return text

    def entity_id(self, name: str, group: str = "default") -> str:
        """The id of whom a name means."""
        found = self.call("GET", "/v1/timeline", params={"entity": name, "groups": group})
        return str(found["entities"][0]["entity_id"])

    def entity_page(self, name: str, group: str = "default") -> str:
        """The path of an entity's page."""
        return f"/entity?group={group}&id={self.entity_id(name, group)}"


@contextmanager
def served(home: Path, settings: Mapping[str, Any] | None = None) -> Iterator[Site]:
    """A real server on a free port, over the memory in that folder."""
    with ExitStack() as stack:
        chosen = Settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none", **(settings or {}))
        installation = stack.enter_context(opened(chosen))
        url = stack.enter_context(_listening(application(installation, home)))
        yield Site(url=url, home=home, installation=installation)


@contextmanager
def _listening(app: FastAPI) -> Iterator[str]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=2))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            _await(url)
            yield url
        finally:
            server.should_exit = True
            thread.join(timeout=10)


def _await(url: str) -> None:
    for _ in range(200):
        try:
            if httpx.get(f"{url}/health/live", timeout=5).is_success:
                return
        except httpx.TransportError:
            threading.Event().wait(0.05)
    raise AssertionError("the server of the pages did not start")


def seed(site: Site) -> None:
    """A small life with everything that the pages draw, and names and texts that mean harm."""
    site.tell(*TOLD)
    site.tell(("Ada Byron lives in London. Ada Byron lives in Rome.", "2018-05-01"))
    site.tell(("Ada Byron no longer knows Charles Babbage.", "2023-06-01"))
    site.declare(HOSTILE_NAME, "WORKS_AT", "<b>Acme</b>", "2024-01-01")
    site.call(
        "POST",
        "/v1/decisions",
        json={"kind": "merge", "pair": ["Bob Smith", "Robert Smith"], "reason": "one badge", "wait": True},
    )
    site.tell(("Dan Gray works at Initech.", "2024-02-01"), group="other")


@dataclass(slots=True)
class Watched:
    """A browser whose pages say nothing to the console, throw nothing, and ask nobody but their server."""

    browser: Browser
    wrong: list[str] = field(default_factory=list)
    _borne: list[str] = field(default_factory=list)

    def bear(self, text: str) -> None:
        """A message of the console that a test brings about on purpose."""
        self._borne.append(text)

    def open(self, site: Site, path: str = "/", **options: Any) -> Page:
        """A page in a context of its own, on a laptop unless said otherwise."""
        context = self.browser.new_context(base_url=site.url, **{"viewport": LAPTOP, **options})
        context.set_default_timeout(10_000)
        page = context.new_page()
        origin = urlsplit(site.url).netloc
        page.on("console", lambda message: self._said(message))  # noqa: PLW0108 (a bound method cannot be marked)
        page.on("pageerror", lambda error: self.wrong.append(f"thrown: {error}"))
        page.on("request", lambda request: self._asked(request, origin))
        page.goto(path)
        return page

    def phone(self, site: Site, path: str = "/", **options: Any) -> Page:
        """The same on a phone."""
        return self.open(site, path, **{"viewport": PHONE, "has_touch": True, "is_mobile": True, **options})

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(one in message.text for one in self._borne):
            self.wrong.append(f"{message.type}: {message.text}")

    def _asked(self, request: Request, origin: str) -> None:
        if urlsplit(request.url).netloc != origin:
            self.wrong.append(f"asked elsewhere: {request.url}")


def overflow(page: Page) -> int:
    """By how many pixels a page is wider than its window."""
    return int(page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))
