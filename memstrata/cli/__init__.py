"""The command line: each command translates words into one call of the library, and its answer into text.

A command's module is imported when the command runs, so that `memstrata --help` stays quick.
"""

from __future__ import annotations

import difflib
import importlib
import sys

import click

from memstrata import __version__
from memstrata.errors import MemstrataError

#: Every command, and where it lives: `module:object`.
COMMANDS = {
    "init": "memstrata.cli.running:init",
    "add": "memstrata.cli.writing:add",
    "ingest": "memstrata.cli.writing:ingest",
    "import": "memstrata.cli.importing:import_",
    "work": "memstrata.cli.working:work",
    "embed": "memstrata.cli.embedding:embed",
    "extractor": "memstrata.cli.extractor:extractor",
    "search": "memstrata.cli.reading:search",
    "context": "memstrata.cli.reading:context",
    "facts": "memstrata.cli.exact:facts",
    "timeline": "memstrata.cli.exact:timeline",
    "history": "memstrata.cli.exact:history",
    "diff": "memstrata.cli.exact:diff",
    "path": "memstrata.cli.exact:path",
    "get": "memstrata.cli.exact:get",
    "core": "memstrata.cli.core:core",
    "serve": "memstrata.cli.serving:serve",
    "schema": "memstrata.cli.querying:schema",
    "cypher": "memstrata.cli.querying:cypher",
    "status": "memstrata.cli.running:status",
    "retract": "memstrata.cli.deciding:retract",
    "entities": "memstrata.cli.deciding:entities",
    "review": "memstrata.cli.reviewing:review",
    "adjudicate": "memstrata.cli.adjudicating:adjudicate",
    "token": "memstrata.cli.token:token",
    "mcp": "memstrata.cli.mcp:mcp",
    "cost": "memstrata.cli.cost:cost",
    "dead-letters": "memstrata.cli.running:dead_letters",
    "rebuild": "memstrata.cli.running:rebuild",
    "project": "memstrata.cli.projecting:project",
    "export": "memstrata.cli.running:export",
    "fold": "memstrata.cli.fold:fold",
    "resolve": "memstrata.cli.resolve:resolve",
    "extract": "memstrata.cli.extract:extract",
}


class _Commands(click.Group):
    """The commands of the table, each imported when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        place = COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, name = place.split(":")
        command = getattr(importlib.import_module(module), name)
        assert isinstance(command, click.Command)  # noqa: S101 (the table above is ours)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is asked for; an unknown one is refused with the nearest."""
        near = difflib.get_close_matches(args[0], COMMANDS, n=1)
        if args[0] in COMMANDS or not near:
            return super().resolve_command(ctx, args)
        raise click.UsageError(f"No such command {args[0]!r}; did you mean {near[0]!r}?", ctx)


_CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(cls=_Commands, context_settings=_CONTEXT)
@click.version_option(__version__, prog_name="memstrata")
def cli() -> None:
    """The memory of AI agents as a bitemporal knowledge graph that can be rebuilt from its log."""


def main() -> None:
    """Runs the command line and exits: 0 done, 1 fault, 2 refused, 3 partly taken, 4 needed but missing."""
    try:
        status = cli.main(prog_name="memstrata", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        click.echo("memstrata: interrupted", err=True)
        sys.exit(1)
    except MemstrataError as error:
        click.echo(f"memstrata: {error}", err=True)
        sys.exit(error.exit_status)
    except BrokenPipeError:  # the reader of our output has gone (`| head`): nothing to say to it
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:  # a file that cannot be read, a disk that is full
        click.echo(f"memstrata: {error}", err=True)
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)
