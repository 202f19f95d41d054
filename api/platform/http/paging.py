"""Lists in pages: the parameters of a call, and the totals in its answer."""

from __future__ import annotations

from typing import Generic, TypeVar

from pydantic import BaseModel, Field

PER_PAGE = 100
PER_PAGE_MAX = 1000
PAGE_MAX = 1_000_000
"""Far beyond any list. Larger numbers would not fit the database's integers."""

T = TypeVar("T")


class PageQuery(BaseModel):
    """`limit` is another name for `per_page`, which wins when both are set."""

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
    """`total` counts all matching entries, not only those on the page."""

    total: int
    page: int
    per_page: int


class Page(BaseModel, Generic[T]):
    data: list[T]
    meta: PageMeta


def page_of(entries: list[T], query: PageQuery, total: int) -> Page[T]:
    return Page(data=entries, meta=PageMeta(total=total, page=query.page, per_page=query.size))
