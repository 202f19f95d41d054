"""The families of streaming models that sherpa-onnx runs, the first one first where several know a language."""

from __future__ import annotations

from pathlib import Path

from serve.tasks.live.sherpa.families.nemotron import Nemotron
from serve.tasks.live.sherpa.families.t_one import TOne
from serve.tasks.live.sherpa.families.zipformer import StreamingZipformer
from serve.tasks.live.sherpa.family import StreamingFamily

FAMILIES: tuple[StreamingFamily, ...] = (Nemotron(), StreamingZipformer(), TOne())
BY_NAME = {family.name: family for family in FAMILIES}


def family_of(folder: Path) -> StreamingFamily | None:
    """The family whose model a folder holds, as far as names and metadata tell."""
    return next((family for family in FAMILIES if family.holds(folder)), None)
