"""The chart as one file: all of it, in one folder, the same bytes each time."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from benchmarks.manifests.chart_archive import write_chart
from benchmarks.manifests.render import CHART, VARIANTS, can_render, render


def test_it_holds_the_whole_chart_and_is_made_the_same_twice(tmp_path: Path) -> None:
    once, twice = (tmp_path / name for name in ("once", "twice"))
    for folder in (once, twice):
        folder.mkdir()
    archive = write_chart(once, 1_700_000_000)
    assert archive.read_bytes() == write_chart(twice, 1_700_000_000).read_bytes()
    with tarfile.open(archive) as opened:
        opened.extractall(tmp_path, filter="data")
    packed = {path.relative_to(tmp_path / "sagascript") for path in (tmp_path / "sagascript").rglob("*")}
    assert packed == {path.relative_to(CHART) for path in CHART.rglob("*")}
    for name in packed:
        if (CHART / name).is_file():
            assert (tmp_path / "sagascript" / name).read_bytes() == (CHART / name).read_bytes()


@pytest.mark.long
@pytest.mark.skipif(not can_render(), reason="Neither Helm nor Go's template engine is here.")
def test_what_is_unpacked_renders_as_the_checkout_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with tarfile.open(write_chart(tmp_path, 1)) as opened:
        opened.extractall(tmp_path, filter="data")
    wanted = render(VARIANTS["cpu"])
    monkeypatch.setattr("benchmarks.manifests.render.CHART", tmp_path / "sagascript")
    assert render(VARIANTS["cpu"]) == wanted
