"""Everything about deploying that can be checked without a cluster or an engine. Part of `make check`; takes 2 s."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.goals.figures_page import figures_problems
from benchmarks.manifests.build_report import DOCKERFILES
from benchmarks.manifests.build_report import ROOT as CHECKOUT
from benchmarks.manifests.documents import Document, read_documents
from benchmarks.manifests.images import compose_problems, image_problems
from benchmarks.manifests.kubernetes_kinds import kind_problems
from benchmarks.manifests.messages import message_problems
from benchmarks.manifests.pins import pin_problems, read_pins
from benchmarks.manifests.ray_rules import ray_problems, ray_up_problems
from benchmarks.manifests.render import CHART, RENDERED, ROOT, VARIANTS, outdated
from benchmarks.manifests.rules import RULES
from benchmarks.manifests.versions import version_problems

COMPOSE = (["docker/compose.yaml"], ["docker/compose.yaml", "docker/compose.gpu.yaml"])


def all_problems() -> list[str]:
    """Each once, in the order in which they were found."""
    return list(dict.fromkeys(_all()))


def _all() -> Iterator[str]:
    yield from outdated()
    yield from message_problems()
    yield from figures_problems()
    yield from version_problems()
    for name in VARIANTS:
        yield from manifest_problems(read_documents(RENDERED / f"{name}.yaml"))
    for path in sorted((ROOT / "ray-up").glob("*.yaml")):
        yield from ray_up_problems(path)
    yield from pin_problems(read_pins(), datetime.now(UTC).date())
    for file, targets in DOCKERFILES.items():
        yield from image_problems(CHECKOUT / file, targets)
    for files in COMPOSE:
        yield from compose_problems([CHECKOUT / file for file in files])
    yield from _hadolint([CHECKOUT / file for file in DOCKERFILES])


def manifest_problems(documents: list[Document]) -> list[str]:
    """The rules are for objects of the right types, so they are left out while a type is wrong."""
    typed = [each for each in documents if not str(each.body.get("apiVersion")).startswith("ray.io/")]
    wrong = [problem for each in typed for problem in kind_problems(each)]
    wrong += ray_problems(documents, CHART / "profiles")
    return wrong or [problem for rule in RULES for problem in rule(documents)]


def _hadolint(files: list[Path]) -> Iterator[str]:
    program = shutil.which("hadolint", path=str(Path(sys.executable).parent)) or shutil.which("hadolint")
    if program is None:
        # PyPI has it for Linux and macOS on common processors.
        return
    done = subprocess.run([program, "--no-color", *map(str, files)], capture_output=True, text=True, check=False)
    yield from done.stdout.splitlines()
