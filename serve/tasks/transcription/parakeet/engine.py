"""Parakeet by sherpa-onnx: NVIDIA's transducer (TDT) on the CPU, without torch. Its word times come from the decoding.

It decodes greedily, whatever beam a window wants: sherpa-onnx gives probabilities and durations only then.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cluster.privacy import keep_private
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.transcription.audio import frame_levels, is_silent, samples
from serve.tasks.transcription.messages import SAMPLE_RATE, AudioWindow, LanguageGuess, WindowResult
from serve.tasks.transcription.parakeet.folder import open_folder
from serve.tasks.transcription.parakeet.info import parakeet_info
from serve.tasks.transcription.parakeet.parts import check_parts
from serve.tasks.transcription.parakeet.problems import DO_NOT_FIT, NOT_LOADED, UnusableModel
from serve.tasks.transcription.parakeet.words import pieces_of, segments_of
from serve.tasks.transcription.sentences import UNDETECTED, UNSUPPORTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from serve.tasks.transcription.engine import WindowOutcome

SHORTEST_SAMPLES = SAMPLE_RATE // 2
"""Shorter windows are padded with silence: the encoder sees one frame for each 80 ms, and needs several."""
SHARED_MS = 10_000
"""A call lasts as long as its longest window, so windows share one only with others of nearly their length."""


class ParakeetEngine:
    """One loaded model."""

    gains_from_batches = True
    has_deadline = False
    spare_workers = 1

    def __init__(self, folder: Path, *, name: str, reason: str, parallel: int = 1) -> None:
        """Raises UnusableModel for files of another kind."""
        keep_private()
        files = open_folder(folder)
        check_parts(files)
        import sherpa_onnx

        try:
            self._recognizer: Any = sherpa_onnx.OfflineRecognizer.from_transducer(
                encoder=str(files.encoder),
                decoder=str(files.decoder),
                joiner=str(files.joiner),
                tokens=str(files.tokens),
                # One thread for each model call and one call for each core, as with Whisper.
                num_threads=1,
                sample_rate=SAMPLE_RATE,
                feature_dim=files.bands,
                model_type="nemo_transducer",
            )
        except RuntimeError as failure:
            raise UnusableModel(NOT_LOADED(failure=str(failure))) from failure
        self.parallel = max(1, parallel)
        self.info = parakeet_info(name, reason, files.languages)
        self._try()

    def batch_key(self, window: AudioWindow) -> Hashable:
        return window.duration_ms // SHARED_MS

    def run(self, batch: Sequence[AudioWindow]) -> list[WindowOutcome]:
        outcomes: list[WindowOutcome | None] = [None] * len(batch)
        sounds: list[tuple[int, str, NDArray[np.float32]]] = []
        for index, window in enumerate(batch):
            try:
                language = self._language(window)
                wave = samples(window)
            except EngineRefused as refused:
                outcomes[index] = refused
                continue
            if is_silent(frame_levels(wave)):
                outcomes[index] = WindowResult(window.index, (), language, 1.0)
            else:
                sounds.append((index, language, wave))
        found = self._decoded([wave for _, _, wave in sounds])
        for (index, language, wave), result in zip(sounds, found, strict=True):
            pieces = pieces_of(result.tokens, result.timestamps, result.durations, result.ys_log_probs)
            segments = segments_of(pieces, batch[index], language, levels=frame_levels(wave))
            outcomes[index] = WindowResult(batch[index].index, segments, language, 1.0)
        return [outcome for outcome in outcomes if outcome is not None]

    def detect(self, window: AudioWindow) -> LanguageGuess:
        """Its only language where it has one, with probability 0. Raises EngineRefused where it has several."""
        samples(window)
        return LanguageGuess(((self._language(window), 0.0),))

    def rest(self) -> None:
        """Nothing is held that could be freed."""

    def close(self) -> None:
        """The model ends with the engine."""
        self._recognizer = None

    def _language(self, window: AudioWindow) -> str:
        language = window.options.language
        if language is None and len(self.info.languages) == 1:
            return next(iter(self.info.languages))
        if language is None:
            raise EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                UNDETECTED(model=self.info.model),
            )
        if language not in self.info.languages:
            raise EngineRefused(
                EngineProblem.UNKNOWN_LANGUAGE,
                UNSUPPORTED(model=self.info.model, language=language),
            )
        return language

    def _decoded(self, waves: Sequence[NDArray[np.float32]]) -> list[Any]:
        streams = [self._recognizer.create_stream() for _ in waves]
        for stream, wave in zip(streams, waves, strict=True):
            stream.accept_waveform(SAMPLE_RATE, np.pad(wave, (0, max(0, SHORTEST_SAMPLES - len(wave)))))
        if streams:
            self._recognizer.decode_streams(streams)
        return [stream.result for stream in streams]

    def _try(self) -> None:
        """Decode a second of noise: files that do not fit together fail here and not in somebody's file."""
        noise = np.random.default_rng(0).normal(0, 0.1, SAMPLE_RATE).astype(np.float32)
        try:
            self._decoded([noise])
        except RuntimeError as failure:
            raise UnusableModel(DO_NOT_FIT(failure=str(failure))) from failure
