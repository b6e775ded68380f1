"""First view of the search, entity and dashboard pages in Chromium, over 50,000 facts, with a cold cache.

A real `memstrata serve` with default options, vectors included; the entity has 600 facts of its own, the
dashboard 90 days of every check. A page is usable when its own mark `usable` has been painted: what it is
for is shown, and its controls answer. Milliseconds are from the navigation's start; each view has a context
of the browser of its own, which has seen nothing before, while the server has answered each page once.
"""

from __future__ import annotations

import math
import os
import shutil
import statistics
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import httpx
import orjson

from benchmarks import load_world
from benchmarks.load import serving
from benchmarks.write import place, triples
from memstrata.drift.catalogue import CHECKS, Side
from memstrata.errors import Fault, Missing
from memstrata.model import DEFAULT_GROUP
from memstrata.ports import CheckResult, Severity
from memstrata.settings import load_settings, opened
from memstrata.workflow.intake import accept

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import date

    from playwright.sync_api import Browser, Page, Request

    from benchmarks.load import Server
    from memstrata.model import Draft

SEED: Final = 20_240_604
FACTS: Final = 50_000
#: Facts about the one entity whose page is opened: it has been to that many places.
FACTS_OF_ONE: Final = 600
DAYS: Final = 90
RUNS: Final = 5
WIDTH, HEIGHT = 1_280, 800
_PATIENCE_S: Final = 30
_TRAVELLER: Final = "Ulyssa Wayfarer"
_ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_USABLE: Final = "() => performance.getEntriesByName('usable')[0]?.startTime ?? null"


@dataclass(slots=True, kw_only=True)
class Seen:
    """What the browser met: milliseconds of each view by page, errors, and requests off the machine."""

    usable: dict[str, list[float]] = field(default_factory=dict)
    server_cpu: dict[str, list[float]] = field(default_factory=dict)
    requests: dict[str, int] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


def run(data: Path | None) -> dict[str, object]:
    """Keys as in BENCHMARKS.md: `usable_ms` is the median of each page, `worst_ms` its slowest view.

    `requests` is how many a first view takes, `server_cpu_ms` the server's work for one. Raises `Missing`
    without Playwright or Chromium, and `Fault` where a page does not come to show what it is for.
    """
    del data  # the input is generated
    return measured(facts=FACTS, runs=RUNS)


def measured(*, facts: int, runs: int) -> dict[str, object]:
    """The figures over that many facts."""
    with _chromium() as browser, tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        _fill(home, facts)
        with serving(home) as server:
            pages = _pages(f"http://127.0.0.1:{server.port}", facts)
            # The first answers of a process load what all later ones share: that is no matter of pages.
            _look(browser, Seen(), server, pages)
            seen = Seen()
            for _ in range(runs):
                _look(browser, seen, server, pages)
    return {
        "usable_ms": {name: round(statistics.median(times)) for name, times in seen.usable.items()},
        "worst_ms": {name: round(max(times)) for name, times in seen.usable.items()},
        "errors": len(seen.errors),
        "foreign_requests": len(seen.foreign),
        "server_cpu_ms": {name: round(statistics.median(used)) for name, used in seen.server_cpu.items()},
        "requests": seen.requests,
        "said": [*seen.errors, *seen.foreign][:10],
        "facts": facts,
        "runs": runs,
        "seed": SEED,
    }


def _pages(url: str, facts: int) -> dict[str, tuple[str, str]]:
    """Each page's address, and the content that it must have come to show."""
    [question] = load_world.questions(facts=facts, count=1, seed=SEED)
    found = httpx.get(f"{url}/v1/facts", params={"about": _TRAVELLER, "limit": 1}).json()["items"]
    entity = found[0]["version"]["fact"]["subject"]
    return {
        "search": (f"/?{urlencode({'q': question})}", "#results .fact"),
        "entity": (f"/entity?{urlencode({'group': DEFAULT_GROUP, 'id': entity})}", ".life svg"),
        "dashboard": ("/dashboard", ".check svg"),
    }


