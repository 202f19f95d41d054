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

from cluster.processes import memory_held
from cluster.resources import cores, memory_bytes
from cluster.sentences import paragraph
from cluster.settings import ClusterSettings
from cluster.sizes import MB
from cluster.storage.objects import StorageUnavailable
from cluster.storage.opening import open_storage
from cluster.stored_sentences import SentenceText
from cluster.supervisor.folder import CannotStart, require_writable, supervisor_of
from cluster.wording.message import Message

LEAST_FREE_DISK = 2_000_000_000
LEAST_MEMORY = 3_000_000_000
"""Ray, one small speech model, ffmpeg and the web process together measured 2.2 GB."""


NAME_PROCESSOR = Message("doctor.name.processor", "processor")
NAME_MEMORY = Message("doctor.name.memory", "memory")
NAME_INSTALLATION = Message("doctor.name.installation", "installation")
NAME_GPU = Message("doctor.name.gpu", "GPU")
NAME_DATA_FOLDER = Message("doctor.name.data_folder", "data folder")
NAME_DISK = Message("doctor.name.disk", "disk")
NAME_STORAGE = Message("doctor.name.storage", "storage")
NAME_FONTS = Message("doctor.name.fonts", "fonts")


class State(StrEnum):
    OK = "ok"
    WARN = "warn"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """One finding. `MISSING` means that the path from upload to captions cannot run."""

    name: SentenceText
    state: State
    sentence: SentenceText


def run_checks(checks: Iterable[Callable[[], Check | Iterable[Check]]]) -> list[Check]:
    """Run every check. A check that raises becomes a finding of its own."""
    found: list[Check] = []
    for check in checks:
        try:
            result = check()
        except Exception as error:
            name = getattr(check, "__name__", "check").replace("_", " ")
            found.append(
                Check(
                    name,
                    State.WARN,
                    Message("doctor.check_failed", "This check could not run: {problem}", problem=str(error)),
                )
            )
            continue
        found.extend([result] if isinstance(result, Check) else result)
    return found


def can_work(checks: Iterable[Check]) -> bool:
    return all(check.state is not State.MISSING for check in checks)


def machine_checks(settings: ClusterSettings) -> list[Callable[[], Check | Iterable[Check]]]:
    return [
        processor,
        memory,
        lambda: installation(settings),
        gpu,
        lambda: data_folder(settings),
        lambda: disk(settings),
        lambda: storage(settings),
        ray_library,
        fonts,
    ]


def processor() -> Check:
    return Check(NAME_PROCESSOR, State.OK, Message("doctor.cores", "{count} cores.", count=cores()))


def memory() -> Check:
    total = memory_bytes()
    if total is None:
        return Check(
            NAME_MEMORY, State.WARN, Message("doctor.memory_unknown", "This system does not report its memory size.")
        )
    if total < LEAST_MEMORY:
        return Check(
            NAME_MEMORY,
            State.WARN,
            Message(
                "doctor.memory_small",
                "{total:.1f} GB. With less than {least:.0f} GB the system may kill running work.",
                total=total / 1e9,
                least=LEAST_MEMORY / 1e9,
            ),
        )
    return Check(NAME_MEMORY, State.OK, Message("doctor.memory_size", "{total:.1f} GB.", total=total / 1e9))


def installation(settings: ClusterSettings) -> Iterable[Check]:
    """What `sagascript up` on this data folder holds, while it runs."""
    supervisor = supervisor_of(settings.data_dir.resolve())
    if supervisor is None:
        return
    held, processes = memory_held(supervisor)
    if held > 0:
        yield Check(
            NAME_INSTALLATION,
            State.OK,
            Message(
                "doctor.memory_held",
                "Running, in {processes} processes with {held:,.0f} MB of memory.",
                processes=processes,
                held=held / MB,
            ),
        )


