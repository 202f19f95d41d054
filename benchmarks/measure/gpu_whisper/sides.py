"""The three ways to run the same weights: our engine's decode loop, CTranslate2, and transformers' own generation.

Each writes a fixed number of tokens for every window: the end of the text is suppressed, as random weights do not end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from serve.tasks.transcription.messages import MAX_WINDOW_MS
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper_torch.model import TorchWhisper
from serve.tasks.transcription.whisper_torch.rows import Row
from serve.tasks.transcription.whisper_torch.step import Marks

Wave = NDArray[np.float32]
CALLS = 2
"""Calls of our engine that run side by side, as the `gpu` profile's workers do: one fills what the other leaves."""


@dataclass(frozen=True, slots=True)
class Side:
    """A loaded model. `run` decodes all windows in batches and returns the number of tokens that it wrote."""

    name: str
    engine: str
    configuration: dict[str, Any]
    run: Callable[[Sequence[Wave]], int]
    close: Callable[[], None]


def ours(folder: Path, *, device: str, batch: int, tokens: int) -> Side:
    precision = "bfloat16" if device == "cuda" else "float32"
    tokenizers = _tokenizers(folder)
    english = tokenizers.of("en")
    marks = Marks(
        end_of_text=english.eot,
        no_speech=english.no_speech,
        timestamp_begin=english.timestamp_begin,
        languages=(),
        suppressed=(*tokenizers.suppressed, english.eot),
    )
    model = TorchWhisper(folder, marks, device=device, precision=precision, slots=batch)
    prompt = tuple(english.sot_sequence)

    def call(waves: Sequence[Wave]) -> int:
        rows = [Row(prompt, 0, tokens, encoded) for encoded in model.encode(waves, MAX_WINDOW_MS)]
        return sum(len(result.tokens) for result in model.decode(rows))

    def run(waves: Sequence[Wave]) -> int:
        with ThreadPoolExecutor(CALLS) as calls:
            return sum(calls.map(call, _batches(waves, batch)))

    settings = {"precision": precision, "slots": model.slots, "cuda_graphs": model.uses_graphs, "calls": CALLS}
    return Side("whisper_torch", "whisper_torch", settings, run, model.close)


def ctranslate2(folder: Path, *, device: str, batch: int, tokens: int) -> Side:
    """Raises RuntimeError where CTranslate2 cannot use the device."""
    from ctranslate2.converters import TransformersConverter
    from faster_whisper import WhisperModel

    compute = "float16" if device == "cuda" else "int8"
    converted = folder.with_name(f"{folder.name}-ct2-{compute}")
    if not converted.is_dir():
        copied = ["tokenizer.json", "preprocessor_config.json"]
        TransformersConverter(str(folder), copy_files=copied).convert(str(converted), quantization=compute)
    model = WhisperModel(str(converted), device=device, compute_type=compute, cpu_threads=1)
    tokenizers = _tokenizers(folder)
    english = tokenizers.of("en")

    def run(waves: Sequence[Wave]) -> int:
        written = 0
        for part in _batches(waves, batch):
            features = np.stack([model.feature_extractor(wave)[:, :-1][:, :3000] for wave in part])
            results = model.model.generate(
                model.encode(np.pad(features, ((0, 0), (0, 0), (0, 3000 - features.shape[-1])))),
                [list(english.sot_sequence)] * len(part),
                beam_size=1,
                # CTranslate2 gives half of this length to the text.
                max_length=2 * tokens,
                suppress_tokens=[*tokenizers.suppressed, english.eot],
            )
            written += sum(len(result.sequences_ids[0]) for result in results)
        return written

    return Side("CTranslate2", "whisper", {"compute_type": compute}, run, model.model.unload_model)


def transformers(folder: Path, *, device: str, batch: int, tokens: int) -> Side:
    from transformers import WhisperFeatureExtractor, WhisperForConditionalGeneration
    from transformers.utils import logging

    # It warns in every call that our number of tokens replaces the model's own.
    logging.set_verbosity_error()
    dtype = torch.bfloat16 if device == "cuda" else torch.float32
    model = WhisperForConditionalGeneration.from_pretrained(
        folder, local_files_only=True, dtype=dtype, attn_implementation="sdpa"
    )
    model = model.to(device).eval()
    extractor = WhisperFeatureExtractor.from_pretrained(folder)

    def run(waves: Sequence[Wave]) -> int:
        written = 0
        for part in _batches(waves, batch):
            features = extractor(list(part), sampling_rate=16_000, return_tensors="pt", device=device).input_features
            with torch.inference_mode():
                found = model.generate(
                    features.to(device, dtype),
                    language="en",
                    task="transcribe",
                    do_sample=False,
                    num_beams=1,
                    min_new_tokens=tokens,
                    max_new_tokens=tokens,
                )
            # It may return the prompt and fill up with the end, neither of which it decoded for us.
            written += len(part) * min(tokens, found.shape[-1])
        return written

    return Side("transformers", "transformers", {"precision": str(dtype)}, run, lambda: None)


SIDES = {"whisper_torch": ours, "ctranslate2": ctranslate2, "transformers": transformers}


def _batches(waves: Sequence[Wave], size: int) -> list[Sequence[Wave]]:
    return [waves[start : start + size] for start in range(0, len(waves), size)]


def _tokenizers(folder: Path) -> Tokenizers:
    from tokenizers import Tokenizer

    return Tokenizers(Tokenizer.from_file(str(folder / "tokenizer.json")), is_multilingual=True)
