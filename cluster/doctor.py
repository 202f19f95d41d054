"""Check what a machine offers and lacks. These are the checks every node needs; domains add their own."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from cluster.resources import cores, memory_bytes
from cluster.settings import ClusterSettings
from cluster.storage.objects import StorageUnavailable
from cluster.storage.opening import open_storage
from cluster.supervisor.folder import CannotStart, require_writable

LEAST_FREE_DISK = 2_000_000_000
LEAST_MEMORY = 3_000_000_000
"""Ray, one small speech model, ffmpeg and the web process together measured 2.2 GB."""


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `MISSING` means that the path from upload to captions cannot run."""

    name: str
    state: State
    sentence: str


def run_checks(checks: Iterable[Callable[[], Check | Iterable[Check]]]) -> list[Check]:
    """Run every check. A check that raises becomes a finding of its own."""
    found: list[Check] = []
    for check in checks:
        try:
            result = check()
        except Exception as error:
            name = getattr(check, "__name__", "check").replace("_", " ")
            found.append(Check(name, State.WARN, f"This check could not run: {error}"))
            continue
        found.extend([result] if isinstance(result, Check) else result)
    return found


def can_work(checks: Iterable[Check]) -> bool:
    return all(check.state is not State.MISSING for check in checks)


def machine_checks(settings: ClusterSettings) -> list[Callable[[], Check]]:
    return [
        processor,
        memory,
        gpu,
        lambda: data_folder(settings),
        lambda: disk(settings),
        lambda: storage(settings),
        ray_library,
        fonts,
    ]


def processor() -> Check:
    return Check("processor", State.OK, f"{cores()} cores.")


def memory() -> Check:
    total = memory_bytes()
    if total is None:
        return Check("memory", State.WARN, "This system does not report its memory size.")
    size = f"{total / 1e9:.1f} GB"
    if total < LEAST_MEMORY:
        return Check(
            "memory",
            State.WARN,
            f"{size}. With less than {LEAST_MEMORY / 1e9:.0f} GB the system may kill running work.",
        )
    return Check("memory", State.OK, f"{size}.")


def gpu() -> Check:
    program = shutil.which("nvidia-smi")
    if program is None:
        return Check("GPU", State.OK, "None. Models run on the processor.")
    query = [program, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    result = subprocess.run(query, capture_output=True, text=True, timeout=15, check=False)
    if result.returncode != 0 or not result.stdout.strip():
        return Check("GPU", State.WARN, f"nvidia-smi fails: {result.stderr.strip() or result.stdout.strip()}")
    return Check("GPU", State.OK, "; ".join(result.stdout.strip().splitlines()) + ".")


def data_folder(settings: ClusterSettings) -> Check:
    folder = settings.data_dir.resolve()
    try:
        require_writable(folder)
    except CannotStart as error:
        return Check("data folder", State.MISSING, str(error))
    return Check("data folder", State.OK, f"{folder} can be written.")


def disk(settings: ClusterSettings) -> Check:
    folder = settings.data_dir.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    sentence = f"{free / 1e9:.1f} GB free at {folder}."
    if free < LEAST_FREE_DISK:
        return Check("disk", State.WARN, f"{sentence} Videos soon fill less than {LEAST_FREE_DISK / 1e9:.0f} GB.")
    return Check("disk", State.OK, sentence)


def storage(settings: ClusterSettings) -> Check:
    """Whether objects can be written, read, listed and removed."""
    if settings.storage_url is None:
        return Check("storage", State.OK, f"Objects are files in {settings.storage_root}.")
    folder = f"doctor/{uuid.uuid4().hex}"
    try:
        bucket = open_storage(settings)
        with tempfile.TemporaryDirectory() as work:
            probe = Path(work) / "probe"
            probe.write_bytes(folder.encode())
            bucket.put(probe, f"{folder}/probe")
        found = b"".join(bucket.read(f"{folder}/probe"))
        bucket.delete_prefix(folder)
    except (StorageUnavailable, FileNotFoundError) as error:
        advice = "Check SAGASCRIPT_STORAGE_URL and SAGASCRIPT_STORAGE_ENDPOINT, the credentials and their permissions."
        return Check("storage", State.MISSING, f"{settings.storage_url} cannot be used ({error}). {advice}")
    if found != folder.encode():
        return Check("storage", State.MISSING, f"{settings.storage_url} returns other bytes than were written to it.")
    return Check("storage", State.OK, f"{settings.storage_url} can be written, read, listed and cleared.")


def ray_library() -> Check:
    try:
        import ray
    except ImportError as error:
        return Check("Ray", State.MISSING, f"Ray cannot be loaded ({error}). Install the project again.")
    return Check("Ray", State.OK, f"{ray.__version__} with {importlib.metadata.version('grpcio')} of gRPC.")


def fonts() -> Check:
    """Burnt-in captions in Chinese, Japanese or Korean need a font with their characters."""
    program = shutil.which("fc-list")
    if program is None:
        return Check("fonts", State.WARN, "fc-list is not installed, so the fonts for burnt-in captions are unknown.")
    listed = subprocess.run([program, ":", "family"], capture_output=True, text=True, timeout=15, check=False).stdout
    families = {line.split(",")[0].strip() for line in listed.splitlines() if line.strip()}
    if not families:
        return Check("fonts", State.WARN, "No font is installed, so burnt-in captions would be empty.")
    if not any("CJK" in family for family in families):
        return Check(
            "fonts",
            State.WARN,
            f"{len(families)} families, none for Chinese, Japanese or Korean: burnt-in captions in them show boxes. "
            f"Install fonts-noto-cjk.",
        )
    return Check("fonts", State.OK, f"{len(families)} families, Chinese, Japanese and Korean among them.")
