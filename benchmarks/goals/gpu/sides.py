"""Ways to run the same weights over the same windows: our decode loop, and others' libraries where they are installed.

Each writes a given number of tokens for every window. The end of the text is suppressed where a library allows it; the
others write what the model says, which has as many tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import torch

from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sounds import Wave
from serve.tasks.transcription.messages import MAX_WINDOW_MS, SAMPLE_RATE
from serve.tasks.transcription.whisper.tokens import Tokenizers
from serve.tasks.transcription.whisper_torch.model import TorchWhisper
from serve.tasks.transcription.whisper_torch.rows import Row
from serve.tasks.transcription.whisper_torch.step import Marks

CALLS = 2
"""Calls of our engine that run side by side, as the `gpu` profile's workers do: one fills what the other leaves."""
WINDOW_S = MAX_WINDOW_MS / 1000

Decode: TypeAlias = Callable[[Sequence[Wave], Sequence[int]], int]
"""Takes windows with their numbers of tokens, and returns how many it wrote for them."""


@dataclass(frozen=True, slots=True)
class Side:
    """A loaded model."""

    decode: Decode
    close: Callable[[], None]
    graphs: bool = False
    """Whether its decode steps are replayed CUDA graphs."""


Make: TypeAlias = Callable[[Run, Path, int], Side]
"""Loads the model of a folder for batches of a size."""


def loaded(run: Run, folder: Path, slots: int, *, precision: str | None = None) -> tuple[TorchWhisper, Tokenizers]:
    """Our model with room for this many rows, each of which has as many tokens as it may."""
    tokenizers = tokenizers_of(folder)
    english = tokenizers.of("en")
    marks = Marks(
        end_of_text=english.eot,
        no_speech=english.no_speech,
        timestamp_begin=english.timestamp_begin,
        languages=(),
        suppressed=(*tokenizers.suppressed, english.eot),
    )
    model = TorchWhisper(folder, marks, device=run.device, precision=precision or run.precision, slots=slots)
    return model, tokenizers


def ours(run: Run, folder: Path, batch: int) -> Side:
    model, tokenizers = loaded(run, folder, batch)
    prompt = tuple(tokenizers.of("en").sot_sequence)

    def call(part: Sequence[tuple[Wave, int]]) -> int:
        encoded = model.encode([wave for wave, _ in part], MAX_WINDOW_MS)
        rows = [Row(prompt, 0, most, sound) for sound, (_, most) in zip(encoded, part, strict=True)]
        return sum(len(result.tokens) for result in model.decode(rows))

    def decode(waves: Sequence[Wave], tokens: Sequence[int]) -> int:
        with ThreadPoolExecutor(CALLS) as calls:
            return sum(calls.map(call, _batches(waves, tokens, batch)))

    return Side(decode, model.close, model.uses_graphs)


def transformers(run: Run, folder: Path, batch: int) -> Side:
    """transformers' own generation. A batch ends with its longest row."""
    from transformers import WhisperFeatureExtractor, WhisperForConditionalGeneration
    from transformers.utils import logging

    # It warns in every call that our number of tokens replaces the model's own.
    logging.set_verbosity_error()
    dtype = getattr(torch, run.precision)
    model = WhisperForConditionalGeneration.from_pretrained(
        folder, local_files_only=True, dtype=dtype, attn_implementation="sdpa"
    )
    model = model.to(run.device).eval()
    extractor = WhisperFeatureExtractor.from_pretrained(folder)

    def decode(waves: Sequence[Wave], tokens: Sequence[int]) -> int:
        for part in _batches(waves, tokens, batch):
            longest = max(most for _, most in part)
            features = extractor(
                [wave for wave, _ in part], sampling_rate=SAMPLE_RATE, return_tensors="pt", device=run.device
            ).input_features
            with torch.inference_mode():
                model.generate(
                    features.to(run.device, dtype),
                    language="en",
                    task="transcribe",
                    do_sample=False,
                    num_beams=1,
                    min_new_tokens=longest,
                    max_new_tokens=longest,
                )
        return sum(tokens)

    return Side(decode, lambda: None)


def faster_whisper(run: Run, folder: Path, batch: int) -> Side:
    """CTranslate2 by faster-whisper's `BatchedInferencePipeline`, which decodes until the text ends."""
    from ctranslate2.converters import TransformersConverter
    from faster_whisper import BatchedInferencePipeline, WhisperModel

    compute = "float16" if run.device == "cuda" else "int8"
    converted = folder.with_name(f"{folder.name}-ct2-{compute}")
    if not converted.is_dir():
        copied = ["tokenizer.json", "preprocessor_config.json"]
        TransformersConverter(str(folder), copy_files=copied).convert(str(converted), quantization=compute)
    model = WhisperModel(str(converted), device=run.device, compute_type=compute, cpu_threads=1)
    pipeline = BatchedInferencePipeline(model)

    def decode(waves: Sequence[Wave], tokens: Sequence[int]) -> int:
        cuts = [{"start": number * WINDOW_S, "end": (number + 1) * WINDOW_S} for number in range(len(waves))]
        segments, _ = pipeline.transcribe(
            np.concatenate(waves),
            language="en",
            beam_size=1,
            batch_size=batch,
            vad_filter=False,
            clip_timestamps=cuts,
            without_timestamps=False,
        )
        # Its segments hold the words' tokens; each window has two times besides.
        return sum(len(each.tokens) for each in segments)

    return Side(decode, model.model.unload_model)


def vllm(run: Run, folder: Path, batch: int) -> Side:
    from vllm import LLM, SamplingParams

    model = LLM(
        model=str(folder), dtype=run.precision, max_model_len=448, max_num_seqs=batch, limit_mm_per_prompt={"audio": 1}
    )

    def decode(waves: Sequence[Wave], tokens: Sequence[int]) -> int:
        written = model.generate(
            [
                {
                    "prompt": "<|startoftranscript|><|en|><|transcribe|>",
                    "multi_modal_data": {"audio": (wave, SAMPLE_RATE)},
                }
                for wave in waves
            ],
            [SamplingParams(temperature=0.0, max_tokens=most, ignore_eos=True) for most in tokens],
            use_tqdm=False,
        )
        return sum(len(each.outputs[0].token_ids) for each in written)

    return Side(decode, lambda: None)


PEERS: dict[str, tuple[tuple[str, ...], Make]] = {
    "transformers": (("transformers",), transformers),
    "faster-whisper": (("faster_whisper", "ctranslate2"), faster_whisper),
    "vLLM": (("vllm",), vllm),
}
"""Others by name, each with the modules that it needs."""


def _batches(waves: Sequence[Wave], tokens: Sequence[int], size: int) -> list[Sequence[tuple[Wave, int]]]:
    windows = list(zip(waves, tokens, strict=True))
    return [windows[start : start + size] for start in range(0, len(windows), size)]


def tokenizers_of(folder: Path) -> Tokenizers:
    from tokenizers import Tokenizer

    return Tokenizers(Tokenizer.from_file(str(folder / "tokenizer.json")), is_multilingual=True)
