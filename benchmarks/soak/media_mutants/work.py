"""Run one mutant through the product: ingest it and, if it passes, make it playable or export it with a track."""

from __future__ import annotations

import os
import time
from collections.abc import MutableMapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from structlog.testing import capture_logs

from benchmarks.soak.media_mutants.mutate import mutant
from cluster.limited_process.process import Stopped
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.flows.tasks import INTERNAL_ERROR, Failed, attempt_stream
from pipelines.media.ffmpeg import REASONS
from pipelines.messages.attempt import DISK_FULL, Result
from pipelines.messages.export_form import ExportMode
from pipelines.messages.json_message import JsonMessage
from pipelines.messages.requests import ENCODE, EXPORT, INGEST, EncodeRequest, ExportRequest, IngestRequest

SOURCE_KEY = "uploads/mutant/original"
SRT = "1\n00:00:00,100 --> 00:00:01,000\nÞetta er próf\n"
INGEST_REQUEST = IngestRequest(file_id="mutant", source_key=SOURCE_KEY)
ENCODE_REQUEST = EncodeRequest(file_id="mutant", source_key=SOURCE_KEY)
EXPORT_REQUEST = ExportRequest(file_id="mutant", source_key=SOURCE_KEY, srt=SRT, language="is-IS", mode=ExportMode.SOFT)
_LIMITS = {REASONS[why] for why in (Stopped.CPU, Stopped.MEMORY, Stopped.FILE)}
_HANGS = {REASONS[why] for why in (Stopped.WALL, Stopped.STALLED)}


class Outcome(StrEnum):
    DECODED = "decoded"
    REJECTED = "rejected with a sentence"
    LIMITED = "stopped by a limit"


class Defect(StrEnum):
    """What must never happen, for any input."""

    HANG = "hangs"
    SIGNAL = "processes dead by a signal"
    CRASH = "exceptions other than StageFailed"
    SILENT = "refusals without a sentence"
    LEFT = "leftover files and processes"


@dataclass(slots=True)
class MutantResult:
    """The result of one mutant. `slow_s` is the wall time of its longest flow."""

    form: str
    number: int
    outcome: Outcome
    slow_s: float = 0.0
    defects: dict[Defect, str] = field(default_factory=dict)


class Worker:
    """A small installation of one process, which runs mutants one after another."""

    ingest = INGEST
    """The flow that takes a mutant in."""

    def __init__(self, folder: Path, seeds: dict[str, bytes], seed: int) -> None:
        os.environ["SAGASCRIPT_DATA_DIR"] = str(folder)
        get_cluster_settings.cache_clear()
        self._storage = LocalStorage(get_cluster_settings().storage_root)
        self._seeds, self._seed = seeds, seed

    def run(self, form: str, number: int) -> MutantResult:
        source = self._storage.root.parent / "source"
        source.write_bytes(mutant(self._seeds[form], form, number, self._seed))
        self._storage.put(source, SOURCE_KEY)
        seen = MutantResult(form, number, Outcome.DECODED)
        ended = self._flow(self.ingest, INGEST_REQUEST, seen)
        if not isinstance(ended, Failed):
            # Both together would double the time, so mutants that pass get them in turn.
            ended = self._flow(EXPORT, EXPORT_REQUEST, seen) if number % 2 else self._flow(ENCODE, ENCODE_REQUEST, seen)
        if isinstance(ended, Failed):
            self._judge(ended, seen)
        return seen

    def _flow(self, flow: str, request: JsonMessage, seen: MutantResult) -> Any:
        began = time.monotonic()
        last: Any = None
        with capture_logs() as logs:
            try:
                for value in attempt_stream(flow, request, "mutant", 1):
                    last = value
            except Exception as error:
                seen.defects[Defect.CRASH] = f"{flow}: {error!r}"
        seen.slow_s = max(seen.slow_s, time.monotonic() - began)
        for entry in logs:
            if _died(entry):
                seen.defects[Defect.SIGNAL] = f"{flow}: {entry}"
        left = self._left(last)
        if left:
            seen.defects[Defect.LEFT] = f"{flow}: {left}"
        self._storage.delete_prefix("jobs/mutant/1")
        return last

    def _judge(self, failed: Failed, seen: MutantResult) -> None:
        seen.outcome = Outcome.LIMITED if failed.reason in _LIMITS else Outcome.REJECTED
        if failed.reason in _HANGS:
            seen.defects[Defect.HANG] = failed.stage
        elif failed.reason in (INTERNAL_ERROR, DISK_FULL):
            seen.defects[Defect.CRASH] = f"{failed.stage}: {failed.reason}"
        elif not failed.reason.endswith("."):
            seen.defects[Defect.SILENT] = failed.reason

    def _left(self, last: Any) -> list[str]:
        """Objects that no result names, work folders, and programs that still use our folder."""
        payload = last.payload.to_json() if isinstance(last, Result) else {}
        named = {str(value) for key, value in payload.items() if key.endswith("_key")} | {SOURCE_KEY}
        root = self._storage.root
        objects = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        work = [str(path) for path in get_cluster_settings().work_root.rglob("*")]
        return [name for name in objects if name not in named] + work + _programs_of(root)


def _died(entry: MutableMapping[str, Any]) -> bool:
    ended = entry["event"] == "media.process_failed" and entry["why"] == Stopped.FAILED
    return ended and (entry["code"] or 0) < 0


def _programs_of(root: Path) -> list[str]:
    found = []
    for process in Path("/proc").iterdir():
        try:
            command = process.joinpath("cmdline").read_bytes() if process.name.isdigit() else b""
        except OSError:
            continue
        if os.fsencode(root) in command:
            found.append(command.replace(b"\0", b" ").decode("utf-8", "replace"))
    return found
