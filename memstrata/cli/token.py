"""`token`: who may enter from outside, with which groups and rights, and what they did."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click
from rich.text import Text

from memstrata.cli.epilogs import examples
from memstrata.cli.rendering import counted, day_of, print_json
from memstrata.cli.session import When, console, json_option
from memstrata.memory.access import Right
from memstrata.memory.audit import read_audit
from memstrata.memory.rendering import as_json as rendered
from memstrata.memory.tokens import Tokens
from memstrata.settings import load_settings

if TYPE_CHECKING:
    from memstrata.memory.audit import AuditLine
    from memstrata.memory.tokens import Token


@click.group(
    epilog=examples("memstrata token create --name ci --group 'acme/*' --can read", "memstrata token list")
)
def token() -> None:
    """Make, list and revoke the tokens of the REST and MCP servers, and see what they were used for."""


@token.command(
    "create",
    epilog=examples(
        "memstrata token create --name ci --group 'acme/*' --can read --can write --expires 2027-01-01"
    ),
)
@click.option("--name", required=True, help="Whose it is; kept with what they decide.")
@click.option(
    "--group",
    "-g",
    "groups",
    multiple=True,
    required=True,
    help="A group, a path (acme/*) or *; repeatable.",
)
@click.option(
    "--can",
    "rights",
    multiple=True,
    required=True,
    type=click.Choice([right.value for right in Right]),
    help="What it allows; repeatable, none contains another.",
)
@click.option("--expires", type=When(), help="When it ends (default: never).")
@click.option("--dry-run", is_flag=True, help="Say what would be made, make nothing.")
@json_option
def create(
    name: str,
    groups: tuple[str, ...],
    rights: tuple[str, ...],
    expires: datetime | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Make a token and show it, once: only its hash is kept."""
    can = [Right(right) for right in rights]
    if dry_run:
        _show_draft(_tokens().drafted(name, groups=groups, rights=can, expires_at=expires), as_json=as_json)
        return
    made, text = _tokens().create(name, groups=groups, rights=can, expires_at=expires)
    if as_json:
        fields = rendered(made)
        assert isinstance(fields, dict)  # noqa: S101 (a dataclass becomes an object)
        print_json(fields | {"token": text})
        return
    console.print(text, soft_wrap=True, highlight=False, markup=False)
    console.print(Text(f"{_told(made)}\nkeep it now: it is not shown again", style="dim"))


@token.command("list", epilog=examples("memstrata token list --json"))
@json_option
def list_tokens(as_json: bool) -> None:
    """List all tokens, without their secrets: valid, expired and revoked ones."""
    found = _tokens().list()
    if as_json:
        print_json(found)
        return
    now = datetime.now(UTC)
    for one in found:
        console.print(Text(f"{one.token_id}  {_told(one)}", style="" if one.is_valid(now) else "dim"))
    console.print(counted(len(found), "token"), highlight=False)


@token.command("revoke", epilog=examples("memstrata token revoke 3f9a52c81b07"))
@click.argument("token_id")
@click.option("--dry-run", is_flag=True, help="Say what would be revoked, revoke nothing.")
@json_option
def revoke(token_id: str, dry_run: bool, as_json: bool) -> None:
    """Make a token worthless from now on, in servers that run too."""
    revoked = _tokens().find(token_id) if dry_run else _tokens().revoke(token_id)
    if as_json:
        print_json(revoked)
    else:
        verb = "would revoke" if dry_run else "revoked"
        console.print(Text(f"{verb} {revoked.token_id}  {_told(revoked)}"))


@token.command("audit", epilog=examples("memstrata token audit --token 3f9a52c81b07 --since 2026-11-01"))
@click.option("--token", "token_id", help="This token alone, by its id (default: all).")
@click.option("--since", type=When(), help="From then on (default: all that is kept).")
@json_option
def audit(token_id: str | None, since: datetime | None, as_json: bool) -> None:
    """List what was read and written: who, what, when; never what was in it."""
    lines = read_audit(load_settings().home.absolute(), token_id=token_id, since=since)
    if as_json:
        print_json(tuple(lines))
        return
    for line in lines:
        console.print(Text(_done(line)), soft_wrap=True)


def _show_draft(draft: Token, *, as_json: bool) -> None:
    """What a dry run says: without the id, which the token would not have."""
    if as_json:
        fields = rendered(draft)
        assert isinstance(fields, dict)  # noqa: S101 (a dataclass becomes an object)
        print_json({name: value for name, value in fields.items() if name != "token_id"})
    else:
        console.print(Text(f"would make {_told(draft)}"))


def _tokens() -> Tokens:
    return Tokens(load_settings().home.absolute())


def _told(one: Token) -> str:
    if one.revoked_at is not None:
        until = f"revoked {day_of(one.revoked_at, None, '')}"
    else:
        until = f"until {day_of(one.expires_at, None, 'revoked')}"
    return f"{one.name}: may {', '.join(one.rights)} in {', '.join(one.groups)}, {until}"


def _done(line: AuditLine) -> str:
    who = f"{line.who} ({line.token_id})" if line.token_id else line.who or "owner"
    about = " ".join((*line.groups, *line.targets))
    return f"{day_of(line.at, None, '')}  {who}  {line.face} {line.operation} {about}  {line.outcome}"
