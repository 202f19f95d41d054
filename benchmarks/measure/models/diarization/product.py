"""The product's own way from sound to speaker turns, as a side: its flow, batches and engine."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from benchmarks.measure.models.child import Json, Loaded, Unanswered
from pipelines.flows.speakers.flow import detect
from pipelines.flows.speakers.pieces import SpeakerClient
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.speakers import SpeakersRequest, SpeakersResult
from serve.core.in_process import InProcessModel
from serve.core.messages import EngineInfo
from serve.core.settings import ModelSettings
from serve.tasks.diarization.choice import choose_diarization
from serve.tasks.diarization.engine import DiarizationEngine
from serve.tasks.diarization.load import load_chosen
from serve.tasks.diarization.messages import PieceVoices, SoundPiece
from serve.tasks.diarization.profile import DiarizationProfile
from serve.tasks.diarization.task import DIARIZATION_TASK

CLUSTER = "cluster"


class _Kept:
    """A client that stays open: the flow closes what it is given after each file."""

    def __init__(self, inner: SpeakerClient | InProcessModel[Any, Any, Any]) -> None:
        self._inner = inner

    def describe(self) -> EngineInfo:
        return self._inner.describe()

    def submit(self, piece: SoundPiece) -> Future[PieceVoices]:
        return self._inner.submit(piece)

    def close(self) -> None:
        """The side closes the client at its own end."""


def load(configuration: Json) -> Loaded:
    """`configuration` holds `through`, `profile` (the section), `model` and `models_root`."""
    if configuration["through"] == CLUSTER:
        from cluster.ray.runtime import connect, disconnect
        from serve.core.client import ModelClient

        connect()
        client = ModelClient(DIARIZATION_TASK)

        def leave() -> None:
            client.close()
            disconnect()

        return _loaded(_Kept(client), leave)
    profile = DiarizationProfile.model_validate(configuration["profile"])
    chosen = {"speaker_model": configuration["model"]} if configuration["model"] else {}
    choice = choose_diarization(profile, ModelSettings(**chosen), Path(configuration["models_root"]))
    model: InProcessModel[SoundPiece, PieceVoices, DiarizationEngine] = InProcessModel(
        DIARIZATION_TASK, profile, lambda: load_chosen(profile, choice)
    )
    return _loaded(_Kept(model), model.close)


def _loaded(client: _Kept, close: Callable[[], None]) -> Loaded:
    info = client.describe()
    about = {"engine": info.engine, "model": info.model, "device": info.device, "reason": info.reason}
    return Loaded(lambda request: _answer(client, request), about, close)


def _answer(client: _Kept, request: Json) -> Json:
    """`request` holds `wav`, `duration_ms`, `speakers` (None: to be detected) and `channels` (None: one)."""
    # Imported here: the storage reads its settings when it is imported.
    from cluster.storage.folder import LocalStorage

    wav = Path(request["wav"])
    asked = SpeakersRequest(
        file_id="bench",
        audio_key=f"{wav.parent.name}/{wav.name}",
        duration_ms=request["duration_ms"],
        channels_key=f"{wav.parent.name}/{Path(request['channels']).name}" if request["channels"] else None,
        speakers=request["speakers"],
    )
    with tempfile.TemporaryDirectory(prefix="bench-") as work:
        attempt = Attempt("bench", 1, Path(work), "jobs/bench/1")
        try:
            *_, last = detect(
                attempt=attempt, request=asked, storage=LocalStorage(wav.parents[1]), connect=lambda: client
            )
        except StageFailed as failure:
            raise Unanswered(failure.reason) from failure
    assert isinstance(last, Result)
    assert isinstance(last.payload, SpeakersResult)
    return {"turns": [[turn.start_ms, turn.end_ms, turn.speaker] for turn in last.payload.turns]}
