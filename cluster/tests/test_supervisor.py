"""The supervisor with small real programs: order, restarts, hangs, and nothing left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from cluster.ports import PortTaken, listen, require_free
from cluster.processes import MARK, leftovers
from cluster.supervisor import supervisor as supervisor_module
from cluster.supervisor.folder import CannotStart, claim, require_writable
from cluster.supervisor.program import Program, answers_http, answers_tcp
from cluster.supervisor.supervisor import Supervisor
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

READY = "now ready"
SLEEPER = f"print({READY!r}, flush=True); import time; time.sleep(600)"
# Leaves the session, as ffmpeg's wrapper does, and ignores SIGTERM.
STUBBORN = (
    "import os, signal, subprocess, sys, time\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "subprocess.Popen(['sleep', '600'], start_new_session=True)\n"
    f"print({READY!r}, flush=True); time.sleep(600)"
)

# Its first process forks the one that serves, on the socket that it inherits, and the next once that is killed.
FORKER = (
    "import http.server, os, socket, time\n"
    "while os.path.exists({gate!r}): time.sleep(0.02)\n"
    "class Pid(http.server.BaseHTTPRequestHandler):\n"
    "    def do_GET(self):\n"
    "        self.send_response(200); self.end_headers(); self.wfile.write(str(os.getpid()).encode())\n"
    "while os.fork():\n"
    "    os.wait()\n"
    "server = http.server.HTTPServer(('127.0.0.1', 0), Pid, bind_and_activate=False)\n"
    "server.socket = socket.socket(fileno={descriptor})\n"
    f"print({READY!r}, flush=True); server.serve_forever()"
)

Running = Callable[..., AbstractAsyncContextManager[tuple[Supervisor, list[str]]]]


@pytest.fixture
def mark() -> str:
    return f"test-{uuid.uuid4().hex}"


@pytest.fixture
def program(mark: str) -> Callable[..., Program]:
    def make(name: str, source: str = SLEEPER, **options: object) -> Program:
        defaults: dict[str, object] = {"ready_line": READY, "stop_timeout_s": 0.5}
        return Program(
            name,
            (sys.executable, "-c", source),
            {**os.environ, MARK: mark},
            **(defaults | options),  # type: ignore[arg-type]
        )

    return make


@pytest.fixture
def running(tmp_path: Path, mark: str) -> Running:
    @asynccontextmanager
    async def run(*programs: Program) -> AsyncIterator[tuple[Supervisor, list[str]]]:
        said: list[str] = []
        supervisor = Supervisor(
            programs, logs=tmp_path, mark=mark, report=lambda name, text: said.append(f"{name} {text}")
        )
        try:
            await supervisor.start()
            yield supervisor, said
        finally:
            await supervisor.stop()

    return run


async def changed_pid(supervisor: Supervisor, name: str, old: int | None) -> int:
    async with asyncio.timeout(PATIENCE_S):
        while (pid := supervisor.pid(name)) is None or pid == old:
            await asyncio.sleep(0.02)
        await supervisor.until_ready(name)
    return pid


async def test_a_killed_program_is_restarted(running: Running, program: Callable[..., Program]) -> None:
    async with running(program("one"), program("two")) as (supervisor, said):
        first, second = supervisor.pid("one"), supervisor.pid("two")
        assert first is not None
        os.kill(first, signal.SIGKILL)
        assert await changed_pid(supervisor, "one", first) != first
        assert supervisor.pid("two") == second
        assert said[0] == "one ended; starting it again."


@pytest.mark.long
async def test_a_program_is_restarted_with_the_one_it_depends_on(
    running: Running, program: Callable[..., Program]
) -> None:
    base = program("base")
    driver = program("driver", dies_with=("base",))
    user = program("user", needs=("driver",))
    async with running(user, driver, base) as (supervisor, said):
        before = {name: supervisor.pid(name) for name in ("base", "driver", "user")}
        os.kill(before["base"] or 0, signal.SIGKILL)
        await changed_pid(supervisor, "driver", before["driver"])
        assert supervisor.pid("user") == before["user"]
        assert said.count("driver lost base; starting it again.") == 1


@pytest.mark.long
async def test_a_hung_program_is_restarted(
    running: Running, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cluster.supervisor.child._CHECK_EVERY_S", 0.05)
    port = free_port()
    server = f"import http.server; http.server.HTTPServer(('127.0.0.1', {port}), http.server.SimpleHTTPRequestHandler)"
    web = program(
        "web",
        f"{server}.serve_forever()",
        ready_line=None,
        check=answers_http("127.0.0.1", port, "/", timeout_s=0.3),
    )
    async with running(web) as (supervisor, said):
        first = supervisor.pid("web")
        os.kill(first or 0, signal.SIGSTOP)
        await changed_pid(supervisor, "web", first)
        assert said[0] == "web does not answer; starting it again."
        assert await answers_tcp("127.0.0.1", port)()


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as opened:
        yield opened


async def answered_by(listener: socket.socket) -> int:
    """The process that accepts a connection made now."""
    async with asyncio.timeout(PATIENCE_S):
        reader, writer = await asyncio.open_connection("127.0.0.1", listener.getsockname()[1])
        writer.write(b"GET / HTTP/1.0\r\n\r\n")
        answer = await reader.read()
        writer.close()
    return int(answer.rpartition(b"\r\n")[2])


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    """While this folder exists, `forker` does not start."""
    return tmp_path / "gate"


@pytest.fixture
def forker(program: Callable[..., Program], listener: socket.socket, gate: Path) -> Program:
    return program(
        "web",
        FORKER.format(descriptor=listener.fileno(), gate=str(gate)),
        check=answers_http("127.0.0.1", listener.getsockname()[1], "/", timeout_s=0.3),
        inherits=(listener.fileno(),),
        forks_server=True,
    )


async def test_a_hung_server_is_killed_so_that_its_program_forks_another(
    running: Running, forker: Program, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cluster.supervisor.child._CHECK_EVERY_S", 0.05)
    async with running(forker) as (supervisor, said):
        first, server = supervisor.pid("web"), await answered_by(listener)
        os.kill(server, signal.SIGSTOP)
        assert await answered_by(listener) != server
        assert supervisor.pid("web") == first
        assert said == ["web does not answer; another process takes over."]


@pytest.mark.long
async def test_a_server_outlives_its_program_until_the_next_start_is_ready(
    running: Running, forker: Program, listener: socket.socket, gate: Path, mark: str
) -> None:
    async with running(forker) as (supervisor, said):
        first, server = supervisor.pid("web"), await answered_by(listener)
        os.mkdir(gate)
        os.kill(first or 0, signal.SIGKILL)
        async with asyncio.timeout(PATIENCE_S):
            while not said:
                await asyncio.sleep(0.02)
        assert await answered_by(listener) == server
        os.rmdir(gate)
        await changed_pid(supervisor, "web", first)
        async with asyncio.timeout(PATIENCE_S):
            while server in leftovers(mark):
                await asyncio.sleep(0.02)
        assert await answered_by(listener) != server
        assert said[0] == "web ended; starting it again."


@pytest.mark.long
async def test_stopping_leaves_no_process_behind(running: Running, program: Callable[..., Program], mark: str) -> None:
    async with running(program("stubborn", STUBBORN), program("plain")) as (supervisor, _):
        assert len(leftovers(mark)) == 3
        started = supervisor.pid("stubborn")
    assert leftovers(mark, {started or 0}) == []


@pytest.mark.long
async def test_a_killed_supervisor_leaves_no_process_behind(tmp_path: Path, mark: str) -> None:
    source = (
        "import asyncio, os, sys\n"
        "from pathlib import Path\n"
        "from cluster.supervisor.program import Program\n"
        "from cluster.supervisor.supervisor import Supervisor\n"
        f"p = Program('stubborn', (sys.executable, '-c', {STUBBORN!r}), "
        f"{{**os.environ, {MARK!r}: {mark!r}}}, ready_line={READY!r})\n"
        "async def main():\n"
        f"    s = Supervisor([p], logs=Path({str(tmp_path)!r}), mark={mark!r}, report=print)\n"
        "    await s.start(); print('up', flush=True); await asyncio.sleep(600)\n"
        "asyncio.run(main())\n"
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", source, stdout=subprocess.PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        assert await process.stdout.readline() == b"up\n"
        assert len(leftovers(mark)) == 2
        process.kill()
        await process.wait()
        while leftovers(mark):
            await asyncio.sleep(0.05)


@pytest.mark.long
async def test_a_program_that_never_starts_fails_the_start_with_its_last_lines(
    running: Running, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor_module, "FIRST_WAIT_S", 0.01)
    with pytest.raises(CannotStart, match=r"bad did not start after 3 tries[\s\S]*no such model"):
        async with running(program("bad", "import sys; sys.exit('no such model')"), program("good")):
            pass


async def test_output_goes_to_the_log_folder(running: Running, program: Callable[..., Program], tmp_path: Path) -> None:
    async with running(program("one")):
        pass
    assert (tmp_path / "one.log").read_text() == f"{READY}\n"


def test_a_second_supervisor_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with claim(tmp_path), pytest.raises(CannotStart, match=f"already runs on .* \\(process {os.getpid()}\\)"):  # noqa: SIM117
        with claim(tmp_path):
            pass
    with claim(tmp_path):
        pass


def test_an_unwritable_folder_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CannotStart, match="cannot be written"):
        require_writable(tmp_path / "file" / "data")


@pytest.mark.parametrize("use", [require_free, listen])
def test_a_taken_port_is_refused_with_a_sentence(use: Callable[[str, int], object]) -> None:
    port = free_port()
    refused = pytest.raises(PortTaken, match=f"Port {port} on 127.0.0.1 cannot be used")
    with socket.create_server(("127.0.0.1", port)), refused:
        use("127.0.0.1", port)
    require_free("127.0.0.1", port)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", ""])
def test_it_listens_on_the_addresses_of_its_host(host: str) -> None:
    port = free_port()
    with contextlib.ExitStack() as opened:
        for listener in listen(host, port):
            opened.enter_context(listener)
        with socket.create_connection((host or "127.0.0.1", port), PATIENCE_S):
            pass
        with pytest.raises(PortTaken):
            listen(host, port)
    require_free(host, port)
