"""Builds the API reference page from the OpenAPI schema: operations grouped by tag, with examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

Schema = Mapping[str, Any]

METHODS: Final = ("get", "post", "put", "patch", "delete")
MAX_DEPTH: Final = 6  # nesting levels of an example; shapes can be recursive
EXAMPLE_VALUES: Final[dict[str, Any]] = {"string": "…", "integer": 0, "number": 0.0, "boolean": False, "null": None}
EMPTY_EXAMPLES: Final = ("null", "{}", "[]", "[{}]")  # examples that are not worth showing
JSON_TYPE: Final = "application/json"


class Parameter(NamedTuple):
    """A path, query or header parameter."""

    name: str
    place: str
    kind: str
    required: bool
    text: str


class SuccessResponse(NamedTuple):
    """The response to a successful request."""

    status: str
    text: str
    example: str


class Operation(NamedTuple):
    """One operation of the API."""

    id: str
    method: str
    path: str
    text: str
    parameters: list[Parameter]
    bodies: list[str]  # example request bodies
    answer: SuccessResponse


class Group(NamedTuple):
    """Operations with the same tag."""

    name: str
    operations: list[Operation]


def group_operations(schema: Schema) -> list[Group]:
    """Return the operations of a schema grouped by their first tag, in schema order."""
    groups: dict[str, list[Operation]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                tag = (methods[method].get("tags") or ["other"])[0]
                groups.setdefault(tag, []).append(_operation(schema, method, path, methods[method]))
    return [Group(name, operations) for name, operations in groups.items()]


def _operation(schema: Schema, method: str, path: str, facts: Schema) -> Operation:
    return Operation(
        id=f"{method}-{path.strip('/').replace('/', '-').replace('{', '').replace('}', '')}",
        method=method.upper(),
        path=path,
        text=" ".join(facts.get("description", facts.get("summary", "")).split()),
        parameters=[_parameter(schema, parameter) for parameter in facts.get("parameters", ())],
        bodies=list(_bodies(schema, facts)),
        answer=_success_response(schema, facts.get("responses", {})),
    )


def _parameter(schema: Schema, facts: Schema) -> Parameter:
    shape = facts.get("schema", {})
    text = facts.get("description", shape.get("description", ""))
    return Parameter(facts["name"], facts["in"], describe_type(schema, shape), facts.get("required", False), text)


def _bodies(schema: Schema, facts: Schema) -> Iterator[str]:
    shape = facts.get("requestBody", {}).get("content", {}).get(JSON_TYPE, {}).get("schema")
    if shape is None:
        return
    examples = resolve_reference(schema, shape).get("examples")
    for body in examples or [make_example(schema, shape)]:
        yield format_json(body)


def _success_response(schema: Schema, responses: Schema) -> SuccessResponse:
    for status, facts in responses.items():
        if status.startswith("2"):
            content = facts.get("content", {})
            shape = content.get(JSON_TYPE, {}).get("schema")
            text = facts.get("description", "") if shape is not None else ", ".join(content)
            example = "" if not shape else format_json(make_example(schema, shape))
            return SuccessResponse(status, text, "" if example in EMPTY_EXAMPLES else example)
    return SuccessResponse("200", "", "")


def resolve_reference(schema: Schema, shape: Schema) -> Schema:
    """Return a shape with its `$ref` resolved."""
    while "$ref" in shape:
        target: Any = schema
        for part in shape["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        shape = target
    return shape


def describe_type(schema: Schema, shape: Schema) -> str:
    """Describe the type of a shape in a word or two."""
    shape = resolve_reference(schema, shape)
    if "enum" in shape:
        return " | ".join(map(str, shape["enum"]))
    if "anyOf" in shape:
        return " or ".join(dict.fromkeys(describe_type(schema, option) for option in shape["anyOf"]))
    if shape.get("type") == "array":
        return f"list of {describe_type(schema, shape.get('items', {}))}"
    return str(shape.get("type", "anything"))


def make_example(schema: Schema, shape: Schema, depth: int = 0) -> Any:  # noqa: ANN401 - any JSON
    """Return an example value of a shape: its own example, or one built from its parts."""
    shape = resolve_reference(schema, shape)
    for key in ("examples", "enum"):
        if shape.get(key):
            return shape[key][0]
    for key in ("example", "const", "default"):
        if shape.get(key) is not None:
            return shape[key]
    if depth > MAX_DEPTH:
        return None
    if "anyOf" in shape:
        return make_example(schema, shape["anyOf"][0], depth + 1)
    if shape.get("type") == "array":
        return [make_example(schema, shape["items"], depth + 1)] if shape.get("items") else []
    if shape.get("type") == "object" or "properties" in shape:
        return {name: make_example(schema, part, depth + 1) for name, part in shape.get("properties", {}).items()}
    return EXAMPLE_VALUES.get(str(shape.get("type")), None)


def format_json(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Format JSON for reading, short values on one line."""
    short = json.dumps(value, ensure_ascii=False)
    return short if len(short) <= 76 else json.dumps(value, ensure_ascii=False, indent=2)  # noqa: PLR2004 - fits a phone
