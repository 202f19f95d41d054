"""Float32 on the device beside float32 on the processor: the same weights must write the same tokens."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import torch

from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sides import loaded
from benchmarks.goals.gpu.sounds import Wave, wave
from serve.tasks.transcription.messages import MAX_WINDOW_MS
from serve.tasks.transcription.whisper_torch.rows import Row

WINDOWS, TOKENS = 4, 60


def measure_parity(run: Run, folder: Path) -> None:
    """Random weights, whose rows differ; the end is suppressed, so each row has as many tokens as it may."""
    waves = [wave(MAX_WINDOW_MS / 1000, seed) for seed in range(WINDOWS)]
    encoded, tokens = _decoded(run, folder, waves, slots=WINDOWS)
    # On the processor every row runs alone: the batch must not change what it says.
    known, expected = _decoded(replace(run, device="cpu"), folder, waves, slots=1)
    same = sum(ours == theirs for ours, theirs in zip(tokens, expected, strict=True))
    apart = float((encoded - known).norm() / known.norm())
    run.report.figure("rows with the same tokens in float32", 100 * same / WINDOWS, "%", windows=WINDOWS, tokens=TOKENS)
    run.report.figure("encoder in float32, relative difference", apart, "")


def _decoded(run: Run, folder: Path, waves: Sequence[Wave], *, slots: int) -> tuple[torch.Tensor, list[object]]:
    model, tokenizers = loaded(run, folder, slots, precision="float32")
    with closing(model):
        encoded = model.encode(waves, MAX_WINDOW_MS)
        prompt = tuple(tokenizers.of("en").sot_sequence)
        results = model.decode([Row(prompt, 0, TOKENS, sound) for sound in encoded])
        return encoded.float().cpu(), [result.tokens for result in results]
