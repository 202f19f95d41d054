"""The rendered chart: plain YAML for those who use no Helm, kept in `docker/rendered` and checked there.

Helm renders it, or, without Helm, `render/main.go`: Go's own template engine with the functions that Helm adds.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "docker"
_GO_PROGRAM = Path(__file__).with_name("render") / "main.go"
CHART = ROOT / "chart"
RENDERED = ROOT / "rendered"
VARIANTS: dict[str, list[Path]] = {
    "cpu": [],
    "gpu": [ROOT / "values/gpu.yaml"],
    "gpu-torch": [ROOT / "values/gpu.yaml", ROOT / "values/gpu-torch.yaml"],
}
RELEASE = "sagascript"
GO_LIBRARIES = Path("/usr/share/gocode")
"""Where Debian's packages of Go libraries are."""
_MARK = "# Rendered from docker/chart; after a change run `make manifests`. Sources: "


class CannotRender(RuntimeError):
    """Neither Helm nor Go is here, or the chart is wrong; the text says which."""


def can_render() -> bool:
    return shutil.which("helm") is not None or (
        shutil.which("go") is not None and (GO_LIBRARIES / "src/github.com/Masterminds/sprig").is_dir()
    )


def render(values: list[Path]) -> str:
    """Raises CannotRender."""
    helm = shutil.which("helm")
    if helm is not None:
        command = [helm, "template", RELEASE, str(CHART), "--namespace", RELEASE]
        return _output([*command, *(word for path in values for word in ("--values", str(path)))], {})
    if not can_render():
        raise CannotRender("Install Helm, or Go and sprig (Debian: golang-go golang-github-masterminds-sprig-dev).")
    with tempfile.TemporaryDirectory() as work:
        program = f"{work}/render"
        go = {"GO111MODULE": "off", "GOPATH": str(GO_LIBRARIES), "GOFLAGS": ""}
        _output(["go", "build", "-o", program, str(_GO_PROGRAM)], go)
        return _output([program, str(CHART), RELEASE, RELEASE, *map(str, values)], {})


def write_rendered() -> None:
    RENDERED.mkdir(exist_ok=True)
    for name, values in VARIANTS.items():
        (RENDERED / f"{name}.yaml").write_text(f"{_MARK}{fingerprint()}\n{render(values)}")


def outdated() -> list[str]:
    """Rendered files that are older than the chart or its values."""
    mark = f"{_MARK}{fingerprint()}"
    return [
        f"rendered/{name}.yaml is older than the chart. Run: make manifests"
        for name in VARIANTS
        if not (path := RENDERED / f"{name}.yaml").exists() or path.read_text().partition("\n")[0] != mark
    ]


def fingerprint() -> str:
    sources = sorted(path for folder in (CHART, ROOT / "values") for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in sources:
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _output(command: list[str], env: dict[str, str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **env})
    if done.returncode != 0:
        raise CannotRender(done.stderr.strip())
    return done.stdout
