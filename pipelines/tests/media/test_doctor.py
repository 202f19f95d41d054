"""The part of `doctor` about ffmpeg."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import imageio_ffmpeg
import pytest

from cluster.settings import get_cluster_settings
from pipelines.media.doctor import check_ffmpeg
from pipelines.media.ffmpeg import NO_FFMPEG, find_ffmpeg


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """A process looks for the program only once."""
    yield
    find_ffmpeg.cache_clear()
    get_cluster_settings.cache_clear()


def use(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_FFMPEG", program)
    find_ffmpeg.cache_clear()
    get_cluster_settings.cache_clear()


def test_this_machine_has_all_that_is_needed() -> None:
    report = check_ffmpeg()
    assert report.ok, report
    assert report.version
    assert "DejaVuSans" in report.fonts


def test_the_bundled_program_is_taken_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    find_ffmpeg.cache_clear()
    assert find_ffmpeg() == imageio_ffmpeg.get_ffmpeg_exe()
    assert check_ffmpeg().ok


def test_a_setting_that_names_nothing_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    use(str(tmp_path / "ffmpeg"), monkeypatch)
    assert check_ffmpeg().problem == NO_FFMPEG


def test_missing_parts_of_a_program_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    little = tmp_path / "ffmpeg"
    little.write_text("#!/bin/sh\necho ffmpeg version 0.1 of nobody\n")
    little.chmod(0o755)
    use(str(little), monkeypatch)
    report = check_ffmpeg()
    assert report.version == "0.1"
    assert "libx264 (playback copies and exports)" in report.missing
    little.write_text("no program")
    assert "does not run" in str(check_ffmpeg().problem)
