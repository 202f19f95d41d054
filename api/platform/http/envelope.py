"""The `{"data": ...}` envelope of every success body."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")


class Data(BaseModel, Generic[T]):
    data: T
