"""`/health`, `/metrics`, `/version`: for whoever runs the server. Nothing of the memory's content."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from memstrata import __version__
from memstrata.errors import MemstrataError
from memstrata.memory.access import OWNER
from memstrata.memory.asking import Asking
from memstrata.service.answers import answered
from memstrata.service.caller import Called
from memstrata.service.documenting import answers
from memstrata.service.problems import Refused
from memstrata.service.shapes import Named
from memstrata.workflow.lag import Lag

if TYPE_CHECKING:
    from memstrata.ports import Installation

router = APIRouter(tags=["housekeeping"])

_FRESH_SECONDS = 5.0
_LIVE = Named("Live", {"status": str})
_READY = Named("Ready", {"status": str, "lag": Lag})
_VERSION = Named("Version", {"name": str, "version": str})
_TEXT = "text/plain; version=0.0.4; charset=utf-8"


@dataclass(slots=True)
class Pulse:
    """What was last known of the lag; asked at most every few seconds, however often somebody looks."""

    installation: Installation
    _at: float = float("-inf")
    _lag: Lag | None = None

    def lag(self) -> Lag:
        """The lag; raises what reading the record and the graph raises."""
        lag = self._lag
        if lag is None or time.monotonic() - self._at > _FRESH_SECONDS:
            self.installation.graph.last_seq("")
            lag = self._lag = Asking(installation=self.installation, grant=OWNER).lag()
            self._at = time.monotonic()
        return lag


@router.get(
    "/health/live", summary="Is the process there?", responses=answers({"status": "live"}, of=_LIVE)
)
async def live() -> Response:
    """Always, while anything answers."""
    return answered({"status": "live"})


@router.get(
    "/health/ready",
    summary="Can it answer? Are record and store reachable, and how far are readers behind?",
    responses=answers(
        {"status": "ready", "lag": {"stages": [{"name": "commit", "waiting": 0}]}}, of=_READY
    ),
)
def ready(request: Request) -> Response:
    """503 with the reason where something is away."""
    try:
        lag = request.app.state.pulse.lag()
    except MemstrataError as error:
        shown = str(error) if request.scope["state"].get("grant") is not None else type(error).__name__
        raise Refused(503, f"not ready: {shown}", kind="not-ready", headers={"Retry-After": "5"}) from error
    return answered({"status": "ready", "lag": lag})


@router.get(
    "/metrics",
    summary="Numbers for Prometheus",
    response_class=Response,
    responses={200: {"description": "Prometheus' text format.", "content": {"text/plain": {}}}},
)
def metrics(request: Request, caller: Called) -> Response:
    """Requests, and what waits: over all groups, without their names."""
    try:
        lag = request.app.state.pulse.lag()
    except MemstrataError:
        lag = None
    return Response(caller.service.metrics.text(lag), media_type=_TEXT)


@router.get(
    "/version",
    summary="The version that runs",
    responses=answers({"name": "memstrata", "version": "0.1.0"}, of=_VERSION),
)
async def version() -> Response:
    """The version."""
    return answered({"name": "memstrata", "version": __version__})
