"""How much a turn states: "Do you play?" is near every question about instruments, and answers none.

Measured on LoCoMo and BEAM: docs/search.md.
Pure; episodes come from the caller.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

from memstrata.model import Role
from memstrata.search.defaults import STATED_ENOUGH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memstrata.model import Episode
    from memstrata.ports import Handle

#: A sentence with what ends it, or what is left of a line.
_SENTENCE: Final = re.compile(r"[^.!?\n。！？؟]*[.!?。！？؟]+|[^.!?\n。！？؟]+")  # noqa: RUF001 (other scripts' marks)
_ASKS: Final = ("?", "？", "؟")  # noqa: RUF001 (as above)
_WORD: Final = re.compile(r"\w+")

#: Characters of scripts without blanks that are about a word.
_WIDE_A_WORD: Final = 2


def statements(episodes: Mapping[Handle, Episode]) -> Mapping[Handle, float]:
    """How much each of these turns states, from 0 to 1.

    In a saga where an assistant takes part all state enough: whoever asks it for something tells much by
    asking.
    """
    assisted = {one.saga for one in episodes.values() if is_assistant(one)}
    return {
        handle: 1.0 if one.saga in assisted else stated(one.content) for handle, one in episodes.items()
    }


def is_assistant(episode: Episode) -> bool:
    """Whether an assistant said it."""
    return episode.speaker is not None and episode.speaker.role is Role.ASSISTANT


def stated(text: str) -> float:
    """How much a text says outside of its questions: from 0 for nothing to 1 for `STATED_ENOUGH` words."""
    words = 0
    for match in _SENTENCE.finditer(text):
        sentence = match.group()
        if not sentence.endswith(_ASKS):
            words += sum(_words_in(run) for run in _WORD.findall(sentence))
            if words >= STATED_ENOUGH:
                return 1.0
    return words / STATED_ENOUGH


def _words_in(run: str) -> int:
    if run.isascii():
        return 1
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in run)
    return max(1, wide // _WIDE_A_WORD)
