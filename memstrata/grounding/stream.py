"""A walk over tokens: looking ahead, taking, expecting, going back."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from memstrata.grounding.problems import UngroundedQuery, problem
from memstrata.grounding.reading import Reading
from memstrata.grounding.tokens import Sort, tokenize

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memstrata.grounding.tokens import Token


class Stream:
    """The tokens of a query, and what has been read of it so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.reading = Reading()
        self._tokens = tokenize(text)
        self._at = 0

    @property
    def here(self) -> Token:
        """The next token."""
        return self._tokens[self._at]

    def ahead(self, by: int = 1) -> Token:
        """The token after the next, or further on."""
        return self._tokens[min(self._at + by, len(self._tokens) - 1)]

    def take(self) -> Token:
        """The next token, which is passed."""
        token = self.here
        if token.sort is not Sort.END:
            self._at += 1
        return token

    def took_sign(self, *signs: str) -> bool:
        """Whether the next token is one of the signs; then it is passed."""
        if not self.here.is_sign(*signs):
            return False
        self.take()
        return True

    def took_word(self, *words: str) -> bool:
        """Whether the next token is one of the keywords; then it is passed."""
        if not self.here.is_word(*words):
            return False
        self.take()
        return True

    def expect_sign(self, sign: str, where: str) -> Token:
        """That sign, which is passed."""
        if not self.here.is_sign(sign):
            self.fail(f"expected {sign} {where}, found {self.shown()}")
        return self.take()

    def expect_word(self, word: str, where: str) -> Token:
        """That keyword, which is passed."""
        if not self.here.is_word(word):
            self.fail(f"expected {word} {where}, found {self.shown()}")
        return self.take()

    def expect_name(self, what: str) -> Token:
        """A name, which is passed."""
        if not self.here.is_name:
            self.fail(f"expected {what}, found {self.shown()}")
        return self.take()

    def shown(self) -> str:
        """The next token as an error shows it."""
        return "the end of the query" if self.here.sort is Sort.END else repr(self.here.text)

    def fail(
        self, message: str, *, kind: str = "syntax", at: Token | None = None, known: Iterable[str] = ()
    ) -> NoReturn:
        """Raises `UngroundedQuery` about the next token, or the one given."""
        token = at or self.here
        raise UngroundedQuery([problem(self.text, kind, token.start, token.text, message, known)])

    def mark(self) -> tuple[int, tuple[int, ...]]:
        """Where the walk stands, to come back to."""
        return self._at, self.reading.mark()

    def go_back(self, mark: tuple[int, tuple[int, ...]]) -> None:
        """Goes back to a mark; what was read since is forgotten."""
        self._at, read = mark
        self.reading.forget_since(read)
