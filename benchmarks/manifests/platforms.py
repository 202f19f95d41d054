"""Where the product can be installed from wheels alone: each Python, system and processor is resolved once.

An installation that builds a package needs a compiler, which newcomers do not have.
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from benchmarks.manifests.build_report import ROOT

PYTHONS = ("3.11", "3.12", "3.13")
SYSTEMS = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28", "aarch64-apple-darwin")
"""As uv names them: glibc 2.28 is that of Debian 10 and Ubuntu 20.04, without glibc 2.27 and older."""
_MACOS = "14.0"
"""The oldest macOS for which all wheels exist."""
_TIMEOUT_S = 120
_UNSOLVABLE, _OFFLINE = "No solution found", "network was disabled"


@dataclass(frozen=True, slots=True)
class Platform:
    python: str
    system: str

    def __str__(self) -> str:
        return f"Python {self.python} on {self.system}"


COMPILE_ON = {Platform("3.12", "aarch64-manylinux_2_28"): "pocketsphinx"}
"""Where a package is built from its sources, because nobody publishes a wheel: there a C compiler is needed."""
PLATFORMS = tuple(each for each in (Platform(*pair) for pair in product(PYTHONS, SYSTEMS)) if each not in COMPILE_ON)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Sentences on platforms that lack a wheel, and why the package index could not be asked, empty where it was."""

    problems: tuple[str, ...]
    index_away: str


def resolve_platforms(pyproject: Path = ROOT / "pyproject.toml") -> Outcome:
    """Resolve the product's packages, without installing any, for each platform."""
    with ThreadPoolExecutor(2) as pool:
        complaints = list(pool.map(lambda platform: _resolve(pyproject, platform), PLATFORMS))
    problems = tuple(
        f"{platform} cannot install the product from wheels. {' '.join(complaint.split())}"
        for platform, complaint in zip(PLATFORMS, complaints, strict=True)
        if _is_problem(complaint)
    )
    return Outcome(problems, next((each for each in complaints if each and not _is_problem(each)), ""))


def _is_problem(complaint: str) -> bool:
    return _UNSOLVABLE in complaint and _OFFLINE not in complaint


def _resolve(pyproject: Path, platform: Platform) -> str:
    """What uv complains about; empty where everything has a wheel."""
    command = [str(Path(sys.executable).with_name("uv")), "pip", "compile", "--quiet", "--no-header"]
    command += ["--only-binary", ":all:", "--python-version", platform.python, "--python-platform", platform.system]
    command += ["-c", str(ROOT / "constraints.txt"), "-o", os.devnull, str(pyproject)]
    environment = {**os.environ, "UV_SYSTEM_CERTS": "1", "MACOSX_DEPLOYMENT_TARGET": _MACOS}
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_S, env=environment)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return "" if ended.returncode == 0 else ended.stderr.strip()
