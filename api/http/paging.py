"""Lists in pages: what a call asks for and what the answer says about the whole."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, Field

PER_PAGE = 100
PER_PAGE_MAX = 1000
PAGE_MAX = 1_000_000
"""Far behind any list; larger numbers would not fit the database's integers."""

T = TypeVar("T")


class PageQuery(BaseModel):
    """`limit` is the specification's own name for `per_page`, which goes before it."""

    page: int = Field(1, ge=1, le=PAGE_MAX)
    per_page: int | None = Field(None, ge=1, le=PER_PAGE_MAX)
    limit: int = Field(PER_PAGE, ge=1, le=PER_PAGE_MAX)

    @property
    def size(self) -> int:
        return self.per_page or self.limit

    @property
    def offset(self) -> int:
        return (self.page - 1) * self.size


class PageMeta(BaseModel):
    """`total` counts all entries that fit the call, not those of the page."""

    total: int
    page: int
    per_page: int


class Page(BaseModel, Generic[T]):
    data: list[T]
    meta: PageMeta


def page_of(entries: list[T], query: PageQuery, total: int) -> Page[T]:
    return Page(data=entries, meta=PageMeta(total=total, page=query.page, per_page=query.size))
