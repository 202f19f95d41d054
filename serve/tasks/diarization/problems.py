"""Why a speaker model cannot be used, in clauses."""

from __future__ import annotations

from cluster.wording.message import Wording

NO_SEGMENTATION = Wording(
    "diarization.no_segmentation", "{name} is not a segmentation model in sherpa-onnx form ({missing} is missing)"
)
OTHER_WINDOWS = Wording(
    "diarization.other_windows", "{name} takes other windows than 10 s at 16 kHz; use pyannote segmentation 3.0"
)
OTHER_PIPELINE = Wording(
    "diarization.other_pipeline",
    "the segmentation model of “{name}” takes other windows than 10 s; use one like community-1",
)
NO_EMBEDDING = Wording("diarization.no_embedding", "{name} is not a speaker embedding model in sherpa-onnx form")
NO_PYANNOTE_MODEL = Wording("diarization.no_pyannote_model", "“{name}” holds no pyannote model")


class UnusableModel(ValueError):
    """A model file that is not what the engine needs. The message is a clause that says what it lacks."""
