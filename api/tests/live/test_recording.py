"""A live recording as a page makes it: every acknowledged piece of sound is kept, once, in order."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from api.content.files.models import File
from api.content.live import errors
from api.content.live.models import LiveSession
from api.content.live.watch import LiveWatch
from api.people.auth.viewer import TEAM_HEADER
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.files.live import PIECE, LiveFlow, LivePage, passage_chunk
from api.testing.files.transcribed import captioned_file
from api.testing.teams import join, new_team
from pipelines.media.sound.journal import PIECE_BYTES, Journal, journal_of, piece_key
from pipelines.messages.live import LiveRequest


async def file_of(state: AppState, page: LivePage) -> File:
    async with state.database.read() as session:
        return (await session.scalars(select(File).where(File.slug == page.slug))).one()


async def journal(state: AppState, page: LivePage) -> Journal:
    return Journal(state.storage, journal_of((await file_of(state, page)).id), lambda: 0.0)


def refusal(answer: object) -> tuple[int, str, str]:
    status, body = answer.status_code, answer.json()  # type: ignore[attr-defined]
    return status, body.get("code", ""), body["message"]


async def test_a_recording_is_a_file_at_once_and_its_job_knows_the_journal(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada, name="Weekly meeting")
    file = await file_of(state, page)
    assert (file.name, file.status, file.language, file.kind) == ("Weekly meeting", "live", "en-US", "audio")
    shown = (await ada.get(f"/api/files/{page.slug}")).json()["data"]
    assert shown["status"] == "live"
    assert shown["playback"]["error"] == "This is still being recorded. It can be played once that has ended."
    async with state.database.read() as session:
        job = (await session.scalars(select(Job).where(Job.kind == JobKind.LIVE))).one()
    assert LiveRequest.from_json(job.request).journal == journal_of(file.id)
    [running] = (await ada.get("/api/live")).json()["data"]
    assert (running["slug"], running["next_piece"], running["state"]) == (page.slug, 0, "open")


async def test_pieces_are_kept_in_order_and_each_once(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    assert (await page.sent(0))["next_piece"] == 1
    assert (await page.sent(0, bytes(PIECE_BYTES)))["next_piece"] == 1, "a repeat is acknowledged and changes nothing"
    assert refusal(await page.send(2))[:2] == (409, "missing_piece")
    assert (await page.sent(1, b"\7\0"))["next_piece"] == 2
    ended = await page.end()
    assert (ended["state"], ended["recorded_ms"]) == ("ended", 1_000)
    read = await journal(state, page)
    assert read.next() == PIECE
    assert read.next() == b"\7\0".ljust(PIECE_BYTES, b"\0")
    assert read.next() is None
    assert read.is_read
    assert refusal(await page.send(2))[:2] == (409, "live_ended")
    assert (await page.sent(1))["next_piece"] == 2, "the last one is acknowledged after the end, too"
    assert (await page.end())["state"] == "ended"


@pytest.mark.long
@pytest.mark.parametrize("pcm", [b"", b"abc", bytes(PIECE_BYTES + 2)])
async def test_what_is_no_sound_is_refused(ada: Browser, pcm: bytes) -> None:
    page = await LivePage.begin(ada)
    answer = await page.send(0, pcm)
    assert answer.status_code == 422
    assert answer.json()["errors"] == {"sound": [errors.BAD_SOUND]}
    await page.sent(0)


async def test_another_page_takes_over_and_the_first_one_learns_it(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await page.sent(0)
    other = LivePage(ada, page.slug, uuid.uuid4())
    assert refusal(await other.send(1))[:2] == (409, "other_source")
    taken = await ada.post(f"/api/live/{page.slug}/source", json={"source": str(other.source)})
    assert taken.json()["data"]["next_piece"] == 1
    assert refusal(await page.send(1)) == (409, "other_source", errors.OtherSource.message)
    assert (await other.sent(1, b"\2\0"))["next_piece"] == 2


async def test_a_piece_that_was_kept_but_not_acknowledged_stays_in_the_recording(ada: Browser, state: AppState) -> None:
    """The web process died in between; the flow may have read the piece already."""
    page = await LivePage.begin(ada)
    await page.sent(0)
    file = await file_of(state, page)
    async with state.database.write() as session:
        await session.execute(update(LiveSession).values(pieces=0))
    assert (await page.sent(0))["next_piece"] == 1, "the same page sends it again"
    async with state.database.write() as session:
        await session.execute(update(LiveSession).values(pieces=0))
    other = await ada.post(f"/api/live/{page.slug}/source", json={"source": str(uuid.uuid4())})
    assert other.json()["data"]["next_piece"] == 1, "another one goes on after it"
    assert state.storage.exists(piece_key(journal_of(file.id), 0))


async def test_sound_that_comes_faster_than_anybody_speaks_is_refused(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    async with state.database.write() as session:
        # An hour of sound in a recording that has just begun.
        await session.execute(update(LiveSession).values(pieces=7_200))
    answer = await page.send(7_200)
    assert refusal(answer) == (429, "too_fast", errors.TOO_FAST)
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize(("fast_by", "status"), [(0.005, 200), (0.05, 429)])
async def test_the_clock_of_a_sound_card_may_be_a_little_fast_for_hours(
    ada: Browser, state: AppState, fast_by: float, status: int
) -> None:
    page = await LivePage.begin(ada)
    pieces = round(10 * 7_200 * (1 + fast_by))
    async with state.database.write() as session:
        began_at = utc_now() - timedelta(hours=10)
        await session.execute(update(LiveSession).values(pieces=pieces, began_at=began_at))
    assert (await page.send(pieces)).status_code == status


async def test_nobody_else_sees_or_changes_a_recording(ada: Browser, bob: Browser) -> None:
    page = await LivePage.begin(ada)
    stranger = LivePage(bob, page.slug, page.source)
    assert (await stranger.send(0)).status_code == 404
    for method, path in (("GET", ""), ("POST", "/end"), ("POST", "/source")):
        answer = await bob.request(method, f"/api/live/{page.slug}{path}", json={"source": str(page.source)})
        assert answer.status_code == 404
    assert (await bob.get("/api/live")).json()["data"] == []
    await page.sent(0)


async def test_a_file_that_was_uploaded_is_no_recording(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    answer = await ada.get(f"/api/live/{file.slug}")
    assert refusal(answer) == (404, "", errors.NO_SESSION)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("auto", errors.NAME_A_LANGUAGE), ("xx-YY", "This language is not supported. Choose one from the list.")],
)
async def test_the_language_must_be_named(ada: Browser, language: str, sentence: str) -> None:
    answer = await ada.post("/api/live", json={"language": language, "source": str(uuid.uuid4())})
    assert answer.status_code == 422
    assert answer.json()["errors"]["language"] == [sentence]


class TestLimits:
    @pytest.fixture
    def settings(self, settings: ApiSettings) -> ApiSettings:
        return settings.model_copy(
            update={"live_recordings": 2, "live_recordings_per_person": 1, "live_recordings_per_team": 1}
        )

    async def test_a_team_cannot_take_all_either(self, ada: Browser, bob: Browser, state: AppState) -> None:
        team = await new_team(ada)
        await join(state, ada, team, bob)
        for member in (ada, bob):
            member.headers[TEAM_HEADER] = team
        page = await LivePage.begin(ada)
        body = {"language": "en-US", "source": str(uuid.uuid4())}
        assert refusal(await bob.post("/api/live", json=body)) == (429, "too_many_live", errors.TOO_MANY_OF_TEAM)
        await page.end()
        assert (await bob.post("/api/live", json=body)).status_code == 201

    async def test_one_person_cannot_take_all_and_nobody_more_than_there_are(
        self, ada: Browser, bob: Browser, sign_up: object
    ) -> None:
        page = await LivePage.begin(ada)
        body = {"language": "en-US", "source": str(uuid.uuid4())}
        refused = await ada.post("/api/live", json=body)
        assert refusal(refused) == (429, "too_many_live", errors.TOO_MANY_OF_OWN)
        await LivePage.begin(bob)
        cleo = await sign_up("cleo")  # type: ignore[operator]
        assert refusal(await cleo.post("/api/live", json=body)) == (429, "too_many_live", errors.TOO_MANY)
        await page.end()
        assert (await cleo.post("/api/live", json=body)).status_code == 201


async def test_a_recording_without_sound_for_long_ends_and_the_rest_is_read(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await page.sent(0)
    watch = LiveWatch(state.database, state.storage, state.settings)
    await watch()
    assert (await page.look())["live"]["state"] == "open"
    async with state.database.write() as session:
        await session.execute(update(LiveSession).values(sound_at=utc_now() - timedelta(minutes=11)))
    await watch()
    found = (await page.look())["live"]
    assert found["state"] == "ended"
    assert found["ends_why"] == errors.SILENT(minutes=10)
    read = await journal(state, page)
    assert read.next() == PIECE
    assert read.next() is None
    assert read.is_read


async def test_an_end_that_a_process_did_not_finish_is_finished_by_the_watch(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await page.sent(0)
    await page.end()
    file = await file_of(state, page)
    state.storage.delete(f"{journal_of(file.id)}/end.json")
    await LiveWatch(state.database, state.storage, state.settings)()
    read = await journal(state, page)
    assert read.next() == PIECE
    assert read.next() is None
    assert read.is_read


async def test_a_recording_that_goes_to_the_bin_takes_no_more_sound(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    await LiveFlow.begin(state, page.slug)
    await page.sent(0)
    assert (await ada.delete(f"/api/files/{page.slug}")).status_code < 300
    assert (await page.send(1)).status_code == 404


async def test_a_file_that_is_deleted_for_good_leaves_no_sound(ada: Browser, state: AppState) -> None:
    page = await LivePage.begin(ada)
    flow = await LiveFlow.begin(state, page.slug)
    await page.sent(0)
    await page.end()
    await flow.hand_over(passage_chunk(0, "good morning"))
    await flow.finish()
    async with state.database.read() as session:
        payloads = [row.payload for row in await session.scalars(select(OutboxMessage))]
    file = await file_of(state, page)
    assert any(journal_of(file.id) in payload.get("prefixes", []) for payload in payloads)
