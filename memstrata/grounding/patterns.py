"""Patterns: nodes, relationships, quantified and shortest paths, wherever in a query they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memstrata.grounding.reading import Pattern
from memstrata.grounding.stream import Stream
from memstrata.grounding.tokens import Sort

if TYPE_CHECKING:
    from memstrata.grounding.tokens import Token

SHORTEST: Final = ("SHORTESTPATH", "ALLSHORTESTPATHS")


class Patterns(Stream):
    """Reads patterns; expressions inside them are `Expressions`'."""

    def expression(self) -> None:
        """Reads one expression."""
        raise NotImplementedError

    def pattern_list(self) -> None:
        """Reads patterns with commas between."""
        self.pattern()
        while self.took_sign(","):
            self.pattern()

    def pattern(self) -> None:
        """Reads `[name =] [which shortest] path`."""
        if self.here.is_name and self.ahead().is_sign("="):
            self.take()
            self.take()
        self._selector()
        if self.here.is_word(*SHORTEST):
            # Neo4j takes no property maps inside of it, and so no group.
            self.fail(
                f"{self.here.text}() cannot be confined to a group; write it as "
                "MATCH p = SHORTEST 1 (a)-[:RELATES_TO]-{1,4}(b)"
            )
        self.path()

    def _selector(self) -> None:
        """`ANY`, `ALL SHORTEST`, `SHORTEST 3 [GROUPS]`, before a path."""
        while self.here.is_word("ALL", "ANY", "SHORTEST", "GROUPS", "GROUP", "PATHS", "PATH") or (
            self.here.sort is Sort.NUMBER
        ):
            self.take()

    def path(self, *, at_least_one_hop: bool = False) -> None:
        """Reads nodes joined by relationships, and quantified parts in parentheses."""
        self._part()
        hops = 0
        while True:
            if self._starts_relationship():
                self._relationship()
                hops += 1
            elif not (self.here.is_sign("(") and not at_least_one_hop):
                break
            self._part()
        if at_least_one_hop and not hops:
            self.fail(f"expected a relationship after the node, found {self.shown()}")

    def _part(self) -> None:
        """A node, or a path in parentheses that may be repeated: `((a)-[]->(b)){1,3}`."""
        if not self.here.is_sign("("):
            self.fail(f"expected a node in parentheses, found {self.shown()}")
        inner = self.ahead()
        if inner.is_sign("(") or (inner.is_name and self.ahead(2).is_sign("=")):
            self.take()
            self.pattern()
            self._where()
            self.expect_sign(")", "at the end of a path in parentheses")
            self._quantifier()
        else:
            self._node()

    def _node(self) -> None:
        self.expect_sign("(", "at the beginning of a node")
        variable = self._variable()
        names = self._label_expression() if self.here.is_sign(":") or self.here.is_word("IS") else ()
        room, has_map, keys = self._properties()
        self._where()
        self.expect_sign(")", "at the end of a node")
        self.reading.patterns.append(
            Pattern(variable=variable, names=names, keys=keys, room=room, has_map=has_map, is_node=True)
        )

    def _starts_relationship(self) -> bool:
        first, second = self.here, self.ahead()
        if first.is_sign("<"):
            return second.is_sign("-") and self.ahead(2).is_sign("-", "[")
        return first.is_sign("-") and second.is_sign("-", "[")

    def _relationship(self) -> None:
        self.took_sign("<")
        dash = self.expect_sign("-", "at the beginning of a relationship")
        if self.took_sign("["):
            variable = self._variable()
            names = self._label_expression() if self.here.is_sign(":") or self.here.is_word("IS") else ()
            is_long = self._length()
            room, has_map, keys = self._properties()
            self._where()
            self.expect_sign("]", "at the end of a relationship")
            self.reading.patterns.append(
                Pattern(
                    variable=variable,
                    names=names,
                    keys=keys,
                    room=room,
                    has_map=has_map,
                    is_node=False,
                    is_long=is_long,
                )
            )
        else:
            self.reading.bare_relationships.append(dash.stop)
        self.expect_sign("-", "at the end of a relationship")
        self.took_sign(">")
        self._quantifier()

    def _length(self) -> bool:
        """`*`, `*2`, `*1..3` and the like."""
        if not self.took_sign("*"):
            return False
        self._number()
        if self.took_sign(".."):
            self._number()
        return True

    def _quantifier(self) -> None:
        """`+`, `*`, `{2}`, `{1,3}` after a relationship or a path in parentheses."""
        if self.took_sign("+", "*"):
            return
        if self.here.is_sign("{") and (self.ahead().sort is Sort.NUMBER or self.ahead().is_sign(",")):
            self.take()
            self._number()
            if self.took_sign(","):
                self._number()
            self.expect_sign("}", "at the end of a quantifier")

    def _number(self) -> None:
        if self.here.sort is Sort.NUMBER:
            self.take()

    def _variable(self) -> Token | None:
        token = self.here
        if not token.is_name or token.is_word("WHERE") or self._is_label_word(token):
            return None
        return self.take()

    def _is_label_word(self, token: Token) -> bool:
        """Whether this is the IS of `(IS Person)`, and no variable of that name."""
        return token.is_word("IS") and self.ahead().is_name

    def _label_expression(self) -> tuple[Token, ...]:
        """`:A`, `:A:B`, `:A|B`, `:(A&!B)`, `:%`: the names in it."""
        self.take()
        names: list[Token] = []
        self._label_term(names)
        while self.took_sign("|", "&", ":"):
            self.took_sign(":")
            self._label_term(names)
        return tuple(names)

    def _label_term(self, names: list[Token]) -> None:
        while self.took_sign("!"):
            pass
        if self.took_sign("("):
            self._label_term(names)
            while self.took_sign("|", "&"):
                self._label_term(names)
            self.expect_sign(")", "at the end of a label expression")
        elif not self.took_sign("%"):
            names.append(self.expect_name("a label or a type"))

    def _properties(self) -> tuple[int, bool, tuple[Token, ...]]:
        """Where an entry can be put in, whether there is a map, and its keys."""
        if self.here.sort is Sort.PARAMETER:
            self.fail(
                "properties cannot come as one parameter; write them out, such as {name: $name}",
                at=self.here,
            )
        if not self.here.is_sign("{"):
            return self._last_stop(), False, ()
        opening = self.take()
        keys = self.map_entries()
        return opening.stop, True, keys

    def _last_stop(self) -> int:
        return self.ahead(-1).stop

    def map_entries(self) -> tuple[Token, ...]:
        """Reads `key: value, ...}` after the opening brace; the keys."""
        keys: list[Token] = []
        while not self.took_sign("}"):
            if keys:
                self.expect_sign(",", "between the entries of a map")
            keys.append(self.expect_name("a property's name"))
            self.expect_sign(":", "after a property's name")
            self.expression()
        return tuple(keys)

    def _where(self) -> None:
        if self.took_word("WHERE"):
            self.expression()
