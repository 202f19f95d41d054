from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from api.capabilities.schemas import ModelOut


class LoadedOut(ModelOut):
    """One task, with what only administrators see: where its model runs, why this one, and since when."""

    device: str | None
    model: str | None
    reason: str | None
    changed_at: datetime | None


class ModelsOut(BaseModel):
    """`models_folder` and `hub_cache` are where models lie; `free_bytes` is what fits beside them."""

    tasks: list[LoadedOut]
    models_folder: str
    hub_cache: str
    free_bytes: int
    downloads_allowed: bool
    noncommercial_allowed: bool
