"""Memstrata: the memory of AI agents as a bitemporal knowledge graph that can be rebuilt from its log."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memstrata.memory import AsyncMemory, Memory

__version__ = "0.1.0"
__all__ = ["AsyncMemory", "Memory", "__version__"]


def __getattr__(name: str) -> object:
    """`Memory` and `AsyncMemory`, imported with their first use: the command line needs neither."""
    if name in ("AsyncMemory", "Memory"):
        from memstrata import memory

        return getattr(memory, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
