"""Progress on its way to the page: how long is left, and that no tick comes after the end."""

from __future__ import annotations

import uuid

import pytest

from api.jobs.ticks import Pace, Ticks
from api.realtime.messages import Action, PollingMessage, Queue
from api.realtime.publisher import Publisher
from api.settings import ApiSettings
from pipelines.flows.messages import Progress


def test_what_is_left_follows_from_the_pace_of_the_phase(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("api.jobs.ticks.time.monotonic", lambda: now[0])
    pace = Pace()

    def after(seconds: float, phase: str, done: int) -> int | None:
        now[0] += seconds
        return pace.eta_s(Progress(phase, done, 100_000, "audio_ms"))

    assert after(0, "transcribing", 20_000) is None
    assert after(1, "transcribing", 30_000) is None, "a second is too short to tell"
    assert after(3, "transcribing", 60_000) == 4, "40 s in 4 s, so 40 s more take 4 s"
    assert after(0, "burning", 0) is None, "another phase has another pace"
    assert after(10, "burning", 0) is None, "nothing done yet"
    assert after(10, "burning", 50_000) == 20


async def test_only_the_newest_tick_of_a_job_is_kept_and_none_after_its_end() -> None:
    settings = ApiSettings(realtime_url="http://127.0.0.1:9", realtime_secret="s")
    async with Publisher(settings) as publisher:
        collected = Ticks(publisher)
        job, other, user = uuid.uuid4(), uuid.uuid4(), uuid.uuid4()
        for percent in (10, 20):
            message = PollingMessage(queue=Queue.UPLOAD, action=Action.PROGRESS, slug="s", progress=percent)
            collected.offer(job, user, [message], 7)
            collected.offer(other, user, [message.model_copy(update={"eta_s": 3})], 7)
        await collected.drop(job)
        assert [event.data for event in collected.take()] == [
            {"queue": "Upload", "action": "Progress", "slug": "s", "child": None, "progress": 20, "eta_s": 3}
        ]
        assert collected.take() == []
