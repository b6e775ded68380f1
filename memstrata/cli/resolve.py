"""`memstrata resolve`: mentions and decisions in, clusters, refusals and reviews out."""

from __future__ import annotations

import sys

import click


@click.command()
def resolve() -> None:
    """Say which mentions are one entity: JSON Lines from standard input to standard output.

    Reads mentions and decisions of any number of groups, in any order, and writes a line a cluster, refusal
    and review. The same set of lines gives the same output. No model, no network, no state.
    """
    from memstrata.resolution.wire import resolve_lines

    for line in resolve_lines(sys.stdin.buffer):
        sys.stdout.buffer.write(line.encode() + b"\n")
