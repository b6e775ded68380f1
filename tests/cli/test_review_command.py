"""`memstrata review`: what waits for a person, from the command line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata

ONTOLOGY = "relations:\n- {name: works_at, review: true}\n- {name: lives_in, least_confidence: 0.95}\n"


@pytest.fixture
def waiting(folder: Path, memstrata: Memstrata, monkeypatch: pytest.MonkeyPatch) -> Memstrata:
    """A memory in which two facts wait, of two rules."""
    (folder / "ontology.yaml").write_text(ONTOLOGY, encoding="utf-8")
    monkeypatch.setenv("MEMSTRATA_ONTOLOGY", str(folder / "ontology.yaml"))
    assert memstrata("init").status == 0
    for text in ("Maren works at Oakmere.", "Ole lives in Bergen."):
        assert memstrata("add", text, "--time", "2025-05-01T10:00:00Z").status == 0
    worked = memstrata("work", "--once")
    assert worked.status == 0
    assert "0 assertions (2 extracted), 2 held for `memstrata review`" in worked.out
    return memstrata


def listed(memstrata: Memstrata, *words: str) -> list[dict[str, object]]:
    done = memstrata("review", "list", "--json", *words)
    assert done.status == 0, done.err
    items = json.loads(done.out)["items"]
    assert isinstance(items, list)
    return items


def test_what_waits_is_listed_with_its_rule_and_counted(waiting: Memstrata) -> None:
    shown = waiting("review", "list")
    assert "is_left_to_review: the relation 'works_at' is declared for review" in shown.out
    assert "is_sure_enough" in shown.out
    assert [one["rule"] for one in listed(waiting, "--rule", "is_sure_enough")] == ["is_sure_enough"]
    assert [one["item"]["predicate"] for one in listed(waiting, "--relation", "works_at")] == ["works_at"]  # type: ignore[index]
    assert listed(waiting, "--kind", "lost") == []
    assert waiting("review", "list", "--kind", "pair").status == 0


def test_one_is_shown_accepted_and_found(waiting: Memstrata) -> None:
    waiting("add", "I work at Oakmere.", "--speaker", "Lea", "--time", "2025-06-01T10:00:00Z")
    waiting("work", "--once")
    [entry, said] = listed(waiting, "--relation", "works_at")
    assert "“I work at Oakmere.”  Lea" in waiting("review", "list").out
    shown = waiting("review", "show", str(said["entry_id"]))
    assert "of 2025-06-01 10:00, by Lea\n  I work at Oakmere." in shown.out
    waiting("review", "reject", str(said["entry_id"]))
    accepted = waiting("review", "accept", str(entry["entry_id"]), "--who", "ada", "--json")
    assert json.loads(accepted.out)["items"] == 1
    waiting("work", "--once")
    assert "works_at" in waiting("facts", "Maren").out
    assert listed(waiting, "--relation", "works_at") == []


def test_one_is_edited_and_a_bad_edit_is_refused_by_name(waiting: Memstrata) -> None:
    [entry] = listed(waiting, "--relation", "works_at")
    bad = waiting("review", "edit", str(entry["entry_id"]), "--set", "confidence=much")
    assert bad.status == 2
    assert "confidence is 'much'; expected a number from 0 to 1" in bad.err
    good = waiting("review", "edit", str(entry["entry_id"]), "--set", "object=Birchmere")
    assert good.status == 0, good.err
    waiting("work", "--once")
    assert "Birchmere" in waiting("facts", "Maren").out


def test_a_batch_says_how_many_before_it_decides(waiting: Memstrata) -> None:
    dry = waiting("review", "reject", "--batch", "--rule", "is_sure_enough", "--dry-run")
    assert "would be decided: reject 1 item" in dry.out
    assert len(listed(waiting)) == 2
    assert "decided" in waiting("review", "reject", "--batch", "--rule", "is_sure_enough").out
    assert [one["rule"] for one in listed(waiting)] == ["is_left_to_review"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("accept",), "give the id of one, or --batch"),
        (("accept", "--batch"), "--batch needs --rule or --relation"),
        (("accept", "x", "--batch", "--rule", "r"), "give the id of one, or --batch"),
        (("accept", "x", "--rule", "is_sure_enough"), "give the id of one, or --batch"),
        (("list", "--rule", "is_sure"), "there is no rule 'is_sure'; did you mean 'is_sure_enough'?"),
        (("reject", "--batch", "--rule", "nosuch"), "there is no rule 'nosuch'"),
        (("accept", "nothing"), "nothing that waits for review"),
        (("show", "nothing"), "nothing that waits for review"),
        (("edit", "x", "--set", "object"), "has no value"),
        (("list", "--after", "here"), "none of this list"),
        (("list", "--group", "elsewhere"), "there is no group 'elsewhere'"),
    ],
)
def test_what_cannot_be_done_is_said(waiting: Memstrata, words: tuple[str, ...], said: str) -> None:
    done = waiting("review", *words)
    assert done.status != 0
    assert said in done.err


def test_an_unknown_id_is_refused_as_other_commands_refuse_it(waiting: Memstrata) -> None:
    elsewhere = waiting("retract", "nothing")
    for words in (("show", "nothing"), ("accept", "nothing"), ("reject-proposal", "never_proposed")):
        refused = waiting("review", *words)
        assert (refused.status, refused.out) == (elsewhere.status, ""), words
        assert words[1] in refused.err


def test_a_write_that_waits_tells_what_is_held_and_which_command_lists_it(waiting: Memstrata) -> None:
    said = "Maren works at Ashby. Ole lives in Porto."
    told = waiting("add", said, "--time", "2025-06-01", "--wait")
    assert "  2 facts held for review: memstrata review list\n" in told.out
    again = waiting("add", said, "--time", "2025-06-01", "--wait", "--json")
    assert [one["held"] for one in json.loads(again.out)] == [2]
    plain = waiting("add", "Good morning.", "--time", "2025-06-02", "--wait")
    assert (plain.status, "held" in plain.out) == (0, False)


def test_files_that_are_waited_for_tell_what_is_held(waiting: Memstrata, folder: Path) -> None:
    (folder / "notes.txt").write_text("Maren works at Ashby.", encoding="utf-8")
    told = waiting(
        "ingest", str(folder / "notes.txt"), "--group", "acme", "--wait", "--reference-time", "2025-06-01"
    )
    assert "1 fact held for review: memstrata review list --group acme" in told.out
