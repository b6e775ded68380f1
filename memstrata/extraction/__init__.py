"""Episode to mentions and assertions: declared records, offline rules, a language model, verification.

Sees the episode and the preceding turns of its saga, never the graph. Who is meant by a name is the
business of `resolution`, what becomes true of `bitemporal`.
"""
