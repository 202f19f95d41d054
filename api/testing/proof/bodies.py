"""Valid request bodies, made from the OpenAPI document, that name somebody's things wherever they can name any."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Schema = Mapping[str, Any]
JSON = "application/json"
DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Names:
    """What bodies name: ids by what a property's name says, and a file for all others."""

    user_id: str
    team_id: str
    file_id: str
    slug: str
    password: str

    def text(self, name: str, schema: Schema) -> str:
        if "enum" in schema:
            return str(schema["enum"][0])
        if schema.get("format") == "uuid":
            return self.team_id if "team" in name else self.user_id if name in _PEOPLE else self.file_id
        if schema.get("format") == "email" or "email" in name:
            return f"new.{uuid.uuid4().hex[:10]}@example.com"
        if "password" in name:
            return self.password
        if name in _FILES:
            return self.slug
        return "word".ljust(schema.get("minLength", 0), "x")[: schema.get("maxLength", 100)]


_PEOPLE = frozenset({"id", "user", "users", "user_id", "payer", "payer_id", "member"})
_FILES = frozenset({"slug", "slugs", "file", "files", "key", "keys", "ids", "videos"})


class Bodies:
    def __init__(self, document: Schema, names: Names) -> None:
        self._schemas = document.get("components", {}).get("schemas", {})
        self._names = names

    def of(self, operation: Schema) -> list[dict[str, Any]]:
        """What to pass to httpx2: nothing, or the smallest and the fullest body, of each kind that there is."""
        content = operation.get("requestBody", {}).get("content", {})
        if JSON in content:
            schema = content[JSON]["schema"]
            every = [
                self._value("", choice, full=full) for choice in schema.get("oneOf", [schema]) for full in (False, True)
            ]
            return [{"json": body} for index, body in enumerate(every) if body not in every[:index]]
        if content:
            kind, described = next(iter(content.items()))
            fields = self._value("", described["schema"], full=True)
            if kind == "multipart/form-data":
                return [{"files": {name: (None, str(value)) for name, value in fields.items()}}]
            return [{"content": b"x"}]
        return [{}]

    def _value(self, name: str, schema: Schema, *, full: bool, depth: int = 0) -> Any:
        if "$ref" in schema:
            return self._value(name, self._schemas[schema["$ref"].rpartition("/")[2]], full=full, depth=depth)
        for choice in ("anyOf", "oneOf", "allOf"):
            if choice in schema:
                known = [each for each in schema[choice] if each.get("type") != "null"]
                return self._value(name, known[0], full=full, depth=depth)
        if "const" in schema:
            return schema["const"]
        kind = schema.get("type")
        if kind == "object" or "properties" in schema:
            if depth > DEEPEST:
                return {}
            required = schema.get("required", ())
            return {
                key: self._value(key, each, full=full, depth=depth + 1)
                for key, each in schema.get("properties", {}).items()
                if full or key in required
            }
        if kind == "array":
            return [self._value(name, schema.get("items", {}), full=full, depth=depth + 1)]
        if kind in ("integer", "number"):
            return schema.get("minimum", schema.get("exclusiveMinimum", 0) + 1)
        if kind == "boolean":
            return True
        return self._names.text(name, schema)
