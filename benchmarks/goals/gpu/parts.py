"""The parts of the model one by one: encoder, decode step with and without a CUDA graph, alignment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from transformers import WhisperForConditionalGeneration

from benchmarks.goals.gpu.limit import work_of
from benchmarks.goals.gpu.run import Run
from benchmarks.goals.gpu.sides import tokenizers_of
from benchmarks.goals.gpu.sounds import wave
from serve.tasks.transcription.messages import MAX_WINDOW_MS
from serve.tasks.transcription.whisper_torch.alignment import token_times
from serve.tasks.transcription.whisper_torch.layers import encode
from serve.tasks.transcription.whisper_torch.mel import MelSpectrum
from serve.tasks.transcription.whisper_torch.model import alignment_heads
from serve.tasks.transcription.whisper_torch.rows import Row
from serve.tasks.transcription.whisper_torch.step import Decoder, Marks
from serve.tasks.transcription.whisper_torch.stepper import GraphStepper
from serve.testing.random_whisper_torch import Shape

LOOKS = 8
"""Looks of the decode loop in one measured run of steps; each has several steps."""
ATTENTION = ("flash", "fmha", "efficient_attention", "cudnn", "sdpa", "dot_product", "softmax")
"""Parts of the names of kernels and operations that do attention."""


class Parts:
    """The weights on the device, outside any loop."""

    def __init__(self, run: Run, shape: Shape, folder: Path, slots: int) -> None:
        self._run, self._shape, self._slots = run, shape, slots
        self._model: Any = WhisperForConditionalGeneration.from_pretrained(
            folder, local_files_only=True, dtype=getattr(torch, run.precision), attn_implementation="sdpa"
        )
        self._model.to(run.device).eval()
        self._mel = MelSpectrum(shape.mels, self._model.device)
        self._heads = alignment_heads(folder)
        tokenizers = tokenizers_of(folder)
        english = tokenizers.of("en")
        self._prompt = tuple(english.sot_sequence)
        self._marks = Marks(
            end_of_text=english.eot,
            no_speech=english.no_speech,
            timestamp_begin=english.timestamp_begin,
            languages=(),
            suppressed=(*tokenizers.suppressed, english.eot),
        )

    def measure(self, batches: list[int]) -> None:
        """Encoder and alignment by batch, the step by rows, and which kernels did the attention."""
        for batch in batches:
            self._encoder(batch)
        for rows in dict.fromkeys((min(8, self._slots), self._slots)):
            self._steps(rows)
        self._alignment(batches[-1])
        self._kernels(batches[0])

    def _encoder(self, batch: int) -> None:
        waves = [wave(MAX_WINDOW_MS / 1000, seed) for seed in range(batch)]
        spectrum = self._spectrum(batch)
        self._figure(f"spectrum, batch {batch}, for a window", lambda: self._mel(waves, MAX_WINDOW_MS), per=batch)
        title = f"encoder, batch {batch}"
        seconds = self._figure(f"{title}, for a window", lambda: self._encode(spectrum), per=batch)
        if (speed := self._run.speed) is not None:
            least = work_of(self._shape, batch=1, tokens=1, value_bytes=2).encoder_operations
            share = least / speed.operations_a_second / seconds
            self._run.report.figure(f"{self._shape.name}: {title}, share of the least time", 100 * share, "%")

    def _steps(self, rows: int) -> None:
        for kind, stepper in self._steppers():
            encoded = self._encode(self._spectrum(1))[0]
            # No row may end while its steps are timed.
            most = self._model.config.max_target_positions - len(self._prompt)
            row = Row(self._prompt, 0, most, encoded)

            def work(stepper: GraphStepper = stepper, row: Row = row) -> None:
                stepper.reset()
                stepper.admit([(slot, row) for slot in range(rows)])
                for look in range(LOOKS):
                    stepper.advance(used=rows, longest=look * stepper.steps_per_look, draws=False)

            self._figure(f"decode step of {rows} rows, {kind}", work, per=LOOKS * stepper.steps_per_look)

    def _steppers(self) -> Iterator[tuple[str, GraphStepper]]:
        yield "kernel by kernel", GraphStepper(Decoder(self._model, self._marks, self._slots))
        if self._run.device == "cuda":
            yield "by graph", self._captured()
        else:
            self._run.report.note("There are no CUDA graphs on a processor.")

    def _captured(self) -> GraphStepper:
        """Raises RuntimeError where a step cannot be captured, which the product would only log."""
        stepper = GraphStepper(Decoder(self._model, self._marks, self._slots))
        times: list[float] = []
        with self._run.timed(times):
            stepper.capture()
        self._run.report.figure("capturing all graphs", times[0], "s", slots=self._slots)
        return stepper

    def _alignment(self, batch: int) -> None:
        encoded = list(self._encode(self._spectrum(batch)))
        text = list(range(1000, 1000 + self._run.words))

        def work() -> None:
            token_times(
                self._model,
                self._heads,
                encoded,
                [[*self._prompt, self._marks.timestamp_begin - 1]] * batch,
                [text] * batch,
                [MAX_WINDOW_MS // 20] * batch,
                end_of_text=self._marks.end_of_text,
            )

        self._figure(f"word times, batch {batch}, for a window", work, per=batch)

    def _kernels(self, batch: int) -> None:
        spectrum = self._spectrum(batch)
        activities = [ProfilerActivity.CPU]
        if self._run.device == "cuda":
            activities.append(ProfilerActivity.CUDA)
        with profile(activities=activities) as seen:
            self._encode(spectrum)
            self._run.wait()
        names = [event.key for event in seen.key_averages() if any(part in event.key.lower() for part in ATTENTION)]
        self._run.report.note(f"Attention of the encoder ran as {', '.join(dict.fromkeys(names)) or 'plain products'}.")

    def _spectrum(self, batch: int) -> torch.Tensor:
        waves = [wave(MAX_WINDOW_MS / 1000, seed) for seed in range(batch)]
        return self._mel(waves, MAX_WINDOW_MS).to(self._model.dtype)

    def _encode(self, spectrum: torch.Tensor) -> torch.Tensor:
        with torch.inference_mode():
            return encode(self._model.model.encoder, spectrum)

    def _figure(self, name: str, work: Callable[[], object], *, per: int) -> float:
        """Report and return the best seconds of several runs, after one that counts for nothing."""
        times: list[float] = []
        work()
        for _ in range(self._run.repeats):
            with self._run.timed(times):
                work()
        seconds = min(times) / per
        self._run.report.figure(f"{self._shape.name}: {name}", 1000 * seconds, "ms")
        return seconds
