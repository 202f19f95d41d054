"""What was measured of the speech engines here, and which one errs least."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import ValidationError
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from api.platform.capabilities.models import EvidenceRow
from pipelines.evidence.record import EVIDENCE, EngineEvidence, ranked, recommendation
from pipelines.languages import whisper_code
from serve.core.capability import engine_for
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label


async def keep_evidence(session: AsyncSession, measured: Sequence[EngineEvidence]) -> None:
    """Store a comparison in place of the last one: figures of two samples say nothing beside each other."""
    await session.execute(delete(EvidenceRow))
    session.add_all(
        EvidenceRow(name=each.name, record=EVIDENCE.dump_python(each, mode="json"), measured_at=each.measured_at)
        for each in measured
    )


async def evidence(session: AsyncSession) -> list[EngineEvidence]:
    """The last comparison, the engine with the fewest errors first."""
    found = []
    for record in await session.scalars(select(EvidenceRow.record)):
        try:
            found.append(EVIDENCE.validate_python(record))
        except ValidationError:
            # Written by another version of the product. The next comparison replaces it.
            continue
    return ranked(found)


def advice(measured: Sequence[EngineEvidence], loaded: EngineInfo | None) -> str:
    """What the comparison says about the engine in use; empty where it says nothing."""
    if loaded is None or not measured:
        return ""
    used = engine_for(loaded, whisper_code(measured[0].language))
    return recommendation(measured, engine_label(used.engine, used.model))
