"""Dockerfiles and compose files keep our rules, and the image of the web processes has what these import."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

from benchmarks.manifests.build_report import DOCKERFILES
from benchmarks.manifests.build_report import ROOT as CHECKOUT
from benchmarks.manifests.context import BuildContext
from benchmarks.manifests.dockerfile import BadDockerfile, last_words, lineage, read_dockerfile
from benchmarks.manifests.images import compose_problems, image_problems
from benchmarks.manifests.pins import Pin, pin_problems, read_pins, reference, use_problems

PYTHON = reference("python", read_pins()["python"])
DOCKERFILE = CHECKOUT / "docker/Dockerfile"
COMPOSE = CHECKOUT / "docker/compose.yaml"

BLOCKED_IMPORT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in set(sys.argv[1:]):
            raise ImportError(f"{name} is not in the image")
sys.meta_path.insert(0, Blocked())
import api.app, api.content.uploads.server, api.platform.realtime.relay.app
import api.platform.db.migrate, api.commands
"""
"""What each command of the image `api` loads."""


@pytest.mark.long
def test_the_web_processes_need_none_of_the_packages_left_out() -> None:
    lines = (CHECKOUT / "docker/without-models.txt").read_text().splitlines()
    left_out = [line.partition(";")[0].replace("-", "_") for line in lines if not line.startswith("#")]
    assert {"ray", "ctranslate2", "faster_whisper"} <= set(left_out)
    subprocess.run([sys.executable, "-c", BLOCKED_IMPORT, *left_out], check=True, cwd=CHECKOUT)


def test_stages_are_read() -> None:
    stages = read_dockerfile(DOCKERFILE)
    assert [stage.name for stage in lineage(stages, "gpu")] == ["node", "gpu"]
    assert last_words(stages, "gpu", "USER") == ["10001:10001"]
    assert last_words(stages, "api", "CMD") == ["api"]
    (run,) = [step for step in lineage(stages, "api")[0].steps if step.instruction == "RUN"]
    assert "\\" not in run.arguments
    assert run.arguments.endswith("/data")


def test_an_unknown_instruction_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Dockerfile").write_text("FROM a:1 AS x\nONBUILD RUN true\n")
    with pytest.raises(BadDockerfile, match="Dockerfile:2: ONBUILD RUN true"):
        read_dockerfile(tmp_path / "Dockerfile")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("USER 10001:10001", "USER sagascript", "use numbers"),
        (f"{PYTHON} AS api", "python AS api", "python is python:3.11.15"),
        (f"{PYTHON} AS api", f"{PYTHON.partition('@')[0]} AS api", "slim-bookworm is python:3.11.15-slim-bookworm@"),
        ('ENTRYPOINT ["sagascript"]', "", "has no ENTRYPOINT"),
    ],
)
def test_a_mistake_in_a_dockerfile_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    text = DOCKERFILE.read_text()
    assert old in text
    path = tmp_path / "Dockerfile"
    path.write_text(text.replace(old, new))
    assert any(words in problem for problem in image_problems(path, DOCKERFILES["docker/Dockerfile"]))


@pytest.mark.long
@pytest.mark.parametrize(
    ("service", "change", "words"),
    [
        ("postgres", {"image": "postgres:latest"}, "postgres:latest is postgres:15.18"),
        ("store", {"image": "minio/minio:RELEASE.2025-09-07T16-13-09Z"}, "minio/minio is abandoned"),
        ("store", {"image": "example.com:5000/rustfs:1.0.0"}, "is not in images.yaml"),
        ("sagascript", {"image": "sagascript-cpu"}, "names no version"),
        ("sagascript", {"cap_drop": []}, "no capability"),
        ("sagascript", {"depends_on": {"mongo": {"condition": "service_healthy"}}}, "no service mongo"),
        ("redis", {"healthcheck": None}, "has no health check"),
        ("store", {"volumes": ["elsewhere:/data"]}, "no volume elsewhere"),
        ("sagascript", {"environment": {"SAGASCRIPT_WRONG": "1"}}, "no setting SAGASCRIPT_WRONG"),
        ("sagascript", {"restarts": "always"}, "Extra inputs"),
    ],
)
def test_a_mistake_in_a_compose_file_is_told(
    tmp_path: Path, service: str, change: dict[str, object], words: str
) -> None:
    config = yaml.safe_load(COMPOSE.read_text())
    config["services"][service].update(change)
    path = tmp_path / "compose.yaml"
    path.write_text(yaml.safe_dump(config))
    assert any(words in problem for problem in compose_problems([path])), list(compose_problems([path]))


def test_a_build_copies_neither_tests_nor_what_is_built_here() -> None:
    copied = [str(below) for _, below in BuildContext(CHECKOUT).files("cluster")]
    assert "settings.py" in copied
    assert not [name for name in copied if re.search(r"(^|/)(tests|testing|__pycache__)/", name)]
    assert not [name for _, name in BuildContext(CHECKOUT).files("ui") if "node_modules" in name.parts]


def pinned(tag: str, ends: date | None = None) -> Pin:
    return Pin(tag=tag, digest=f"sha256:{'a' * 64}", ends=ends)


@pytest.mark.parametrize(
    ("name", "pin", "words"),
    [
        ("node", pinned("20.20.2-bookworm-slim"), "Node 20 gets no fixes since 2026-04-30"),
        ("node", pinned("23.1.0"), "Node 23 is no release with long support"),
        ("node", pinned("24-bookworm-slim"), "is not one release"),
        ("redis", pinned("7-bookworm"), "is not one release"),
        ("redis", pinned("latest"), "is not one release"),
        ("postgres", pinned("15.18-bookworm", ends=date(2026, 1, 1)), "gets no fixes since 2026-01-01"),
        ("postgres", Pin(tag="15.18-bookworm", digest="sha256:12"), "64 digits"),
        ("postgres", Pin(tag="15.18-bookworm", digest=""), "64 digits"),
        ("minio/minio", pinned("1.2.3"), "is abandoned"),
    ],
)
def test_a_pin_that_is_none_or_too_old_is_told(name: str, pin: Pin, words: str) -> None:
    assert any(words in problem for problem in pin_problems({name: pin}, date(2026, 11, 24)))


def test_our_pins_are_releases_that_get_fixes() -> None:
    pins = read_pins()
    assert not list(pin_problems(pins, date(2026, 11, 24)))
    redis = pins["redis"]
    assert not list(use_problems("compose", f"redis:{redis.tag}@{redis.digest}", pins))
    for other in (f"redis:{redis.tag}", f"redis:{redis.tag}@sha256:{'a' * 64}"):
        assert list(use_problems("compose", other, pins))


def test_the_image_of_the_pages_has_every_document_of_the_manual() -> None:
    """The build of the pages fails without one, and nobody here has an engine to see it."""
    listed = re.findall(r'named\("([^"]+\.md)"', (CHECKOUT / "ui/manual/documents.ts").read_text())
    assert "SECURITY.md" in listed
    copied = " ".join(re.findall(r"^COPY (.*)$", DOCKERFILE.read_text(), re.MULTILINE)).split()
    assert [name for name in listed if name not in copied and name.split("/")[0] not in copied] == []
