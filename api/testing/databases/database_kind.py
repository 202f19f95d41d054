"""The databases that the product runs on."""

from __future__ import annotations

from enum import StrEnum


class DatabaseKind(StrEnum):
    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"
