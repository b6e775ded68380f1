"""A process that commits batches to a graph for as long as it lives: `graph_writer.py FILE GROUP BATCH`."""

from __future__ import annotations

import sys
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from graph_samples import triples

from memstrata.stores.sqlite import SqliteGraph


def main(path: str, group: str, batch: str) -> None:
    with SqliteGraph(path) as graph:
        for seq in count(graph.last_seq(group) + 1):
            graph.apply(triples(seq, int(batch), group=group))
            sys.stdout.write(f"{seq}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
