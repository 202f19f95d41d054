"""The product's AI text of a transcript, as a side: its flow, batches and engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from benchmarks.measure.models.child import Json, Loaded, Unanswered
from pipelines.flows.minutes.flow import write
from pipelines.flows.minutes.note_taking import TextClient
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.minutes import MinutesRequest
from pipelines.testing.texts import NoTranslator
from serve.chat.settings import ChatSettings
from serve.tasks.text.choice import EXTRACTIVE
from serve.tasks.text.in_process import InProcessWriter
from serve.tasks.text.profile import TextProfile

CLUSTER = "cluster"


def load(configuration: Json) -> Loaded:
    """`configuration` holds `through`, `profile` (the section), `model` (a folder or empty) and `models_root`."""
    if configuration["through"] == CLUSTER:
        from cluster.ray.runtime import connect, disconnect
        from serve.core.client import ModelClient
        from serve.tasks.text.task import TEXT_WORK

        connect()
        client = ModelClient(TEXT_WORK)

        def leave() -> None:
            client.close()
            disconnect()

        return _loaded(client, leave)
    profile = TextProfile.model_validate(configuration["profile"])
    model = configuration["model"]
    # A named model must not lose to an endpoint that a setting names.
    endpoint = None if model else ChatSettings().endpoint
    writer = InProcessWriter(profile, endpoint, Path(configuration["models_root"]))
    info = writer.describe()
    if model and profile.engine != EXTRACTIVE and info.model != Path(model).name:
        raise Unanswered(f"The model {model} was not loaded. {info.reason}")
    return _loaded(writer, writer.close)


def _loaded(client: TextClient, close: Callable[[], None]) -> Loaded:
    info = client.describe()
    about = {"engine": info.engine, "model": info.model, "device": info.device, "reason": info.reason}
    return Loaded(lambda request: _answer(client, request), about, close)


def _answer(client: TextClient, request: Json) -> Json:
    """`request` is a MinutesRequest, the answer a MinutesResult."""
    wanted = MinutesRequest.from_json(request)
    attempt = Attempt("bench", 1, Path("/nowhere"), "bench")
    try:
        *_, last = write(wanted, attempt, client=client, translator=NoTranslator())
    except StageFailed as failure:
        raise Unanswered(failure.reason) from failure
    assert isinstance(last, Result)
    return last.payload.to_json()
