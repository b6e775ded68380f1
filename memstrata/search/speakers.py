"""A boost for turns of whoever the question names: "what did Caroline say" is answered by Caroline.

Measured on LoCoMo and BEAM (DESIGN.md "Search: measured"): 78.3 -> 79.9 and 56.3 -> 58.4 recall@10.
Pure; episodes come from the caller.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from memstrata.model import Role
from memstrata.search.query import tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memstrata.model import Episode, Speaker
    from memstrata.ports import Handle
    from memstrata.search.fusion import Fused
    from memstrata.search.query import Query

NAMED_SPEAKER: Final = 0.2
USER_OVER_ASSISTANT: Final = 0.1


def boosted(fused: Sequence[Fused], episodes: Mapping[Handle, Episode], query: Query) -> tuple[Fused, ...]:
    """The ranking with turns of named speakers raised, else those of users; equal scores keep their order.

    Scores stay between 0 and 1: they are divided by one plus the boost given.
    """
    named = {handle for handle, episode in episodes.items() if is_named(episode.speaker, query)}
    users = {handle for handle, episode in episodes.items() if _is_user(episode.speaker)}
    raised, boost = (named, NAMED_SPEAKER) if named else (users, USER_OVER_ASSISTANT)
    scored = [
        replace(one, score=(one.score + (boost if one.handle in raised else 0.0)) / (1.0 + boost))
        for one in fused
    ]
    return tuple(sorted(scored, key=lambda one: -round(one.score, 12)))


def is_named(speaker: Speaker | None, query: Query) -> bool:
    """Whether the query holds the speaker's whole name, or its first word (the given name)."""
    if speaker is None or not speaker.name:
        return False
    parts = [token.word for token in tokenize(speaker.name)]
    return bool(parts) and parts[0] in query.words


def _is_user(speaker: Speaker | None) -> bool:
    return speaker is not None and speaker.role is Role.USER
