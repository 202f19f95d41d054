"""Findings are sentences, a check that raises is a finding, and only a missing part prevents transcribing."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from cluster.doctor import Check, State, can_work, disk, fonts, gpu, installation, machine_checks, run_checks
from cluster.settings import ClusterSettings
from cluster.supervisor.folder import claim
from cluster.wording.message import in_language


def test_this_machine_can_work(tmp_path: Path) -> None:
    found = run_checks(machine_checks(ClusterSettings(data_dir=tmp_path / "data")))
    assert can_work(found), found
    assert {check.name for check in found} >= {"processor", "memory", "GPU", "data folder", "disk", "Ray", "fonts"}
    assert all(check.sentence.endswith(".") for check in found), found


def test_a_closed_data_folder_is_missing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    settings = ClusterSettings(data_dir=tmp_path / "file" / "data")
    (check,) = [check for check in run_checks(machine_checks(settings)) if check.name == "data folder"]
    assert check.state is State.MISSING
    assert "Change its permissions" in check.sentence
    assert not can_work([check])


def test_a_check_that_raises_is_a_warning() -> None:
    def driver_version() -> Check:
        raise OSError("no device")

    assert run_checks([driver_version]) == [Check("driver version", State.WARN, "This check could not run: no device")]


def test_a_check_may_have_several_findings() -> None:
    both = (Check("a", State.OK, "Fine."), Check("b", State.WARN, "Odd."))
    assert run_checks([lambda: both]) == list(both)
    assert can_work(both)


def test_a_broken_graphics_driver_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 'No devices were found' >&2\nexit 6\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert gpu() == Check("GPU", State.WARN, "nvidia-smi fails: No devices were found")


def test_without_fontconfig_the_fonts_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    assert fonts().state is State.WARN


def test_the_disk_of_a_folder_to_be_made_is_measured(tmp_path: Path) -> None:
    assert str(tmp_path) in disk(ClusterSettings(data_dir=tmp_path / "not" / "yet")).sentence


def test_a_running_installation_tells_its_processes_and_their_memory(tmp_path: Path) -> None:
    settings = ClusterSettings(data_dir=tmp_path)
    assert list(installation(settings)) == []
    with claim(tmp_path), subprocess.Popen(["sleep", "60"]) as child:
        (check,) = installation(settings)
        child.kill()
    found = re.fullmatch(r"Running, in (\d+) processes with ([\d,]+) MB of memory\.", check.sentence)
    assert found is not None
    assert int(found[1]) >= 2
    assert 10 <= int(found[2].replace(",", "")) <= 4_000
    assert in_language(check.sentence, "is").startswith("Í gangi")
