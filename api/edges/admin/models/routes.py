"""What is loaded and where models lie, for administrators. The routes of the catalogue get and remove models."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fastapi import APIRouter
from sqlalchemy import select

from api.edges.admin.models.schemas import ComparisonOut, EvidenceOut, LoadedOut, ModelsOut, ReplicaOut
from api.people.access.rules import AdminOnly
from api.platform.capabilities.evidence import advice, evidence
from api.platform.capabilities.models import CapabilityRow
from api.platform.capabilities.queries import capabilities, capability_of
from api.platform.capabilities.replica_queries import replicas_by_task
from api.platform.capabilities.schemas import describe
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.state import ReadSession, State
from cluster.wording.message import Message
from pipelines.evidence.record import EngineEvidence
from serve.core.messages import EngineInfo
from serve.core.replica_messages import TaskReplicas
from serve.core.settings import ModelSettings
from serve.tasks.engine_labels import engine_label

router = APIRouter(prefix="/api/admin/models", tags=["admin"])

CLUSTER_AWAY = Message(
    "admin.cluster_away",
    "The cluster does not answer. What runs on it is unknown; `sagascript doctor` looks for the reason.",
)


@router.get("", responses=error_responses(401, 403))
async def loaded_models(_admin: AdminOnly, state: State, session: ReadSession) -> Data[ModelsOut]:
    rows = await session.execute(select(CapabilityRow.task, CapabilityRow.updated_at))
    changed = {task: at for task, at in rows.tuples()}
    replicas = await replicas_by_task(session)
    settings, root = ModelSettings(), state.settings.models_root.resolve()
    return Data(
        data=ModelsOut(
            tasks=[
                LoadedOut(
                    **describe(each).model_dump(),
                    device=each.loaded.device or None if each.loaded else None,
                    model=each.loaded.model or None if each.loaded else None,
                    reason=each.loaded.reason or None if each.loaded else None,
                    changed_at=changed.get(each.task),
                    **describe_replicas(replicas.of(each.task)),
                )
                for each in await capabilities(session)
            ],
            read_at=replicas.read_at,
            problem=None if replicas.is_fresh else CLUSTER_AWAY,
            models_folder=str(root),
            hub_cache=_hub_cache(),
            free_bytes=await asyncio.to_thread(_free_at, root),
            downloads_allowed=settings.allow_hub is not False,
            noncommercial_allowed=settings.allow_noncommercial_models,
            comparison=_comparison(await evidence(session), (await capability_of(session)).loaded),
        )
    )


def _comparison(measured: Sequence[EngineEvidence], loaded: EngineInfo | None) -> ComparisonOut | None:
    if not measured:
        return None
    first = measured[0]
    return ComparisonOut(
        sample=first.sample,
        seconds=first.sample_seconds,
        words=first.errors.words,
        measured_at=max(each.measured_at for each in measured),
        engines=[_evidence(each) for each in measured],
        advice=advice(measured, loaded) or None,
    )


def _evidence(each: EngineEvidence) -> EvidenceOut:
    is_measured = not each.problem
    return EvidenceOut(
        name=each.name,
        label=each.label,
        errors=round(each.errors.percent, 1) if is_measured else None,
        speed=round(each.speed, 1) if is_measured else None,
        memory=each.memory if is_measured else None,
        languages=sorted(each.info.languages),
        word_times=each.info.word_times,
        punctuates=each.info.punctuates,
        takes_vocabulary=each.info.takes_vocabulary,
        licence=each.info.licence or None,
        problem=each.problem or None,
    )


def describe_replicas(replicas: TaskReplicas) -> dict[str, Any]:
    """The fields of `LoadedOut` about replicas."""
    running = [
        ReplicaOut(
            id=each.id,
            node=each.node,
            address=each.address,
            device=each.device,
            model=engine_label(each.engine, each.model),
            is_busy=each.is_busy,
            memory=each.memory,
            gpu_used=each.gpu.used if each.gpu else None,
            gpu_total=each.gpu.total if each.gpu else None,
            max_batch=each.limits.max_batch if each.limits else None,
            batch_wait_ms=each.limits.wait_ms if each.limits else None,
        )
        for each in replicas.running
    ]
    return {
        "replicas": running,
        "starting": replicas.starting,
        "stopping": replicas.stopping,
        "profile_problem": replicas.profile_problem or None,
    }


def _hub_cache() -> str:
    from huggingface_hub import constants

    return str(constants.HF_HUB_CACHE)


def _free_at(folder: Path) -> int:
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free
