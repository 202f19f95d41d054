"""The chart as one file for `helm install`, in the form of `helm package`, the same bytes for the same commit."""

from __future__ import annotations

import gzip
import io
import tarfile
from pathlib import Path

import yaml

from benchmarks.manifests.render import CHART


def archive_name(chart: Path = CHART) -> str:
    about = yaml.safe_load((chart / "Chart.yaml").read_text())
    return f"{about['name']}-chart-{about['version']}.tgz"


def write_chart(folder: Path, moment: int, chart: Path = CHART) -> Path:
    """Write the archive into a folder. `moment` is the time of all files in it, in seconds since 1970."""
    name = yaml.safe_load((chart / "Chart.yaml").read_text())["name"]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(path for path in chart.rglob("*") if path.is_file()):
            entry = tarfile.TarInfo(f"{name}/{path.relative_to(chart).as_posix()}")
            entry.size, entry.mtime, entry.mode = path.stat().st_size, moment, 0o644
            with path.open("rb") as content:
                archive.addfile(entry, content)
    target = folder / archive_name(chart)
    target.write_bytes(gzip.compress(packed.getvalue(), mtime=moment))
    return target
