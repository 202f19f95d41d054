"""A small installation with a Ray head, real dispatcher processes and real flows. Tests may kill any part."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import select

import api.tables  # noqa: F401
from api.content.files.models import File, FileStatus
from api.content.preparation.work import encode_work
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.jobs import queue
from api.platform.jobs.models import Job, OutboxMessage
from api.platform.jobs.states import JobKind, JobState
from api.platform.settings import ApiSettings
from api.testing.jobs.dispatcher_process import DispatcherProcess, Pace
from cluster.processes import end_leftovers
from cluster.ray.head import READY_LINE, RayHead, plan_head
from cluster.settings import ClusterSettings
from cluster.testing.patience import PATIENCE_S
from pipelines.messages.json_message import JsonMessage

PROJECT = Path(__file__).parents[3]
only_sqlite = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
HEAD_LOG = "ray-head.log"
HEAD_STARTS = 3


@dataclass
class Head:
    """The Ray head of an installation's data folder. `env` changes its environment and that of its nodes."""

    settings: ClusterSettings
    slots: int | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    plan: RayHead | None = None
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the head. Ray limits its own start, which may be too short on a busy machine: then try again."""
        for _ in range(HEAD_STARTS):
            self._start()
            if self._is_ready():
                break
            self.kill()
        else:
            raise AssertionError(f"the Ray head did not start: {self._log()}")
        assert self.plan is not None
        self.plan.announce()

    def _start(self) -> None:
        self.plan = plan_head(self.settings, self.mark, slots=self.slots)
        self.plan.env.update(self.env)
        with (self.settings.data_dir / HEAD_LOG).open("wb") as log:
            self.process = subprocess.Popen(
                self.plan.argv,
                env=self.plan.env,
                cwd=PROJECT,
                start_new_session=True,
                stdout=log,
                stderr=log,
            )

    def _is_ready(self) -> bool:
        """Wait until the head is ready. False if it ended before."""
        assert self.process is not None
        deadline = time.monotonic() + 2 * PATIENCE_S
        while READY_LINE not in self._log():
            if self.process.poll() is not None or time.monotonic() > deadline:
                return False
            time.sleep(0.1)
        return True

    def _log(self) -> str:
        return (self.settings.data_dir / HEAD_LOG).read_text()

    def kill(self) -> None:
        """End every process of the head at once."""
        assert self.process is not None
        assert self.plan is not None
        self.process.kill()
        self.process.wait()
        end_leftovers(self.mark, {self.process.pid}, grace_s=0)
        self.plan.withdraw()
        shutil.rmtree(self.plan.temp_dir, ignore_errors=True)


@dataclass
class Installation:
    """A database, and the dispatchers that work on it."""

    settings: ApiSettings
    database: Database
    clip: Path
    dispatchers: list[DispatcherProcess] = field(default_factory=list)

    def dispatcher(
        self,
        *,
        lease_s: float = 30,
        beat_s: float = 10,
        flows: str = "real",
        stall_clock: Path | None = None,
        drain_s: float = 0,
    ) -> DispatcherProcess:
        """`stall_clock`: a file with the seconds by which an attempt stalls. Replace it in one step."""
        env = {
            **os.environ,
            "SAGASCRIPT_DATA_DIR": str(self.settings.data_dir),
            "SAGASCRIPT_DATABASE_URL": self.settings.db_url,
            "SAGASCRIPT_REALTIME_URL": "http://127.0.0.1:9",
            "SAGASCRIPT_DRAIN_S": str(drain_s),
        }
        pace = Pace(lease_s, beat_s, stall_clock)
        process = DispatcherProcess(env, self.settings.data_dir / "dispatcher.log", pace, flows)
        self.dispatchers.append(process)
        return process

    def log(self) -> str:
        return (self.settings.data_dir / "dispatcher.log").read_text()[-5000:]

    async def logged(self, event: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while event not in self.log():
            assert time.monotonic() < deadline, self.log()
            await asyncio.sleep(0.05)

    async def file(self, status: FileStatus = FileStatus.TRANSCRIBING) -> File:
        """Store an original that browsers do not play."""
        key = f"originals/{uuid.uuid4()}/source.avi"
        path = self.settings.storage_root / key
        path.parent.mkdir(parents=True)
        os.link(self.clip, path)
        async with self.database.write() as session:
            user = User(name="ada", email=f"{uuid.uuid4()}@example.com", password_hash="-")
            session.add(user)
            await session.flush()
            file = File(
                user_id=user.id,
                name="clip",
                filename="clip.avi",
                language="is-IS",
                status=status,
                original_key=key,
                kind="video",
                duration_ms=1000,
            )
            session.add(file)
        return file

    async def encoding(self) -> tuple[File, uuid.UUID]:
        file = await self.file()
        return file, await self.enqueue(JobKind.ENCODING, file, encode_work(file).request)

    async def enqueue(self, kind: str, file: File, request: JsonMessage) -> uuid.UUID:
        async with self.database.write() as session:
            job = await queue.enqueue(
                session,
                kind=kind,
                subject_id=file.id,
                file_id=file.id,
                user_id=file.user_id,
                dedup_key=f"{kind}:{file.id}",
                request=request,
            )
            return job.id

    async def job(self, job_id: uuid.UUID) -> Job:
        async with self.database.read() as session:
            return (await session.scalars(select(Job).where(Job.id == job_id))).one()

    async def until(self, job_id: uuid.UUID, *states: JobState) -> Job:
        return await self.when(job_id, lambda job: job.state in states)

    async def when(self, job_id: uuid.UUID, fits: Callable[[Job], bool]) -> Job:
        deadline = time.monotonic() + PATIENCE_S
        while not fits(job := await self.job(job_id)):
            assert time.monotonic() < deadline, f"{job.state} attempt {job.attempt} {job.error}\n{self.log()}"
            await asyncio.sleep(0.05)
        return job

    @contextlib.contextmanager
    def holding(self) -> Iterator[None]:
        """Every ffmpeg that starts waits until the block ends. Needs the head of `api/testing/jobs/fixtures.py`."""
        hold = self.settings.data_dir / "hold"
        hold.touch()
        try:
            yield
        finally:
            hold.unlink()

    async def media_process(self, job_id: uuid.UUID) -> int:
        """The process id of the job's running ffmpeg."""
        deadline = time.monotonic() + PATIENCE_S
        while not (found := media_processes(job_id)):
            assert time.monotonic() < deadline, self.log()
            await asyncio.sleep(0.05)
        return found[0]

    async def media_processes_end(self, job_id: uuid.UUID) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while found := media_processes(job_id):
            assert time.monotonic() < deadline, f"still running: {found}"
            await asyncio.sleep(0.05)

    async def announced(self, file: File, action: str) -> int:
        """The number of events that report `action` for the file's playback copy."""
        async with self.database.read() as session:
            payloads = (await session.scalars(select(OutboxMessage.payload))).all()
        wanted = {"queue": "Encoding", "action": action, "slug": file.slug}
        return sum(wanted.items() <= payload["data"].items() for payload in payloads if "data" in payload)

    def stored(self, job_id: uuid.UUID) -> list[str]:
        """Paths that the attempts of a job left in storage and in work folders, which may be on their way out."""
        roots = (self.settings.storage_root / "jobs", self.settings.work_root)
        return sorted(
            str((Path(folder) / name).relative_to(root))
            for root in roots
            for folder, _, names in os.walk(root / str(job_id))
            for name in names
        )

    def end(self) -> None:
        for process in self.dispatchers:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGCONT)
            process.kill()
            process.wait()


def media_processes(job_id: uuid.UUID) -> list[int]:
    """ffmpeg processes whose folder or arguments name the job."""
    return [pid for pid in _pids() if _is_media(pid, str(job_id))]


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def name_of(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()


def _pids() -> Iterator[int]:
    return (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())


def _is_media(pid: int, job_id: str) -> bool:
    try:
        process = Path(f"/proc/{pid}")
        if "ffmpeg" not in (process / "comm").read_text():
            return False
        return job_id in os.readlink(process / "cwd") or job_id in (process / "cmdline").read_text()
    except OSError:
        return False
