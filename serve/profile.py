"""Profiles: which engines run where, one YAML file for each class of machine."""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

AUTO = "auto"
BUNDLED = ("embedded", "cpu", "gpu")


class BadProfile(ValueError):
    """A profile that does not exist or cannot be read; the message says what to change."""


class TranscriptionProfile(BaseModel):
    """How the `Transcriber` deployment runs. Fields are what the YAML files may say."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    engine: Literal["auto", "whisper", "pocketsphinx"] = "auto"
    models: tuple[str, ...] = Field(
        min_length=1,
        description="Whisper models to look for, the best first; one that suits the machine may be downloaded.",
    )
    hub: bool = Field(description="Whether a model is downloaded from the hub when there is none.")
    device: Literal["cpu", "cuda"] = "cpu"
    compute_type: str = "int8"
    replicas: int = Field(1, ge=1)
    num_cpus: float = Field(1.0, ge=0)
    num_gpus: float = Field(0.0, ge=0)
    workers: int = Field(0, ge=0, description="Model calls side by side in a replica; 0 means one per core.")
    adaptive_context: bool = Field(True, description="Hear short clips with a shorter context than 30 s.")
    max_batch: int = Field(8, ge=1)
    batch_wait_ms: int = Field(20, ge=0)
    max_queued_audio_s: float = Field(600.0, gt=0)
    max_queued_requests: int = Field(512, ge=1, description="Requests that wait in a caller's process for a replica.")


class Profile(BaseModel):
    """Everything a profile file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    transcription: TranscriptionProfile


def load_profile(name: str) -> Profile:
    """The profile called `embedded`, `cpu` or `gpu`, the one fit for this machine (`auto`), or that of a YAML file.

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
        fields = yaml.safe_load(text)
        return Profile.model_validate({"name": name, **fields})
    except (yaml.YAMLError, TypeError) as broken:
        raise BadProfile(f"The profile “{name}” is not YAML with one section for each task: {broken}") from broken
    except ValidationError as wrong:
        problems = "; ".join(f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in wrong.errors())
        raise BadProfile(f"The profile “{name}” has wrong entries: {problems}.") from wrong


def gpu_is_there() -> bool:
    """Whether the Ray cluster this process has joined, else this machine, has a GPU."""
    # Importing Ray takes a second, and whoever has joined a cluster has imported it.
    ray = sys.modules.get("ray")
    if ray is not None and ray.is_initialized():
        resources_there = ray.cluster_resources()
        return bool(resources_there.get("GPU", 0) > 0)
    import ctranslate2

    return bool(ctranslate2.get_cuda_device_count() > 0)
