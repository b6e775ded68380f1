"""What an installation is made of: the settings, and what they open.

Environment over `memstrata.yaml` in the working directory over defaults; names are the same in both.
"""

from __future__ import annotations

from memstrata.settings.declared import FILE, Settings, load_settings
from memstrata.settings.opening import (
    address_of,
    install,
    open_embedder,
    open_graph,
    open_model,
    open_reranker,
    opened,
    read_foreign_graph,
)

__all__ = [
    "FILE",
    "Settings",
    "address_of",
    "install",
    "load_settings",
    "open_embedder",
    "open_graph",
    "open_model",
    "open_reranker",
    "opened",
    "read_foreign_graph",
]
