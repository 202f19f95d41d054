"""Proofreading over the API: start, read the proposals, cancel."""

from __future__ import annotations

import uuid

from sqlalchemy import select

from api.content.ai_texts.proofreading.jobs import ProofreadHandler
from api.content.ai_texts.proofreading.models import Proofreading
from api.content.ai_texts.proofreading.service import NOT_PROOFREAD, UNDER_WAY
from api.platform.http.state import AppState
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.browser import Browser, SignUp
from api.testing.editor import Editor
from api.testing.files.ai_texts import SELECTOR, WRITER, install
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.messages.proofread import ProofreadRequest, ProofreadResult, Proposal
from serve.tasks.text.messages import CorrectionKind


async def finish(state: AppState, *, after: str) -> None:
    async with state.database.write() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.PROOFREAD))).one()
        line = ProofreadRequest.from_json(job.request).lines[0]
        proposal = Proposal(
            line=line.id, before=line.text, after=after, kind=CorrectionKind.NAME, reason="A name.", is_large=False
        )
        result = ProofreadResult(engine=WRITER, proposals=(proposal,), lines=3, notes=("A note.",))
        job.state = JobState.RUNNING
        await ProofreadHandler().on_started(session, job)
        await ProofreadHandler().on_done(session, job, result)


async def test_proposals_change_nothing_until_they_are_accepted(ada: Browser, state: AppState, sign_up: SignUp) -> None:
    await install(state, SELECTOR)
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/captions/{file.slug}/proofreading"
    assert (await ada.get(path)).json()["data"] is None
    started = await ada.post(path, json={})
    assert started.status_code == 202, started.text
    assert started.json()["data"]["status"] == "waiting"
    assert (await ada.post(path, json={})).json()["message"] == UNDER_WAY
    await finish(state, after="The Harbour is closed today.")
    found = (await ada.get(path)).json()["data"]
    assert (found["status"], found["is_by_rules"], found["notes"]) == ("ready", False, ["A note."])
    assert [each["before"] for each in found["proposals"]] == [SENTENCES[0]]
    assert (await Editor(ada, file.slug).look()).texts == list(SENTENCES)
    eve = await sign_up("Eve")
    assert (await eve.get(path)).status_code == 404
    assert (await eve.post(path, json={})).status_code == 404


async def test_one_line_is_read_and_a_proofreading_can_be_cancelled(ada: Browser, state: AppState) -> None:
    await install(state, SELECTOR)
    file = await captioned_file(state, ada.user_id)
    path = f"/api/files/captions/{file.slug}/proofreading"
    line = (await Editor(ada, file.slug).look()).lines[1]
    gone = await ada.post(path, json={"lines": [str(uuid.uuid4())]})
    assert gone.status_code == 404
    assert (await ada.post(path, json={"lines": [line["id"]], "task": "shorten"})).status_code == 202
    async with state.database.read() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.PROOFREAD))).one()
        assert [each.id for each in ProofreadRequest.from_json(job.request).lines] == [line["id"]]
    cancelled = await ada.post(f"{path}/cancel", json={})
    assert cancelled.json()["data"]["status"] == "cancelled"
    assert (await ada.post(f"{path}/cancel", json={})).json()["message"] == NOT_PROOFREAD
    async with state.database.read() as session:
        assert (await session.scalars(select(Proofreading))).one().progress == 0
