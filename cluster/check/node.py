"""What one node of a Ray cluster tells about itself. `look` runs on the node, as a Ray task."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cluster.resources import cores, memory_bytes
from cluster.settings import ClusterSettings
from cluster.storage.objects import StorageUnavailable
from cluster.storage.opening import open_storage

GPU_QUERY_S = 15
FFMPEG = "ffmpeg"
LIBRARIES = (
    "ctranslate2",
    "faster-whisper",
    "onnxruntime",
    "sherpa-onnx",
    "torch",
    "transformers",
    "pyannote.audio",
    "nvidia-cublas-cu12",
    "nvidia-cudnn-cu12",
    "nvidia-cublas",
    "nvidia-cudnn-cu13",
)
"""What models run on. torch names its CUDA in its version, CTranslate2 uses the wheels of CUDA 12."""
_ENDS = 2**20
"""Bytes at both ends of a model's file that are compared: a whole model has gigabytes."""


@dataclass(frozen=True, slots=True)
class NodeLook:
    """What a node is asked for. `probe` is the key of an object that we wrote, `expected` its bytes."""

    probe: str
    expected: bytes


@dataclass(frozen=True, slots=True)
class NodeFacts:
    host: str
    sagascript: str
    python: str
    ray: str
    cores: int
    memory_bytes: int | None
    drivers: tuple[str, ...]
    """One entry for each GPU that its driver shows: “name, driver version”."""
    driver_problem: str
    """Why `nvidia-smi` fails, where it is installed and does."""
    models_folder: str
    models: tuple[tuple[str, str], ...] | None
    """Each folder in the models folder with a digest of what it holds; None where there is no such folder."""
    storage_problem: str
    """Why objects of the storage cannot be read here, as a sentence; empty when they can."""
    work_problem: str
    """Why the folder of running attempts cannot be written here; empty when it can."""
    programs: tuple[tuple[str, str], ...] = ()
    """ffmpeg and the libraries that are installed, with their versions."""


def clock_s() -> float:
    """The node's clock, in seconds since 1970."""
    return time.time()


def look(asked: NodeLook) -> NodeFacts:
    settings = ClusterSettings()
    drivers, driver_problem = _gpus()
    return NodeFacts(
        host=socket.gethostname(),
        sagascript=importlib.metadata.version("sagascript"),
        python=platform.python_version(),
        ray=importlib.metadata.version("ray"),
        cores=cores(),
        memory_bytes=memory_bytes(),
        drivers=drivers,
        driver_problem=driver_problem,
        models_folder=str(settings.models_root),
        models=_models(settings.models_root),
        storage_problem=_storage(asked, settings),
        work_problem=_work(settings.work_root),
        programs=(*_ffmpeg(settings), *_libraries()),
    )


def _gpus() -> tuple[tuple[str, ...], str]:
    program = shutil.which("nvidia-smi")
    if program is None:
        return (), ""
    query = [program, "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        result = subprocess.run(query, capture_output=True, text=True, timeout=GPU_QUERY_S, check=False)
    except subprocess.TimeoutExpired:
        return (), f"nvidia-smi does not answer within {GPU_QUERY_S} s"
    if result.returncode != 0:
        return (), (result.stderr.strip() or result.stdout.strip() or f"exit code {result.returncode}")
    return tuple(result.stdout.strip().splitlines()), ""


def _models(root: Path) -> tuple[tuple[str, str], ...] | None:
    try:
        folders = sorted(each for each in root.iterdir() if each.is_dir() and not each.name.startswith("."))
        return tuple((folder.name, digest(folder)) for folder in folders)
    except OSError:
        return None


def digest(folder: Path) -> str:
    """Of the names, sizes, and first and last MiB of all files in the folder. Hidden ones, such as locks, do not count.

    Raises OSError.
    """
    found = hashlib.sha256()
    for place, folders, files in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(name for name in files if not name.startswith(".")):
            path = Path(place, name)
            size = path.stat().st_size
            found.update(f"{path.relative_to(folder)}\0{size}\0".encode())
            with path.open("rb") as opened:
                found.update(opened.read(_ENDS))
                opened.seek(max(0, size - _ENDS))
                found.update(opened.read(_ENDS))
    return found.hexdigest()[:12]


def _libraries() -> Iterator[tuple[str, str]]:
    for name in LIBRARIES:
        try:
            yield name, importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue


def _ffmpeg(settings: ClusterSettings) -> Iterator[tuple[str, str]]:
    """The version of the program that works on files here, if there is one."""
    program = settings.ffmpeg or shutil.which(FFMPEG) or _ffmpeg_of_wheel()
    if program is None:
        return
    try:
        told = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=GPU_QUERY_S, check=True)
    except (OSError, subprocess.SubprocessError):
        return
    # "ffmpeg version 5.1.6-0+deb12u1 Copyright (c) …"
    yield FFMPEG, told.stdout.split()[2]


def _ffmpeg_of_wheel() -> str | None:
    try:
        import imageio_ffmpeg

        return str(imageio_ffmpeg.get_ffmpeg_exe())
    except (ImportError, RuntimeError):
        return None


def _storage(asked: NodeLook, settings: ClusterSettings) -> str:
    try:
        found = b"".join(open_storage(settings).read(asked.probe))
    except FileNotFoundError:
        where = settings.storage_url or settings.storage_root
        return f"an object written elsewhere is not at {where}"
    except (StorageUnavailable, OSError) as error:
        return str(error)
    return "" if found == asked.expected else "it returns other bytes than were written"


def _work(root: Path) -> str:
    try:
        root.mkdir(parents=True, exist_ok=True)
        probe = root / f".check-{time.time_ns()}"
        probe.write_bytes(b"x")
        probe.unlink()
    except OSError as error:
        return f"{root}: {error.strerror or error}"
    return ""


@dataclass(frozen=True, slots=True)
class NodeReport:
    """What is known about a node when it is judged."""

    address: str
    slots: float
    """CPU slots that Ray offers there."""
    gpus: float
    """GPUs that Ray offers there."""
    is_head: bool
    skew_s: float | None
    """How far its clock is ahead of the checking process's; None where it did not answer."""
    facts: NodeFacts | None
    problem: str
    """Why there are no facts."""
    is_leaving: bool = False
    """Whether it drains: it takes no new work, so it is asked nothing."""

    @property
    def name(self) -> str:
        return self.address if self.facts is None else f"{self.facts.host} ({self.address})"
