"""What is done with the record and the graph, one module a stage.

`intake` accepts, `extract` computes what episodes say, `resolve` decides who is meant, `commit` folds
it into the graph, `embed` gives vectors, `consolidate` writes summaries and procedures, `rebuild` replays
the commits, `work` runs the stages one after another. The command line, the API and the Dagster assets
call these and nothing deeper; adapters come in as an `Installation`.
"""
