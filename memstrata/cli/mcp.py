"""`memstrata mcp`: the memory as tools of the Model Context Protocol."""

from __future__ import annotations

import importlib
import os
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

import click

from memstrata.cli.epilogs import examples
from memstrata.cli.session import group_option
from memstrata.errors import Missing
from memstrata.memory.audit import Audit
from memstrata.memory.tokens import Tokens
from memstrata.settings import load_settings, opened

if TYPE_CHECKING:
    from types import ModuleType

_PORT: Final = 8421
#: The token as which a client enters that starts this process itself; a secret, so no option.
_TOKEN: Final = "MEMSTRATA_TOKEN"  # noqa: S105 (the name of a variable)


@click.command(
    epilog=examples(
        "memstrata mcp",
        "memstrata mcp --group acme/eng --profile extended",
        "memstrata mcp --http --port 8421",
    )
)
@click.option("--http", "over_http", is_flag=True, help="Streamable HTTP at /mcp instead of stdio.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to serve, with --http.")
@click.option("--port", default=_PORT, show_default=True, type=click.IntRange(1, 65_535), help="Its port.")
@click.option(
    "--profile",
    type=click.Choice(["core", "extended"]),
    default="core",
    show_default=True,
    help="Which tools are listed: what an agent needs always, or all.",
)
@click.option("--allow-destructive", is_flag=True, help="List the tools that retract, too.")
@group_option
def mcp(
    over_http: bool, host: str, port: int, profile: str, allow_destructive: bool, group_id: str
) -> None:
    """Serve the memory to an agent as tools (MCP): on standard input and output, or over HTTP.

    GROUP is meant where a tool is called without a group. Over HTTP each request shows its token
    (Authorization: Bearer); on standard input and output MEMSTRATA_TOKEN holds it. While no token is
    configured, only this machine is served.
    """
    catalogue, server, tool = map(_part, ("mcp.catalogue", "mcp.server", "mcp.tool"))
    _part("mcp.logs").log_to_standard_error()
    home = load_settings().home.absolute()
    tokens = Tokens(home)
    listed = catalogue.Catalogue(profile=tool.Profile(profile), allow_destructive=allow_destructive)
    with opened() as installation, closing(_part("embedding").Embedding(installation)) as vectors:
        given: dict[str, Any] = {
            "installation": installation,
            "catalogue": listed,
            "audit": Audit(home, "mcp"),
            "vectors": vectors,
            "group_id": group_id,
        }
        if over_http:
            http = _part("mcp.http")
            tools = server.Tools(grant_of=http.grant_of_request, **given)
            http.serve(tools, tokens, host=host, port=port)
            return
        stdio = _part("mcp.stdio")
        token = os.environ.get(_TOKEN, "")
        stdio.grant_of_process(tokens, token)  # a wrong one is refused before anything is served
        stdio.serve(server.Tools(grant_of=lambda _request: stdio.grant_of_process(tokens, token), **given))


def _part(name: str) -> ModuleType:
    """A module of the server: it stands beside the command line, and needs an extra."""
    try:
        return importlib.import_module(f"memstrata.service.{name}")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "memstrata":
            raise
        raise Missing(
            f"the package {error.name} is not installed; pip install 'memstrata[service]'"
        ) from error
