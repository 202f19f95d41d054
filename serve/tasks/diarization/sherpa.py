"""Speakers by sherpa-onnx, on the CPU and without torch: a segmentation model and an embedding model in ONNX form.

sherpa-onnx 2.0.1 offers segmentation only inside `OfflineSpeakerDiarization`, which takes one file at a time, embeds
every voice ten times over (a step of 1 s) and returns no embeddings. So the segmentation model, whose input is the bare
sound, runs in onnxruntime, windows of several files in a call. The embedding model needs sherpa's features and runs
there.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cluster.privacy import keep_private
from serve.core.models.onnx_session import UnreadableModel, open_session
from serve.tasks.diarization.choice import EMBEDDING_FILE, SEGMENTATION_FILE
from serve.tasks.diarization.engine import PieceOutcome
from serve.tasks.diarization.info import diarization_info
from serve.tasks.diarization.messages import SoundPiece
from serve.tasks.diarization.problems import NO_EMBEDDING, NO_SEGMENTATION, OTHER_WINDOWS, UnusableModel
from serve.tasks.diarization.windows import (
    WINDOW_SAMPLES,
    Activity,
    PieceWindow,
    Wave,
    check,
    in_pieces,
    judged,
    speaking,
    voices_of,
    windows_of,
)
from serve.tasks.transcription.messages import SAMPLE_RATE

LIKENESS = 0.5
"""sherpa-onnx's own threshold for its published embedding models."""
_JUDGED_SAMPLES = 5 * SAMPLE_RATE
"""Of a voice in a window, this much is enough to recognise it, and half as much work as all."""
_FRAMEWORKS = ("wespeaker", "3d-speaker", "nemo")


class SherpaEngine:
    """One loaded pair of models."""

    gains_from_batches = False
    has_deadline = False
    spare_workers = 1

    def __init__(
        self,
        folder: Path,
        *,
        reason: str,
        parallel: int = 1,
        likeness: float | None = None,
        segmentation_batch: int = 8,
    ) -> None:
        """Raises UnusableModel for models of another kind."""
        keep_private()
        self.info = diarization_info("sherpa", folder, "cpu", reason)
        self.parallel = parallel
        self._likeness = LIKENESS if likeness is None else likeness
        self._batch = segmentation_batch
        self._segmentation = _Segmentation(folder / SEGMENTATION_FILE)
        _check_embedding(folder / EMBEDDING_FILE)
        import sherpa_onnx

        config = sherpa_onnx.SpeakerEmbeddingExtractorConfig(model=str(folder / EMBEDDING_FILE), num_threads=1)
        self._extractor = sherpa_onnx.SpeakerEmbeddingExtractor(config)

    def batch_key(self, piece: SoundPiece) -> Hashable:
        return None

    def run(self, batch: Sequence[SoundPiece]) -> list[PieceOutcome]:
        refusals = [check(piece) for piece in batch]
        good = [piece for piece, refusal in zip(batch, refusals, strict=True) if refusal is None]
        windows = [window for index, piece in enumerate(good) for window in windows_of(piece, index)]
        voices = []
        for start in range(0, len(windows), self._batch):
            part = windows[start : start + self._batch]
            for window, activity in zip(part, self._segmentation.run(part), strict=True):
                voices.append(voices_of(window, activity, self._embeddings(window, activity)))
        results = iter(in_pieces(good, windows, voices, self._likeness))
        return [next(results) if refusal is None else refusal for refusal in refusals]

    def rest(self) -> None:
        """Nothing is held that could be freed."""

    def close(self) -> None:
        """The models end with the process."""

    def _embeddings(self, window: PieceWindow, activity: Activity) -> list[Wave | None]:
        frames = judged(activity)
        return [self._embedding(window.wave, frames[:, speaker]) for speaker in range(frames.shape[1])]

    def _embedding(self, wave: Wave, frames: NDArray[np.bool_]) -> Wave | None:
        if not frames.any():
            return None
        spoken = wave[np.repeat(frames, -(-len(wave) // len(frames)))[: len(wave)]][:_JUDGED_SAMPLES]
        stream = self._extractor.create_stream()
        stream.accept_waveform(SAMPLE_RATE, spoken)
        stream.input_finished()
        return np.asarray(self._extractor.compute(stream), np.float32) if self._extractor.is_ready(stream) else None


@dataclass(frozen=True, slots=True)
class _Form:
    """What the file of a segmentation model says about itself."""

    speakers: int
    at_once: int


class _Segmentation:
    """A pyannote segmentation model: 10 s of sound to the scores of each class in each frame of 17 ms."""

    def __init__(self, path: Path) -> None:
        self._session = _session(path)
        facts = self._session.get_modelmeta().custom_metadata_map
        try:
            self._form = _Form(int(facts["num_speakers"]), int(facts["powerset_max_classes"]))
            is_fit = int(facts["window_size"]) == WINDOW_SAMPLES and int(facts["sample_rate"]) == SAMPLE_RATE
        except (KeyError, ValueError) as missing:
            raise UnusableModel(NO_SEGMENTATION(name=path.name, missing=str(missing))) from missing
        if not is_fit:
            raise UnusableModel(OTHER_WINDOWS(name=path.name))
        self._input = self._session.get_inputs()[0].name

    def run(self, windows: Sequence[PieceWindow]) -> NDArray[np.bool_]:
        sound = np.stack([window.wave for window in windows])[:, None, :]
        (scores,) = self._session.run(None, {self._input: sound})
        return speaking(np.asarray(scores), self._form.speakers, self._form.at_once)


def _check_embedding(path: Path) -> None:
    # sherpa-onnx ends the whole process where a model lacks these.
    facts = _session(path).get_modelmeta().custom_metadata_map
    lacking = [name for name in ("framework", "output_dim", "sample_rate", "normalize_samples") if name not in facts]
    if lacking or facts["framework"] not in _FRAMEWORKS:
        raise UnusableModel(NO_EMBEDDING(name=path.name))


def _session(path: Path) -> Any:
    try:
        return open_session(path)
    except UnreadableModel as unreadable:
        raise UnusableModel(str(unreadable)) from unreadable
