"""Embedders: adapters that turn texts into unit vectors, one module an engine.

Which one is used is decided in `memstrata.settings`; where the vectors are kept is a store's affair.
"""
