"""Memstrata: the memory of AI agents as a bitemporal knowledge graph that can be rebuilt from its log."""

__version__ = "0.1.0"
