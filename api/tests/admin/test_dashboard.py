"""The administrators' figures and checks: what they count, their CSV, and who may see them."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from api.content.captions.speech.jobs import TranscribeHandler
from api.content.preparation.jobs import UploadHandler
from api.edges.admin.dashboard import service
from api.edges.admin.dashboard.schemas import Figure
from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.people.billing.models import Invoice, InvoiceSource, InvoiceState
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.attempts import endings
from api.platform.jobs.models import JobAttempt
from api.platform.jobs.queue import Lease
from api.platform.jobs.states import ErrorCode, JobKind
from api.testing.browser import Browser
from api.testing.files.transcribed import PREPARED, result
from api.testing.files.uploaded_file import uploaded_file
from cluster.testing.patience import PATIENCE_S
from pipelines.messages.attempt import StageFailed

URL = "/api/admin/dashboard"
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(autouse=True)
def always_fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "FRESH_S", -1.0)


async def figures(browser: Browser, hours: int = 168) -> dict[str, Any]:
    answer = await browser.get(URL, params={"hours": hours})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()["data"]
    return found


async def claimed(state: AppState) -> Lease:
    async with state.database.write() as session:
        job = await queue.claim(session, "worker")
        assert job is not None
        handler = UploadHandler() if job.kind == JobKind.UPLOAD else TranscribeHandler()
        await handler.on_started(session, job)
        return Lease(job.id, job.fence)


async def test_only_administrators_see_the_figures(ada: Browser, visitor: Browser) -> None:
    for path in (URL, f"{URL}/people", "/api/admin/models", "/api/admin/system"):
        assert (await visitor.get(path)).status_code == 401
        assert (await ada.get(path)).status_code == 403
    assert (await ada.post("/api/admin/system")).status_code == 403


@pytest.mark.long
async def test_an_empty_installation_has_zeros(admin: Browser) -> None:
    for hours, steps, step_s in ((24, 24, 3600), (168, 7, 86_400), (720, 30, 86_400), (2160, 90, 86_400)):
        found = await figures(admin, hours)
        assert (len(found["minutes"]["by_time"]), found["step_s"]) == (steps, step_s)
        assert (found["people"]["total"], found["people"]["new"], found["people"]["active"]) == (1, 1, 0)
    assert (found["gpu"], found["engines"], found["failures"]) == ({"minutes": 0, "is_cpu_only": True}, [], [])
    assert (len(found["revenue"]), found["storage"]["files"]) == (12, 0)
    assert (await admin.get(URL, params={"hours": 5})).status_code == 422


@pytest.mark.long
async def test_work_is_counted(admin: Browser, ada: Browser, state: AppState) -> None:
    await uploaded_file(state, ada.user_id)
    lease = await claimed(state)
    async with state.database.write() as session:
        await endings.finish(session, UploadHandler(), lease, PREPARED)
    lease = await claimed(state)
    async with state.database.write() as session:
        await endings.finish(session, TranscribeHandler(), lease, result("Hello."))
        await session.execute(
            update(JobAttempt)
            .where(JobAttempt.job_id == lease.job_id)
            .values(device="cuda", started_at=utc_now() - timedelta(minutes=3), ended_at=utc_now())
        )
    broken = await uploaded_file(state, ada.user_id)
    lease = await claimed(state)
    async with state.database.write() as session:
        failure = StageFailed("probe", "This is not a video.", retryable=False)
        await endings.fail(session, UploadHandler(), lease, failure, ErrorCode.STAGE)
    await uploaded_file(state, ada.user_id)

    found = await figures(admin)
    assert (found["minutes"]["total"], found["minutes"]["by_time"][-1]["value"]) == (1.0, 1.0)
    assert (found["people"]["active"], found["people"]["new"]) == (1, 2)
    (engine,) = found["engines"]
    assert (engine["engine"], engine["device"], engine["jobs"], engine["media_minutes"]) == (
        "Whisper tiny",
        "cuda",
        1,
        1.0,
    )
    assert (found["gpu"]["is_cpu_only"], 2.9 <= found["gpu"]["minutes"] <= 3.1) == (False, True)
    assert [(each["code"], each["jobs"]) for each in found["failures"]] == [("stage", 1)]
    upload = found["queues"][0]
    assert (upload["waiting"], upload["running"], upload["oldest_wait_s"] >= 0) == (1, 0, True)
    assert found["storage"]["original_bytes"] == 3 * len(b"bytes")
    assert [file["slug"] for file in found["failed"]] == [broken.slug]
    assert len(found["newest"]) == 3

    icelandic_page = {"Accept-Language": "is"}
    answer = (await admin.get(URL, params={"hours": 24}, headers=icelandic_page)).json()["data"]
    assert {row["work"] for row in answer["queues"]} & {row["work"] for row in found["queues"]} == set()
    table = await admin.get(f"{URL}/queues", params={"hours": 24}, headers=icelandic_page)
    assert answer["queues"][0]["work"] in table.text


@pytest.mark.long
async def test_revenue_is_that_of_paid_invoices(admin: Browser, state: AppState) -> None:
    now = utc_now()
    async with state.database.write() as session:
        for source, status, total, paid_at in (
            (InvoiceSource.STRIPE, InvoiceState.PAID, 1_900, now),
            (InvoiceSource.STRIPE, InvoiceState.PAID, 900, now),
            (InvoiceSource.CONTRACT, InvoiceState.PAID, 50_000, now),
            (InvoiceSource.CONTRACT, InvoiceState.OPEN, 70_000, None),
            (InvoiceSource.STRIPE, InvoiceState.PAID, 4_900, now - timedelta(days=800)),
        ):
            session.add(Invoice(source=source, state=status, total=total, currency="usd", paid_at=paid_at))
    months = (await figures(admin))["revenue"]
    assert (months[-1]["stripe"], months[-1]["contract"], months[-1]["month"][:7]) == (2_800, 50_000, f"{now:%Y-%m}")
    assert sum(month["stripe"] + month["contract"] for month in months) == 52_800
    answer = await admin.get(f"{URL}/revenue", params={"hours": 168})
    assert 'filename="revenue-12-months.csv"' in answer.headers["content-disposition"]
    rows = answer.text.lstrip("\ufeff").splitlines()
    assert (rows[0], len(rows)) == ("month,currency,stripe,contract", 13)
    assert (rows[1].partition(",")[2], rows[-1]) == ("usd,0.00,0.00", f"{now:%Y-%m}-01,usd,28.00,500.00")


@pytest.mark.long
async def test_each_figure_is_a_csv(admin: Browser) -> None:
    for figure in Figure:
        answer = await admin.get(f"{URL}/{figure}", params={"hours": 24})
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/csv; charset=utf-8"), figure
    people = (await admin.get(f"{URL}/people", params={"hours": 24})).text.lstrip("\ufeff").splitlines()
    assert (people[0], len(people)) == ("at,value", 25)


@pytest.mark.long
async def test_models_show_folders_and_pulls_are_recorded(
    admin: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SAGASCRIPT_ALLOW_HUB", "true")
    shown = (await admin.get("/api/admin/models")).json()["data"]
    assert next(task["task"] for task in shown["tasks"]) == "transcription"
    assert (shown["models_folder"], shown["free_bytes"] > 0) == (str(state.settings.models_root.resolve()), True)
    assert (await admin.post("/api/models/catalogue/whisper-base")).status_code == 202
    assert (await admin.delete("/api/models/catalogue/whisper-base")).status_code == 204
    async with state.database.read() as session:
        ours = AuditEntry.action.startswith("model.")
        recorded = (await session.scalars(select(AuditEntry.action).where(ours).order_by(AuditEntry.at))).all()
    assert recorded == [AuditAction.MODEL_PULLED, AuditAction.MODEL_REMOVED]


@pytest.mark.long
@SQLITE
async def test_the_doctor_reports_on_the_page(admin: Browser, state: AppState) -> None:
    first = (await admin.get("/api/admin/system")).json()["data"]
    assert (first["is_running"], first["checks"]) == (True, None)
    async with asyncio.timeout(PATIENCE_S):
        while (found := (await admin.get("/api/admin/system")).json()["data"])["is_running"]:
            await asyncio.sleep(0.2)
    assert found["problem"] is None
    by_name = {check["name"]: check for check in found["checks"]}
    assert {"GPU", "ffmpeg", "fonts", "storage", "database", "relay", "mail", "versions"} <= set(by_name)
    assert state.settings.signing_key not in str(found)
    again = (await admin.get("/api/admin/system", headers={"Accept-Language": "is"})).json()["data"]["checks"]
    assert (
        again[1]["name"],
        next(x["sentence"] for x in again if x["name"] == "rásir"),
    ) == ("minni", "Hluti af vefferlinu.")
    assert (await admin.post("/api/admin/system")).status_code == 202
