"""Uploads of several people over a real web process and relay; the test does the dispatcher's part."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.files.models import File
from api.content.preparation.jobs import UploadHandler
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.publisher import ChannelEvent, Publisher
from api.testing.files.transcribed import PREPARED, chunk, finish, keep_chunk, result
from api.testing.realtime.clients import Web, web
from benchmarks.measure.load.arrivals import Arrival
from benchmarks.measure.pipeline.crowd import NO_END, Media, run
from benchmarks.measure.pipeline.page import NoInstallation
from benchmarks.measure.pipeline.results import system_of
from benchmarks.measure.pipeline.timeline import PHASES, Moment, Timeline
from cluster.testing.patience import PATIENCE_S
from pipelines.messages.attempt import StageFailed

__all__ = ["web"]

SENTENCE = "The harbour is closed today."
BROKEN = "The model is broken."


class Dispatcher:
    """Takes every file through its jobs with the product's handlers, and sends the events that they leave."""

    def __init__(self, web: Web) -> None:
        self._web = web
        self._sent = 0

    async def work(self) -> None:
        done: set[object] = set()
        async with Publisher(self._web.settings) as publisher:
            while True:
                async with self._web.state.database.read() as session:
                    files = (await session.scalars(select(File))).all()
                for file in files:
                    if file.id not in done:
                        done.add(file.id)
                        await self._transcribe(file, publisher)
                await asyncio.sleep(0.02)

    async def _transcribe(self, file: File, publisher: Publisher) -> None:
        state = self._web.state
        await self._ingest(state, file)
        await self._publish(publisher)
        async with state.database.write() as session:
            statement = select(Job).where(Job.subject_id == file.id, Job.kind == JobKind.TRANSCRIBE)
            job = (await session.scalars(statement)).one()
            job.state = JobState.RUNNING
            await TranscribeHandler().on_started(session, job)
        await keep_chunk(state, job, chunk(0, SENTENCE))
        await self._publish(publisher)
        if "1" in file.name.rpartition("-")[2]:
            async with state.database.write() as session:
                row = await session.get_one(Job, job.id)
                row.state = JobState.FAILED
                await TranscribeHandler().on_failed(session, row, StageFailed("model", BROKEN, retryable=False))
        else:
            await finish(state, job, result(SENTENCE))
        await self._publish(publisher)

    async def _ingest(self, state: AppState, file: File) -> None:
        async with state.database.write() as session:
            job = (await session.scalars(select(Job).where(Job.subject_id == file.id))).one()
            job.state = JobState.DONE
            await UploadHandler().on_started(session, job)
            await UploadHandler().on_done(session, job, PREPARED)

    async def _publish(self, publisher: Publisher) -> None:
        async with self._web.state.database.read() as session:
            statement = select(OutboxMessage).where(OutboxMessage.id > self._sent).order_by(OutboxMessage.id)
            messages = (await session.scalars(statement)).all()
        for message in messages:
            self._sent = message.id
            if "data" in message.payload:
                await publisher.publish([ChannelEvent(message.payload["channel"], message.payload["data"])])


async def test_every_phase_is_measured_by_received_events(web: Web, tmp_path: Path) -> None:
    media = [Media(tmp_path / "talk.mp4", bytes(200_000), 60.0)]
    working = asyncio.create_task(Dispatcher(web).work())
    try:
        timelines = await run(
            web.url,
            media,
            [Arrival(0.0, 0), Arrival(0.01, 0), Arrival(0.02, 0)],
            people=2,
            language="en-US",
            patience_s=PATIENCE_S,
        )
    finally:
        working.cancel()
        await asyncio.wait({working})
    first, failed, last = timelines
    for timeline in (first, last):
        assert timeline.problem == ""
        assert timeline.phases().keys() == PHASES.keys()
        assert all(seconds >= 0 for seconds in timeline.phases().values())
        moments = timeline.moments
        assert moments[Moment.UPLOADED] >= moments[Moment.BEGUN] >= moments[Moment.DUE]
        assert moments[Moment.ALL_CAPTIONS] >= moments[Moment.TRANSCRIBING] >= moments[Moment.INGESTED]
    assert BROKEN in failed.problem
    assert {"upload", "ingest"} <= failed.phases().keys()
    system = system_of(web.url, timelines)
    assert [item.values["captioned"][0] for item in system.items] == [1.0, 0.0, 1.0]
    assert system.items[0].values.keys() == {"captioned", *(f"{phase} p50" for phase in PHASES)}
    figures = {figure.name: figure.value for figure in system.figures}
    assert figures["media captioned"] == 120


async def test_an_upload_without_captions_ends_with_the_patience(web: Web, tmp_path: Path) -> None:
    media = [Media(tmp_path / "talk.mp4", bytes(1_000), 60.0)]
    (timeline,) = await run(web.url, media, [Arrival(0.0, 0)], people=1, language="en-US", patience_s=0.5)
    assert timeline.problem == NO_END
    assert not timeline.phases().keys() & {"ingest", "all captions"}


async def test_an_address_without_sagascript_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoInstallation, match="does not answer like Sagascript"):
        await run("http://127.0.0.1:9", [], [], people=1, language="en-US", patience_s=1)


def test_a_failure_ends_a_timeline_with_its_sentence() -> None:
    timeline = Timeline("talk", 60.0)
    timeline.receive({"queue": "Upload", "action": "Started"}, 2.0)
    timeline.receive({"queue": "Upload", "action": "Started"}, 9.0)
    assert timeline.moments == {Moment.CLAIMED: 2.0}
    timeline.receive({"queue": "Upload", "action": "Failed", "message": "It is no video."}, 3.0)
    assert timeline.is_over
    assert timeline.problem == "It is no video."
    silent = Timeline("music", 60.0)
    silent.receive({"queue": "Upload", "action": "Completed", "message": "Nobody speaks."}, 3.0)
    assert silent.problem == "Nobody speaks."
