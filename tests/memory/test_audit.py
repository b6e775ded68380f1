"""The audit: every call of a face leaves one line, and no line holds what was said or asked."""

from __future__ import annotations

import inspect
import threading
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from scripted import draft, works

from memstrata.errors import Damaged, Fault, Forbidden
from memstrata.memory.access import OWNER, Grant, Right
from memstrata.memory.asking import Asking
from memstrata.memory.audit import Audit, Noted, read_audit
from memstrata.memory.telling import Telling
from memstrata.search.view import View

if TYPE_CHECKING:
    from pathlib import Path

    from belief_world import World

    from memstrata.memory.audit import AuditLine

GRANT = Grant(who="ci", groups=("g",), rights=frozenset(Right), token_id="0123456789ab")  # noqa: S106 (an id, no secret)
TOLD = "Zanzibar"
_PUBLIC = [
    (cls, name)
    for cls in (Asking, Telling)
    for name, method in vars(cls).items()
    if inspect.isfunction(method) and not name.startswith("_")
]


def _lines(world: World) -> list[AuditLine]:
    return list(read_audit(world.home))


@pytest.fixture
def asking(world: World) -> Asking:
    return Asking(installation=world.installation, grant=GRANT, audit=Audit(world.home, "rest"))


@pytest.fixture
def telling(world: World) -> Telling:
    return Telling(installation=world.installation, grant=GRANT, audit=Audit(world.home, "mcp"))


def test_a_write_is_one_line_with_who_what_and_where(telling: Telling, world: World) -> None:
    telling.remember([draft("a", works("Ann Lee", TOLD), day=1)])
    [line] = _lines(world)
    assert (line.token_id, line.who, line.face, line.operation) == (
        "0123456789ab",
        "ci",
        "mcp",
        "remember",
    )
    assert (line.groups, line.targets, line.outcome) == (("g",), ("a",), "ok")


def test_neither_content_nor_questions_are_in_it(telling: Telling, asking: Asking, world: World) -> None:
    telling.remember([draft("a", works("Ann Lee", TOLD), day=1)])
    view = View(groups=("g",))
    asking.search(f"who works at {TOLD}", view)
    asking.facts("Ann Lee", view)
    asking.history(f"Ann Lee works_at {TOLD}", view)
    written = "".join(path.read_text() for path in (world.home / "audit").iterdir())
    assert written.count("\n") == 4
    assert TOLD not in written
    assert "Ann" not in written


def test_what_is_refused_or_wrong_is_noted_too(asking: Asking, world: World) -> None:
    with pytest.raises(Forbidden):
        asking.search("anything", View(groups=("other",)))
    with pytest.raises(Exception, match="never had"):
        asking.core_history("g", "persona")
    refused, wrong = _lines(world)
    assert (refused.outcome, refused.groups) == ("refused", ("other",))
    assert (wrong.outcome, wrong.targets) == ("incorrect", ("persona",))


def test_a_call_that_makes_other_calls_is_one_line(telling: Telling, world: World) -> None:
    from memstrata.search.core_edits import CoreEdit, CoreOperation

    telling.edit_core("g", "persona", CoreEdit(operation=CoreOperation.SET, text="Be brief."))
    assert [line.operation for line in _lines(world)] == ["edit_core"]


@pytest.mark.parametrize(("cls", "name"), _PUBLIC)
def test_no_public_call_escapes_the_audit(cls: type, name: str) -> None:
    assert hasattr(getattr(cls, name), "__wrapped__")


def test_nothing_is_answered_that_cannot_be_noted(world: World, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("a file where a folder should be")
    asking = Asking(installation=world.installation, audit=Audit(blocked, "rest"))
    with pytest.raises(Fault, match="cannot write the audit"):
        asking.groups()


def test_threads_write_whole_lines(tmp_path: Path) -> None:
    audit = Audit(tmp_path, "rest")
    call = Noted(operation="search", groups=("g" * 200,) * 20, targets=())

    def _write() -> None:
        for _ in range(50):
            audit.note(GRANT, call, "ok")

    threads = [threading.Thread(target=_write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(read_audit(tmp_path))) == 200


class _Days:
    def __init__(self) -> None:
        self.instant = datetime(2026, 1, 1, 23, tzinfo=UTC)

    def now(self) -> datetime:
        self.instant += timedelta(hours=2)
        return self.instant


def test_each_day_has_its_file_and_reading_from_a_time_on_passes_over_the_others(tmp_path: Path) -> None:
    audit = Audit(tmp_path, "rest", clock=_Days())
    for _ in range(13):
        audit.note(OWNER, Noted(operation="groups", groups=(), targets=()), "ok")
    assert [path.name for path in sorted((tmp_path / "audit").iterdir())] == [
        "2026-01-02.jsonl",
        "2026-01-03.jsonl",
    ]
    (tmp_path / "audit" / "2026-01-02.jsonl").write_text("{no line of ours}\n")
    assert len(list(read_audit(tmp_path, since=datetime(2026, 1, 3, 1, tzinfo=UTC)))) == 1
    with pytest.raises(Damaged, match="line 1"):
        list(read_audit(tmp_path))


def test_a_line_that_a_crash_cut_off_is_passed_over(tmp_path: Path) -> None:
    audit = Audit(tmp_path, "rest")
    audit.note(OWNER, Noted(operation="groups", groups=(), targets=()), "ok")
    [path] = (tmp_path / "audit").iterdir()
    with path.open("a") as file:
        file.write('{"at": "2026')
    assert len(list(read_audit(tmp_path))) == 1
    Audit(tmp_path, "rest").note(OWNER, Noted(operation="lag", groups=(), targets=()), "ok")
    assert [line.operation for line in read_audit(tmp_path)] == ["groups", "lag"]
