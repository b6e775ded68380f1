"""`memstrata token`: made and shown once, listed without secrets, revoked."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memstrata.memory.access import OWNER
from memstrata.memory.audit import Audit, Noted

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Memstrata

_CREATE = ("token", "create", "--name", "ci", "--group", "acme/*", "--can", "read", "--can", "write")


def test_a_token_is_shown_once_and_listed_without_its_secret(memstrata: Memstrata) -> None:
    made = json.loads(memstrata(*_CREATE, "--expires", "2100-01-01", "--json").out)
    listed = memstrata("token", "list", "--json").out
    assert made["token"].startswith(f"mst_{made['token_id']}_")
    assert [one["token_id"] for one in json.loads(listed)] == [made["token_id"]]
    assert made["token"].split("_", 2)[2] not in listed
    assert "ci: may read, write in acme/*, until 2100-01-01" in memstrata("token", "list").out


def test_a_revoked_token_says_so(memstrata: Memstrata) -> None:
    token_id = json.loads(memstrata(*_CREATE, "--json").out)["token_id"]
    assert memstrata("token", "revoke", token_id).status == 0
    assert "revoked 20" in memstrata("token", "list").out


def test_a_token_can_be_tried(memstrata: Memstrata, folder: Path) -> None:
    tried = memstrata(*_CREATE, "--dry-run")
    assert (tried.status, "would make ci: may read, write in acme/*" in tried.out) == (0, True)
    assert list(folder.iterdir()) == []
    token_id = json.loads(memstrata(*_CREATE, "--json").out)["token_id"]
    assert "would revoke" in memstrata("token", "revoke", token_id, "--dry-run").out
    assert json.loads(memstrata("token", "list", "--json").out)[0]["revoked_at"] is None


def test_a_right_that_there_is_not_is_refused(memstrata: Memstrata) -> None:
    done = memstrata("token", "create", "--name", "ci", "--group", "*", "--can", "all")
    assert done.status == 2
    assert "read" in done.err


def test_listing_tokens_makes_no_memory(memstrata: Memstrata, folder: Path) -> None:
    assert memstrata("token", "list").status == 0
    assert list(folder.iterdir()) == []


def test_the_audit_is_read_by_token_and_time(memstrata: Memstrata, folder: Path) -> None:
    audit = Audit(folder / ".memstrata", "rest")
    audit.note(OWNER, Noted(operation="search", groups=("acme",), targets=()), "ok")
    assert "owner  rest search acme  ok" in memstrata("token", "audit").out
    assert json.loads(memstrata("token", "audit", "--token", "none", "--json").out) == []
    assert json.loads(memstrata("token", "audit", "--since", "2100", "--json").out) == []
