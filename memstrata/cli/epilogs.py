"""What stands below the help of a command: how it is called."""

from __future__ import annotations


def examples(*commands: str) -> str:
    """How a command is called, as the epilog of its help: a line each, never wrapped."""
    heading = "Example:" if len(commands) == 1 else "Examples:"
    return "\n".join(["\b", heading, *(f"  $ {command}" for command in commands)])
