"""The models that one can get, for administrators."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Depends

from api.people.access.rules import AdminOnly, require_admin
from api.people.audit.actions import AuditAction
from api.people.audit.service import record_for
from api.platform.capabilities import catalogue
from api.platform.capabilities.catalogue_schemas import CatalogueOut, OrderOut
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State, WriteSession
from serve.core.settings import ModelSettings

ID_MAX = 100
"""Of the audit log's column."""

router = APIRouter(prefix="/api/models/catalogue", tags=["models"], dependencies=[Depends(require_admin)])


@router.get("", responses=error_responses(401, 403))
async def list_catalogue(state: State, session: ReadSession) -> Data[list[CatalogueOut]]:
    """Curated models by task, the best first, then others that are on this machine."""
    running = await catalogue.running_models(session)
    # Off the loop: it looks through folders.
    return Data(data=await asyncio.to_thread(catalogue.entries, state.settings.models_root, ModelSettings(), running))


@router.post("/{name:path}", status_code=202, responses=error_responses(401, 403, 404, 409, 422))
async def pull_model(name: str, state: State, admin: AdminOnly, session: WriteSession) -> Data[OrderOut]:
    """Download a model in the background. The list shows the progress."""
    placed = await asyncio.to_thread(catalogue.order, name, state.settings.models_root, ModelSettings())
    record_for(session, admin, AuditAction.MODEL_PULLED, object_kind="model", object_id=name[:ID_MAX], name=name)
    return Data(data=OrderOut.model_validate(placed, from_attributes=True))


@router.delete("/{name:path}", status_code=204, responses=error_responses(401, 403, 404, 409))
async def remove_model(name: str, state: State, admin: AdminOnly, session: WriteSession) -> None:
    """Remove a model from the disk, or stop its download."""
    running = await catalogue.running_models(session)
    await asyncio.to_thread(catalogue.discard, name, state.settings.models_root, running)
    record_for(session, admin, AuditAction.MODEL_REMOVED, object_kind="model", object_id=name[:ID_MAX], name=name)
