"""The families of models that sherpa-onnx runs, the first one first where several know a language."""

from __future__ import annotations

from pathlib import Path

from serve.tasks.transcription.sherpa.families.canary import Canary
from serve.tasks.transcription.sherpa.families.cohere import Cohere
from serve.tasks.transcription.sherpa.families.moonshine import Moonshine
from serve.tasks.transcription.sherpa.families.omnilingual import Omnilingual
from serve.tasks.transcription.sherpa.families.parakeet import Parakeet
from serve.tasks.transcription.sherpa.families.qwen3_asr import Qwen3Asr
from serve.tasks.transcription.sherpa.families.sense_voice import SenseVoice
from serve.tasks.transcription.sherpa.families.zipformer import Zipformer
from serve.tasks.transcription.sherpa.family import Family

FAMILIES: tuple[Family, ...] = (
    Cohere(),
    Qwen3Asr(),
    Canary(),
    Zipformer(),
    # After Zipformer, whose files have the same names: what says nothing of itself is taken for Parakeet.
    Parakeet(),
    SenseVoice(),
    Moonshine(),
    Omnilingual(),
)
BY_NAME = {family.name: family for family in FAMILIES}


def family_of(folder: Path) -> Family | None:
    """The family whose model a folder holds, as far as names and metadata tell."""
    return next((family for family in FAMILIES if family.holds(folder)), None)
