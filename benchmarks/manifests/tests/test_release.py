"""The version in one place and everywhere, the list of changes, and what lies beside the archives of a release."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from datetime import date
from pathlib import Path

import pytest

from benchmarks.manifests.build_report import ROOT
from benchmarks.manifests.release import CannotRelease, write_release
from benchmarks.manifests.versions import PLACES, notes_of, set_version, version_of, version_problems

DAY = date(2026, 12, 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The files that name the version, and the list of changes."""
    for name in (*PLACES, "CHANGELOG.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


def test_every_place_names_the_same_version(root: Path) -> None:
    assert list(version_problems(root)) == []
    chart = root / "docker" / "chart" / "Chart.yaml"
    chart.write_text(chart.read_text().replace("appVersion: 0.", "appVersion: 9."))
    assert [problem.split(" ")[0] for problem in version_problems(root)] == ["docker/chart/Chart.yaml"]


def test_a_new_version_is_written_everywhere_and_closes_its_changes(root: Path) -> None:
    before = notes_of("Unreleased", root)
    set_version("7.8.9", DAY, root)
    assert version_of(root) == "7.8.9"
    assert list(version_problems(root)) == []
    assert notes_of("7.8.9", root) == before
    assert "## 7.8.9 - 2026-12-01" in (root / "CHANGELOG.md").read_text()
    with pytest.raises(ValueError, match="no section Unreleased"):
        notes_of("Unreleased", root)
    with pytest.raises(ValueError, match="three numbers"):
        set_version("next", DAY, root)


def test_digests_cover_everything_and_sha256sum_agrees(root: Path) -> None:
    set_version("7.8.9", DAY, root)
    dist = root / "dist"
    dist.mkdir()
    with pytest.raises(CannotRelease, match=r"sagascript-7\.8\.9-py3-none-any\.whl, .* is missing"):
        write_release(dist, root)
    for ending in ("-py3-none-any.whl", ".tar.gz", ".python.cdx.json", ".pages.cdx.json"):
        (dist / f"sagascript-7.8.9{ending}").write_text(ending)
    (dist / "sagascript-chart-7.8.9.tgz").write_text("chart")
    write_release(dist, root)
    rows = (dist / "SHA256SUMS").read_text().splitlines()
    assert len(rows) == 6
    assert f"{hashlib.sha256(b'.tar.gz').hexdigest()}  sagascript-7.8.9.tar.gz" in rows
    subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=dist, check=True)
    assert (dist / "NOTES.md").read_text() == notes_of("7.8.9", root)
