"""Several Ray nodes under the product: nodes and dispatchers come, go, drain and die while files are at work."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence

import pytest

from api.app import create_app
from api.platform.db.engine import Database
from api.platform.jobs.models import Job
from api.platform.jobs.states import JobKind, JobState
from api.testing.databases.migrated import migrated_database
from api.testing.nodes.installation import SLOTS, NodesInstallation, nodes_installation
from api.testing.nodes.people import CLIPS, Files, begun, described
from cluster.testing.patience import PATIENCE_S

WORKERS = 2
PEOPLE = 4


@pytest.fixture(scope="module")
def installation(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodesInstallation]:
    folder = tmp_path_factory.mktemp("several")
    with migrated_database(postgres_server) as url, nodes_installation(folder, url, workers=WORKERS) as made:
        made.start_models()
        for _ in range(2):
            made.start_dispatcher()
        yield made


@pytest.fixture
async def files(installation: NodesInstallation) -> AsyncIterator[Files]:
    database = Database(installation.settings.db_url)
    app = create_app(installation.settings)
    async with app.router.lifespan_context(app):
        yield Files(installation, database, app)
    await database.close()


@pytest.mark.long
async def test_nothing_is_lost_while_nodes_and_dispatchers_come_go_and_die(
    installation: NodesInstallation, files: Files
) -> None:
    installation.hold.touch()
    people = [await files.person() for _ in range(PEOPLE)]
    for clip in CLIPS:
        for person in people:
            await files.upload(person, clip)
    size = WORKERS * SLOTS
    # ffmpeg holds every job that got a slot. A job that waited inside Ray would be running and never begin.
    jobs = await files.when(lambda jobs: len(begun(jobs)) == size, JobKind.UPLOAD)
    assert running(jobs) == size, f"{described(jobs)}\n{installation.tail()}"
    assert Counter(job.user_id for job in begun(jobs)) == {person.user_id: 1 for person in people}

    added = installation.add_node()
    size += SLOTS
    jobs = await files.when(lambda jobs: len(begun(jobs)) == size, JobKind.UPLOAD)
    assert running(jobs) == size, f"{described(jobs)}\n{installation.tail()}"

    at_work = {job.id for job in begun(jobs)}
    added.drain(seconds=1)
    # Its two jobs go back into the queue as if they had never started, and nobody starts on it again.
    jobs = await files.when(lambda jobs: len(at_work & of(jobs, JobState.READY)) == SLOTS, JobKind.UPLOAD)
    moved = at_work & of(jobs, JobState.READY)
    assert {job.attempt for job in jobs if job.id in moved} == {0}

    installation.nodes[0].kill()
    jobs = await files.when(lambda jobs: sum(job.error_code == "infrastructure" for job in jobs) == SLOTS)
    assert {job.attempt for job in jobs if job.error_code == "infrastructure"} == {1}

    installation.dispatchers[0].kill()
    installation.hold.unlink()
    assert await files.end() == []
    # On a fast machine the files are done before Ray's health check has failed.
    deadline = time.monotonic() + PATIENCE_S
    while (found := await asyncio.to_thread(installation.check))["lost nodes"]["state"] != "warn":
        assert time.monotonic() < deadline, found
    assert "Its files went on elsewhere." in found["lost nodes"]["sentence"]
    assert found["nodes"]["state"] == "ok", found["nodes"]
    assert found["slots"]["sentence"].startswith(f"{SLOTS} in all"), found["slots"]


def running(jobs: Sequence[Job]) -> int:
    return sum(job.state == JobState.RUNNING for job in jobs)


def of(jobs: Sequence[Job], state: JobState) -> set[uuid.UUID]:
    return {job.id for job in jobs if job.state == state}
