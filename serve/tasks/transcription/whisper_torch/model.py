"""A Whisper in the form of transformers, on its device: encoder, decode loop and alignment."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
import torch
from transformers import WhisperForConditionalGeneration
from transformers.utils import logging

from serve.tasks.transcription.whisper_torch.alignment import TokenTimes, token_times
from serve.tasks.transcription.whisper_torch.layers import encode
from serve.tasks.transcription.whisper_torch.loop import DecodeLoop, Stepper
from serve.tasks.transcription.whisper_torch.mel import MelSpectrum
from serve.tasks.transcription.whisper_torch.rows import Row, RowResult
from serve.tasks.transcription.whisper_torch.side_stream import SideStream
from serve.tasks.transcription.whisper_torch.step import Decoder, Marks
from serve.tasks.transcription.whisper_torch.stepper import GraphStepper

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

log = structlog.get_logger(__name__)

ENCODER_BATCH = 16
"""Windows encoded at once. Decode steps wait meanwhile, and more fill no GPU better: 16 windows have 24,000 frames."""
ALIGNER_BATCH = 16
CACHE_SHARE = 0.5
"""Share of the free GPU memory that the caches may take; the rest is for encoder and alignment."""


class TorchWhisper:
    """The loaded model. Its methods may be called from any thread.

    Decode steps run in the thread of its loop, encoding and alignment beside them on a stream of their own.
    """

    def __init__(self, folder: Path, marks: Marks, *, device: str, precision: str, slots: int) -> None:
        """`precision` is "bfloat16" or "float32". `slots` decodings run together, fewer where memory is short."""
        self.marks = marks
        self._heads = alignment_heads(folder)
        self.slots = slots
        self.uses_graphs = False

        def load() -> Stepper:
            if precision == "float32":
                # By default cuDNN rounds the factors of the encoder's convolutions to 10 bits.
                torch.backends.cudnn.conv.fp32_precision = torch.backends.cudnn.rnn.fp32_precision = "ieee"
            if device == "cuda":
                # A step is short and others wait for its words: it goes before what the other stream does.
                torch.cuda.set_stream(torch.cuda.Stream(priority=-1))
            # Replicas log to files, where a bar that moves is noise.
            logging.disable_progress_bar()
            self._model = WhisperForConditionalGeneration.from_pretrained(
                folder, local_files_only=True, dtype=getattr(torch, precision), attn_implementation="sdpa"
            )
            self._model.to(device).eval()
            self._mel = MelSpectrum(self._model.config.num_mel_bins, self._model.device)
            self.slots = min(slots, _room(self._model))
            self._side = SideStream(self._model.device)
            stepper = self._stepper()
            if device == "cuda":
                # The weights came by this stream, and the other one reads them too.
                torch.cuda.synchronize()
            return stepper

        self.loop = DecodeLoop(load, f"whisper-{device}")

    def encode(self, waves: Sequence[NDArray[np.float32]], context_ms: int) -> torch.Tensor:
        """Encoder output (windows, frames, width). Each wave is float32, -1 to 1, and fits into the context."""
        parts = [
            self._side.run(partial(self._encode, waves[start : start + ENCODER_BATCH], context_ms))
            for start in range(0, len(waves), ENCODER_BATCH)
        ]
        return parts[0] if len(parts) == 1 else self._side.run(partial(torch.cat, parts))

    def decode(self, rows: Sequence[Row]) -> list[RowResult]:
        return self.loop.decode(rows)

    def token_times(
        self,
        encoded: Sequence[torch.Tensor],
        prompts: Sequence[Sequence[int]],
        texts: Sequence[Sequence[int]],
        frames: Sequence[int],
    ) -> list[TokenTimes]:
        """When each token was spoken. `encoded` are encoder outputs (frames, width) of one length."""
        times: list[TokenTimes] = []
        for start in range(0, len(texts), ALIGNER_BATCH):
            part = slice(start, start + ALIGNER_BATCH)
            times += self._side.run(
                partial(
                    token_times,
                    self._model,
                    self._heads,
                    encoded[part],
                    prompts[part],
                    texts[part],
                    frames[part],
                    end_of_text=self.marks.end_of_text,
                )
            )
        return times

    def close(self) -> None:
        self._side.close()
        self.loop.close()
        del self._model
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    @torch.inference_mode()
    def _encode(self, waves: Sequence[NDArray[np.float32]], context_ms: int) -> torch.Tensor:
        mel = self._mel(waves, context_ms).to(self._model.dtype)
        return encode(self._model.model.encoder, mel)

    def _stepper(self) -> GraphStepper:
        stepper = GraphStepper(Decoder(self._model, self.marks, self.slots))
        if self._model.device.type == "cuda":
            try:
                stepper.capture()
                self.uses_graphs = True
            except RuntimeError as failure:
                log.error("engine.no_graphs", error=str(failure))
                torch.cuda.synchronize()
                stepper = GraphStepper(Decoder(self._model, self.marks, self.slots))
        return stepper


def alignment_heads(folder: Path) -> list[tuple[int, int]]:
    """(layer, head) of the attention that follows the sound; every head of the upper half where none are named."""
    generation = folder / "generation_config.json"
    named = json.loads(generation.read_text("utf-8")).get("alignment_heads") if generation.is_file() else None
    if named:
        return [(layer, head) for layer, head in named]
    config = json.loads((folder / "config.json").read_text("utf-8"))
    layers, heads = config["decoder_layers"], config["decoder_attention_heads"]
    return [(layer, head) for layer in range(layers // 2, layers) for head in range(heads)]


def _room(model: Any) -> int:
    """How many rows' caches the GPU's free memory holds, at least one."""
    if model.device.type != "cuda":
        return 2**16
    config = model.config
    positions = config.max_target_positions + config.max_source_positions
    row: int = 2 * config.decoder_layers * positions * config.d_model * model.dtype.itemsize
    free, _ = torch.cuda.mem_get_info(model.device)
    return max(1, int(CACHE_SHARE * free) // row)
