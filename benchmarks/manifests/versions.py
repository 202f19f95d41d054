"""The version of the product: written in `pyproject.toml`, repeated where files cannot read it from there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from benchmarks.manifests.build_report import ROOT

_NUMBER = r"(\d+\.\d+\.\d+)"
_IMAGE = rf"sagascript-(?:api|cpu|gpu|gpu-torch|llm):{_NUMBER}"
_FORM = re.compile(_NUMBER)
PLACES: dict[str, str] = {
    "pyproject.toml": rf'^version = "{_NUMBER}"$',
    "ui/package.json": rf'^  "version": "{_NUMBER}",$',
    "ui/package-lock.json": rf'"name": "sagascript-ui",\n +"version": "{_NUMBER}"',
    "README.md": rf"sagascript-{_NUMBER}-py3-none-any\.whl",
    "docker/Dockerfile": _IMAGE,
    "docker/llm.Dockerfile": _IMAGE,
    "docker/compose.yaml": _IMAGE,
    "docker/compose.gpu.yaml": _IMAGE,
    "docker/ray-up/aws.yaml": _IMAGE,
    "docker/ray-up/machines.yaml": _IMAGE,
    "docker/chart/Chart.yaml": rf"^(?:version|appVersion): {_NUMBER}$",
    "docker/chart/values.yaml": rf"(?:sagascript-api:|^  tag: ){_NUMBER}",
}
"""What matches each version in each file."""
_UNRELEASED = "## Unreleased\n"


def version_of(root: Path = ROOT) -> str:
    return str(tomllib.loads((root / "pyproject.toml").read_text())["project"]["version"])


def version_problems(root: Path = ROOT) -> Iterator[str]:
    """Each place that names another version than `pyproject.toml`, or none."""
    wanted = version_of(root)
    for name, pattern in PLACES.items():
        found = set(re.findall(pattern, (root / name).read_text(), re.MULTILINE))
        if found != {wanted}:
            named = ", ".join(sorted(found)) or "no version"
            yield f"{name} names {named}, and pyproject.toml {wanted}. Run `python -m benchmarks.manifests version`."


def set_version(version: str, day: date, root: Path = ROOT) -> None:
    """Write the version everywhere, and close the list of changes under it. Raises `ValueError` for another form."""
    if not _FORM.fullmatch(version):
        raise ValueError(f"{version} is no version. Write three numbers, such as 1.2.0.")
    for name, pattern in PLACES.items():
        path = root / name
        path.write_text(re.sub(pattern, lambda found: _replaced(found, version), path.read_text(), flags=re.MULTILINE))
    changes = root / "CHANGELOG.md"
    changes.write_text(changes.read_text().replace(_UNRELEASED, f"{_UNRELEASED}\n## {version} - {day}\n", 1))


def notes_of(version: str, root: Path = ROOT) -> str:
    """What the list of changes says of a version. Raises `ValueError` where it says nothing."""
    text = (root / "CHANGELOG.md").read_text()
    found = re.search(rf"^## {re.escape(version)}[^\n]*\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None or not found[1].strip():
        raise ValueError(
            f"CHANGELOG.md has no section {version}. `python -m benchmarks.manifests version {version}` writes it."
        )
    return found[1].strip() + "\n"


def _replaced(found: re.Match[str], version: str) -> str:
    start, end = (place - found.start() for place in found.span(1))
    return found[0][:start] + version + found[0][end:]