def _look(browser: Browser, seen: Seen, server: Server, pages: Mapping[str, tuple[str, str]]) -> None:
    """A first view of each page."""
    for name, (address, content) in pages.items():
        used = server.processor_seconds()
        _view(browser, seen, name, url=f"http://127.0.0.1:{server.port}{address}", content=content)
        worked = 1_000 * (server.processor_seconds() - used)
        seen.server_cpu.setdefault(name, []).append(worked)


def _view(browser: Browser, seen: Seen, name: str, *, url: str, content: str) -> None:
    """One first view, in a context that has seen nothing."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    try:
        page = context.new_page()
        asked: list[str] = []

        def note(request: Request) -> None:
            asked.append(request.url)
            if httpx.URL(request.url).host != "127.0.0.1":
                seen.foreign.append(f"{name}: {request.url}")

        context.on("request", note)
        page.on("pageerror", lambda error: seen.errors.append(f"{name}: {error}"))
        page.on(
            "console",
            lambda said: seen.errors.append(f"{name}: {said.text}") if said.type == "error" else None,
        )
        page.goto(url)
        usable = _usable(page)
        if not page.locator(content).count():
            raise Fault(
                f"the {name} page says that it is usable and shows no {content}: this times nothing"
            )
        seen.usable.setdefault(name, []).append(usable)
        page.wait_for_load_state("networkidle")
        seen.requests[name] = len(asked)
    finally:
        context.close()


def _usable(page: Page) -> float:
    """When the page was usable: asked for again and again, as its policy lets no text become a script."""
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        at = page.evaluate(_USABLE)
        if at is not None:
            return float(at)
        time.sleep(0.02)
    raise Fault(f"{page.url} has not become usable in {_PATIENCE_S} s: {page.inner_text('#notice')}")


@contextmanager
def _chromium() -> Iterator[Browser]:
    try:
        from playwright.sync_api import sync_playwright  # only here: it is a tool of development
    except ImportError:
        raise Missing("pages are opened by Playwright: pip install playwright") from None
    path = (
        os.environ.get("MEMSTRATA_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    )
    if path is None:
        raise Missing(
            "there is no Chromium here: apt-get install chromium, or set MEMSTRATA_CHROMIUM to its path"
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(_ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


def _fill(home: Path, facts: int) -> None:
    """The memory that is looked at: one who has been everywhere, many others, and checks of many days."""
    settings = load_settings(MEMSTRATA_HOME=home, MEMSTRATA_EMBEDDER="none")
    with opened(settings) as installation:
        for _ in accept(installation, _travels()):
            pass
        installation.record.note_checks(list(_results(datetime.now(UTC))))
    load_world.filled(home, facts=facts - FACTS_OF_ONE, seed=SEED)


def _travels() -> Iterator[Draft]:
    for number, draft in enumerate(triples(0, FACTS_OF_ONE)):
        where = place(number)
        content = {
            "subject": {"name": _TRAVELLER, "type": "person"},
            "predicate": ("visited", "worked_at", "wrote_to")[number % 3],
            "object": {"name": where, "type": "organization"},
            "fact": f"{_TRAVELLER} has been at {where}.",
            "valid_at": f"{1960 + number % 60}-01-01T00:00:00Z",
        }
        yield replace(draft, group_id=DEFAULT_GROUP, content=orjson.dumps(content).decode())


def _results(now: datetime) -> Iterator[CheckResult]:
    for back in range(DAYS):
        for number, about in enumerate(CHECKS):
            value = 0.5 + 0.4 * math.sin(back / 9 + number)
            limit = 0.85
            yield CheckResult(
                check=about.check,
                group_id=DEFAULT_GROUP,
                day=_day(now, back),
                at=now - timedelta(days=back),
                severity=Severity.WARNING,
                passed=value <= limit if about.fails is Side.ABOVE else value >= 1 - limit,
                value=round(value, 3),
                threshold=limit if about.fails is Side.ABOVE else 1 - limit,
                sentence=f"{about.title}: {value:.3f}.",
                details={"total": 1_000.0},
            )


def _day(now: datetime, back: int) -> date:
    return (now - timedelta(days=back)).date()
