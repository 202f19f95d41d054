"""The frame of the benchmarks: pairs in turns, CPU of process trees, verdicts, and a module for every command."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

import pytest

from benchmarks.commands import COMMANDS
from benchmarks.goals.files.callers import call, request
from benchmarks.goals.pairs import alternate
from cluster.testing.commands import STOPPED, Command, run
from cluster.testing.goal import Goal
from cluster.testing.processes import cpu_seconds, descendants, pin, rss_bytes
from cluster.testing.report import Report

PEOPLE = 8
BUSY = """
import subprocess, sys, time
sum(range(10**7))
work = "sum(range(10**7))\\nimport time\\nprint(1, flush=True)\\ntime.sleep(60)"
child = subprocess.Popen([sys.executable, "-c", work])
time.sleep(60)
"""


@pytest.fixture
def busy() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen([sys.executable, "-c", BUSY], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    for pid in (*descendants(process.pid), process.pid):
        subprocess.run(["kill", "-9", str(pid)], check=True)
    process.wait()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_module(name: str) -> None:
    assert find_spec(COMMANDS[name].module) is not None


def test_an_unknown_command_is_refused_with_the_list() -> None:
    run = subprocess.run([sys.executable, "-m", "benchmarks", "nonsense"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert all(name in run.stdout for name in COMMANDS)


def test_pairs_are_run_in_turns_and_medians_compared() -> None:
    order: list[str] = []

    def run(name: str, value: float) -> float:
        order.append(name)
        return value

    found = alternate(lambda: run("ours", 3.0), lambda: run("theirs", 2.0), pairs=3)
    assert found.ratio == 1.5
    assert order[:6] == ["ours", "theirs", "theirs", "ours", "ours", "theirs"]


def test_a_pair_that_met_rising_load_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter([0.0, 2.0, *[2.0] * 100])
    monkeypatch.setattr("os.getloadavg", lambda: (next(loads), 0.0, 0.0))
    values = iter([100.0, 1.0, 1.0, 1.0, 1.0, 1.0])
    found = alternate(lambda: next(values), lambda: 1.0, pairs=2)
    assert found.discarded == 1
    assert found.ours == (1.0, 1.0)


@pytest.mark.long
def test_cpu_of_a_child_counts_for_the_tree(busy: subprocess.Popen[str]) -> None:
    assert cpu_seconds(busy.pid) > cpu_seconds(busy.pid, children=False) > 0
    assert rss_bytes(busy.pid) > 1_000_000
    pin(busy.pid, {0})


def test_verdicts_follow_the_direction_of_the_goal() -> None:
    high, low = Goal("speed", 0.6, 0.75), Goal("delay", 2.5, 1.5, at_most=True)
    assert [high.verdict(value) for value in (0.5, 0.6, 0.8)] == ["short", "met", "stretch"]
    assert [low.verdict(value) for value in (2.6, 2.5, 1.0)] == ["short", "met", "stretch"]


def test_a_report_is_kept_with_its_verdicts(tmp_path: Path) -> None:
    goals = {"1": Goal("speed", 0.6, 0.75)}
    report = Report("trial", package="benchmarks", goals=goals, folder=tmp_path)
    report.goal("1", 0.7, samples=[0.7])
    report.figure("tokens", 12, "tokens")
    kept = json.loads(report.write().read_text())
    assert [row.get("verdict") for row in kept["results"]] == ["met", None]
    assert kept["results"][0]["samples"] == [0.7]


def test_a_stopped_command_keeps_its_values_and_goes_on_after_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    measured: list[str] = []

    def command() -> None:
        report = Report("trial", package="benchmarks", goals={}, folder=tmp_path)
        for step in ("first", "second", "third"):
            if report.begins(step):
                measured.append(step)
                report.figure(step, len(measured), "ms")
                if measured == ["first", "second"]:
                    raise KeyboardInterrupt
        report.write()

    trial = ModuleType("trial")
    trial.command = command  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "trial", trial)
    commands = {"trial": Command("trial", "A trial.")}
    with pytest.raises(SystemExit) as stopped:
        run("benchmarks", commands, ["trial"])
    assert stopped.value.code == STOPPED
    assert "The same command goes on" in capsys.readouterr().err
    kept = json.loads((tmp_path / "trial.unfinished.json").read_text())
    assert [row["name"] for row in kept["results"]] == ["first", "second"]
    with pytest.raises(SystemExit) as ended:
        run("benchmarks", commands, ["trial"])
    assert ended.value.code == 0
    # The second was not measured to its end, so it is measured again.
    assert measured == ["first", "second", "second", "third"]
    assert [file.name for file in tmp_path.iterdir()] == ["trial.json"]
    assert [row["value"] for row in json.loads((tmp_path / "trial.json").read_text())["results"]] == [1, 3, 4]


def test_values_of_another_command_line_are_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for rounds, begins in (("1", True), ("2", True), ("2", False)):
        monkeypatch.setattr(sys, "argv", ["benchmarks", "trial", "--rounds", rounds])
        report = Report("trial", package="benchmarks", goals={}, folder=tmp_path)
        assert report.begins("first") is begins
        if begins:
            report.figure("first", 1, "ms")
        report.begins("second")
        report.stop()


@pytest.mark.long
async def test_refused_calls_are_counted_and_resting_connections_may_be_closed() -> None:
    """The server closes the connections of the first answers, as ours does after 5 s."""
    count = 0

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal count
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                count += 1
                status = "503 Busy" if count % 5 == 0 else "200 OK"
                writer.write(f"HTTP/1.1 {status}\r\nContent-Length: 2\r\n\r\n[]".encode())
                await writer.drain()
                if count <= PEOPLE:
                    break
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        calls = await call(port, [[request("/", {})]] * PEOPLE, 0.2)
        # Those whose calls end with the process.
        server.close()
    assert calls.refused > 0
    assert calls.total > 0
