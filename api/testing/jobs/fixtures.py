"""Fixtures for tests of jobs: a queue in an empty database of each kind, a Ray head, and an installation."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.testing.jobs.installation import Head, Installation
from api.testing.jobs.job_queue import Jobs, Recorder
from api.testing.processes.held_ffmpeg import held_ffmpeg


@pytest.fixture
async def jobs(database_url: str) -> AsyncIterator[Jobs]:
    database = Database(database_url)
    yield Jobs(database)
    await database.close()


@pytest.fixture
def recorder() -> Recorder:
    return Recorder()


CLIP_S = 2


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clip that browsers do not play."""
    path = tmp_path_factory.mktemp("clip") / "clip.avi"
    picture, sound = f"testsrc2=s=1280x720:r=25:d={CLIP_S}", f"sine=f=440:d={CLIP_S}"
    inputs = ["-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound]
    command = ["ffmpeg", "-nostdin", "-v", "error", *inputs, "-c:v", "mpeg4", "-q:v", "3", "-c:a", "mp2", str(path)]
    subprocess.run(command, check=True)
    return path


# Of the folder whose conftest names it: an idle Ray takes processor time from all tests that follow.
@pytest.fixture(scope="package")
def head(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Head]:
    folder = tmp_path_factory.mktemp("data")
    made = Head(ApiSettings(data_dir=folder), env={"SAGASCRIPT_FFMPEG": str(held_ffmpeg(folder).program)})
    made.start()
    yield made
    made.kill()


@pytest.fixture
async def installation(head: Head, clip: Path, database_url: str) -> AsyncIterator[Installation]:
    settings = ApiSettings(data_dir=head.settings.data_dir, database_url=database_url)
    (settings.data_dir / "dispatcher.log").write_text("")
    database = Database(settings.db_url)
    made = Installation(settings, database, clip)
    yield made
    made.end()
    await database.close()
