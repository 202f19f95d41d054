"""The administrators' list of all files: filters, pages, actions, and who may use it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from api.content.files.models import File, FileKind, FileStatus
from api.edges.admin.contents import queries
from api.edges.admin.contents.service import CANCELLED
from api.people.audit.actions import AuditAction
from api.people.audit.models import AuditEntry
from api.people.teams.models import Team
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.states import JobState
from api.testing.browser import Browser
from api.testing.files.transcribed import captioned_file, transcribing_file
from api.testing.files.uploaded_file import uploaded_file

URL = "/api/admin/contents"


async def change(state: AppState, file: File, **values: Any) -> None:
    async with state.database.write() as session:
        await session.execute(update(File).where(File.id == file.id).values(**values))


async def names(browser: Browser, **query: Any) -> list[str]:
    answer = await browser.get(URL, params=query)
    assert answer.status_code == 200, answer.text
    return [each["name"] for each in answer.json()["data"]]


async def test_only_administrators_see_everybodys_files(ada: Browser, visitor: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    for call in (URL, f"{URL}/{file.slug}"):
        assert (await visitor.get(call)).status_code == 401
        assert (await ada.get(call)).status_code == 403
    for action in ("retry", "cancel"):
        assert (await ada.post(f"{URL}/{file.slug}/{action}")).status_code == 403


@pytest.mark.long
async def test_filters(admin: Browser, ada: Browser, bob: Browser, state: AppState) -> None:
    talk = await uploaded_file(state, ada.user_id, filename="Talk.mp4")
    song = await uploaded_file(state, bob.user_id, filename="Ásong.mp3", language="en-US")
    film = await uploaded_file(state, bob.user_id, filename="talkie.mp4")
    async with state.database.write() as session:
        team = Team(name="Newsroom")
        session.add(team)
        await session.flush()
    day_ago = utc_now() - timedelta(days=1)
    await change(
        state, talk, name="Talk", kind=FileKind.VIDEO, language="is-IS", duration_ms=9_000, size_bytes=2,
        status=FileStatus.FAILED, error="Broken.", created_at=day_ago, updated_at=day_ago,
    )  # fmt: skip
    await change(state, song, name="Ásong", kind=FileKind.AUDIO, team_id=team.id, size_bytes=3)
    await change(
        state, film, name="talkie", kind=FileKind.VIDEO, language="is-IS", deleted_at=utc_now(), updated_at=utc_now()
    )

    assert await names(admin) == ["Ásong", "Talk"]
    assert await names(admin, sort="created_at") == ["Talk", "Ásong"]
    assert await names(admin, sort="-duration_ms") == ["Talk", "Ásong"]
    assert await names(admin, sort="-size_bytes") == ["Ásong", "Talk"]
    assert await names(admin, sort="name") == ["Talk", "Ásong"]
    assert await names(admin, in_bin="true") == ["talkie"]
    assert await names(admin, q="TAL") == ["Talk"]
    assert await names(admin, q="Ás") == ["Ásong"]
    assert await names(admin, q="alk") == []
    assert await names(admin, q=song.slug) == ["Ásong"]
    assert await names(admin, q=str(talk.id)) == ["Talk"]
    assert await names(admin, status=["failed", "completed"]) == ["Talk"]
    assert await names(admin, kind="audio") == ["Ásong"]
    assert await names(admin, kind="audio", status="failed") == []
    assert await names(admin, language="is-IS") == ["Talk"]
    assert await names(admin, owner=bob.user["email"]) == ["Ásong"]
    assert await names(admin, owner=str(ada.user_id), q="t") == ["Talk"]
    assert await names(admin, team="newsroom") == ["Ásong"]
    assert await names(admin, team=str(team.id)) == ["Ásong"]
    assert await names(admin, failed_within_h=1) == []
    assert await names(admin, failed_within_h=48) == ["Talk"]
    for wrong in ({"owner": "nobody@example.com"}, {"team": "Nobody's"}):
        refused = await admin.get(URL, params=wrong)
        assert refused.status_code == 422
        assert list(refused.json()["errors"]) == list(wrong)

    (listed,) = (await admin.get(URL, params={"q": "talk"})).json()["data"]
    assert (listed["owner"]["email"], listed["team"], listed["error"]) == (ada.user["email"], None, "Broken.")
    (listed,) = (await admin.get(URL, params={"kind": "audio"})).json()["data"]
    assert (listed["team"]["name"], listed["queue_place"]) == ("Newsroom", 2)


@pytest.mark.long
@pytest.mark.parametrize("counted", [1, 100])
async def test_pages(
    admin: Browser, ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch, counted: int
) -> None:
    """Long lists are read along an index, short ones are sorted; both show the same files."""
    sizes = (40, None, 20, 30)
    for number, size in enumerate(sizes):
        file = await uploaded_file(state, ada.user_id)
        await change(state, file, name=f"file {number}", size_bytes=size, duration_ms=size)
    for sort, order in (("-created_at", "3210"), ("name", "0123"), ("-size_bytes", "0321"), ("-duration_ms", "0321")):
        listed = []
        for page in (1, 2):
            monkeypatch.setattr(queries, "COUNTED_MAX", 100)
            monkeypatch.setattr(queries, "SORTED_MAX", counted)
            answer = (await admin.get(URL, params={"sort": sort, "page": page, "per_page": 3})).json()
            assert (answer["meta"]["total"], answer["meta"]["is_more"]) == (4, False)
            listed += [each["name"][-1] for each in answer["data"]]
        assert "".join(listed) == order, sort
    monkeypatch.setattr(queries, "COUNTED_MAX", 2)
    answer = (await admin.get(URL, params={"per_page": 3})).json()
    assert (len(answer["data"]), answer["meta"]["total"], answer["meta"]["is_more"]) == (2, 2, True)
    assert (await admin.get(URL, params={"page": 2, "per_page": 2})).status_code == 422


async def test_detail_shows_jobs_and_errors(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    shown = (await admin.get(f"{URL}/{file.slug}")).json()["data"]
    assert [job["kind"] for job in shown["jobs"]][:2] == ["upload", "transcribe"]
    assert (shown["languages"], shown["exports"], shown["can_retry"], shown["can_cancel"]) == (
        ["en-US"],
        0,
        False,
        False,
    )
    assert "harbour" not in str(shown)
    assert (await admin.get(f"{URL}/none")).status_code == 404


async def test_cancel_and_retry_leave_audit_entries(admin: Browser, ada: Browser, state: AppState) -> None:
    file, _ = await transcribing_file(state, ada.user_id)
    assert (await admin.post(f"{URL}/{file.slug}/retry")).status_code == 409
    cancelled = await admin.post(f"{URL}/{file.slug}/cancel")
    assert cancelled.status_code == 200, cancelled.text
    assert (cancelled.json()["data"]["status"], cancelled.json()["data"]["error"]) == ("abandoned", CANCELLED)
    again = await admin.post(f"{URL}/{file.slug}/retry")
    assert (again.status_code, again.json()["data"]["status"]) == (200, "transcribing")
    assert again.json()["data"]["jobs"][-1]["state"] in (JobState.READY, JobState.RUNNING)
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.object_id == file.slug))).all()
    assert {entry.action for entry in entries} == {AuditAction.FILE_CANCELLED, AuditAction.FILE_RETRIED}
    assert {(entry.actor_id, entry.subject_id) for entry in entries} == {(admin.user_id, ada.user_id)}


async def test_bin_and_restore_leave_audit_entries(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    assert (await admin.post(f"{URL}/{file.slug}/restore")).status_code == 404
    binned = await admin.delete(f"{URL}/{file.slug}")
    assert (binned.status_code, binned.json()["data"]["can_restore"]) == (200, True)
    assert (await ada.get(f"/api/files/{file.slug}")).status_code == 404
    assert await names(admin) == []
    assert await names(admin, in_bin="true") == ["talk"]
    assert (await admin.delete(f"{URL}/{file.slug}")).status_code == 404
    restored = await admin.post(f"{URL}/{file.slug}/restore")
    assert restored.json()["data"]["deleted_at"] is None
    assert (await ada.get(f"/api/files/{file.slug}")).status_code == 200
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).where(AuditEntry.object_id == file.slug))).all()
    assert {entry.action for entry in entries} == {AuditAction.FILE_DELETED, AuditAction.FILE_RESTORED}
    assert {(entry.actor_id, entry.subject_id) for entry in entries} == {(admin.user_id, ada.user_id)}


async def test_csv_has_all_rows(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await change(state, file, name="=1+1")
    await uploaded_file(state, ada.user_id)
    answer = await admin.get(URL, params={"format": "csv", "per_page": 1})
    assert answer.headers["content-type"].startswith("text/csv")
    lines = answer.text.strip().splitlines()
    assert (len(lines), "'=1+1" in answer.text, ada.user["email"] in lines[1]) == (3, True, True)
