"""Who may subscribe, and the recovery from missed events."""

from __future__ import annotations

import httpx2
import pytest
from sqlalchemy import update

from api.content.arrivals.models import Upload, UploadStatus
from api.content.exports.models import Export, ExportStatus
from api.content.files.models import File, FileStatus
from api.edges.pages.current_state import current_state
from api.people.auth.viewer import Viewer
from api.platform.db.engine import Database
from api.platform.http.errors import Forbidden
from api.platform.http.state import AppState
from api.platform.jobs import queue
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.platform.realtime.messages import Action, Topic, channel_of
from api.testing.browser import Browser, SignUp
from api.testing.newsroom import make_newsroom
from api.testing.realtime.clients import Clients, Web
from pipelines.messages.json_message import JsonMessage

SOCKET = "12.34"
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says about calls of our own pages."""


async def ask(browser: Browser, channel: str, socket_id: str = SOCKET) -> httpx2.Response:
    return await browser.post("/api/broadcasting/auth", json={"socket_id": socket_id, "channel_name": channel})


async def test_a_user_may_listen_to_their_own_channel(web: Web, clients: Clients) -> None:
    async with web.browser() as browser:
        await browser.register("ada")
        channel = channel_of(browser.user_id)
        client = await clients.greeted()
        credentials = {"socket_id": client.socket_id, "channel_name": channel}
        for answer in (
            await browser.post("/api/broadcasting/auth", json=credentials),
            await browser.post("/api/broadcasting/auth", data=credentials),
        ):
            await client.send("pusher:subscribe", channel=channel, **answer.json())
            assert (await client.receive())["event"] == "pusher_internal:subscription_succeeded"


async def test_no_other_channel_is_granted(ada: Browser, bob: Browser) -> None:
    mine = channel_of(ada.user_id)
    for channel in (channel_of(bob.user_id), mine + "x", mine.upper(), "private-polling.", "presence-x", mine + ":1"):
        answer = await ask(ada, channel)
        assert (answer.status_code, answer.json()) == (403, {"message": Forbidden.message}), channel
    for socket_id in ("", "1", "1.2:3", "1.2\n", "a.b", "٣.٤"):
        assert (await ask(ada, mine, socket_id)).status_code == 403


NONSENSE = [b"", b"[]", b"{", b'{"socket_id":1,"channel_name":[]}', b"\xff", b"[" * 200_000, b"1" * 5_000]


@pytest.mark.long
@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
async def test_a_body_that_is_nonsense_grants_nothing(ada: Browser, body: bytes) -> None:
    answer = await ada.post("/api/broadcasting/auth", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 403


async def test_strangers_and_forged_pages_get_nothing(ada: Browser, visitor: Browser) -> None:
    assert (await ask(visitor, channel_of(ada.user_id))).status_code == 401
    forged = await ada.post(
        "/api/broadcasting/auth",
        json={"socket_id": SOCKET, "channel_name": channel_of(ada.user_id)},
        headers={"X-XSRF-TOKEN": "forged"},
    )
    assert forged.status_code == 419
    assert (await visitor.get("/api/polling/initiate")).status_code == 401


async def fill(database: Database, browser: Browser) -> dict[str, str]:
    """Create work in every state for a user. Returns the slugs by state."""
    user = browser.user_id
    async with database.write() as session:
        uploads = {
            status: Upload(user_id=user, filename=f"{status}.mp4", language="is-IS", status=status)
            for status in UploadStatus
        }
        files = {
            status: File(
                user_id=user,
                name=status,
                filename=f"{status}.mp4",
                language="is-IS",
                status=status,
                progress=30,
                original_key="a/b.mp4",
            )
            for status in FileStatus
        }
        session.add_all([*uploads.values(), *files.values()])
        await session.flush()
        done = files[FileStatus.COMPLETED]
        for status in ExportStatus:
            session.add(Export(file_id=done.id, user_id=user, language="is-IS", status=status, progress=40))
        for file, kind in ((files[FileStatus.TRANSCRIBING], JobKind.TRANSCRIBE), (done, JobKind.ENCODING)):
            job = await queue.enqueue(
                session,
                kind=kind,
                subject_id=file.id,
                file_id=file.id,
                user_id=user,
                dedup_key=f"{kind}:{file.id}",
                request=JsonMessage(),
            )
            job.state, job.progress = JobState.RUNNING, 55
    return {
        "upload": uploads[UploadStatus.WAITING].slug,
        **{status: file.slug for status, file in files.items()},
    }


async def test_the_current_state_covers_all_unfinished_work_and_nothing_else(state: AppState, sign_up: SignUp) -> None:
    ada, bob = await sign_up("ada"), await sign_up("bob")
    slugs = await fill(state.database, ada)
    await fill(state.database, bob)
    async with state.database.read() as session:
        messages = await current_state(session, Viewer(ada.user_id, is_admin=False, team_id=None))
    assert [(m.queue, m.action, m.slug, m.child, m.progress) for m in messages] == [
        ("Tus", "Completed", slugs["upload"], None, 100),
        ("Upload", "Dispatched", slugs["waiting"], None, 0),
        ("Upload", "Started", slugs["processing"], None, 30),
        ("Upload", "Progress", slugs["processing"], None, 30),
        ("Upload", "Transcribing", slugs["transcribing"], None, 100),
        ("Transcribe", "Started", slugs["transcribing"], None, 55),
        ("Transcribe", "Progress", slugs["transcribing"], None, 55),
        ("Encoding", "Started", slugs["completed"], None, 55),
        ("Encoding", "Progress", slugs["completed"], None, 55),
        ("Export", "Started", slugs["completed"], "lang_is-IS", 40),
        ("Export", "Progress", slugs["completed"], "lang_is-IS", 40),
        ("Export", "Dispatched", slugs["completed"], "lang_is-IS", 40),
    ]
    assert all(message.name for message in messages)
    without_words = {(m.queue, m.action) for m in messages if m.message is None}
    assert without_words == {
        (Topic.UPLOAD, Action.TRANSCRIBING),
        *((queue, Action.PROGRESS) for queue in (Topic.UPLOAD, Topic.TRANSCRIBE, Topic.ENCODING, Topic.EXPORT)),
    }


@pytest.mark.long
async def test_initiating_sends_the_state_to_the_user_and_nobody_else(web: Web, clients: Clients) -> None:
    async with web.browser() as ada, web.browser() as bob:
        await ada.register("ada")
        await bob.register("bob")
        await fill(web.state.database, ada)
        mine, other = (
            await clients.listening(channel_of(ada.user_id)),
            await clients.listening(channel_of(bob.user_id)),
        )
        assert (await ada.get("/api/polling/initiate", headers=OWN_PAGE)).json() == {"data": {"sent": 12}}
        events = [await mine.receive() for _ in range(12)]
        assert [each["event"] for each in events] == ["polling.files"] * 12
        assert "Preparing 'completed' for playback." in {each["data"].get("message") for each in events}
        icelandic = await ada.get("/api/polling/initiate", headers={**OWN_PAGE, "Accept-Language": "is"})
        assert icelandic.status_code == 200
        said = {(await mine.receive())["data"].get("message") for _ in range(12)}
        assert "Bý „completed“ undir spilun." in said
        await other.send("pusher:ping")
        assert (await other.receive())["event"] == "pusher:pong"
        # Without the token of the page, the browser itself must say that it is ours.
        for headers, status in (({}, 419), ({"Sec-Fetch-Site": "cross-site"}, 419), (ada.csrf_headers(), 200)):
            assert (await ada.get("/api/polling/initiate", headers=headers)).status_code == status


async def test_initiating_without_a_relay_says_so(ada: Browser, state: AppState, unused_tcp_port: int) -> None:
    state.settings.realtime_url = f"http://127.0.0.1:{unused_tcp_port}"
    await fill(state.database, ada)
    answer = await ada.get("/api/polling/initiate", headers=OWN_PAGE)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "5"


@pytest.mark.long
async def test_each_member_gets_the_current_state_of_the_teams_work(web: Web, clients: Clients) -> None:
    async with web.browser() as ada, web.browser() as bob, web.browser() as vera, web.browser() as eve:
        for browser, name in ((ada, "ada"), (bob, "bob"), (vera, "vera"), (eve, "eve")):
            await browser.register(name)
        newsroom = await make_newsroom(web.state, ada, bob, vera, eve)
        file = await newsroom.file_of(ada)
        async with web.state.database.write() as session:
            await session.execute(update(File).where(File.id == file.id).values(status=FileStatus.PROCESSING))
            await session.execute(update(Job).where(Job.subject_id == file.id).values(kind=JobKind.ENCODING))
            session.add(Export(file_id=file.id, user_id=bob.user_id, language="en-US", status=ExportStatus.SUBMITTED))
        upload = await newsroom.upload_of(bob, UploadStatus.WAITING)
        for browser in newsroom.members:
            client = await clients.listening(channel_of(browser.user_id))
            sent = (await browser.get("/api/polling/initiate", headers=OWN_PAGE)).json()["data"]["sent"]
            got = [(await client.receive())["data"] for _ in range(sent)]
            events = {(each["queue"], each["action"], each["slug"]) for each in got}
            assert events >= {
                ("Tus", "Completed", upload.slug),
                ("Upload", "Started", file.slug),
                ("Encoding", "Dispatched", file.slug),
                ("Export", "Dispatched", file.slug),
            }
        assert (await eve.get("/api/polling/initiate", headers=OWN_PAGE)).json() == {"data": {"sent": 0}}
