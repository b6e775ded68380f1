"""Search: a query in, facts, entities, episodes or a context for a model out; no language model asked.

`searcher` finds (query -> arms -> fusion), `context` packs, `reads` looks up what is named exactly. All
of it works over `memstrata.ports`; stores and embedders are handed in.
"""
