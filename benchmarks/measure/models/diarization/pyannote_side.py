"""Bare pyannote.audio, as its documentation shows it."""

from __future__ import annotations

import wave
from typing import Any

from benchmarks.measure.models.child import Json, Loaded


def load(configuration: Json) -> Loaded:
    """`configuration` holds `model`, a pipeline's folder or hub name, and `device`."""
    import numpy as np
    import torch
    from pyannote.audio import Pipeline

    pipeline: Any = Pipeline.from_pretrained(configuration["model"])
    pipeline.to(torch.device(configuration["device"]))

    def answer(request: Json) -> Json:
        with wave.open(request["wav"]) as reader:
            pcm = reader.readframes(reader.getnframes())
            rate = reader.getframerate()
        samples = torch.from_numpy(np.frombuffer(pcm, "<i2").astype(np.float32) / 32_768)[None]
        known = {"num_speakers": request["speakers"]} if request["speakers"] else {}
        result = pipeline({"waveform": samples, "sample_rate": rate}, **known)
        # Pipelines of version 4 return several forms of the same turns.
        turns = getattr(result, "speaker_diarization", result)
        return {
            "turns": [
                [round(turn.start * 1000), round(turn.end * 1000), speaker]
                for turn, _, speaker in turns.itertracks(yield_label=True)
            ]
        }

    return Loaded(answer, {"engine": "pyannote.audio", "model": configuration["model"]})
