"""What was measured of one engine, as rows and pages have it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import TypeAdapter

from cluster.stored_sentences import SentenceText
from cluster.wording.message import Wording
from pipelines.evidence.errors import WordErrors, has_fewer
from serve.core.messages import EngineInfo
from serve.tasks.engine_labels import engine_label
from serve.tasks.transcription.sherpa.registry import BY_NAME

FEWER = Wording(
    "evidence.fewer",
    "On the sample “{sample}”, {best} makes {errors} % errors and {used}, which is in use, {more} %. {advice}",
)
NO_BETTER = Wording(
    "evidence.no_better", "On the sample “{sample}”, no engine errs clearly less than {used} ({errors} %)."
)
CHOOSE_SHERPA = Wording("evidence.choose_sherpa", "To use it first, set SAGASCRIPT_SHERPA_MODELS='[\"{name}\"]'.")
CHOOSE_WHISPER = Wording("evidence.choose_whisper", "To use it, set SAGASCRIPT_WHISPER_MODEL={name}.")
CHOOSE_ENGINE = Wording(
    "evidence.choose_engine", "To use it, set `engine: {engine}` in the profile's section transcription."
)


@dataclass(frozen=True, slots=True)
class EngineEvidence:
    """One engine on one sample. `speed` is seconds of sound for each second of work, `memory` bytes of its process.

    `problem` says why it could not be measured; the figures are 0 then.
    """

    info: EngineInfo
    sample: str
    language: str
    """Locale code of the first recording."""
    sample_seconds: float
    measured_at: datetime
    errors: WordErrors = field(default_factory=WordErrors)
    speed: float = 0.0
    memory: int = 0
    loading_seconds: float = 0.0
    problem: SentenceText = ""

    @property
    def name(self) -> str:
        return self.info.name

    @property
    def label(self) -> str:
        return engine_label(self.info.engine, self.info.model)


EVIDENCE: TypeAdapter[EngineEvidence] = TypeAdapter(EngineEvidence)


def ranked(measured: Sequence[EngineEvidence]) -> list[EngineEvidence]:
    """The one with the fewest errors first, of equal ones the quickest; those with a problem last."""
    return sorted(measured, key=lambda each: (bool(each.problem), each.errors.total, -each.speed))


def recommendation(measured: Sequence[EngineEvidence], used: str) -> str:
    """A sentence about the engine that errs least, beside the one in use, a label; empty where nothing can be said."""
    able = [each for each in ranked(measured) if not each.problem]
    current = next((each for each in able if each.label == used), None)
    if current is None or len(able) < 2:
        return ""
    best = able[0]
    if not has_fewer(best.errors, current.errors):
        return NO_BETTER(sample=current.sample, used=used, errors=round(current.errors.percent, 1))
    return FEWER(
        sample=best.sample,
        best=best.label,
        errors=round(best.errors.percent, 1),
        used=used,
        more=round(current.errors.percent, 1),
        advice=_advice(best.info),
    )


def _advice(info: EngineInfo) -> str:
    if info.engine in BY_NAME:
        return CHOOSE_SHERPA(name=info.name)
    if info.engine.startswith("whisper"):
        return CHOOSE_WHISPER(name=info.name)
    return CHOOSE_ENGINE(engine=info.engine)
