"""docs/cli.md, written from the commands themselves.

`python -m docs.reference --write` writes it; without `--write` it says whether it is current (1 if not).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from memstrata.cli import cli

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE: Final = Path(__file__).resolve().parent / "cli.md"
_WIDTH: Final = 100
_HEAD: Final = """\
# Commands

Written from the code by `make docs`: change the code, not this file.

Exit status: 0 done, 1 fault (try again, or tell an operator), 2 refused (your mistake: the message says
what to mend), 3 partly taken (what was refused is listed), 4 something needed is missing (file, extra).

`--json` answers with one JSON document; `fold`, `resolve`, `extract` and `export` speak JSON Lines and
nothing else. What writes has `--dry-run`. Times are `2024`, `2024-05`, `2024-05-14` (their first instant,
UTC) or whole with an offset: `2024-05-14T09:30:00+02:00`.
"""


def helps() -> Iterator[tuple[str, str]]:
    """Every command's full name and its `--help`, in the order of the table, the program itself first."""
    yield from _walk(cli, click.Context(cli, info_name="memstrata", **_context()))


def _walk(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    yield context.command_path, command.get_help(context).rstrip()
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            if child is not None:
                yield from _walk(child, click.Context(child, info_name=name, parent=context, **_context()))


def _context() -> dict[str, Any]:
    return {
        "terminal_width": _WIDTH,
        "max_content_width": _WIDTH,
        "help_option_names": ["-h", "--help"],
    }


def page() -> str:
    """The whole document."""
    parts = [_HEAD]
    for path, text in helps():
        level = "##" if path.count(" ") < 2 else "###"  # noqa: PLR2004 (a command, or a command of a group)
        parts.append(f"{level} {path}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


def main() -> None:
    """Writes the page, or says whether it is current."""
    text = page()
    if "--write" in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
        click.echo(f"wrote {FILE}")
    elif not FILE.exists() or FILE.read_text(encoding="utf-8") != text:
        click.echo(f"{FILE} is not current; run: python -m docs.reference --write", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
