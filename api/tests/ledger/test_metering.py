"""What jobs do to the ledger: each ending through the product's own job types, without Ray."""

from __future__ import annotations

import subprocess
import sys
import uuid
from dataclasses import dataclass

import pytest
from sqlalchemy import select, update

from api.content.captions.speech.jobs import OFFLINE_ENGINE
from api.content.files.models import File
from api.job_types import JOB_TYPES
from api.people.plans.minutes import GrantSource
from api.people.plans.models import Subscription
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import Job
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobKind, JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES, result
from api.testing.files.uploaded_file import uploaded_file
from api.testing.ledger import Ledger
from pipelines.messages.attempt import StageFailed
from pipelines.messages.results import FlowResult, IngestResult
from serve.core.capability import Capability
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

MINUTE = 60
PREPARED = IngestResult(
    kind="video", duration_ms=4 * MINUTE * 1000, audio_key="files/a/audio.wav", plays_in_browser=True
)
BUILT_IN = EngineInfo("transcription", OFFLINE_ENGINE, "en-us", "cpu", "", frozenset({"en"}))
WHISPER = EngineInfo("transcription", "whisper", "base", "cpu", "", frozenset({"en"}), True)
LOST = StageFailed("worker", "Something went wrong on our side.", retryable=True)
BROKEN = StageFailed("decode", "The sound of this file is broken.", retryable=False)


@dataclass
class Worker:
    """A dispatcher that ends jobs as the test says."""

    state: AppState

    async def claim(self) -> Job:
        async with self.state.database.write() as session:
            job = await queue.claim(session, "a dispatcher")
            assert job is not None
            await JOB_TYPES[job.kind].handler.on_started(session, job)
            return job

    async def finish(self, job: Job, value: FlowResult) -> None:
        async with self.state.database.write() as session:
            await endings.finish(session, JOB_TYPES[job.kind].handler, Lease(job.id, job.fence), value)

    async def fail(self, job: Job, failure: StageFailed, code: ErrorCode) -> None:
        """Fail for good: the last attempt."""
        async with self.state.database.write() as session:
            await session.execute(update(Job).where(Job.id == job.id).values(attempt=99))
        async with self.state.database.write() as session:
            await endings.fail(session, JOB_TYPES[job.kind].handler, Lease(job.id, job.fence), failure, code)

    async def prepared(self, browser: Browser, *, team_id: uuid.UUID | None = None) -> File:
        """A file of four minutes whose transcription is queued, or refused."""
        file = await uploaded_file(self.state, browser.user_id)
        async with self.state.database.write() as session:
            await session.execute(update(File).where(File.id == file.id).values(team_id=team_id))
        await self.finish(await self.claim(), PREPARED)
        return file


@pytest.fixture
def worker(state: AppState) -> Worker:
    return Worker(state)


async def _file(browser: Browser, file: File) -> dict[str, object]:
    answer = await browser.get(f"/api/files/{file.slug}")
    data: dict[str, object] = answer.json()["data"]
    return data


async def test_a_transcription_is_reserved_when_queued_and_charged_when_done(
    worker: Worker, customer: Browser, shop: Ledger
) -> None:
    await shop.grant(customer.user_id, 10 * MINUTE)
    await worker.prepared(customer)
    before = await shop.balance(customer.user_id)
    assert (before.available, before.held) == (6 * MINUTE, 4 * MINUTE)
    await worker.finish(await worker.claim(), result(*SENTENCES))
    after = await shop.balance(customer.user_id)
    assert (after.available, after.held, after.spent) == (6 * MINUTE, 0, 4 * MINUTE)
    assert await shop.violations() == []


@pytest.mark.long
async def test_a_refusal_is_a_state_of_the_file_and_a_retry_works_after_topping_up(
    worker: Worker, customer: Browser, shop: Ledger
) -> None:
    await shop.grant(customer.user_id, 3 * MINUTE)
    file = await worker.prepared(customer)
    shown = await _file(customer, file)
    assert (shown["status"], shown["error_code"]) == ("failed", "quota_exceeded")
    assert str(shown["error"]).startswith("This needs 4 min, and 3 min of your 3 min are left.")
    again = await customer.post(f"/api/files/{file.slug}/retry")
    assert (again.status_code, again.json()["code"]) == (402, "quota_exceeded")
    await shop.grant(customer.user_id, MINUTE, source=GrantSource.TOP_UP, days=None)
    assert (await customer.post(f"/api/files/{file.slug}/retry")).status_code == 200
    await worker.finish(await worker.claim(), result(*SENTENCES))
    assert (await _file(customer, file))["status"] == "completed"
    assert (await shop.balance(customer.user_id)).available == 0
    assert await shop.violations() == []


