"""Rerankers: adapters that judge question and text together, one module an engine.

Which one is used is decided in `memstrata.settings`, when in `memstrata.search`.
"""
