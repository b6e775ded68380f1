"""A scope as the values that statements compare with: times as integers, filters (null: nothing asked)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.ports import Subject
from memstrata.stores.neo4j.rows import key_of
from memstrata.stores.records import ALWAYS, OPEN, micros

if TYPE_CHECKING:
    from memstrata.ports import Filters, Scope

    Value = int | float | bool | str | list[str] | list[list[str]] | None

#: A system time later than any commit, at which whatever has not ended still stands.
_NOW: Final = OPEN - 1


def is_present(scope: Scope) -> bool:
    """Whether it looks at what is believed now, pending episodes included: the present's labels."""
    return scope.moment.system is None and not scope.history


def times_of(scope: Scope) -> dict[str, Value]:
    """The bounds of both times.

    In scope is what is valid from `begun` or earlier until after `lasting` (what happens at an instant:
    from `earliest` to `begun`), and believed from `system` or earlier until after `outlasting`.
    """
    system = _NOW if scope.moment.system is None else micros(scope.moment.system)
    begun, lasting, earliest = OPEN, ALWAYS - 1, ALWAYS - 1
    if not scope.history:
        if scope.during is not None:
            begun, lasting, earliest = (
                micros(scope.during[1]) - 1,
                micros(scope.during[0]),
                micros(scope.during[0]),
            )
        elif scope.moment.valid is not None:
            begun = lasting = micros(scope.moment.valid)
        else:
            lasting = _NOW
    return {
        "begun": begun,
        "lasting": lasting,
        "earliest": earliest,
        "system": system,
        "outlasting": ALWAYS - 1 if scope.history else system,
        "history": scope.history,
    }


def filters_of(subject: Subject, filters: Filters) -> dict[str, Value]:
    """The filters as values; `of_facts`: whether a fact must pass for what is sought to pass."""
    from_episodes = bool(filters.sources or filters.speakers)
    by_fact = bool(filters.relations) or filters.least_confidence is not None
    of_facts = by_fact or (bool(filters.types) if subject is Subject.EPISODE else from_episodes)
    return {
        "types": list(filters.types) or None,
        "relations": list(filters.relations) or None,
        "sources": list(filters.sources) or None,
        "speakers": list(filters.speakers) or None,
        "least_confidence": filters.least_confidence,
        "properties": [[name, key_of(value)] for name, value in dict.fromkeys(filters.properties)] or None,
        "metadata": [f"{name}={value}" for name, value in filters.properties] or None,
        "of_facts": of_facts,
        "filtered": bool(filters),
        "may_pass": from_episodes and not (by_fact or filters.types or filters.properties),
    }