def gpu() -> Check:
    program = shutil.which("nvidia-smi")
    if program is None:
        return Check(NAME_GPU, State.OK, Message("doctor.no_gpu", "None. Models run on the processor."))
    query = [program, "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    result = subprocess.run(query, capture_output=True, text=True, timeout=15, check=False)
    if result.returncode != 0 or not result.stdout.strip():
        return Check(
            NAME_GPU,
            State.WARN,
            Message(
                "doctor.gpu_fails",
                "nvidia-smi fails: {problem}",
                problem=result.stderr.strip() or result.stdout.strip(),
            ),
        )
    return Check(NAME_GPU, State.OK, "; ".join(result.stdout.strip().splitlines()) + ".")


def data_folder(settings: ClusterSettings) -> Check:
    folder = settings.data_dir.resolve()
    try:
        require_writable(folder)
    except CannotStart as error:
        return Check(NAME_DATA_FOLDER, State.MISSING, str(error))
    return Check(
        NAME_DATA_FOLDER, State.OK, Message("doctor.folder_ok", "{folder} can be written.", folder=str(folder))
    )


def disk(settings: ClusterSettings) -> Check:
    folder = settings.data_dir.resolve()
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    sentence = Message("doctor.disk_free", "{free:.1f} GB free at {folder}.", free=free / 1e9, folder=str(folder))
    if free < LEAST_FREE_DISK:
        return Check(
            NAME_DISK,
            State.WARN,
            paragraph(
                sentence,
                Message("doctor.disk_small", "Videos soon fill less than {least:.0f} GB.", least=LEAST_FREE_DISK / 1e9),
            ),
        )
    return Check(NAME_DISK, State.OK, sentence)


def storage(settings: ClusterSettings) -> Check:
    """Whether objects can be written, read, listed and removed."""
    if settings.storage_url is None:
        return Check(
            NAME_STORAGE,
            State.OK,
            Message("doctor.storage_files", "Objects are files in {folder}.", folder=str(settings.storage_root)),
        )
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
        return Check(
            NAME_STORAGE,
            State.MISSING,
            Message(
                "doctor.storage_unusable",
                "{url} cannot be used ({problem}). Check SAGASCRIPT_STORAGE_URL and SAGASCRIPT_STORAGE_ENDPOINT, "
                "the credentials and their permissions.",
                url=settings.storage_url,
                problem=str(error),
            ),
        )
    if found != folder.encode():
        return Check(
            NAME_STORAGE,
            State.MISSING,
            Message(
                "doctor.storage_differs", "{url} returns other bytes than were written to it.", url=settings.storage_url
            ),
        )
    return Check(
        NAME_STORAGE,
        State.OK,
        Message("doctor.storage_ok", "{url} can be written, read, listed and cleared.", url=settings.storage_url),
    )


def ray_library() -> Check:
    try:
        import ray
    except ImportError as error:
        return Check(
            "Ray",
            State.MISSING,
            Message(
                "doctor.ray_missing", "Ray cannot be loaded ({problem}). Install the project again.", problem=str(error)
            ),
        )
    return Check(
        "Ray",
        State.OK,
        Message(
            "doctor.ray_version",
            "{ray} with {grpc} of gRPC.",
            ray=ray.__version__,
            grpc=importlib.metadata.version("grpcio"),
        ),
    )


def fonts() -> Check:
    """Burnt-in captions in Chinese, Japanese or Korean need a font with their characters."""
    program = shutil.which("fc-list")
    if program is None:
        return Check(
            NAME_FONTS,
            State.WARN,
            Message(
                "doctor.fonts_unknown", "fc-list is not installed, so the fonts for burnt-in captions are unknown."
            ),
        )
    listed = subprocess.run([program, ":", "family"], capture_output=True, text=True, timeout=15, check=False).stdout
    families = {line.split(",")[0].strip() for line in listed.splitlines() if line.strip()}
    if not families:
        return Check(
            NAME_FONTS,
            State.WARN,
            Message("doctor.no_fonts", "No font is installed, so burnt-in captions would be empty."),
        )
    if not any("CJK" in family for family in families):
        return Check(
            NAME_FONTS,
            State.WARN,
            Message(
                "doctor.fonts_no_cjk",
                "{count} families, none for Chinese, Japanese or Korean: burnt-in captions in them show boxes. "
                "Install fonts-noto-cjk.",
                count=len(families),
            ),
        )
    return Check(
        NAME_FONTS,
        State.OK,
        Message("doctor.fonts_ok", "{count} families, Chinese, Japanese and Korean among them.", count=len(families)),
    )
