"""Live recordings that run: administrators see whose they are and how far behind, and end them."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select

from api.content.files.models import File
from api.content.live.models import LiveSession
from api.people.audit.models import AuditEntry
from api.platform.capabilities.models import ReplicaRow
from api.platform.capabilities.replica_queries import ADAPTER
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.testing.browser import Browser
from api.testing.files.live import LiveFlow, LivePage, passage_chunk, words_chunk
from pipelines.messages.live import LiveWords
from serve.core.replica_messages import ReplicaReport, TaskReplicas
from serve.tasks.live.messages import LIVE

URL = "/api/admin/live"
REPLICA = ReplicaReport("r1", 1, "node-7", "10.0.0.7", "nemotron", "/models/sherpa-onnx-nemotron-x", "cpu", True, None)


async def listed(admin: Browser, page: LivePage) -> dict[str, Any]:
    answer = await admin.get(URL)
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["meta"]["total"] >= len(found["data"])
    names = [each for each in found["data"] if each["name"] == f"Talk {page.source}"]
    return names[0] if names else {}


async def talk(browser: Browser) -> LivePage:
    source = uuid.uuid4()
    answer = await browser.post(
        "/api/live", json={"language": "en-US", "source": str(source), "name": f"Talk {source}"}
    )
    assert answer.status_code == 201, answer.text
    return LivePage(browser, answer.json()["data"]["slug"], source)


async def test_a_recording_is_listed_while_it_runs_without_its_words(admin: Browser, ada: Browser) -> None:
    page = await talk(ada)
    for number in range(3):
        await page.sent(number)
    found = await listed(admin, page)
    assert found | {"id": "", "name": "", "began_at": "", "quiet_ms": 0} == {
        "id": "",
        "name": "",
        "language": "en-US",
        "owner": "ada@example.com",
        "team": None,
        "began_at": "",
        "recorded_ms": 1_500,
        "reserved_ms": 600_000,
        "quiet_ms": 0,
        "behind_ms": None,
        "readers_link": False,
        "replica": None,
    }
    await page.end()
    assert await listed(admin, page) == {}


@pytest.mark.long
async def test_it_says_how_far_behind_the_captions_are_and_where_they_are_read(
    admin: Browser, ada: Browser, state: AppState
) -> None:
    page = await talk(ada)
    for number in range(20):
        await page.sent(number)
    flow = await LiveFlow.begin(state, page.slug)
    async with state.database.write() as session:
        job = await session.get_one(Job, flow.lease.job_id)
        job.progress_done, job.progress_at = 4_000, utc_now() - timedelta(seconds=30)
        live = await session.get_one(LiveSession, job.subject_id)
        live.sound_at = utc_now() - timedelta(seconds=12)
        record = ADAPTER.dump_python(TaskReplicas(running=(REPLICA,)), mode="json")
        await session.merge(ReplicaRow(task=LIVE, record=record, read_at=utc_now()))
    chunk = words_chunk(0, "good morning")
    assert isinstance(chunk.payload, LiveWords)
    first = chunk.payload.model_copy(update={"replica": "gone"})
    await flow.hand_over(type(chunk)(chunk.key, first))
    await flow.hand_over(passage_chunk(0, "good morning"))
    found = await listed(admin, page)
    assert found["behind_ms"] == 10_000 - 4_000 - 2_000
    assert 12_000 <= found["quiet_ms"] < 60_000
    assert found["replica"] == {"id": "gone", "node": "", "engine": ""}
    last = words_chunk(1, "everybody", 900)
    assert isinstance(last.payload, LiveWords)
    await flow.hand_over(type(last)(last.key, last.payload.model_copy(update={"replica": "r1"})))
    found = await listed(admin, page)
    assert (found["replica"]["node"], found["replica"]["engine"]) == ("node-7", "Nemotron sherpa-onnx-nemotron-x")
    assert "morning" not in str(found)


async def test_an_administrator_ends_it_and_whoever_records_reads_why(
    admin: Browser, ada: Browser, state: AppState
) -> None:
    page = await talk(ada)
    await page.sent(0)
    found = await listed(admin, page)
    assert (await admin.post(f"{URL}/{found['id']}/end")).status_code == 204
    look = await page.look()
    assert look["live"]["state"] == "ended"
    assert "An administrator ended this recording" in look["live"]["ends_why"]
    assert (await page.send(1)).json()["code"] == "live_ended"
    async with state.database.read() as session:
        file = (await session.scalars(select(File).where(File.slug == page.slug))).one()
        entry = (await session.scalars(select(AuditEntry).where(AuditEntry.object_id == str(file.id)))).one()
    assert entry.action == "live.ended"
    again = await admin.post(f"{URL}/{found['id']}/end")
    assert again.status_code == 404
    assert "has ended" in again.json()["message"]
    assert (await admin.post(f"{URL}/{uuid.uuid4()}/end")).status_code == 404


@pytest.mark.parametrize("call", ["list", "end"])
async def test_nobody_else_may(ada: Browser, call: str) -> None:
    answer = await ada.get(URL) if call == "list" else await ada.post(f"{URL}/{uuid.uuid4()}/end")
    assert answer.status_code == 403
