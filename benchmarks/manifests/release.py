"""What lies beside the archives of a release: its notes, and the digests that a signature covers."""

from __future__ import annotations

import hashlib
from pathlib import Path

from benchmarks.manifests.build_report import ROOT
from benchmarks.manifests.chart_archive import archive_name
from benchmarks.manifests.versions import notes_of, version_of

DIST = ROOT / "dist"
SUMS = "SHA256SUMS"


class CannotRelease(Exception):
    """The text is a sentence that says what is missing."""


def write_release(dist: Path = DIST, root: Path = ROOT) -> None:
    """Write `NOTES.md` and `SHA256SUMS` of all that `make dist` and the bills of materials left in `dist`."""
    version = version_of(root)
    wanted = (
        *(f"sagascript-{version}-py3-none-any.whl", f"sagascript-{version}.tar.gz"),
        archive_name(root / "docker" / "chart"),
        *(f"sagascript-{version}.python.cdx.json", f"sagascript-{version}.pages.cdx.json"),
    )
    if missing := [name for name in wanted if not (dist / name).is_file()]:
        raise CannotRelease(f"{', '.join(missing)} is missing in {dist}. `make release` makes it.")
    try:
        (dist / "NOTES.md").write_text(notes_of(version, root))
    except ValueError as problem:
        raise CannotRelease(str(problem)) from None
    files = sorted(path for path in dist.iterdir() if path.is_file() and not path.name.startswith(SUMS))
    # The form of `sha256sum --check`.
    (dist / SUMS).write_text("".join(f"{_digest(path)}  {path.name}\n" for path in files))


def _digest(path: Path) -> str:
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
