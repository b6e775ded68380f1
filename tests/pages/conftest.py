"""A server of the pages over a seeded memory, and a browser that fails a test for what goes wrong in it.

Nothing lasts longer than a file of tests: while Playwright runs, its thread has a running event loop.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from pages_world import ARGUMENTS, ONTOLOGY, Watched, chromium, seed, served

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pages_world import Site
    from playwright.sync_api import Browser, Page

REQUIRE = "MEMSTRATA_REQUIRE_CHROMIUM"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this folder start a browser."""
    for item in items:
        if item.path.parent.name == "pages":
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    found = chromium()
    if found is None:
        said = "no Chromium (apt-get install chromium, or name one with MEMSTRATA_CHROMIUM)"
        if os.environ.get(REQUIRE) == "1":
            pytest.fail(said)
        pytest.skip(said)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        yield started
        started.close()


@pytest.fixture(scope="module")
def _bare() -> Iterator[None]:
    """No settings but those of the tests."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("MEMSTRATA_")]:
            if name not in (REQUIRE, "MEMSTRATA_CHROMIUM"):
                patch.delenv(name)
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, _bare: None) -> Iterator[Site]:
    """The seeded memory, served; tests that share it only read."""
    folder = tmp_path_factory.mktemp("pages")
    (folder / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    with served(folder / "home", {"MEMSTRATA_ONTOLOGY": folder / "ontology.yaml"}) as made:
        seed(made)
        yield made


@pytest.fixture
def open_site(tmp_path: Path, _bare: None) -> Iterator[Callable[[], Site]]:
    """Starts a server over an empty memory, for tests that write or make tokens."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(served(tmp_path / "home"))


@pytest.fixture
def watched(browser: Browser, open_site: Callable[[], Site]) -> Iterator[Watched]:
    """The browser; a test fails for any message of the console, exception or request off the server.

    Its pages are closed before the servers that `open_site` started: they may still be asking.
    """
    del open_site
    watching = Watched(browser)
    yield watching
    for context in browser.contexts:
        context.close()
    assert watching.wrong == []


@pytest.fixture
def page(watched: Watched, site: Site) -> Page:
    """The search page over the seeded memory, on a laptop."""
    return watched.open(site)
