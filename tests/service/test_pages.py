"""The pages as files: who gets them, with which headers, and that nothing else is open beside them."""

from __future__ import annotations

import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest

from memstrata.service import pages

if TYPE_CHECKING:
    from fastapi.testclient import TestClient
    from serving_world import Serving

NAMES = sorted(one.name for one in files(pages).joinpath("static").iterdir())
TYPES = {"html": "text/html", "css": "text/css", "js": "text/javascript", "svg": "image/svg+xml"}


@pytest.mark.parametrize("path", pages.DOORS)
def test_every_door_answers_the_one_document(client: TestClient, path: str) -> None:
    answer = client.get(path, params={"group": "a", "id": "b"})
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text == client.get("/pages/index.html").text


@pytest.mark.parametrize("name", NAMES)
def test_every_file_is_sent_with_its_type_and_is_never_framed(client: TestClient, name: str) -> None:
    answer = client.get(f"/pages/{name}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(TYPES[name.rpartition(".")[2]])
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_a_file_that_is_known_is_not_sent_again(client: TestClient) -> None:
    first = client.get("/pages/app.js")
    assert first.headers["cache-control"] == "no-cache"
    again = client.get("/pages/app.js", headers={"If-None-Match": f'"other", W/{first.headers["etag"]}'})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get("/pages/app.js", headers={"If-None-Match": '"other"'}).status_code == 200


@pytest.mark.parametrize("name", ["no.js", "../__init__.py", "%2e%2e/__init__.py", "static/app.js", ""])
def test_what_is_no_file_of_the_pages_is_not_there(client: TestClient, name: str) -> None:
    answer = client.get(f"/pages/{name}")
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("path", sorted(pages.PATHS))
def test_the_pages_are_open_and_say_nothing_of_the_memory(serving: Serving, path: str) -> None:
    serving.token("acme")
    stranger = serving.client(host="10.0.0.7", url="http://memory.example")
    assert stranger.get(path).status_code == 200


@pytest.mark.parametrize("path", ["/pages", "/pages/", "/pages/nothing.js", "/entity/", "/graph/x"])
def test_nothing_beside_the_pages_is_open(serving: Serving, path: str) -> None:
    serving.token("acme")
    assert serving.client(host="10.0.0.7", url="http://memory.example").get(path).status_code == 401


@pytest.mark.parametrize("path", ["/", "/pages/app.js"])
def test_the_pages_are_only_read(client: TestClient, path: str) -> None:
    assert client.head(path).status_code == 200
    assert client.post(path).status_code == 405


def test_the_document_loads_nothing_from_elsewhere_and_has_no_script_in_line(client: TestClient) -> None:
    text = client.get("/").text
    assert "://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "<script>" not in text
    assert " style=" not in text


@pytest.mark.parametrize(("path", "page"), pages.DOORS.items())
def test_the_document_names_every_script_and_style_that_its_page_will_ask_for(
    client: TestClient, path: str, page: str
) -> None:
    named = re.findall(
        r"<(/pages/[^>]+)>; rel=(modulepreload|preload; as=style)", client.get(path).headers["link"]
    )
    links = dict(named)
    assert len(links) == len(named)
    assert f"/pages/{page}.js" in links
    for address, kind in named:
        assert client.get(address).status_code == 200
        assert (kind == "modulepreload") == address.endswith(".js")
        if address.endswith(".js"):
            asked = re.findall(
                r'^import .*? from "(/pages/[^"]+)";', client.get(address).text, re.MULTILINE
            )
            assert set(asked) <= set(links)
