"""The declarative base, column types and shared columns of every table."""

from __future__ import annotations

import secrets
import uuid
from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, DateTime, Index, MetaData, Uuid, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.engine import Dialect
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

SLUG_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
SLUG_LENGTH = 12

# Constraint names must not depend on the database, so that one migration drops them on both.
NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class AwareDateTime(TypeDecorator[datetime]):
    """A point in time, always with a UTC offset in Python. SQLite stores naive UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("A datetime without an offset cannot be stored.")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


JsonValue = JSON().with_variant(JSONB(), "postgresql")


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: AwareDateTime(),
        dict[str, Any]: JsonValue,
        list[Any]: JsonValue,
        uuid.UUID: Uuid(),
    }


def utc_now() -> datetime:
    return datetime.now(UTC)


def new_slug() -> str:
    """A public name of 12 characters (60 random bits), without letters that look alike."""
    return "".join(secrets.choice(SLUG_ALPHABET) for _ in range(SLUG_LENGTH))


def deleted_rows(table: str) -> Index:
    """The index of rows that are deleted. Nearly all rows are not, and SQLite would read them all along a full one."""
    is_deleted = text("deleted_at IS NOT NULL")
    return Index(f"ix_{table}_deleted_at", "deleted_at", sqlite_where=is_deleted, postgresql_where=is_deleted)


class HasId:
    id: Mapped[uuid.UUID] = mapped_column(primary_key=True, default=uuid.uuid4)


class HasTimes:
    created_at: Mapped[datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[datetime] = mapped_column(default=utc_now, onupdate=utc_now)
