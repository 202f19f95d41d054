"""Typed values with one JSON form: what a job row holds and what a flow takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError


class JsonMessage(BaseModel):
    """A frozen value. Rows outlive versions: unknown fields are ignored, and new fields need a default."""

    model_config = ConfigDict(frozen=True, defer_build=True)

    def to_json(self) -> dict[str, Any]:
        return self.model_dump(mode="json")

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Raises pydantic's `ValidationError` when a required field is missing or has the wrong type."""
        return cls.model_validate(value)

    @classmethod
    def read(cls, value: Mapping[str, Any]) -> Self | None:
        """`from_json`, but None when the value has another form."""
        try:
            return cls.from_json(value)
        except ValidationError:
            return None
