"""Nobody waits forever for a database that neither answers nor refuses."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import httpx2
import pytest
import uvicorn
from sqlalchemy.engine import make_url
from starlette.types import Receive, Scope, Send

from api.app import create_app
from api.platform.http import deadline
from api.platform.http.deadline import AnswerInTime
from api.platform.http.errors import RETRY_LATER, Unavailable
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from api.testing.processes.cable import Cable
from cluster.testing.patience import PATIENCE_S

SOON_S = 0.5
CALLS = 30
"""More than the connections in the pool."""


@pytest.fixture
def cable(database_url: str) -> Iterator[Cable]:
    laid = Cable(make_url(database_url).port or 0)
    laid.lay()
    yield laid
    laid.mend()
    laid.remove()


@pytest.fixture
async def browser(settings: ApiSettings, database_url: str, cable: Cable) -> AsyncIterator[Browser]:
    """A web process that reaches its database through the cable."""
    through = make_url(database_url).set(port=cable.port).render_as_string(hide_password=False)
    app = create_app(settings.model_copy(update={"database_url": through}))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=1))
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with Browser(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE_S) as made:
        yield made
    cable.mend()
    server.should_exit = True
    await serving


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_a_refusing_database_is_a_503_wherever_the_viewer_is_read(browser: Browser, cable: Cable) -> None:
    """Large bodies are admitted before any route, where Starlette's handlers of errors do not stand."""
    await browser.register("ada")
    cable.pull()
    answers = [
        await browser.get("/api/files/videos"),
        await browser.post("/api/files/captions/talk", json={"action": "None", "issued": 0}),
        await browser.post("/api/files/captions/talk/import", files={"file": ("a.srt", b"1")}),
        await browser.put("/api/user/settings", json={}),
        await browser.post("/api/broadcasting/auth", data={"socket_id": "1.1", "channel_name": "private-polling.x"}),
    ]
    assert [answer.status_code for answer in answers] == [Unavailable.status_code] * len(answers)
    assert {answer.json()["message"] for answer in answers} == {Unavailable.message}
    assert {answer.headers["Retry-After"] for answer in answers} == set(RETRY_LATER.values())


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_calls_time_out_while_the_database_is_cut_off_and_work_again_afterwards(
    browser: Browser, cable: Cable
) -> None:
    await browser.register("ada")
    cable.cut()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(deadline, "ANSWER_WITHIN_S", SOON_S)
        answers = await asyncio.gather(
            *(browser.get("/api/files/videos") for _ in range(CALLS)),
            browser.post("/login", json={"email": "ada@example.com", "password": "not hers"}),
            browser.get("/api/health"),
            browser.post("/api/files/captions/talk", json={"action": "None", "issued": 0}),
            browser.post("/api/files/captions/talk/import", files={"file": ("a.srt", b"1")}),
        )
    assert {answer.status_code for answer in answers} == {Unavailable.status_code}
    assert {answer.json()["message"] for answer in answers} == {Unavailable.message}
    assert {answer.headers["Retry-After"] for answer in answers} == set(RETRY_LATER.values())
    assert {answer.headers["X-Frame-Options"] for answer in answers} == {"DENY"}
    cable.mend()
    async with asyncio.timeout(PATIENCE_S):
        while (again := await browser.get("/api/files/videos")).status_code == Unavailable.status_code:
            await asyncio.sleep(0.1)
    assert again.status_code == 200
    assert (await browser.put("/api/user", json={})).status_code != Unavailable.status_code


def client_of(app: AnswerInTime) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://localhost")


async def test_an_answer_that_has_started_has_no_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", 0.05)

    async def slowly(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(0.3)
        await send({"type": "http.response.body", "body": b"all of it"})

    async with client_of(AnswerInTime(slowly)) as client:
        assert (await client.get("/")).text == "all of it"


async def test_a_slow_body_does_not_count_against_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", 0.05)

    async def echo(_scope: Scope, receive: Receive, send: Send) -> None:
        body = b""
        while (message := await receive()).get("more_body"):
            body += message["body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body + message["body"]})

    async def sent() -> AsyncIterator[bytes]:
        for part in (b"one ", b"two"):
            await asyncio.sleep(0.2)
            yield part

    async with client_of(AnswerInTime(echo)) as client:
        assert (await client.post("/", content=sent())).text == "one two"


@pytest.mark.parametrize(
    ("path", "status"), [("/tus/x", 200), ("/api/files/captions/talk/import", 200), ("/api/x", 503)]
)
async def test_only_some_paths_have_more_time(path: str, status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", 0.05)
    ended: list[str] = []

    async def late(scope: Scope, _receive: Receive, send: Send) -> None:
        try:
            await asyncio.sleep(0.3)
        finally:
            ended.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async with client_of(AnswerInTime(late, own_time=("/tus",))) as client:
        assert (await client.get(path)).status_code == status
    assert ended == [path]


SLOW_COMMIT = """
CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN PERFORM pg_sleep({seconds}); RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER slow_commit AFTER INSERT ON caption_revisions DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION wait_at_commit();
"""


@pytest.mark.long
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize(("seconds", "status"), [(1.5, 200), (4, 503)])
async def test_a_saved_change_is_never_reported_as_lost(
    ada: Browser, state: AppState, monkeypatch: pytest.MonkeyPatch, seconds: float, status: int
) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    async with state.database.engine.begin() as connection:
        await connection.exec_driver_sql(SLOW_COMMIT.format(seconds=seconds))
    monkeypatch.setattr(deadline, "ANSWER_WITHIN_S", 1)
    answer = await page.post("Edit", 0, content="Saved slowly.")
    monkeypatch.undo()
    assert answer.status_code == status
    if status == 503:
        assert answer.json()["message"] == deadline.UNSURE
    else:
        assert (await page.look()).texts[0] == "Saved slowly."


@pytest.mark.parametrize("path", ["/", "/v1/audio/transcriptions"])
async def test_a_call_that_ends_with_the_process_gets_an_answer(path: str, caplog: pytest.LogCaptureFixture) -> None:
    """A browser would see a lost connection, and the log a traceback."""
    began = asyncio.Event()

    async def forever(_scope: Scope, _receive: Receive, _send: Send) -> None:
        began.set()
        await asyncio.sleep(3600)

    app = AnswerInTime(forever, own_time=("/v1/audio",))
    config = uvicorn.Config(app, port=0, log_config=None, lifespan="off", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    async with httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=PATIENCE_S) as client:
        call = asyncio.create_task(client.get(path))
        await began.wait()
        server.should_exit = True
        answer = await call
    await serving
    body = answer.json().get("error") or answer.json()
    assert (answer.status_code, body["message"]) == (Unavailable.status_code, Unavailable.message)
    assert not [record for record in caplog.records if record.exc_info]
