"""The documents for Python: their blocks are run, the loop of tools against a scripted model."""

from __future__ import annotations

import doctest
import json
import os
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from memstrata import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith(("MEMSTRATA_", "OPENAI_", "LANG"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("MEMSTRATA_EMBEDDER", "none")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("document", ["docs/python.md", "docs/recipes/langgraph.md"])
def test_what_a_document_types_in_python_gives_what_it_shows(document: str, empty_folder: Path) -> None:
    failed, tried = doctest.testfile(str(ROOT / document), module_relative=False)
    assert tried > 5
    assert failed == 0


@pytest.mark.parametrize(
    "document", ["docs/python.md", "docs/recipes/langgraph.md", "docs/recipes/openai.md"]
)
def test_links_of_the_documents_for_python_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / document).read_text(encoding="utf-8"))
    assert not [link for link in links if not ((ROOT / document).parent / link).exists()]


class Script:
    """A chat model that asks for these tool calls, one a request, then says that it is done."""

    def __init__(self, *calls: tuple[str, dict[str, str]]) -> None:
        self.calls = calls
        self.asked: list[dict[str, Any]] = []

    def reply(self, asked: dict[str, Any]) -> dict[str, Any]:
        self.asked.append(asked)
        done = sum(one["role"] == "tool" for one in asked["messages"])
        if done < len(self.calls):
            name, given = self.calls[done]
            function = {"name": name, "arguments": json.dumps(given)}
            call = {"id": f"call_{done}", "type": "function", "function": function}
            return {"role": "assistant", "content": None, "tool_calls": [call]}
        return {"role": "assistant", "content": "Done."}


@contextmanager
def serving(script: Script) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message = script.reply(asked)
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            answer = {
                "id": "c",
                "object": "chat.completion",
                "created": 1,
                "model": "m",
                "choices": [choice],
            }
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.slow
def test_the_loop_of_tools_remembers_looks_up_and_edits_its_core_block(empty_folder: Path) -> None:
    page = (ROOT / "docs/recipes/openai.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (empty_folder / "loop.py").write_text(code, encoding="utf-8")
    script = Script(
        ("remember", {"text": "I have worked at Acme since March 2021."}),
        ("look_up", {"query": "where does Ada work"}),
        ("note_on_user", {"line": "Prefers short answers."}),
        ("note_on_user", {"wrong": "x"}),
        ("look_up", {"query": " "}),
    )
    with serving(script) as url:
        environment = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "k", "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "loop.py"],
            input="Where do I work?\n",
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Done.\n"
    answers = [one["content"] for one in script.asked[-1]["messages"] if one["role"] == "tool"]
    assert answers[0] == "remembered: Ada works at Acme"
    assert "Ada -works_at-> Acme" in answers[1]
    assert answers[2] == "noted"
    assert answers[3] == "refused: 'line'"
    assert answers[4].startswith("refused: ")
    with Memory() as memory:
        block = memory.core.get("human", user_id="Ada")
        assert block is not None
        assert block.text == "Prefers short answers."
        turns = memory.episodes(group="Ada").items
        assert "Where do I work?" in {one.content for one in turns}
        assert sum(one.source_type == "json" for one in turns) == 1
