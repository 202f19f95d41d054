"""Profiles: which engines run where, in one YAML file for each class of machine."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from importlib import resources
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from serve.batching import BatchLimits

AUTO = "auto"
BUNDLED = ("embedded", "cpu", "gpu")


class BadProfile(ValueError):
    """A profile that does not exist or cannot be read; the message says what to change."""


class DeploymentProfile(BaseModel, ABC):
    """How the deployment of one task runs, whatever the task. Fields are what the task's YAML section may say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    device: Literal["cpu", "cuda"] = "cpu"
    replicas: int = Field(1, ge=1)
    num_cpus: float = Field(1.0, ge=0)
    num_gpus: float = Field(0.0, ge=0)
    workers: int = Field(0, ge=0, description="Model calls side by side in a replica; 0 means one per core.")
    max_batch: int = Field(8, ge=1)
    batch_wait_ms: int = Field(20, ge=0)
    max_queued_requests: int = Field(512, ge=1, description="Requests that wait in a caller's process for a replica.")

    @property
    def limits(self) -> BatchLimits:
        """The batch limits of a replica."""
        return BatchLimits(max_batch=self.max_batch, wait_ms=self.batch_wait_ms, max_queued=self.max_queued)

    @property
    @abstractmethod
    def max_queued(self) -> int:
        """Work that may wait in a replica, counted as the task counts its cost."""


class TranscriptionProfile(DeploymentProfile):
    """How the `Transcriber` deployment runs."""

    engine: Literal["auto", "whisper", "pocketsphinx"] = "auto"
    models: tuple[str, ...] = Field(
        min_length=1,
        description="Whisper models to look for, the best first; one that suits the machine may be downloaded.",
    )
    hub: bool = Field(description="Whether a model is downloaded from the hub when there is none.")
    compute_type: str = "int8"
    adaptive_context: bool = Field(True, description="Encode short clips with a shorter context than 30 s.")
    max_queued_audio_s: float = Field(600.0, gt=0)

    @property
    def max_queued(self) -> int:
        return round(self.max_queued_audio_s * 1000)


class Profile(BaseModel):
    """Everything a profile file holds: one section for each task, under the task's name."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    transcription: TranscriptionProfile


def load_profile(name: str) -> Profile:
    """The profile `embedded`, `cpu` or `gpu`, the one that suits this machine (`auto`), or that of a YAML file.

    Raises BadProfile.
    """
    if name == AUTO:
        name = "gpu" if gpu_is_there() else "embedded"
    if name in BUNDLED:
        text = resources.files("serve").joinpath("profiles", f"{name}.yaml").read_text("utf-8")
        return _parse(name, text)
    path = Path(name)
    if path.suffix not in {".yaml", ".yml"}:
        raise BadProfile(f"There is no profile “{name}”. Use auto, {', '.join(BUNDLED)}, or the path of a YAML file.")
    try:
        text = path.read_text("utf-8")
    except OSError as missing:
        raise BadProfile(f"The profile {path} cannot be read: {missing.strerror}.") from missing
    return _parse(path.stem, text)


def _parse(name: str, text: str) -> Profile:
    try:
        sections = yaml.safe_load(text)
    except yaml.YAMLError as broken:
        raise BadProfile(f"The profile “{name}” is not YAML: {broken}") from broken
    tasks = Profile.model_fields.keys() - {"name"}
    known = ", ".join(sorted(tasks))
    if not isinstance(sections, dict):
        raise BadProfile(f"The profile “{name}” must hold one section for each task: {known}.")
    if unknown := [str(section) for section in sections if section not in tasks]:
        named = ", ".join(f"“{section}”" for section in unknown)
        raise BadProfile(f"The profile “{name}” has sections that no task reads: {named}. Sections are: {known}.")
    try:
        return Profile.model_validate({"name": name, **sections})
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors())
        raise BadProfile(f"The profile “{name}” has wrong entries: {problems}.") from wrong


def gpu_is_there() -> bool:
    """Whether the Ray cluster this process has joined, else this machine, has a GPU."""
    # Importing Ray takes a second, and a process in a cluster has imported it already.
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        resources_there = ray.cluster_resources()
        return bool(resources_there.get("GPU", 0) > 0)
    import ctranslate2

    return bool(ctranslate2.get_cuda_device_count() > 0)
