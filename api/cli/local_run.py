"""Runs the flows for one local file: ingest, transcribe, and export when the captions are to be burned in."""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from api.cli.console import err
from cluster.settings import get_cluster_settings
from cluster.storage import LocalStorage
from pipelines.captions.heard import segment_from_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.rules import DEFAULT_RULES
from pipelines.captions.segment import lines_from_segments
from pipelines.captions.srt import format_srt
from pipelines.flows import messages
from pipelines.flows.messages import StageFailed
from pipelines.flows.tasks import CPUS, Failed, run_attempt

NO_PICTURE = "This file has no picture to burn captions into. Leave out --burn."

_PHASES = {"probing": "Looking at the file", "transcribing": "Transcribing", "exporting": "Writing the video"}
_SHARES = {"upload": 10, "transcribe": 60, "export": 30}
"""How much of the bar each kind of work fills."""


async def transcribe_file(
    source: Path, *, language: str, write: Callable[[list[CaptionLine], str], str], burn: Path | None
) -> str:
    """The captions of `source` as `write` makes them; with `burn`, also the video. Raises `StageFailed`.

    The cluster must run. Nothing is left in its storage, in whatever way this ends.
    """
    storage = LocalStorage(get_cluster_settings().storage_root)
    run = _Run(uuid.uuid4().hex, storage)
    source_key = f"local/{run.id}/original"
    try:
        _put_copy(storage, source, source_key)
        with run.bar(["upload", "transcribe", *(["export"] if burn else [])]):
            facts = await run.attempt(
                "upload",
                {"file_id": run.id, "source_key": source_key, "filename": source.name, "language": language},
            )
            if burn is not None and facts["kind"] != "video":
                raise StageFailed("export", NO_PICTURE, retryable=False)
            heard = await run.attempt(
                "transcribe",
                {
                    "file_id": run.id,
                    "audio_key": facts["audio_key"],
                    "duration_ms": facts["duration_ms"],
                    "language": language,
                    "beam_size": 1,
                },
            )
            lines = lines_from_segments([segment_from_json(value) for value in heard["segments"]], DEFAULT_RULES)
            if burn is not None:
                made = await run.attempt("export", _export_request(run.id, source_key, facts, heard, lines))
                shutil.copyfile(storage.open_path(made["export_key"]), burn)
        return write(lines, heard["language"])
    finally:
        storage.delete_prefix(f"local/{run.id}")
        for job in run.jobs:
            storage.delete_prefix(f"jobs/{job}")


class _Run:
    """The attempts made for one file, and the bar that shows them."""

    def __init__(self, run_id: str, storage: LocalStorage) -> None:
        self.id = run_id
        self.storage = storage
        self.jobs: list[str] = []
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
        self._progress = Progress(*columns, TimeRemainingColumn(), console=err, transient=True)
        self._task: TaskID | None = None
        self._done = 0

    @contextmanager
    def bar(self, kinds: list[str]) -> Any:
        self._task = self._progress.add_task("Starting", total=sum(_SHARES[kind] for kind in kinds))
        with self._progress:
            yield

    async def attempt(self, kind: str, request: dict[str, Any]) -> dict[str, Any]:
        """Run one attempt on the cluster; its result. Cancelling this cancels the task. Raises `StageFailed`."""
        import ray

        job = f"{self.id}-{kind}"
        self.jobs.append(job)
        stream = run_attempt.options(num_cpus=CPUS[kind]).remote(kind, request, job, 0)
        try:
            async for reference in stream:
                value = await reference
                if isinstance(value, messages.Progress):
                    self._show(kind, value)
                elif isinstance(value, messages.Result):
                    self._done += _SHARES[kind]
                    return value.payload
                elif isinstance(value, Failed):
                    raise StageFailed(value.stage, value.reason, retryable=value.retryable)
            raise StageFailed(kind, "The work ended without a result. Look into the log folder.", retryable=True)
        finally:
            ray.cancel(stream, force=False)

    def _show(self, kind: str, value: messages.Progress) -> None:
        if self._task is not None:
            part = value.done / value.total if value.total > 0 else 0.0
            self._progress.update(
                self._task,
                completed=self._done + _SHARES[kind] * min(1.0, part),
                description=_PHASES.get(value.phase, value.phase.capitalize()),
            )


def _export_request(
    run_id: str, source_key: str, facts: dict[str, Any], heard: dict[str, Any], lines: list[CaptionLine]
) -> dict[str, Any]:
    return {
        "file_id": run_id,
        "source_key": source_key,
        **{name: facts[name] for name in ("kind", "width", "height", "duration_ms")},
        "language": heard["language"],
        "mode": "burned",
        "srt": format_srt(lines),
    }


def _put_copy(storage: LocalStorage, source: Path, key: str) -> None:
    """Into storage without touching `source`: a second name for the same bytes where possible, else a copy."""
    draft = storage.root / f".local-{uuid.uuid4().hex}"
    try:
        os.link(source.resolve(), draft)
    except OSError:
        shutil.copyfile(source, draft)
    storage.put(draft, key)
