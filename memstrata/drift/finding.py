"""What a drift check says: one number, its limit, whether it holds, and a sentence for people.

How the number comes about lives with each check; where it is shown is the caller's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The `group_id` of a finding over all groups together; no group may be called so (paths hold no `*`).
EVERY_GROUP: Final = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """The result of one check on one group.

    `value` is the number to plot and `threshold` its limit (None: nothing to compare with); which side
    is good is said by `passed`. `sentence` says what is wrong and what to do. `details` are further
    numbers to plot; they never hold content of the memory.
    """

    check: str
    group_id: str
    value: float
    threshold: float | None
    passed: bool
    sentence: str
    details: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
