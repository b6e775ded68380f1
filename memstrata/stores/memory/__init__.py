"""The graph in plain lists and dicts: the reference that other stores are compared with.

`rows` are what is kept, `applying` the rules by which a commit changes them, `seeing` what of them a scope
shows and lets pass; the other modules have a role of the graph each, and `graph` puts them together.
"""

from memstrata.stores.memory.graph import MemoryGraph

__all__ = ["MemoryGraph"]
