"""Clients that are not signed in send bodies that are too large or too slow to real servers."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from api.platform.http import bodies
from api.platform.http.errors import TooSlow
from api.platform.http.limits import BODY_BYTES_MAX, IMPORT_BYTES_MAX
from api.testing.browser import Browser
from api.testing.uploads.process import HostProcess
from cluster.testing.patience import PATIENCE_S

MEGABYTE = 1_000_000
IMPORT = "/api/files/captions/none/import"


class WebProcess(HostProcess):
    command = "api"

    def memory(self, name: str) -> int:
        assert self.process is not None
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{name}:"))


@pytest.fixture
async def web(tmp_path: Path) -> AsyncIterator[WebProcess]:
    made = WebProcess(tmp_path)
    await made.prepare()
    await made.start()
    yield made
    await made.stop()
    await made.database.close()


async def objects(size: int) -> AsyncIterator[bytes]:
    """A JSON list of this many bytes: in Python's memory it is 25 times as large."""
    yield b"[{}"
    part = b",{}" * (MEGABYTE // 3)
    for _ in range(size // len(part)):
        yield part
    yield b"]"


@pytest.mark.long
async def test_sixty_megabytes_without_a_sign_in_cost_neither_memory_nor_time(web: WebProcess) -> None:
    size = 60 * MEGABYTE
    before = web.memory("VmHWM")
    async with web.client() as client:

        async def post(**headers: str) -> httpx2.Response:
            return await client.post(
                "/login", content=objects(size), headers={"Content-Type": "application/json", **headers}
            )

        sending = [asyncio.create_task(post()), asyncio.create_task(post())]
        assert (await client.get("/api/health")).status_code == 200
        answers = await asyncio.gather(*sending)
        announced = await client.post(IMPORT, content=b"x" * size)
    assert [answer.status_code for answer in [*answers, announced]] == [413, 413, 413]
    for answer in answers:
        assert answer.json()["message"] == "This is larger than the 1 MB accepted here. Send less at once."
    assert web.memory("VmHWM") - before < 60 * MEGABYTE


async def test_a_body_at_the_limit_is_read_and_one_byte_more_is_not(visitor: Browser) -> None:
    for size, status in ((BODY_BYTES_MAX, 422), (BODY_BYTES_MAX + 1, 413)):
        body = b'"' + b"x" * (size - 2) + b'"'
        answer = await visitor.post("/login", content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == status, answer.text


async def test_a_subtitle_file_may_be_larger_than_other_bodies(ada: Browser) -> None:
    large = {"file": ("a.srt", b"x" * (2 * BODY_BYTES_MAX))}
    assert (await ada.post(IMPORT, files=large)).status_code == 404
    too_large = {"file": ("a.srt", b"x" * IMPORT_BYTES_MAX)}
    assert (await ada.post(IMPORT, files=too_large)).status_code == 413


async def test_a_subtitle_file_without_a_sign_in_is_rejected_before_it_is_read(visitor: Browser) -> None:
    read: list[bytes] = []

    async def body() -> AsyncIterator[bytes]:
        read.append(b"x")
        yield b"x"

    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    assert (await visitor.post(IMPORT, content=body(), headers=headers)).status_code == 401
    assert read == []


@pytest.mark.parametrize(("port", "path"), [("api", "/login"), ("relay", "/apps/7461/events")], indirect=["port"])
async def test_a_body_that_trickles_in_times_out(port: int, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "BODY_WINDOW_S", 0.3)
    headers = f"Host: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
    head = f"POST {path} HTTP/1.1\r\n{headers}\r\n"
    loop = asyncio.get_running_loop()
    # asyncio's streams lose what has arrived when the server closes while bytes are still on their way to it.
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setblocking(False)

        async def trickle() -> None:
            with contextlib.suppress(ConnectionError):
                while True:
                    await loop.sock_sendall(connection, b" ")
                    await asyncio.sleep(0.05)

        await loop.sock_sendall(connection, head.encode())
        sending = asyncio.create_task(trickle())
        answer = b""
        async with asyncio.timeout(PATIENCE_S):
            with contextlib.suppress(ConnectionError):
                while part := await loop.sock_recv(connection, 65_536):
                    answer += part
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
    status, _, rest = answer.partition(b"\r\n")
    assert status.startswith(b"HTTP/1.1 408 ")
    assert TooSlow.message.encode() in rest
