"""Stock clients against a real upload server: tus-js-client and Uppy in Node, tuspy and aiotus."""

from __future__ import annotations

import asyncio
import io
import json
import shutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiotus
import pytest
from tusclient import client as tuspy

from api.content.arrivals.models import UploadStatus
from api.testing.uploads.content import MEGABYTE, check_file, content
from api.testing.uploads.process import HostInLoop, HostProcess, RunningHost
from cluster.testing.patience import PATIENCE_S

LIBRARY = Path(__file__).parents[3] / "ui" / "node_modules" / "tus-js-client"
SCRIPT = Path(__file__).parent / "node" / "upload.cjs"
UPPY = Path(__file__).parent / "node" / "uppy.mjs"
NAME = "Ráðstefna 会議 עברית.mp4"

needs_node = pytest.mark.skipif(
    not LIBRARY.is_dir() or shutil.which("node") is None, reason="tus-js-client is not installed: run `npm ci` in ui."
)


class NodeUpload:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.seen: list[tuple[str, Any]] = []

    async def until(self, what: str) -> Any:
        assert self.process.stdout is not None
        while True:
            line = await asyncio.wait_for(self.process.stdout.readline(), PATIENCE_S)
            assert line, f"the client ended; it said {self.seen}"
            told = json.loads(line)
            self.seen.append((told["what"], told["value"]))
            if told["what"] == what:
                return told["value"]

    async def go_on(self) -> None:
        """End the wait of `holdAfter`."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"\n")
        await self.process.stdin.drain()

    def values(self, what: str) -> list[Any]:
        return [value for name, value in self.seen if name == what]


@asynccontextmanager
async def node_upload(
    host: RunningHost, file: Path, script: Path = SCRIPT, **options: Any
) -> AsyncIterator[NodeUpload]:
    told = {
        "library": str(LIBRARY),
        "modules": str(LIBRARY.parent),
        "endpoint": host.url,
        "token": await host.token(),
        "file": str(file),
        "filename": NAME,
        "chunkSize": 2 * MEGABYTE,
        **options,
    }
    process = await asyncio.create_subprocess_exec(
        *("node", str(script), json.dumps(told)), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE
    )
    try:
        yield NodeUpload(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


@pytest.fixture
def body() -> bytes:
    return content(7 * MEGABYTE)


@pytest.fixture
def file(tmp_path: Path, body: bytes) -> Path:
    path = tmp_path / "sent.bin"
    path.write_bytes(body)
    return path


@needs_node
async def test_tus_js_client_is_cut_in_a_chunk_and_resumes(served: HostInLoop, file: Path, body: bytes) -> None:
    async with node_upload(served, file, chunkSize=5 * MEGABYTE, cutAfter=3 * MEGABYTE) as client:
        url = await client.until("success")
    assert client.values("cut")
    # The connection broke in the first chunk, and the client did not resend what had arrived.
    assert 0 < client.values("resumed")[0] < 5 * MEGABYTE
    assert url.rpartition("/")[2]
    await check_file(served, body)
    (stored,) = await served.files()
    assert (stored.filename, stored.language) == (NAME, "en-US")


@pytest.mark.long
@needs_node
async def test_tus_js_client_resumes_by_itself_when_the_server_is_killed(
    process: HostProcess, file: Path, body: bytes
) -> None:
    options: dict[str, Any] = {"chunkSize": MEGABYTE // 4, "retryDelays": [500] * 400, "holdAfter": MEGABYTE}
    async with node_upload(process, file, **options) as client:
        await client.until("held")
        await process.stop(signal.SIGKILL)
        await client.go_on()
        await client.until("retry")
        await process.start()
        await client.until("success")
    assert client.values("resumed")[-1] > 0
    await check_file(process, body)


@needs_node
async def test_tus_js_client_behind_a_network_that_stalls_sends_its_last_chunk_once(
    served: HostInLoop, file: Path, body: bytes
) -> None:
    stall_after = len(body) - MEGABYTE // 2
    async with node_upload(served, file, chunkSize=20 * MEGABYTE, stallAfter=stall_after, stallMs=3000) as client:
        await client.until("success")
    assert client.values("stalled")
    assert client.values("retry") == client.values("resumed") == []
    await check_file(served, body)


@needs_node
async def test_tus_js_client_terminates(served: HostInLoop, file: Path) -> None:
    async with node_upload(served, file, terminate=True) as client:
        url = await client.until("terminated")
    async with served.client() as browser:
        assert (await browser.head(url)).status_code == 410
    assert await served.files() == []
    upload = await served.upload()
    assert (upload.status, upload.is_displayed) == (UploadStatus.CANCELLED, False)
    assert not served.incoming(url).exists()


@pytest.mark.long
@needs_node
@pytest.mark.parametrize("cut", [{}, {"cutAfter": 2 * MEGABYTE}])
async def test_tus_js_client_sends_parts_side_by_side(
    served: HostInLoop, file: Path, body: bytes, cut: dict[str, Any]
) -> None:
    async with node_upload(served, file, parallelUploads=3, chunkSize=MEGABYTE, **cut) as client:
        await client.until("success")
    await check_file(served, body)
    (stored,) = await served.files()
    assert stored.filename == NAME


@pytest.mark.long
@needs_node
async def test_tus_js_client_declares_the_length_last(served: HostInLoop, file: Path, body: bytes) -> None:
    async with node_upload(served, file, deferred=True) as client:
        await client.until("success")
    await check_file(served, body)


@pytest.mark.long
@needs_node
async def test_uppy_resumes_by_itself_when_the_server_is_killed(process: HostProcess, file: Path, body: bytes) -> None:
    async with node_upload(process, file, UPPY, chunkSize=MEGABYTE // 4, holdAfter=MEGABYTE) as client:
        await client.until("held")
        await process.stop(signal.SIGKILL)
        await client.go_on()
        await process.start()
        await client.until("success")
    await check_file(process, body)


@pytest.mark.long
@needs_node
async def test_uppy_sends_parts_side_by_side(served: HostInLoop, file: Path, body: bytes) -> None:
    async with node_upload(served, file, UPPY, parallelUploads=3) as client:
        await client.until("success")
    await check_file(served, body)


@pytest.mark.long
async def test_aiotus_uploads_and_resumes(process: HostProcess, file: Path, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {await process.token()}"}
    # On a busy machine the process needs a while to start again.
    config = aiotus.RetryConfiguration(retry_attempts=int(PATIENCE_S * 2), max_retry_period_seconds=0.5)

    async def kill_and_restart() -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not (names := list(process.settings.storage_root.glob(".incoming/*[0-9a-f]"))) or (
                max(name.stat().st_size for name in names) < MEGABYTE
            ):
                await asyncio.sleep(0.001)
        await process.stop(signal.SIGKILL)
        await process.start()

    killing = asyncio.create_task(kill_and_restart())
    with file.open("rb") as opened:
        metadata = {"filename": NAME.encode()}
        url = await aiotus.upload(process.url, opened, metadata, None, config, headers, chunksize=MEGABYTE // 4)
    await killing
    assert url is not None
    await check_file(process, body)


async def test_aiotus_puts_several_files_together(served: HostInLoop, body: bytes) -> None:
    headers = {"Authorization": f"Bearer {await served.token()}"}
    parts = [io.BytesIO(body[start : start + 2 * MEGABYTE]) for start in range(0, len(body), 2 * MEGABYTE)]
    url = await aiotus.upload_multiple(served.url, parts, {"filename": NAME.encode()}, headers=headers)
    assert url is not None
    await check_file(served, body)


async def test_tuspy_uploads_resumes_and_sends_an_empty_file(
    served: HostInLoop, file: Path, body: bytes, tmp_path: Path
) -> None:
    def send() -> None:
        first = _tuspy(served, token).uploader(str(file), chunk_size=2 * MEGABYTE, metadata={"filename": NAME})
        first.upload(stop_at=4 * MEGABYTE)
        again = _tuspy(served, token).uploader(str(file), url=first.url, chunk_size=2 * MEGABYTE)
        assert again.offset == 4 * MEGABYTE
        again.upload()

    def send_nothing() -> None:
        empty = tmp_path / "empty.bin"
        empty.touch()
        _tuspy(served, other).uploader(str(empty), chunk_size=MEGABYTE).upload()

    token, other = await served.token(), await served.token()
    await asyncio.to_thread(send)
    await check_file(served, body)
    await asyncio.to_thread(send_nothing)
    contents = [served.stored(file) for file in await served.files()]
    assert sorted(contents, key=len) == [b"", body]


def _tuspy(host: RunningHost, token: str) -> tuspy.TusClient:
    return tuspy.TusClient(host.url, headers={"Authorization": f"Bearer {token}"})
