"""docs/rest.md does as it says: its requests are sent to a server, and its tables name what there is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

import orjson
import pytest

from memstrata.service.configured import limits_of
from memstrata.service.limits import MEBIBYTE, Limits
from memstrata.settings import Settings

if TYPE_CHECKING:
    from serving_world import Serving

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "rest.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_every_route_of_the_page_is_there_and_every_route_is_on_the_page(serving: Serving) -> None:
    paths = set(serving.client().get("/openapi.json").json()["paths"])
    named = set(re.findall(r"/v1/[a-z]+", TEXT))
    assert {re.match(r"/v1/[a-z]+", path).group(0) for path in paths if path.startswith("/v1/")} == named  # type: ignore[union-attr]


def test_the_limits_of_the_page_are_those_in_force() -> None:
    limits = Limits()
    assert f"past {limits.body // MEBIBYTE} MiB (a file: {limits.upload // MEBIBYTE} MiB)" in TEXT
    assert f"more than {limits.requests_of_one} requests of a token, or {limits.requests} in all" in TEXT
    assert f"no answer in {limits.answer_seconds:g} s" in TEXT
    assert f"arrive in {limits.body_seconds:g} s" in TEXT


def test_every_limit_of_the_page_is_a_setting_with_that_default() -> None:
    table = TEXT.partition("## Limits")[2]
    rows = re.findall(r"^\| (`MEMSTRATA_SERVE_.*?) \| ([\d, ]+) \|", table, re.MULTILINE)
    named = [name for names, _ in rows for name in re.findall(r"`(\w+)`", names)]
    defaults = [int(one) for _, values in rows for one in values.split(", ")]
    aliases = [str(one.validation_alias) for one in Settings.model_fields.values()]
    assert set(named) == {one for one in aliases if one.startswith("MEMSTRATA_SERVE_")} - {
        "MEMSTRATA_SERVE_WORK"
    }
    said = Settings(**dict(zip(named, defaults, strict=True)))  # type: ignore[arg-type]  # by their names
    assert limits_of(said) == Limits()
    others = {name: default + 1 for name, default in zip(named, defaults, strict=True)}
    changed, usual = limits_of(Settings(**others)), Limits()  # type: ignore[arg-type]  # as above
    assert all(
        getattr(changed, one.name) != getattr(usual, one.name)
        for one in fields(usual)
        if one.name != "exports"
    )


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("curl") is None, reason="no curl here")
def test_the_requests_of_the_page_work(tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMSTRATA_")}
    environment = {**kept, "PYTHONPATH": str(ROOT), "MEMSTRATA_EMBEDDER": "none", "COLUMNS": "200"}
    server = subprocess.Popen(
        [sys.executable, "-m", "memstrata", "serve", "--port", "0"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        url = server.stderr.readline().split("listening on ")[1].strip()
        answers = []
        script = "\n".join(BLOCKS[1:]).replace("http://127.0.0.1:8765", url)
        script = script.replace("curl -s", "curl -s -w '\\n%{http_code}\\n'", 6)
        done = subprocess.run(
            ["/bin/bash", "-c", script], capture_output=True, text=True, check=True, timeout=60
        )
        answers = [line for line in done.stdout.splitlines() if line]
    finally:
        server.terminate()
        server.wait(30)
    assert answers.count("200") == 4, answers
    assert answers.count("201") == 1
    searched = orjson.loads(answers[2])
    assert searched["facts"][0]["fact"]["version"]["fact"]["fact"] == "Ada Byron works at Acme"
