"""What tools take: one model a tool, refused with the argument's name, and its JSON Schema, kept short."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from memstrata.errors import Incorrect, nearest
from memstrata.instants import first_instant_of

if TYPE_CHECKING:
    from collections.abc import Mapping

_SHOWN: Final = 80


def _instant(value: object) -> object:
    """ISO 8601; a date, a month or a year stands for its first instant, no offset for UTC."""
    if not isinstance(value, str):
        raise ValueError("expected a text such as 2024-05-14T09:30:00Z or 2024-05-14")  # noqa: TRY004 (pydantic's)
    text = value.strip()
    first = first_instant_of(text)
    if first is not None:
        return first
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError("expected a time such as 2024-05-14T09:30:00Z or 2024-05-14") from None
    return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)


#: A time in ISO 8601, in UTC.
Instant = Annotated[datetime, BeforeValidator(_instant), WithJsonSchema({"type": "string"})]

GroupIds = Annotated[
    str | list[str] | None,
    Field(
        description="Groups to look in: one id, a list, or a path such as acme/*. Default: the server's."
    ),
]
GroupId = Annotated[str | None, Field(description="The group. Default: the server's.")]
MostFacts = Annotated[int, Field(ge=1, le=100, description="Facts at most.")]


class Arguments(BaseModel):
    """The arguments of a tool; unknown ones are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


def read_arguments(model: type[Arguments], given: Mapping[str, object] | None) -> Arguments:
    """The arguments as the tool wants them; raises `Incorrect` naming each that is wrong."""
    try:
        return model.model_validate(dict(given or {}))
    except ValidationError as error:
        known = list(model.model_fields)
        problems = [_problem(dict(detail), known) for detail in error.errors(include_url=False)]
        raise Incorrect("; ".join(dict.fromkeys(problems))) from None


def _problem(detail: Mapping[str, Any], known: list[str]) -> str:
    name = ".".join(str(part) for part in detail["loc"] if part not in {"str", "list[str]"})
    if detail["type"] == "extra_forbidden":
        # `entry_id` or `entry_uuid` where `id` or `uuid` is meant: the last word says more than the letters
        last = name.rpartition("_")[2]
        near = last if last in known else nearest(name, known)
        hint = f"did you mean {near!r}?" if near else f"there are: {', '.join(known) or 'none'}"
        return f"there is no argument {name!r}; {hint}"
    if detail["type"] == "missing":
        return f"the argument {name!r} is missing"
    given = repr(detail["input"])
    shown = given if len(given) <= _SHOWN else f"{given[:_SHOWN]}…"
    return f"{name} = {shown}: {detail['msg'].removeprefix('Value error, ')}"


def schema_of(model: type[Arguments]) -> dict[str, Any]:
    """The JSON Schema of the arguments, without titles and without the `null` that optional ones may be."""
    schema = model.model_json_schema()
    properties = {name: _short(field) for name, field in schema.get("properties", {}).items()}
    short: dict[str, Any] = {"type": "object", "properties": properties, "additionalProperties": False}
    if "required" in schema:
        short["required"] = schema["required"]
    return short


def _short(field: dict[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in field.items() if key != "title"}
    if kept.get("default", 0) is None:
        del kept["default"]
    kinds = [one for one in kept.pop("anyOf", []) if one != {"type": "null"}]
    if len(kinds) == 1:
        return {**kinds[0], **kept}
    return {**kept, "anyOf": kinds} if kinds else kept