@pytest.mark.long
async def test_cancelling_and_deleting_give_back(worker: Worker, customer: Browser, shop: Ledger) -> None:
    await shop.grant(customer.user_id, 4 * MINUTE)
    cancelled = await worker.prepared(customer)
    assert (await customer.post(f"/api/files/{cancelled.slug}/cancel")).status_code == 200
    assert (await shop.balance(customer.user_id)).available == 4 * MINUTE
    deleted = await worker.prepared(customer)
    assert (await shop.balance(customer.user_id)).available == 0
    assert (await customer.delete(f"/api/files/{deleted.slug}")).status_code == 204
    assert (await shop.balance(customer.user_id)).available == 4 * MINUTE
    orphan = await worker.prepared(customer)
    job = await worker.claim()
    assert (await customer.post(f"/api/files/{orphan.slug}/cancel")).status_code == 200
    async with worker.state.database.write() as session:
        await session.execute(update(Job).where(Job.id == job.id).values(lease_until=job.created_at))
    async with worker.state.database.write() as session:
        assert await endings.cancel_orphans(session, JOB_TYPES) == 1
    assert (await shop.balance(customer.user_id)).available == 4 * MINUTE
    assert await shop.violations() == []


@pytest.mark.long
async def test_a_run_that_we_failed_costs_nothing_and_the_next_one_is_free(
    worker: Worker, customer: Browser, shop: Ledger
) -> None:
    await shop.grant(customer.user_id, 5 * MINUTE)
    file = await worker.prepared(customer)
    await worker.fail(await worker.claim(), LOST, ErrorCode.INFRASTRUCTURE)
    assert (await shop.balance(customer.user_id)).available == 5 * MINUTE
    assert (await customer.post(f"/api/files/{file.slug}/retry")).status_code == 200
    await worker.finish(await worker.claim(), result(*SENTENCES))
    assert (await shop.balance(customer.user_id)).available == 5 * MINUTE
    assert (await shop.movements(customer.user_id))[-1] == ("settle", "free", 4 * MINUTE)
    # A file that is broken is not our fault: what repeats it pays.
    other = await worker.prepared(customer)
    await worker.fail(await worker.claim(), BROKEN, ErrorCode.STAGE)
    assert (await customer.post(f"/api/files/{other.slug}/retry")).status_code == 200
    assert (await shop.balance(customer.user_id)).held == 4 * MINUTE
    assert await shop.violations() == []


@pytest.mark.long
async def test_another_run_by_a_better_engine_is_free_and_one_by_choice_is_not(
    worker: Worker, customer: Browser, shop: Ledger, state: AppState
) -> None:
    await shop.grant(customer.user_id, 4 * MINUTE)
    file = await worker.prepared(customer)
    await worker.finish(await worker.claim(), result(*SENTENCES, engine=BUILT_IN))
    assert (await shop.balance(customer.user_id)).available == 0
    chosen = await customer.post(f"/api/files/{file.slug}/transcribe", json={})
    assert (chosen.status_code, chosen.json()["code"]) == (402, "quota_exceeded")
    async with state.database.write() as session:
        await store(session, Capability(TRANSCRIPTION, WHISPER))
    improved = await customer.post("/api/files/improve", json={"ids": [str(file.id)]})
    assert improved.json()["data"] == {"queued": 1}
    await worker.finish(await worker.claim(), result("Better words.", engine=WHISPER))
    assert (await shop.movements(customer.user_id))[-1] == ("settle", "free", 4 * MINUTE)
    balance = await shop.balance(customer.user_id)
    assert (balance.available, balance.held, balance.spent) == (0, 0, 4 * MINUTE)
    again = await customer.post("/api/files/improve", json={"ids": [str(file.id)]})
    assert again.json()["data"] == {"queued": 0}, "only once"
    assert (await customer.post(f"/api/files/{file.slug}/transcribe", json={})).status_code == 402
    assert await shop.violations() == []


@pytest.mark.long
async def test_a_team_uses_the_minutes_and_the_priority_of_its_payer(
    worker: Worker, customer: Browser, shop: Ledger, state: AppState
) -> None:
    payer = await shop.user("payer")
    async with state.database.write() as session:
        team = Team(name="News", payer_id=payer)
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=customer.user_id, role=TeamRole.EDITOR))
        session.add(
            Subscription(user_id=payer, stripe_id=uuid.uuid4().hex, tier="business", period="monthly", status="active")
        )
    await shop.grant(payer, 5 * MINUTE)
    await worker.prepared(customer, team_id=team.id)
    assert (await shop.balance(payer)).available == MINUTE
    async with state.database.read() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.TRANSCRIBE))).one()
        assert (job.state, job.priority) == (JobState.READY, 2)
    await worker.finish(await worker.claim(), result(*SENTENCES))
    refused = await worker.prepared(customer, team_id=team.id)
    assert "Ask the person who pays for your team" in str((await _file(customer, refused))["error"])


@pytest.mark.long
async def test_a_reservation_whose_job_ended_unseen_is_given_back_before_anybody_is_refused(
    worker: Worker, customer: Browser, shop: Ledger, state: AppState
) -> None:
    await shop.grant(customer.user_id, 4 * MINUTE)
    await worker.prepared(customer)
    job = await worker.claim()
    async with state.database.write() as session:
        await session.execute(update(Job).where(Job.id == job.id).values(state=JobState.FAILED))
    assert await shop.violations() != []
    file = await worker.prepared(customer)
    assert (await _file(customer, file))["status"] == "transcribing"
    assert await shop.violations() == []


@pytest.mark.long
@pytest.mark.parametrize("module", ["api.app", "api.processes"])
def test_each_program_that_takes_uploads_knows_what_work_costs(module: str) -> None:
    program = (
        f"import {module}; from api.people.ledger.prices import price_of; price_of('upload'), price_of('transcribe')"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
