"""What requests are made of: pydantic models that refuse unknown fields, turned into values at once."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Final

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from memstrata.errors import nearest
from memstrata.instants import DATE_WILL_DO, NotAnInstant, parse_instant_or_date

_LONGEST_TEXT: Final = 10_000


def _instant(value: object) -> datetime:
    """The instant that a text means; a date, a month or a year means its first instant in UTC."""
    text = value if isinstance(value, str) else repr(value)
    try:
        return parse_instant_or_date(text)
    except NotAnInstant as error:
        said = f"{str(error)[:200]}; {DATE_WILL_DO}"
        raise PydanticCustomError("time", "{said}", {"said": said}) from None


#: A time: `2024`, `2024-05`, `2024-05-14` (its first instant, UTC), or whole with an offset.
When = Annotated[
    datetime,
    BeforeValidator(_instant),
    WithJsonSchema({"type": "string", "examples": ["2024-05-14", "2024-05-14T09:30:00Z"]}),
]
Id = Annotated[str, Field(min_length=1, max_length=256)]
GroupName = Annotated[
    str, Field(min_length=1, max_length=256, description="A group's id.", examples=["acme/eng/alice"])
]
Pattern = Annotated[str, Field(min_length=1, max_length=256)]
Text = Annotated[str, Field(min_length=1, max_length=_LONGEST_TEXT)]
Reason = Annotated[str, Field(max_length=_LONGEST_TEXT, description="Why; kept with the decision.")]


class Edge(BaseModel):
    """A model of a request: unknown fields are refused with the nearest that there is."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=False)

    @model_validator(mode="before")
    @classmethod
    def _only_known(cls, given: object) -> object:
        if isinstance(given, Mapping):
            known = cls.names()
            for name in given:
                if name not in known:
                    near = nearest(str(name), known)
                    hint = f"did you mean {near}?" if near else f"there are: {', '.join(known)}"
                    raise PydanticCustomError(
                        "unknown_field",
                        "there is no field {name}; {hint}",
                        {"name": repr(str(name)[:80]), "hint": hint},
                    )
        return given

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The fields as clients write them."""
        return tuple(field.alias or name for name, field in cls.model_fields.items())


class Paged(Edge):
    """Where a page begins, and how long it is."""

    cursor: Annotated[
        str | None, Field(max_length=512, description="`next_cursor` of the page before.")
    ] = None
    limit: Annotated[int, Field(ge=1, le=1_000, description="How many at most.")] = 100


class OfGroup(Edge):
    """One group."""

    group_id: GroupName | None = None


class PagedOfGroup(Paged):
    """A page of one group's."""

    group_id: GroupName | None = None


class Withdrawing(OfGroup):
    """Why, and whether to wait."""

    reason: Reason = ""
    wait: Annotated[bool, Field(description="Answer only when it has taken effect.")] = False
