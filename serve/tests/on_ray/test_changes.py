"""What happens to work in progress on a real Ray cluster: while models hang, and while their profile changes."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack
from pathlib import Path

import pytest

from cluster.testing.patience import PATIENCE_S
from serve.application import remove, start
from serve.core.capability import TaskState
from serve.core.capability_store import published_profile_problem, published_replicas
from serve.core.sentences import DECLARED_ELSEWHERE
from serve.core.settings import ModelSettings
from serve.profile_file import ProfileFile
from serve.task_watch import TaskWatch
from serve.tasks.transcription.profile import TranscriptionProfile
from serve.testing.counted_task import (
    Counted,
    CountedClient,
    CountedProfile,
    Hang,
    Piece,
    calls_of,
    counted_application,
    counted_deployment,
    counted_task,
    holds,
    profile_with,
    release,
)

FILES = 6
PIECES = 20
TASK = counted_task()


@pytest.fixture(scope="module")
def watch(tmp_path_factory: pytest.TempPathFactory) -> TaskWatch:
    """Over one task that runs. Each test leaves it running, perhaps with another model."""
    folder = tmp_path_factory.mktemp("counted")
    section = CountedProfile(folder=folder, num_cpus=0.1, max_batch=2, workers=2)
    made = TaskWatch(counted_deployment(), profile_with(section), ModelSettings(allow_hub=False), folder)
    until(made, lambda: made.state is TaskState.READY)
    return made


@pytest.fixture
def client() -> Iterator[CountedClient]:
    with CountedClient(TASK, deadline_s=PATIENCE_S, in_flight=FILES * PIECES) as made:
        yield made


def until(watch: TaskWatch, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline, watch.sentence()
        watch.step()
        time.sleep(0.2)


def section_of(watch: TaskWatch) -> CountedProfile:
    section = watch.profile.section(TASK.name)
    assert isinstance(section, CountedProfile)
    return section


def change(watch: TaskWatch, **fields: object) -> None:
    watch.use(profile_with(section_of(watch).model_copy(update=fields)))


def send(client: CountedClient, ms: int) -> dict[tuple[str, int], Future[Counted]]:
    """Pieces of several new files at once."""
    files = [uuid.uuid4().hex for _ in range(FILES)]
    pieces = [Piece(file, number, ms) for number in range(PIECES) for file in files]
    return {(piece.file, piece.number): client.submit(piece) for piece in pieces}


def results(futures: dict[tuple[str, int], Future[Counted]]) -> list[Counted]:
    found = {key: future.result(PATIENCE_S) for key, future in futures.items()}
    assert all(key == (counted.file, counted.number) for key, counted in found.items())
    return list(found.values())


def limits_of_replicas() -> list[tuple[int, int]]:
    reports = [report.limits for report in published_replicas(TASK.name) if report.limits is not None]
    return [(limits.max_batch, limits.wait_ms) for limits in reports]


@pytest.mark.long
def test_models_that_hang_are_replaced_and_all_work_is_done(tmp_path: Path) -> None:
    """A call that never returns, and one that keeps the whole process from answering, each in a task of its own."""
    hangs = {"returns": Hang.NEVER_RETURNS, "answers": Hang.HOLDS_INTERPRETER}
    profile = CountedProfile(folder=tmp_path, num_cpus=0.1, workers=2)
    start({name: counted_application(profile, name) for name in hangs})
    with ExitStack() as stack:
        clients = {
            name: stack.enter_context(CountedClient(counted_task(name), deadline_s=PATIENCE_S)) for name in hangs
        }
        # The pace of earlier calls tells how long one may take.
        before = {name: client.run(Piece("first", 0)) for name, client in clients.items()}
        victims = {name: client.submit(Piece("victim", 0, hang=hangs[name])) for name, client in clients.items()}
        neighbours = [client.submit(Piece("neighbour", n)) for client in clients.values() for n in range(3)]
        for name, victim in victims.items():
            assert victim.result(PATIENCE_S).replica != before[name].replica
        assert [each.result(PATIENCE_S).number for each in neighbours] == [0, 1, 2, 0, 1, 2]
    for name in hangs:
        remove(name)


@pytest.mark.long
def test_new_limits_reach_replicas_that_run_on(watch: TaskWatch, client: CountedClient) -> None:
    (replica,) = {each.replica for each in results(send(client, ms=0))}
    wait_ms = round(PATIENCE_S * 1000)
    change(watch, max_batch=5, batch_wait_ms=wait_ms)
    until(watch, lambda: limits_of_replicas() == [(5, wait_ms)])
    # While one worker has something to do, the other waits for company until a batch is full.
    folder = section_of(watch).folder
    held = client.submit(Piece("held", 0, ms=wait_ms, hang=Hang.UNTIL_RELEASED))
    until(watch, lambda: holds(folder))
    done = results(send(client, ms=1))
    release(folder)
    assert {each.replica for each in [*done, held.result(PATIENCE_S)]} == {replica}
    assert {each.batch_size for each in done} == {5}
    change(watch, batch_wait_ms=0)
    until(watch, lambda: limits_of_replicas() == [(5, 0)])


@pytest.mark.long
def test_more_replicas_join_those_that_run_on(watch: TaskWatch, client: CountedClient) -> None:
    before = {each.replica for each in results(send(client, ms=0))}
    change(watch, replicas=2)
    until(watch, lambda: len(published_replicas(TASK.name)) == 2)
    assert before <= {each.replica for each in results(send(client, ms=5))}
    change(watch, replicas=1)
    until(watch, lambda: len(published_replicas(TASK.name)) == 1)


@pytest.mark.long
@pytest.mark.parametrize("surge", [100, 0])
def test_a_new_model_takes_over_while_files_are_in_work(watch: TaskWatch, client: CountedClient, surge: int) -> None:
    """The old replica finishes what it has, so nothing is lost and nothing is computed twice."""
    old, new = section_of(watch).model, f"successor with surge {surge}"
    change(watch, max_surge_percent=surge)
    futures = send(client, ms=20)
    next(iter(futures.values())).result(PATIENCE_S)
    change(watch, model=new)
    until(watch, lambda: watch.loaded is not None and watch.loaded.model == new)
    assert client.run(Piece(uuid.uuid4().hex, 0)).model == new
    done = results(futures)
    assert len(done) == FILES * PIECES
    assert old in {each.model for each in done}
    assert set(calls_of(section_of(watch).folder).values()) == {1}


@pytest.mark.long
def test_a_change_that_cannot_start_leaves_the_old_model_at_work(watch: TaskWatch, client: CountedClient) -> None:
    old = section_of(watch).model
    change(watch, model="missing", max_surge_percent=100)
    until(watch, lambda: published_profile_problem(TASK.name) != "")
    assert "There is no such model. The old one runs on." in published_profile_problem(TASK.name)
    assert {each.model for each in results(send(client, ms=0))} == {old}
    change(watch, model="last")
    until(watch, lambda: watch.loaded is not None and watch.loaded.model == "last")
    assert published_profile_problem(TASK.name) == ""


def test_a_task_that_a_rayservice_declares_is_changed_there(watch: TaskWatch, client: CountedClient) -> None:
    looks_only = TaskWatch(
        counted_deployment(), watch.profile, ModelSettings(allow_hub=False), section_of(watch).folder, deploys=False
    )
    limits = limits_of_replicas()
    change(looks_only, max_batch=99)
    assert published_profile_problem(TASK.name) == DECLARED_ELSEWHERE
    until(looks_only, lambda: looks_only.state is TaskState.READY)
    assert client.run(Piece(uuid.uuid4().hex, 0)).model == section_of(watch).model
    assert limits_of_replicas() == limits


def test_a_profile_that_changes_on_disk_is_read_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "profile.yaml"
    text = "transcription:\n  models: [tiny]\n  hub: false\n  max_batch: {}\n"
    path.write_text(text.format(4))
    profile = ProfileFile(str(path))
    assert profile.profile.require(TranscriptionProfile).max_batch == 4
    assert not profile.has_changed()
    path.write_text(text.format(16))
    assert not profile.has_changed(), "it may still be written"
    assert profile.has_changed()
    assert (profile.profile.require(TranscriptionProfile).max_batch, profile.problem) == (16, "")
    assert not profile.has_changed()
    path.write_text(text.format("many") + "\n")
    assert not profile.has_changed()
    assert profile.has_changed()
    assert "transcription.max_batch" in profile.problem
    assert "stays in use" in profile.problem
    assert profile.profile.require(TranscriptionProfile).max_batch == 16
    path.unlink()
    assert not profile.has_changed()
