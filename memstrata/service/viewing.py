"""Where and when to look, as requests say it, and the `View` that they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from memstrata.ports import Filters
from memstrata.search.view import View
from memstrata.service.edge import Edge, Pattern, When
from memstrata.service.problems import Refused

if TYPE_CHECKING:
    from memstrata.service.caller import Caller

Groups = Annotated[
    tuple[Pattern, ...] | None,
    Field(
        max_length=100,
        description="Groups to look in: names, `PATH/*` for all below, `*` for all within reach.",
        examples=[["acme/*"]],
    ),
]
Names = Annotated[tuple[Pattern, ...], Field(max_length=100)]
_PAIR = 2


class Narrowing(Edge):
    """Filters of a search."""

    types: Annotated[Names, Field(description="Of or about entities of these types.")] = ()
    relations: Annotated[Names, Field(description="Facts of these relations.")] = ()
    sources: Annotated[Names, Field(description="What rests on these sources.")] = ()
    speakers: Annotated[Names, Field(description="What these speakers said (ids or names).")] = ()
    properties: Annotated[
        dict[str, str], Field(max_length=20, description="Where these attributes have these values.")
    ] = Field(default_factory=dict)
    least_confidence: Annotated[float | None, Field(ge=0.0, le=1.0)] = None

    def filters(self) -> Filters:
        """The filters of the library."""
        return Filters(
            types=self.types,
            relations=self.relations,
            sources=self.sources,
            speakers=self.speakers,
            properties=tuple(self.properties.items()),
            least_confidence=self.least_confidence,
        )


class InGroups(Edge):
    """Groups alone."""

    groups: Groups = None

    def view(self, caller: Caller) -> View:
        """The view of this caller."""
        return View(groups=caller.groups(self.groups))


class Believed(InGroups):
    """Groups, at a system time."""

    system_as_of: Annotated[When | None, Field(description="As believed then (default: now).")] = None

    def view(self, caller: Caller) -> View:
        """The view of this caller."""
        return View(groups=caller.groups(self.groups), system_as_of=self.system_as_of)


class Looking(Believed):
    """Groups and both times: the fields that bodies and queries share."""

    as_of: Annotated[When | None, Field(description="What was true then (default: now).")] = None
    during: Annotated[
        tuple[When, ...] | None,
        Field(description="What was true at some time of the half-open period [from, to).", max_length=2),
    ] = None
    history: Annotated[bool, Field(description="All that was ever held true, not one moment.")] = False

    def view(self, caller: Caller) -> View:
        """The view of this caller, filters included."""
        return View(
            groups=caller.groups(self.groups),
            as_of=self.as_of,
            system_as_of=self.system_as_of,
            during=self._period(),
            history=self.history,
            filters=self.filtered(),
        )

    def filtered(self) -> Filters:
        """Among what; everything, unless a request can say more."""
        return Filters()

    def _period(self) -> tuple[When, When] | None:
        if self.during is None:
            return None
        if len(self.during) != _PAIR:
            raise Refused(
                422, "during: expected two times, from and to (given twice in a query)", kind="malformed"
            )
        return self.during[0], self.during[1]


class LookingWithin(Looking):
    """As a body says it: filters together."""

    filters: Narrowing = Narrowing()

    def filtered(self) -> Filters:
        """Among what."""
        return self.filters.filters()


class LookingFlat(Looking):
    """As a query says it: each filter a parameter, which may be repeated; a property is NAME=VALUE."""

    types: Names = ()
    relations: Names = ()
    sources: Names = ()
    speakers: Names = ()
    properties: Annotated[Names, Field(description="NAME=VALUE")] = ()
    least_confidence: Annotated[float | None, Field(ge=0.0, le=1.0)] = None

    def filtered(self) -> Filters:
        """Among what."""
        parted = [one.partition("=") for one in self.properties]
        if not all(name and equals and value for name, equals, value in parted):
            raise Refused(422, "properties: expected NAME=VALUE, such as role=engineer", kind="malformed")
        return Filters(
            types=self.types,
            relations=self.relations,
            sources=self.sources,
            speakers=self.speakers,
            properties=tuple((name, value) for name, _, value in parted),
            least_confidence=self.least_confidence,
        )
