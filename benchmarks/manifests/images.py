"""Our rules for images, beside those of hadolint, and for compose files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from benchmarks.manifests.dockerfile import BadDockerfile, last_words, lineage, read_dockerfile
from benchmarks.manifests.pins import read_pins, use_problems
from benchmarks.manifests.secrets import is_setting

_NUMERIC = re.compile(r"^[1-9]\d*:[1-9]\d*$")


def image_problems(path: Path, targets: list[str]) -> Iterator[str]:
    """Numeric users (Kubernetes must see that they are not root), pinned bases, a health check and an entrypoint."""
    try:
        stages = read_dockerfile(path)
    except BadDockerfile as wrong:
        yield str(wrong)
        return
    names = {stage.name for stage in stages}
    pins = read_pins()
    for stage in stages:
        if stage.base not in names:
            yield from use_problems(path.name, stage.base, pins)
    for target in targets:
        user = (last_words(stages, target, "USER") or ["root"])[0]
        if not _NUMERIC.match(user):
            yield f"{path.name}: {target} runs as {user}; use numbers, not 0"
        for instruction in ("ENTRYPOINT", "HEALTHCHECK", "CMD"):
            if not any(step.instruction == instruction for stage in lineage(stages, target) for step in stage.steps):
                yield f"{path.name}: {target} has no {instruction}"


OURS = "sagascript-"


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Build(_Part):
    context: str = ""
    dockerfile: str = ""
    target: str = ""


class Healthcheck(_Part):
    test: list[str]
    interval: str
    timeout: str
    retries: int


class Condition(_Part):
    condition: Literal["service_healthy", "service_completed_successfully"]


class Device(_Part):
    driver: Literal["nvidia"]
    count: Literal["all"]
    capabilities: list[str]


class Reservations(_Part):
    devices: list[Device]


class DeployResources(_Part):
    reservations: Reservations


class Deploy(_Part):
    resources: DeployResources


class Service(_Part):
    """What our compose files say about a service; an overlay says only what it changes."""

    image: str
    build: Build | None = None
    init: bool = False
    restart: Literal["unless-stopped", "no"] | None = None
    stop_grace_period: str | None = None
    shm_size: str | None = None
    cap_drop: list[str] = []
    security_opt: list[str] = []
    ports: list[str] = []
    entrypoint: list[str] | None = None
    command: list[str] | None = None
    environment: dict[str, str] = {}
    volumes: list[str] = []
    depends_on: dict[str, Condition] = {}
    healthcheck: Healthcheck | None = None
    deploy: Deploy | None = None


class Compose(_Part):
    name: str | None = None
    services: dict[str, Service]
    volumes: dict[str, None] = {}


def compose_problems(files: list[Path]) -> Iterator[str]:
    """The files are used together, the first one first."""
    services: dict[str, dict[str, Any]] = {}
    volumes: set[str] = set()
    for path in files:
        try:
            read = Compose.model_validate(yaml.safe_load(path.read_text()))
        except ValidationError as wrong:
            for error in wrong.errors():
                yield f"{path.name}: {'.'.join(map(str, error['loc']))}: {error['msg']}"
            return
        volumes |= set(read.volumes)
        for name, service in read.services.items():
            services[name] = {**services.get(name, {}), **service.model_dump(exclude_unset=True)}
            for variable in service.environment:
                if variable.startswith("SAGASCRIPT_") and not is_setting(variable):
                    yield f"{path.name}: {name}: there is no setting {variable}"
    pins = read_pins()
    for name, merged in services.items():
        service = Service.model_validate(merged)
        if not service.image.startswith(OURS):
            yield from use_problems(name, service.image, pins)
        elif service.image.rpartition(":")[2] in (service.image, "latest"):
            yield f"{name}: {service.image} names no version"
        if "no-new-privileges:true" not in service.security_opt:
            yield f"{name}: no-new-privileges is missing"
        if service.image.startswith(OURS) and service.cap_drop != ["ALL"]:
            yield f"{name}: our own images need no capability"
        for other, wanted in service.depends_on.items():
            if other not in services:
                yield f"{name}: there is no service {other}"
            elif wanted.condition == "service_healthy" and not services[other].get("healthcheck"):
                yield f"{name} waits for {other} to be healthy, which has no health check"
        for volume in service.volumes:
            source = volume.partition(":")[0]
            if not source.startswith(("/", ".", "$")) and source not in volumes:
                yield f"{name}: there is no volume {source}"
