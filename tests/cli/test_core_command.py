"""`memstrata core`: blocks that stand in every context, kept from the command line."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Memstrata


def test_a_block_is_written_shown_and_stands_in_every_context(memstrata: Memstrata) -> None:
    done = memstrata("core", "set", "persona", "You are brief.", "--who", "ada", "--reason", "taste")
    assert (done.status, done.err) == (0, "")
    assert "persona is now as follows (14 of 2,000 characters)" in done.out
    assert memstrata("core", "append", "persona", "Never guess.").status == 0
    assert memstrata("core", "replace", "persona", "brief", "kind").status == 0
    shown = json.loads(memstrata("core", "show", "persona", "--json").out)
    assert [one["text"] for one in shown] == ["You are kind.\nNever guess."]
    context = memstrata("context", "anything at all").out.splitlines()
    assert context[1:4] == [
        "Core persona:",
        "  You are kind. [core memory persona]",
        "  Never guess. [core memory persona]",
    ]


def test_every_edit_stays_in_the_history_and_survives_a_rebuild(memstrata: Memstrata) -> None:
    memstrata("core", "set", "human", "Ada", "--who", "ada", "--reason", "asked")
    memstrata("core", "clear", "human")
    told = json.loads(memstrata("core", "history", "human", "--json").out)
    assert [one["edit"]["operation"] for one in told] == ["set", "clear"]
    assert [one["after"]["text"] for one in told] == ["Ada", ""]
    assert (told[0]["who"], told[0]["reason"]) == ("ada", "asked")
    assert memstrata("core", "show", "human").out == "empty\n"
    assert memstrata("rebuild").status == 0
    assert json.loads(memstrata("core", "history", "human", "--json").out) == told
    then = json.loads(memstrata("core", "show", "--json", "--system-as-of", told[0]["at"]).out)
    assert [one["text"] for one in then] == ["Ada"]
    assert [line.split("  ")[1:] for line in memstrata("core", "history", "human").out.splitlines()] == [
        ["set", "by ada: asked"],
        ["“Ada”"],
        ["clear", "by person"],
        ["empty"],
    ]


def test_a_rule_shows_facts_as_they_are_when_it_is_read(memstrata: Memstrata) -> None:
    given = {"subject": "Ada", "predicate": "works_at", "object": "Acme"}
    memstrata("add", json.dumps(given), "--type", "fact_triple", "--time", "2024-01-01")
    memstrata("work", "--once")
    done = memstrata("core", "rule", "human", "--about", "Ada", "--relation", "Works At")
    assert done.status == 0, done.err
    assert "Ada -works_at-> Acme (valid from 2024-01-01 to present)" in done.out
    given["object"] = "Globex"
    memstrata("add", json.dumps(given), "--type", "fact_triple", "--time", "2024-02-01")
    memstrata("work", "--once")
    assert "Ada -works_at-> Globex" in memstrata("core", "show").out


def test_an_edit_can_be_tried(memstrata: Memstrata) -> None:
    assert "would be as follows" in memstrata("core", "set", "persona", "x", "--dry-run").out
    assert memstrata("core", "show").out.startswith("no core blocks")


def test_a_text_may_come_from_standard_input(memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo\n"))
    assert memstrata("core", "set", "persona", "-").status == 0
    assert json.loads(memstrata("core", "show", "--json").out)[0]["text"] == "one\ntwo"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("core", "set", "two words", "x"), "is no label"),
        (("core", "set", "persona", "x" * 2001), "1 too many"),
        (("core", "set", "persona", "  "), "the text is blank"),
        (("core", "replace", "persona", "a", "b"), "does not stand in the block"),
        (("core", "rule", "human", "--about", "Nobody"), "is called 'Nobody'"),
        (("core", "history", "persona"), "there are: none yet"),
        (("context", "x", "--budget", "0"), "expected at least 50"),
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(
    memstrata: Memstrata, words: tuple[str, ...], said: str
) -> None:
    done = memstrata(*words)
    assert done.status == 2
    assert said in done.err
    assert memstrata("core", "show", "--json").out == "[]\n"
