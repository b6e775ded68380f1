"""Which groups a grant reaches when a view names paths: those within it, there or not yet, no others."""

from __future__ import annotations

import pytest

from memstrata.errors import Forbidden
from memstrata.memory.access import Grant, Right
from memstrata.search.view import View, matching

READ = frozenset({Right.READ})


class Groups:
    """A reader that has groups alone."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def groups(self) -> tuple[str, ...]:
        return self.names


def narrowed(own: tuple[str, ...], asked: tuple[str, ...], *there: str) -> tuple[str, ...]:
    grant = Grant(who="r", groups=own, rights=READ)
    return grant.narrowed(View(groups=asked), Groups(*there)).groups  # type: ignore[arg-type]  # all that is asked


@pytest.mark.parametrize(
    ("own", "asked", "expected"),
    [
        (("acme/*",), ("acme/*",), ("acme/*",)),
        (("acme/*",), ("*",), ("acme/*",)),
        (("acme/*",), ("acme/eng/*",), ("acme/eng/*",)),
        (("acme/eng/*", "acme/hr/*"), ("acme/*",), ("acme/eng/*", "acme/hr/*")),
        (("acme/eng",), ("acme/*",), ("acme/eng",)),
        (("acme", "beta/*"), ("acme/*", "beta/*"), ("beta/*",)),
    ],
)
def test_a_path_within_reach_that_holds_nothing_yet_is_no_refusal(
    own: tuple[str, ...], asked: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    left = narrowed(own, asked, "other/place")
    assert left == expected
    grant = Grant(who="r", groups=own, rights=READ)
    born = Groups("acme", "acme/eng", "acme/eng/x", "acme/secret", "beta", "beta/x", "other/place")
    assert all(grant.reaches(group) for group in matching(left, born))  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize("there", [(), ("beta/secret",)])
@pytest.mark.parametrize(
    ("own", "asked"),
    [
        (("acme/*",), ("beta/*",)),
        (("acme",), ("acme/*",)),
        (("acme/eng/*",), ("acme/hr/*",)),
        (("acme/eng",), ("acme/engine/*",)),
        (("beta/sec/*",), ("beta/secret/*",)),
    ],
)
def test_a_path_out_of_reach_is_refused_alike_whether_or_not_it_holds_anything(
    own: tuple[str, ...], asked: tuple[str, ...], there: tuple[str, ...]
) -> None:
    with pytest.raises(Forbidden) as refused:
        narrowed(own, asked, *there)
    assert str(refused.value) == (
        f"none of {asked[0]} is within this token's reach; it reaches: {', '.join(own)}"
    )


def test_what_is_there_within_reach_is_written_out() -> None:
    assert narrowed(("acme/*",), ("*",), "acme/eng", "beta/secret") == ("acme/eng",)
