"""Each member sees what the team owns, and nobody else does. The role decides who may change it."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from api.content.arrivals.models import UploadStatus
from api.content.captions.models import CaptionLineRow, CaptionTrack, TrackOrigin
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File, FileStatus
from api.testing.browser import Browser
from api.testing.newsroom import Newsroom

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def status(browser: Browser, path: str, method: str = "GET", **call: object) -> int:
    return (await browser.request(method, path, **call)).status_code


async def transcribed(newsroom: Newsroom) -> tuple[File, Export]:
    """A finished file of Ada's with captions and an export of Bob's."""
    file = await newsroom.file_of(newsroom.ada)
    export = Export(file_id=file.id, user_id=newsroom.bob.user_id, language="en-US", status=ExportStatus.ERROR)
    async with newsroom.state.database.write() as session:
        await session.execute(update(File).where(File.id == file.id).values(status=FileStatus.COMPLETED))
        track = CaptionTrack(file_id=file.id, language="en-US", origin=TrackOrigin.TRANSCRIPTION)
        session.add_all([track, export])
        await session.flush()
        session.add(
            CaptionLineRow(track_id=track.id, start_ms=0, end_ms=1_000, text="The harbour is closed.", words=[])
        )
    return file, export


async def test_every_member_sees_the_file_and_all_that_belongs_to_it(newsroom: Newsroom) -> None:
    file, _ = await transcribed(newsroom)
    pages = (
        f"/api/files/{file.slug}",
        f"/api/files/{file.slug}/jobs",
        f"/api/files/{file.slug}/original",
        f"/api/files/captions/{file.slug}",
        f"/api/video/exports/{file.slug}",
    )
    for member in newsroom.members:
        assert [await status(member, page) for page in pages] == [200] * len(pages)
        assert (await member.get("/api/files")).json()["meta"]["total"] == 1
        found = (await member.get("/api/files/transcriptions/search/harbour")).json()["data"]
        assert [each["slug"] for each in found] == [file.slug]
    assert [await status(newsroom.eve, page) for page in pages] == [404] * len(pages)
    assert (await newsroom.eve.get("/api/files")).json()["meta"]["total"] == 0
    assert (await newsroom.eve.get("/api/files/transcriptions/search/harbour")).json()["data"] == []


@pytest.mark.long
@SQLITE
@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PUT", "/api/files/{slug}", {"name": "Tide"}),
        ("POST", "/api/files/captions/{slug}", {"action": "Shift", "offset": 100, "issued": 0}),
        ("DELETE", "/api/video/exports/{slug}/{export}", None),
        ("DELETE", "/api/files/{slug}", None),
    ],
    ids=["rename", "captions", "export", "delete"],
)
async def test_editors_change_and_viewers_do_not(
    newsroom: Newsroom, method: str, path: str, body: dict[str, object] | None
) -> None:
    file, export = await transcribed(newsroom)
    url = path.format(slug=file.slug, export=export.id)
    assert await status(newsroom.eve, url, method, json=body) == 404
    assert await status(newsroom.vera, url, method, json=body) == 403
    assert await status(newsroom.bob, url, method, json=body) in (200, 204)


@SQLITE
async def test_files_that_a_viewer_may_only_look_at_are_not_offered_for_another_transcription(
    newsroom: Newsroom,
) -> None:
    file, _ = await transcribed(newsroom)
    body = {"ids": [str(file.id)]}
    assert (await newsroom.vera.post("/api/files/improve", json=body)).json() == {"data": {"queued": 0}}


async def test_an_upload_into_a_team_is_seen_by_it_and_changed_by_its_uploader(newsroom: Newsroom) -> None:
    upload = await newsroom.upload_of(newsroom.bob)
    for member in newsroom.members:
        assert await status(member, f"/api/files/upload/{upload.slug}") == 200
        assert await status(member, f"/api/files/uploads/{upload.id}") == 200
        assert (await member.get("/api/files/uploads")).json()["meta"]["total"] == 1
    change = {"tus_url": f"http://localhost/tus/{upload.tus_id}", "is_displayed": True}
    for browser, expected in ((newsroom.eve, 404), (newsroom.vera, 403), (newsroom.bob, 200)):
        assert await status(browser, "/api/files/upload", "PUT", json=change) == expected
    assert await status(newsroom.eve, f"/api/files/upload/{upload.slug}") == 404
    assert (await newsroom.eve.get("/api/files/uploads")).json()["meta"]["total"] == 0


@SQLITE
async def test_the_owner_of_a_team_ends_an_upload_of_a_member(newsroom: Newsroom) -> None:
    upload = await newsroom.upload_of(newsroom.bob, UploadStatus.FAILED)
    url = f"/api/files/upload/{upload.slug}"
    assert await status(newsroom.vera, url, "DELETE") == 403
    answer = await newsroom.ada.delete(url)
    assert (answer.status_code, answer.json()["data"]["is_displayed"]) == (200, False)


@SQLITE
async def test_a_deleted_team_shows_nothing(newsroom: Newsroom) -> None:
    file = await newsroom.file_of(newsroom.ada)
    upload = await newsroom.upload_of(newsroom.ada)
    await newsroom.delete()
    for path in (f"/api/files/{file.slug}", f"/api/files/upload/{upload.slug}"):
        assert await status(newsroom.bob, path) == 404
        # Their uploader gave them to the team.
        assert await status(newsroom.ada, path) == 404


@SQLITE
async def test_a_team_of_others_is_not_one_to_act_for(newsroom: Newsroom) -> None:
    header = {"X-Active-Team": str(newsroom.team_id)}
    assert await status(newsroom.bob, "/api/files", headers=header) == 200
    refused = await newsroom.eve.get("/api/files", headers=header)
    assert (refused.status_code, refused.json()["code"]) == (422, "not_your_team")
