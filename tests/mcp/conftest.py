"""One server a transport for all tests of tools; each test keeps to groups of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from agents import ALL, over_http, over_stdio, served

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agents import Agent


@pytest.fixture(scope="package", params=["stdio", "http"])
def agent(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    """An agent with every tool, of a memory that is the owner's."""
    home = tmp_path_factory.mktemp(request.param)
    if request.param == "stdio":
        with over_stdio(home, *ALL) as one:
            yield one
    else:
        with served(home, *ALL) as address, over_http(address) as one:
            yield one


@pytest.fixture
def group(request: pytest.FixtureRequest) -> str:
    """A group of this test alone."""
    return f"tests/{request.node.name.partition('[')[0]}"
