"""Speakers by pyannote.audio, batched: windows of several files share each call of both models. Needs torch.

pyannote's own `SpeakerDiarization` takes one file at a time and clusters at its end. Its two models are public parts of
a pipeline's folder, and grouping by person is the same for every engine (`pipelines/speakers`).
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Hashable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.privacy import keep_private
from cluster.resources import cores
from cluster.sentences import paragraph
from cluster.wording.message import Message
from serve.tasks.diarization.choice import PYANNOTE_PARTS
from serve.tasks.diarization.engine import PieceOutcome
from serve.tasks.diarization.info import diarization_info
from serve.tasks.diarization.messages import WINDOW_MS, SoundPiece
from serve.tasks.diarization.problems import NO_PYANNOTE_MODEL, OTHER_PIPELINE, UnusableModel
from serve.tasks.diarization.windows import (
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

if TYPE_CHECKING:
    import torch

LIKENESS = 0.5
NO_GPU = Message("diarization.no_gpu", "It runs on the CPU because torch finds no GPU.")
MAX_THREADS = 4
"""torch would take every core of the machine for one batch, and ffmpeg and the speech model run beside it."""


class PyannoteEngine:
    """One loaded pipeline folder, such as community-1: a segmentation model and an embedding model."""

    gains_from_batches = True
    has_deadline = False
    spare_workers = 0

    def __init__(
        self,
        folder: Path,
        *,
        reason: str,
        device: str = "cpu",
        parallel: int = 1,
        likeness: float | None = None,
        segmentation_batch: int = 32,
        embedding_batch: int = 32,
    ) -> None:
        """Runs on the CPU where there is no GPU. Raises UnusableModel for models of another kind."""
        keep_private()
        # It sends the length of every file to its maker otherwise. Not even an administrator's variable turns that on.
        os.environ["PYANNOTE_METRICS_ENABLED"] = "0"
        import torch

        if device == "cuda" and not torch.cuda.is_available():
            device, reason = "cpu", paragraph(reason, NO_GPU)
        torch.set_num_threads(max(1, min(MAX_THREADS, cores() // parallel)))
        self.info = diarization_info("pyannote", folder, device, reason)
        self.parallel = parallel
        self._likeness = LIKENESS if likeness is None else likeness
        self._segmentation_batch = segmentation_batch
        self._embedding_batch = embedding_batch
        self._device = device
        self._segmentation, self._embedding = (_model(folder / part, device) for part in PYANNOTE_PARTS)
        form = self._segmentation.specifications
        if not form.powerset or round(form.duration * 1000) != WINDOW_MS:
            raise UnusableModel(OTHER_PIPELINE(name=folder.name))
        self._speakers, self._at_once = len(form.classes), int(form.powerset_max_classes)

    def batch_key(self, piece: SoundPiece) -> Hashable:
        return None

    def run(self, batch: Sequence[SoundPiece]) -> list[PieceOutcome]:
        refusals = [check(piece) for piece in batch]
        good = [piece for piece, refusal in zip(batch, refusals, strict=True) if refusal is None]
        windows = [window for index, piece in enumerate(good) for window in windows_of(piece, index)]
        activities = [activity for part in _parts(windows, self._segmentation_batch) for activity in self._split(part)]
        embeddings = self._embeddings(windows, activities)
        voices = [voices_of(*each) for each in zip(windows, activities, embeddings, strict=True)]
        results = iter(in_pieces(good, windows, voices, self._likeness))
        return [next(results) if refusal is None else refusal for refusal in refusals]

    def rest(self) -> None:
        """Nothing is held that could be freed."""

    def close(self) -> None:
        """The models end with the process."""

    def _split(self, windows: Sequence[PieceWindow]) -> NDArray[np.bool_]:
        scores = self._call(self._segmentation, self._sound(windows, self._segmentation_batch))
        return speaking(scores[: len(windows)], self._speakers, self._at_once)

    def _embeddings(self, windows: Sequence[PieceWindow], activities: Sequence[Activity]) -> list[list[Wave | None]]:
        """The embedding of each voice of each window; the calls skip windows in which nobody can be judged."""
        frames = [judged(activity) for activity in activities]
        found: list[list[Wave | None]] = [[None] * self._speakers for _ in windows]
        wanted = [index for index, each in enumerate(frames) if each.any()]
        for part in _parts(wanted, self._embedding_batch):
            weights = np.zeros((self._embedding_batch, self._speakers, len(frames[0])), np.float32)
            for row, index in enumerate(part):
                weights[row] = frames[index].T
            sound = self._sound([windows[index] for index in part], self._embedding_batch)
            rows = self._call(self._embedding, sound, weights)
            for row, index in enumerate(part):
                for speaker in np.flatnonzero(frames[index].any(axis=0)):
                    found[index][speaker] = rows[row, speaker]
        return found

    def _sound(self, windows: Sequence[PieceWindow], size: int) -> NDArray[np.float32]:
        """(batch, 1, samples). On a GPU the last batch is filled up: another shape makes cuDNN take 10 GiB."""
        missing = size - len(windows) if self._device == "cuda" else 0
        waves = [window.wave for window in windows]
        return np.stack([*waves, *([np.zeros_like(waves[0])] * missing)])[:, None, :]

    def _call(self, model: Any, sound: NDArray[np.float32], weights: NDArray[np.float32] | None = None) -> Wave:
        import torch

        given: list[torch.Tensor] = [torch.from_numpy(sound).to(self._device)]
        if weights is not None:
            given.append(torch.from_numpy(weights[: len(sound)]).to(self._device))
        with torch.inference_mode():
            return np.asarray(model(*given).float().cpu().numpy())


def _model(folder: Path, device: str) -> Any:
    with warnings.catch_warnings():
        # It says that it cannot decode files, which it never does here.
        warnings.simplefilter("ignore")
        from pyannote.audio import Model

        model = Model.from_pretrained(folder)
    if model is None:
        raise UnusableModel(NO_PYANNOTE_MODEL(name=folder.name))
    return model.eval().to(device)


def _parts(values: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    for start in range(0, len(values), size):
        yield values[start : start + size]
