"""Expressions: operators by their binding, atoms, comprehensions, subqueries, and patterns among them."""

from __future__ import annotations

from memstrata.grounding.functions import FUNCTIONS
from memstrata.grounding.patterns import SHORTEST, Patterns
from memstrata.grounding.problems import UngroundedQuery
from memstrata.grounding.reading import Access
from memstrata.grounding.tokens import Sort

_LITERALS = ("TRUE", "FALSE", "NULL", "INF", "INFINITY", "NAN")
_QUANTIFIERS = ("ANY", "ALL", "NONE", "SINGLE")
_SUBQUERIES = ("EXISTS", "COUNT", "COLLECT")


class Expressions(Patterns):
    """Reads expressions; the queries in subqueries are `Clauses`'."""

    def subquery(self) -> None:
        """Reads the inside of `EXISTS { }` and its like, after the opening brace."""
        raise NotImplementedError

    def expression(self) -> None:
        """Reads one expression, all operators included."""
        self._operand()
        while self._operator():
            self._operand()

    def _operator(self) -> bool:
        """Takes an operator between two operands, if there is one; tests that end an expression too."""
        if self.took_word("OR", "XOR", "AND", "IN", "CONTAINS"):
            return True
        if self.took_sign("=", "<>", "<", ">", "<=", ">=", "=~", "+", "-", "*", "/", "%", "^", "||"):
            return True
        if self.here.is_word("STARTS", "ENDS") and self.ahead().is_word("WITH"):
            self.take()
            self.take()
            return True
        while self.here.is_word("IS") and self.ahead().is_word("NULL", "NOT"):
            self.take()
            self.took_word("NOT")
            self.expect_word("NULL", "after IS")
            return self._operator()
        return False

    def _operand(self) -> None:
        while self.took_word("NOT") or self.took_sign("+", "-"):
            pass
        self._atom()
        self._after()

    def _after(self) -> None:
        """Properties, items, slices, label tests and projections behind an atom."""
        while True:
            if self.took_sign("."):
                self.expect_name("a property's name after the dot")
            elif self.took_sign("["):
                self._index()
            elif self.here.is_sign("::"):
                self.fail("type tests (::) are not taken here; compare values instead")
            else:
                break

    def _index(self) -> None:
        if not self.here.is_sign(".."):
            self.expression()
        if self.took_sign("..") and not self.here.is_sign("]"):
            self.expression()
        self.expect_sign("]", "at the end of an index")

    def _atom(self) -> None:
        token = self.here
        if token.sort in (Sort.NUMBER, Sort.STRING):
            self.take()
        elif token.sort is Sort.PARAMETER:
            self.reading.parameters.append(self.take())
        elif token.is_sign("["):
            self._list()
        elif token.is_sign("{"):
            self.take()
            self.map_entries()
        elif token.is_sign("("):
            self._parenthesised()
        elif token.is_name:
            self._named()
        else:
            self.fail(f"expected a value, found {self.shown()}")

    def _named(self) -> None:
        """Literals, CASE, subqueries, functions and variables."""
        token = self.here
        if token.is_word(*_LITERALS) and not self.ahead().is_sign("(", "."):
            self.take()
        elif token.is_word("CASE"):
            self._case()
        elif token.is_word(*_SUBQUERIES) and self.ahead().is_sign("{"):
            self.take()
            self.take()
            self.subquery()
        elif token.is_word(*_QUANTIFIERS) and self.ahead().is_sign("("):
            self._quantified()
        elif token.is_word("REDUCE") and self.ahead().is_sign("("):
            self._reduced()
        elif token.is_word(*SHORTEST) and self.ahead().is_sign("("):
            self.pattern()
        elif self._is_function():
            self._function()
        else:
            self._variable_read()

    def _variable_read(self) -> None:
        variable = self.take()
        if self.here.is_sign(".") and self.ahead().is_name:
            self.take()
            self.reading.accesses.append(Access(variable=variable.name, key=self.take()))
        elif self.here.is_sign(":"):
            self.reading.tested.extend((variable.name, name) for name in self._label_expression())
        elif self.here.is_sign("{"):
            self.take()
            self._projection(variable.name)

    def _projection(self, variable: str) -> None:
        """`{.name, .*, key: value, other}` after a variable and its opening brace."""
        while not self.took_sign("}"):
            if self.took_sign("."):
                if not self.took_sign("*"):
                    key = self.expect_name("a property's name after the dot")
                    self.reading.accesses.append(Access(variable=variable, key=key))
            else:
                self.expect_name("a name in the map")
                if self.took_sign(":"):
                    self.expression()
            if not self.here.is_sign("}"):
                self.expect_sign(",", "between the entries of a map")

    def _is_function(self) -> bool:
        """Whether a call follows: `name(` or `name.name(`."""
        at = 1
        while self.ahead(at).is_sign(".") and self.ahead(at + 1).is_name:
            at += 2
        return self.ahead(at).is_sign("(")

    def _function(self) -> None:
        first = self.take()
        name = first.name
        while self.took_sign("."):
            name = f"{name}.{self.take().name}"
        if name.lower() not in FUNCTIONS:
            self.fail(
                f"{name} is no function that only reads values",
                kind="function",
                at=first,
                known=FUNCTIONS,
            )
        self.expect_sign("(", "after a function's name")
        self.took_word("DISTINCT")
        if self.took_sign("*"):
            self.expect_sign(")", "after count(*")
            return
        while not self.took_sign(")"):
            self.expression()
            if not self.here.is_sign(")"):
                self.expect_sign(",", "between arguments")

    def _quantified(self) -> None:
        """`any(x IN list WHERE ...)`."""
        self.take()
        self.expect_sign("(", "after the quantifier")
        self.expect_name("a variable")
        self.expect_word("IN", "after the variable")
        self.expression()
        if self.took_word("WHERE"):
            self.expression()
        self.expect_sign(")", "at the end")

    def _reduced(self) -> None:
        """`reduce(sum = 0, x IN list | sum + x)`."""
        self.take()
        self.take()
        self.expect_name("a variable")
        self.expect_sign("=", "after the variable")
        self.expression()
        self.expect_sign(",", "after the first value")
        self.expect_name("a variable")
        self.expect_word("IN", "after the variable")
        self.expression()
        self.expect_sign("|", "before what is reduced")
        self.expression()
        self.expect_sign(")", "at the end of reduce")

    def _case(self) -> None:
        self.take()
        if not self.here.is_word("WHEN"):
            self.expression()
        while self.took_word("WHEN"):
            self.expression()
            while self.took_sign(","):
                self.expression()
            self.expect_word("THEN", "after WHEN")
            self.expression()
        if self.took_word("ELSE"):
            self.expression()
        self.expect_word("END", "at the end of CASE")

    def _list(self) -> None:
        """A list, a list comprehension or a pattern comprehension."""
        self.take()
        if self.here.is_name and self.ahead().is_word("IN"):
            self.take()
            self.take()
            self.expression()
            self._comprehended()
            return
        if self._attempt_pattern(comprehension=True):
            self._comprehended()
            return
        while not self.took_sign("]"):
            self.expression()
            if not self.here.is_sign("]"):
                self.expect_sign(",", "between the items of a list")

    def _comprehended(self) -> None:
        if self.took_word("WHERE"):
            self.expression()
        if self.took_sign("|"):
            self.expression()
        self.expect_sign("]", "at the end of a comprehension")

    def _parenthesised(self) -> None:
        if self._attempt_pattern(comprehension=False):
            return
        self.expect_sign("(", "")
        self.expression()
        self.expect_sign(")", "at the end of an expression in parentheses")
        if self._starts_relationship():
            # To Neo4j this may be a pattern; one that is not understood cannot be confined to the group.
            self.fail("this pattern cannot be read; write it in a MATCH of its own")

    def _attempt_pattern(self, *, comprehension: bool) -> bool:
        """Reads a pattern with at least one relationship, if one stands here; else reads nothing."""
        named = comprehension and self.here.is_name and self.ahead().is_sign("=")
        if not (self.here.is_sign("(") or named):
            return False
        mark = self.mark()
        try:
            if named:
                self.take()
                self.take()
            self.path(at_least_one_hop=True)
        except UngroundedQuery:
            self.go_back(mark)
            return False
        return True
