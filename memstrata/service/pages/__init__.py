"""The pages: static files that hold nothing of the memory, and ask `/v1` for it as any client does.

Five paths answer the one document, whose script draws what the path means; its parts lie under
`/pages/`. What a page shows, and how, is in `static/`; who may see what is decided behind `/v1` alone.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from starlette.responses import Response
from starlette.routing import Route

from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastapi import FastAPI
    from starlette.requests import Request

#: Where somebody arrives, and the script that draws what is asked for there: each answers the one document.
DOORS: Final = MappingProxyType(
    {
        "/": "search",
        "/entity": "entity",
        "/graph": "graph",
        "/review": "review",
        "/dashboard": "dashboard",
    }
)
FOLDER: Final = "/pages/"
_DOCUMENT: Final = "index.html"
_IMPORTED: Final = re.compile(rb'^import [^"\n]*"/pages/([\w-]+\.js)";', re.MULTILINE)
_STYLED: Final = re.compile(rb'\bstyled\("/pages/([\w-]+\.css)"\)')
_TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
#: No script, style or picture from elsewhere or in line, and no frame of another site around it.
_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",  # kept, and asked about by its tag: an upgrade is seen at once
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file as it is sent."""

    body: bytes
    media_type: str
    tag: str


def _assets() -> Mapping[str, Asset]:
    """The files by name, as they were packed."""
    found = {}
    for one in files(__name__).joinpath("static").iterdir():
        media_type = _TYPES.get(PurePosixPath(one.name).suffix)
        if media_type is not None:
            body = one.read_bytes()
            tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
            found[one.name] = Asset(body=body, media_type=media_type, tag=tag)
    return MappingProxyType(found)


_ASSETS: Final = _assets()


def _links(page: str) -> str:
    """A Link header that names what a page's script will ask for: one round trip instead of one a level."""
    needed, waiting = {}, [f"{page}.js"]
    while waiting:
        name = waiting.pop()
        if name in _ASSETS and name not in needed:
            needed[name] = _ASSETS[name].body
            waiting += [one.decode() for one in _IMPORTED.findall(needed[name])]
    styles = sorted({one.decode() for body in needed.values() for one in _STYLED.findall(body)})
    return ", ".join(
        [
            *(f"<{FOLDER}{name}>; rel=modulepreload" for name in needed),
            *(f"<{FOLDER}{name}>; rel=preload; as=style" for name in styles),
        ]
    )


_LINKS: Final = MappingProxyType({path: _links(page) for path, page in DOORS.items()})

#: Everything that is answered here: what the gate lets through without a token, and no path more.
PATHS: Final = frozenset({*DOORS, *(f"{FOLDER}{name}" for name in _ASSETS)})


def mount(app: FastAPI) -> None:
    """Puts the pages beside the routes."""
    doors = [Route(path, _document) for path in DOORS]
    app.router.routes.extend([*doors, Route(f"{FOLDER}{{name:path}}", _asset)])


def _document(request: Request) -> Response:
    return _sent(_ASSETS[_DOCUMENT], request, Link=_LINKS[request.url.path])


def _asset(request: Request) -> Response:
    name = request.path_params["name"]
    found = _ASSETS.get(name)
    if found is None:
        raise Refused(404, f"the pages have no file {name[:80]!r}; they begin at /", kind="not-found")
    return _sent(found, request)


def _sent(asset: Asset, request: Request, **also: str) -> Response:
    headers = {**_HEADERS, **also, "ETag": asset.tag}
    known = request.headers.get("if-none-match", "")
    if known == "*" or asset.tag in (one.strip().removeprefix("W/") for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return Response(asset.body, headers=headers, media_type=asset.media_type)
