"""The heart: a pure fold of assertions to facts in two times (docs/fold.md is its exact specification).

`events` puts assertions on the line (R1 to R4), `timeline` walks it (R5 to R7), `bounds` finds where
facts begin and end (R8, R9), `facts` makes them (R10, R11, R16), `history` and `changes` follow them
through system time (R12 to R15), `invariants` checks them, `wire` reads and writes JSON Lines. No clock,
no I/O, no settings.
"""

from memstrata.bitemporal.changes import Difference, diff, same_version, touched_keys
from memstrata.bitemporal.facts import Key, fold, key_of, placed, wire_order
from memstrata.bitemporal.history import Moment, as_of, believe, is_live, live_at, version_order, versions
from memstrata.bitemporal.invariants import violations

__all__ = [
    "Difference",
    "Key",
    "Moment",
    "as_of",
    "believe",
    "diff",
    "fold",
    "is_live",
    "key_of",
    "live_at",
    "placed",
    "same_version",
    "touched_keys",
    "version_order",
    "versions",
    "violations",
    "wire_order",
]
