from __future__ import annotations

from pydantic import BaseModel

from api.platform.http.pages.language import PageText
from serve.catalogue.installed import Where
from serve.catalogue.orders import OrderState


class OrderOut(BaseModel):
    """A download that somebody asked for. `bytes_total` is 0 while unknown."""

    state: OrderState
    bytes_done: int
    bytes_total: int
    sentence: PageText


class CatalogueOut(BaseModel):
    """A model that one can get or that is on the installation's machine.

    `languages` and `pairs` are null where there are many or none apply. `size_bytes` is null while unknown.
    `obstacle` says why it cannot be downloaded; `conversion` is the command that makes it. `installed` says where
    it is.
    """

    name: str
    task: str
    title: str
    summary: PageText
    licence: str
    is_noncommercial: bool
    languages: list[str] | None
    pairs: list[str] | None
    size_bytes: int | None
    conversion: str | None
    obstacle: PageText | None
    installed: Where | None
    is_in_use: bool
    order: OrderOut | None
