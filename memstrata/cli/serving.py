"""`serve`: the memory over HTTP, until it is told to stop."""

from __future__ import annotations

import ipaddress
import os
import socket
from typing import Final

import click

from memstrata.cli.epilogs import examples
from memstrata.cli.session import complaints
from memstrata.errors import Incorrect, Missing
from memstrata.memory.tokens import Tokens
from memstrata.settings import load_settings

#: The service by name: the command line starts it, and knows nothing else of it.
_APP: Final = "memstrata.service.app:from_settings"
_GRACE_SECONDS: Final = 20
_IDLE_SECONDS: Final = 30
_BACKLOG: Final = 512


@click.command(epilog=examples("memstrata serve", "memstrata serve --host 0.0.0.0 --port 8080 --workers 2"))
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    default=8765,
    show_default=True,
    type=click.IntRange(0, 65_535),
    help="The port; 0: a free one.",
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="How many processes."
)
@click.option(
    "--work/--no-work",
    default=None,
    help="Take in what is accepted, in a process of its own (default: yes, or MEMSTRATA_SERVE_WORK).",
)
def serve(host: str, port: int, workers: int, work: bool | None) -> None:
    """Serve the memory over HTTP: REST under /v1, described at /openapi.json.

    Without tokens (`memstrata token create`) only this machine is answered, and no other address is
    listened on. Ends on an interrupt, when what is being answered has been answered.
    """
    if work is not None:
        os.environ["MEMSTRATA_SERVE_WORK"] = "true" if work else "false"  # to the processes that serve
    settings = load_settings()
    if not (_is_of_this_machine(host) or Tokens(settings.home.absolute()).is_configured):
        raise Incorrect(
            f"--host {host} can be reached from other machines, and no token is configured: everybody "
            "would have everything; make one with `memstrata token create`, or serve on 127.0.0.1"
        )
    with _listening(host, port) as listener:
        shown, number = listener.getsockname()[:2]
        where = f"[{shown}]" if ":" in shown else shown
        complaints.print(f"listening on http://{where}:{number}", highlight=False, soft_wrap=True)
        _run(listener, workers)


def _run(listener: socket.socket, workers: int) -> None:
    try:
        import uvicorn
        from uvicorn.supervisors import Multiprocess
    except ModuleNotFoundError as error:
        raise Missing(
            f"the package {error.name} is not installed; pip install 'memstrata[service]'"
        ) from error
    config = uvicorn.Config(
        _APP,
        factory=True,
        workers=workers,
        access_log=False,
        log_level="warning",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=_IDLE_SECONDS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
        ws="none",
    )
    if workers > 1:
        Multiprocess(config, sockets=[listener]).run()
    else:
        server = uvicorn.Server(config)
        server.run(sockets=[listener])
        if not server.started:
            raise SystemExit(1)


def _listening(host: str, port: int) -> socket.socket:
    """The open socket; raises `Incorrect` where it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise Incorrect(f"--host {host} is no address of this machine: {error}") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise Incorrect(
            f"cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}; give another --port"
        ) from error
    listener.set_inheritable(True)
    return listener


def _is_of_this_machine(host: str) -> bool:
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
