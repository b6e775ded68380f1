"""Whose turns a question is after: "what did Caroline say" is answered by Caroline.

Measured on LoCoMo and BEAM: docs/search.md.
Pure; episodes come from the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.model import Role
from memstrata.search.defaults import NAMED_SPEAKER, USER_OVER_ASSISTANT
from memstrata.search.query import tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memstrata.model import Episode, Speaker
    from memstrata.ports import Handle
    from memstrata.search.query import Query

_ROLES: Final = frozenset(Role)


def preferred(episodes: Mapping[Handle, Episode], query: Query) -> tuple[frozenset[Handle], float]:
    """The turns to raise, and by how much: those of speakers whom the query names, else the users'."""
    named = {handle for handle, episode in episodes.items() if is_named(episode.speaker, query)}
    if named:
        return frozenset(named), NAMED_SPEAKER
    users = {handle for handle, episode in episodes.items() if _is_user(episode.speaker)}
    return frozenset(users), USER_OVER_ASSISTANT


def named_words(episodes: Iterable[Episode], query: Query) -> frozenset[str]:
    """The words of the names of those speakers whom the query names."""
    speakers = {episode.speaker for episode in episodes}
    return frozenset(word for one in speakers if is_named(one, query) for word in words_of(one))


def is_named(speaker: Speaker | None, query: Query) -> bool:
    """Whether the query holds the first word of the speaker's name (the given name).

    Who is called by no more than a role ("user") is not named by it: that word has other uses.
    """
    parts = words_of(speaker)
    if not parts or parts[0] not in query.words:
        return False
    return len(parts) > 1 or parts[0] not in _ROLES


def words_of(speaker: Speaker | None) -> tuple[str, ...]:
    """The words of a speaker's name."""
    if speaker is None or not speaker.name:
        return ()
    return tuple(token.word for token in tokenize(speaker.name))


def _is_user(speaker: Speaker | None) -> bool:
    return speaker is not None and speaker.role is Role.USER
