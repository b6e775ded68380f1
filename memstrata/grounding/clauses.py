"""Clauses: what a reading query may consist of, and what is refused by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.grounding.expressions import Expressions
from memstrata.grounding.reading import Alias
from memstrata.grounding.tokens import Sort

if TYPE_CHECKING:
    from memstrata.grounding.reading import Reading

READING: Final = ("MATCH", "OPTIONAL MATCH", "WITH", "UNWIND", "RETURN", "CALL { }", "UNION")
_WRITING: Final = (
    "CREATE",
    "MERGE",
    "SET",
    "DELETE",
    "DETACH",
    "NODETACH",
    "REMOVE",
    "FOREACH",
    "DROP",
    "ALTER",
)
_REFUSED: Final = {
    "LOAD": "LOAD CSV reads from outside the memory",
    "USE": "USE leads to another graph",
    "EXPLAIN": "give the query alone, without EXPLAIN",
    "PROFILE": "give the query alone, without PROFILE",
    "CYPHER": "give the query alone, without options",
    "SHOW": "SHOW lists the server's own affairs; the schema tool lists labels, types and properties",
    "FINISH": "a query that returns nothing answers nothing; end it with RETURN",
    "INSERT": "this tool only reads; what is to be remembered goes in as an episode",
}


def parse(text: str) -> Reading:
    """What a query reads. Raises `UngroundedQuery` for anything but one reading query."""
    return _Clauses(text).whole()


class _Clauses(Expressions):
    """Reads queries."""

    def whole(self) -> Reading:
        """The only query of the text; one semicolon may end it."""
        self.union()
        self.took_sign(";")
        if self.here.sort is not Sort.END:
            self._refuse_clause()
        return self.reading

    def union(self) -> None:
        """Reads queries with UNION between."""
        self._single(must_return=True)
        while self.took_word("UNION"):
            self.took_word("ALL", "DISTINCT")
            self._single(must_return=True)

    def subquery(self) -> None:
        """Reads `pattern [WHERE ...] }` or `query }`."""
        if self.here.is_sign("(") or (self.here.is_name and self.ahead().is_sign("=")):
            self.pattern_list()
            self._where()
        else:
            self._single(must_return=False)
            while self.took_word("UNION"):
                self.took_word("ALL", "DISTINCT")
                self._single(must_return=False)
        self.expect_sign("}", "at the end of the subquery")

    def _single(self, *, must_return: bool) -> None:
        if not self.here.is_name:
            self.fail(f"expected one of {', '.join(READING)}, found {self.shown()}", kind="clause")
        while True:
            token = self.here
            if token.is_word("RETURN"):
                self.take()
                self._projections()
                return
            if not self._clause():
                break
        if must_return:
            if token.sort is Sort.END or token.is_sign("}", ";") or token.is_word("UNION"):
                self.fail("a query ends with RETURN; say what to return", kind="clause")
            self._refuse_clause()

    def _clause(self) -> bool:
        """Reads one clause before RETURN, if a readable one stands here."""
        if self.here.is_word("OPTIONAL", "MATCH"):
            if self.took_word("OPTIONAL") and self.here.is_word("CALL"):
                return self._clause()
            self.expect_word("MATCH", "after OPTIONAL")
            self.pattern_list()
            if self.here.is_word("USING"):
                self.fail("hints are not taken; leave USING out", kind="clause")
            self._where()
        elif self.took_word("WITH"):
            self._projections()
            self._where()
        elif self.took_word("UNWIND"):
            self.expression()
            self.expect_word("AS", "after the list of UNWIND")
            self.expect_name("a variable")
        elif self.here.is_word("CALL"):
            self._call()
        else:
            return False
        return True

    def _call(self) -> None:
        call = self.take()
        if self.took_sign("("):
            while not self.took_sign(")"):
                if not self.took_sign("*", ","):
                    self.expect_name("a variable")
        if not self.took_sign("{"):
            self.fail(
                "procedures are not called here, only subqueries: CALL { ... }", kind="clause", at=call
            )
        self.union()
        self.expect_sign("}", "at the end of the subquery")
        if self.here.is_word("IN"):
            self.fail("transactions of its own are for writing; leave IN TRANSACTIONS out", kind="clause")

    def _projections(self) -> None:
        self.took_word("DISTINCT")
        self._projection_item()
        while self.took_sign(","):
            self._projection_item()
        if self.took_word("ORDER"):
            self.expect_word("BY", "after ORDER")
            self._sort_key()
            while self.took_sign(","):
                self._sort_key()
        while self.took_word("SKIP", "OFFSET", "LIMIT"):
            self.expression()

    def _projection_item(self) -> None:
        if self.took_sign("*"):
            return
        variable = self.here
        alone = variable.is_name and self.ahead().is_word("AS")
        self.expression()
        if self.took_word("AS"):
            alias = self.expect_name("a name after AS")
            if alone:
                self.reading.aliases.append(Alias(variable=variable.name, name=alias.name))

    def _sort_key(self) -> None:
        self.expression()
        self.took_word("ASC", "ASCENDING", "DESC", "DESCENDING")

    def _refuse_clause(self) -> None:
        token = self.here
        word = token.text.upper()
        if word in _WRITING:
            self.fail(
                f"{word} writes, and this tool only reads; what is to be remembered goes in as an episode",
                kind="clause",
            )
        if word in _REFUSED:
            self.fail(_REFUSED[word], kind="clause")
        if self.ahead(-1).is_sign(";"):
            self.fail("one query at a time; leave what follows the semicolon out")
        words = [clause.partition(" ")[0] for clause in READING]
        self.fail(f"{self.shown()} is not expected here", kind="clause", known=words)
