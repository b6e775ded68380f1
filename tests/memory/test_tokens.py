"""Tokens: hashed at rest, seen at once by whoever runs already, refused in one voice."""

from __future__ import annotations

import json
import stat
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from memstrata.errors import Damaged, Incorrect, Unauthenticated
from memstrata.memory.access import Right
from memstrata.memory.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


class SetClock:
    """A clock that a test puts."""

    def __init__(self) -> None:
        self.instant = NOON

    def now(self) -> datetime:
        return self.instant


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
def tokens(tmp_path: Path, clock: SetClock) -> Tokens:
    return Tokens(tmp_path, clock=clock)


def _made(tokens: Tokens, *, expires_at: datetime | None = None) -> tuple[str, str]:
    token, text = tokens.create("ci", groups=["acme/*"], rights=[Right.READ], expires_at=expires_at)
    return token.token_id, text


def test_a_token_grants_what_it_was_made_for_and_no_more(tokens: Tokens) -> None:
    token_id, text = _made(tokens)
    grant = tokens.grant_of(text)
    assert (grant.who, grant.token_id, grant.rights) == ("ci", token_id, {Right.READ})
    assert [group for group in ("acme/a", "acme", "other/a") if grant.reaches(group)] == ["acme/a"]


def test_the_secret_is_nowhere_in_the_home_and_its_file_is_private(tokens: Tokens, tmp_path: Path) -> None:
    secret = _made(tokens)[1].split("_", 2)[2]
    held = [path for path in tmp_path.rglob("*") if path.is_file() and secret in path.read_text()]
    assert held == []
    assert len(secret) >= 43  # 256 bits
    assert stat.S_IMODE((tmp_path / "tokens.json").stat().st_mode) == 0o600


def test_another_process_sees_new_and_revoked_tokens_at_once(tokens: Tokens, tmp_path: Path) -> None:
    running = Tokens(tmp_path)
    assert not running.is_configured
    token_id, text = _made(tokens)
    assert running.grant_of(text).token_id == token_id
    tokens.revoke(token_id)
    with pytest.raises(Unauthenticated):
        running.grant_of(text)
    assert running.is_configured


def test_what_is_wrong_with_a_token_is_not_told(tokens: Tokens, clock: SetClock) -> None:
    kept, good = _made(tokens)
    expired = _made(tokens, expires_at=NOON + timedelta(hours=1))[1]
    revoked_id, revoked = _made(tokens)
    tokens.revoke(revoked_id)
    clock.instant += timedelta(hours=1)
    said = set()
    for text in (expired, revoked, "mst_000000000000_x", f"mst_{kept}_x", f"x{good}", "", "_", "ä" * 999):
        with pytest.raises(Unauthenticated) as refused:
            tokens.grant_of(text)
        said.add(str(refused.value))
    assert len(said) == 1
    assert tokens.grant_of(good)


def test_revoking_twice_keeps_the_first_time(tokens: Tokens, clock: SetClock) -> None:
    token_id, _ = _made(tokens)
    tokens.revoke(token_id)
    clock.instant += timedelta(hours=1)
    assert tokens.revoke(token_id).revoked_at == NOON


def test_a_whole_token_that_is_not_there_is_not_repeated_in_the_error(tokens: Tokens) -> None:
    with pytest.raises(Incorrect, match="no token '1234'") as refused:
        tokens.revoke("mst_1234_secret")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "groups", "rights", "expected"),
    [
        (" ", ["g"], [Right.READ], "without name"),
        ("ci", [], [Right.READ], "without groups"),
        ("ci", ["g"], [], "without rights"),
        ("ci", ["acme*"], [Right.READ], "names no groups"),
        ("ci", ["no blanks"], [Right.READ], "is no path"),
    ],
)
def test_a_token_that_opens_nothing_is_refused(
    tokens: Tokens, name: str, groups: list[str], rights: list[Right], expected: str
) -> None:
    with pytest.raises(Incorrect, match=expected):
        tokens.create(name, groups=groups, rights=rights)
    assert tokens.list() == ()


def test_a_token_that_has_expired_when_it_is_made_is_refused(tokens: Tokens) -> None:
    with pytest.raises(Incorrect, match="time to come"):
        _made(tokens, expires_at=NOON)


@pytest.mark.parametrize(
    "content", ["", "[]", '{"version": 1, "tokens": [{}]}', '{"version": 2, "tokens": []}']
)
def test_a_file_that_is_none_of_ours_lets_nobody_in(tokens: Tokens, tmp_path: Path, content: str) -> None:
    _, text = _made(tokens)
    (tmp_path / "tokens.json").write_text(content)
    with pytest.raises(Damaged):
        tokens.grant_of(text)


def test_tokens_that_vanish_under_a_running_server_do_not_open_it(tokens: Tokens, tmp_path: Path) -> None:
    _made(tokens)
    assert tokens.is_configured
    (tmp_path / "tokens.json").unlink()
    with pytest.raises(Damaged, match="is gone"):
        _ = tokens.is_configured


def test_no_hash_leaves_the_file_but_by_comparison(tokens: Tokens, tmp_path: Path) -> None:
    _made(tokens)
    stored = json.loads((tmp_path / "tokens.json").read_text())["tokens"][0]["sha256"]
    assert stored not in repr(tokens.list())
