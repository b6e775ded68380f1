"""Who may do what in which groups: decided here, and nowhere else.

A face hands every call a `Grant`; what it does not cover is refused with the same words whether or not
the thing exists, so that nothing can be learnt by asking.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from memstrata.errors import Forbidden, Incorrect
from memstrata.search.view import ANY, matching

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.ports import GraphReader
    from memstrata.search.view import View


class Right(StrEnum):
    """What a grant allows; none of them contains another."""

    READ = "read"
    WRITE = "write"
    DECIDE = "decide"
    OPERATE = "operate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grant:
    """The groups that somebody may reach, and with which rights.

    `groups` are names, paths (`acme/*`: all below, and `acme` itself is another group) or `*`. `who` is
    kept with each decision and in the audit, `token_id` in the audit; it is empty where no token was shown.
    """

    who: str
    groups: tuple[str, ...]
    rights: frozenset[Right]
    token_id: str = ""

    def __post_init__(self) -> None:
        """Refuses patterns that no group can match."""
        for pattern in self.groups:
            path = pattern.removesuffix(ANY)
            if not pattern or ANY in path or (path != pattern and path and not path.endswith("/")):
                raise Incorrect(
                    f"{pattern!r} names no groups; expected a name such as 'acme', a path such as "
                    "'acme/*', or '*' for all"
                )

    @property
    def is_everything(self) -> bool:
        """Whether all groups are within reach."""
        return ANY in self.groups

    def reaches(self, group_id: str) -> bool:
        """Whether the group is one of those, whatever the rights."""
        return any(_covers(pattern, group_id) for pattern in self.groups)

    def require_right(self, right: Right) -> None:
        """Raises `Forbidden` unless this grant has that right anywhere."""
        if right not in self.rights:
            held = ", ".join(sorted(self.rights)) or "nothing"
            raise Forbidden(f"this token may not {right}; it may: {held}")

    def require(self, right: Right, group_id: str) -> str:
        """The group, if this grant has that right in it; raises `Forbidden` otherwise."""
        self.require_right(right)
        return self.require_reach(group_id)

    def require_reach(self, group_id: str) -> str:
        """The group, if it is one of those, whatever the rights; raises `Forbidden` otherwise."""
        if not self.reaches(group_id):
            raise Forbidden(f"this token does not reach group {group_id!r}; it reaches: {self._reach}")
        return group_id

    def require_all(self, right: Right) -> None:
        """Raises `Forbidden` unless this grant has that right in every group."""
        self.require_right(right)
        if not self.is_everything:
            raise Forbidden(f"this needs a token for all groups; this one reaches: {self._reach}")

    def narrowed(self, view: View, reader: GraphReader, *, right: Right = Right.READ) -> View:
        """The view with its patterns written out, as far as this grant reaches.

        Raises `Forbidden` for a group that is named and out of reach, and where no group that the patterns
        could mean is within reach, whether there is one or not. Those that are and do not exist yet hold
        nothing.
        """
        named = [group for group in view.groups if not group.endswith(ANY)]
        for group in named:
            self.require(right, group)
        if len(named) == len(view.groups):
            return view
        self.require_right(right)
        patterns = [group for group in view.groups if group.endswith(ANY)]
        if self.is_everything:
            return view
        found = self.within(matching(patterns, reader))
        if found or named:
            return replace(view, groups=tuple(dict.fromkeys([*named, *found])))
        met = [both for own in self.groups for one in patterns if (both := _common(own, one))]
        if not met:
            raise Forbidden(
                f"none of {', '.join(patterns)} is within this token's reach; it reaches: {self._reach}"
            )
        return replace(view, groups=tuple(dict.fromkeys(met)))

    def within(self, groups: Iterable[str]) -> tuple[str, ...]:
        """Those of the groups that this grant reaches, in the same order."""
        return tuple(group for group in groups if self.reaches(group))

    @property
    def _reach(self) -> str:
        return ", ".join(self.groups) or "none"


def _covers(pattern: str, group_id: str) -> bool:
    if pattern.endswith(ANY):
        return group_id.startswith(pattern.removesuffix(ANY))
    return group_id == pattern


def _common(own: str, pattern: str) -> str:
    """What groups both mean: a name or the narrower pattern; empty for none."""
    if not own.endswith(ANY):
        return own if _covers(pattern, own) else ""
    paths = sorted((own.removesuffix(ANY), pattern.removesuffix(ANY)), key=len)
    return f"{paths[1]}{ANY}" if paths[1].startswith(paths[0]) else ""


#: Whoever sits at this machine while no token is configured.
OWNER = Grant(who="", groups=(ANY,), rights=frozenset(Right))
