"""What the parts of one write have in common: the transaction, the group, the instant, the handles."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from memstrata.errors import Damaged
from memstrata.stores.neo4j.connection import run
from memstrata.stores.records import OPEN, micros

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    import neo4j

    from memstrata.stores.neo4j.standing import Standing


def token_of(group_id: str) -> str:
    """What the handles of a group begin with: 16 letters and digits."""
    return blake2b(group_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


@dataclass(slots=True, kw_only=True)
class Batch:
    """One commit in one group, inside its transaction, on what stood before it.

    `made` counts the handles it has given out.
    """

    transaction: neo4j.ManagedTransaction
    standing: Standing
    group_id: str
    seq: int
    instant: datetime
    now: int = field(init=False)
    made: int = 0

    def __post_init__(self) -> None:
        self.now = micros(self.instant)

    def run(self, name: str, **values: Any) -> list[neo4j.Record]:
        """All records of `cypher/<name>.cypher`, which asks for them in `$given`.

        There are `group`, `now`, `instant` and `open` too. In one map: of lists given by themselves the
        server keeps a plan for each length of ten, a hundred, a thousand, and each combination of them.
        """
        given = {
            "group": self.group_id,
            "now": self.now,
            "instant": self.instant,
            "open": OPEN,
            **values,
        }
        return run(self.transaction, name, given=given)

    def each(self, name: str, rows: Sequence[Any], *, called: str = "rows") -> list[neo4j.Record]:
        """As `run`, with the rows as `rows` (or another name); asks nothing of the server for none."""
        return self.run(name, **{called: list(rows)}) if rows else []

    def handle(self) -> str:
        """A new handle; handles sort in the order in which they were given out."""
        self.made += 1
        return f"{token_of(self.group_id)}.{self.seq:09d}.{self.made:07d}"

    def expect_all(self, found: int, ids: Sequence[object], what: str) -> None:
        """Raises `Damaged` unless as many were found as ids were given."""
        if found != len(ids):
            raise Damaged(
                f"{len(ids)} {what} were to end, but only {found} of them stand; nothing was applied: "
                "compare the graph with its log, and rebuild it"
            )
