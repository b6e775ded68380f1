"""The memory as its callers meet it: what can be asked and told, and who may.

`access` decides who reaches what; `asking` and `telling` are all that faces (command line, REST, MCP,
Python) call; nothing below is called by them. `client` is the face for Python.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.memory.client import AsyncMemory, Memory

__all__ = ["AsyncMemory", "Memory"]


def __getattr__(name: str) -> object:
    """The face for Python, imported with its first use: the other faces do without."""
    if name in __all__:
        from memstrata.memory import client

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
