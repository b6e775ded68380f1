"""`memstrata resolve`: mentions and decisions in, clusters, refusals and reviews out."""

from __future__ import annotations

import sys

import click

from memstrata.cli.epilogs import examples


@click.command(epilog=examples("memstrata resolve < mentions.jsonl > clusters.jsonl"))
def resolve() -> None:
    """Say which mentions are one entity: JSON Lines from standard input to standard output.

    Reads mentions and decisions of any number of groups, in any order, and writes a line a cluster, refusal
    and review. The same set of lines gives the same output. No model, no network, no state.

    \b
    mention   record group_id ref name type text episode saga speaker addressee attributes reference_time
    decision  record group_id kind refs by at

    A mention needs record, group_id, ref, name and reference_time (ISO 8601 with a zone). speaker and
    addressee are {id, name, role}; attributes hold strings or lists of strings. A decision's kind is merge
    or keep_apart, its refs are two mentions of its group, by is person, model or rule.
    """  # noqa: D301 (click wants the character itself)
    from memstrata.resolution.wire import resolve_lines

    for line in resolve_lines(sys.stdin.buffer):
        sys.stdout.buffer.write(line.encode() + b"\n")
