"""An attempt on a long file in a separate process that reports its memory: `python -m … FILE MODELS FOLDER`.

It prints one JSON object per line: `{"chunk": …}` for each finished window, and `{"figures": …}` at the end. It reads
chunks of an earlier attempt from `FOLDER/chunks.json`; with `FOLDER/sound.json` it does not decode the file again.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
import time
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any

import structlog

from pipelines.media import limits

# Set before the modules that read it are imported: the product takes at most four hours, and its memory must not
# depend on that. So this file is a program that nothing imports.
limits.MAX_DURATION_MS = 12 * 60 * 60 * 1000

from benchmarks.goals.long_file.figures import AttemptFigures  # noqa: E402
from cluster.settings import get_cluster_settings  # noqa: E402
from cluster.storage.opening import open_storage  # noqa: E402
from cluster.testing.processes import peak_rss_bytes, rss_bytes  # noqa: E402
from pipelines.flows.tasks import attempt_stream  # noqa: E402
from pipelines.flows.transcribe.flow import transcribe  # noqa: E402
from pipelines.messages.attempt import Attempt, Chunk, Result  # noqa: E402
from pipelines.messages.requests import INGEST, IngestRequest, TranscribeRequest  # noqa: E402
from pipelines.messages.results import IngestResult, TranscribeResult  # noqa: E402
from serve.core.settings import ModelSettings  # noqa: E402
from serve.profile import load_profile  # noqa: E402
from serve.tasks.transcription.in_process import InProcessTranscriber  # noqa: E402
from serve.tasks.transcription.profile import TranscriptionProfile  # noqa: E402

MB = 1024 * 1024
WARM_UP = "warm-up"


def main(file: Path, warm: Path, models: Path, folder: Path) -> None:
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    os.environ["SAGASCRIPT_DATA_DIR"] = str(folder / "data")
    get_cluster_settings.cache_clear()
    with closing(
        InProcessTranscriber(load_profile("embedded").require(TranscriptionProfile), ModelSettings(), models)
    ) as client:
        _transcribed(_ingested(warm, WARM_UP), client, {})
        base = rss_bytes(os.getpid())
        _forget_peak()
        began = time.monotonic()
        facts = _ingested(file, "file", kept=folder / "sound.json")
        ingest_s, ingest_peak = time.monotonic() - began, peak_rss_bytes(os.getpid())
        _forget_peak()
        began = time.monotonic()
        chunks = json.loads((folder / "chunks.json").read_text()) if (folder / "chunks.json").exists() else {}
        told = _transcribed(facts, client, chunks, tell=True)
        figures = AttemptFigures(
            base_mb=base / MB,
            ingest_mb=(ingest_peak - base) / MB,
            transcribe_mb=(peak_rss_bytes(os.getpid()) - base) / MB,
            ingest_s=ingest_s,
            transcribe_s=time.monotonic() - began,
            **told,
        )
    _tell({"figures": asdict(figures)})


def _ingested(file: Path, name: str, kept: Path | None = None) -> IngestResult:
    if kept is not None and kept.exists():
        return IngestResult.from_json(json.loads(kept.read_text()))
    settings = get_cluster_settings()
    draft = settings.work_root / name
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.unlink(missing_ok=True)
    os.link(file, draft)
    open_storage(settings).put(draft, f"{name}/original")
    request = IngestRequest(file_id=name, source_key=f"{name}/original", filename=file.name, language="en-US")
    *_, last = attempt_stream(INGEST, request, f"{name}-upload", 1)
    if not isinstance(last, Result) or not isinstance(last.payload, IngestResult):
        raise RuntimeError(f"{file} was refused: {last}")
    if kept is not None:
        kept.write_text(json.dumps(last.payload.to_json()))
    return last.payload


def _transcribed(
    facts: IngestResult, client: InProcessTranscriber, chunks: dict[str, dict[str, Any]], *, tell: bool = False
) -> dict[str, Any]:
    request = TranscribeRequest(
        file_id="file", audio_key=facts.audio_key, duration_ms=facts.duration_ms, language="en-US"
    )
    settings = get_cluster_settings()
    attempt = Attempt("transcribe", 1, settings.work_root, "jobs/transcribe/1", chunks)
    began, first, windows, largest = time.monotonic(), 0.0, 0, 0
    result: TranscribeResult | None = None
    for value in transcribe(request, attempt, client=client, storage=open_storage(settings)):
        if isinstance(value, Chunk):
            windows += 1
            first = first or time.monotonic() - began
            largest = max(largest, len(pickle.dumps(value)))
            if tell:
                _tell({"chunk": {"key": value.key, "payload": value.payload.to_json()}})
        elif isinstance(value, Result) and isinstance(value.payload, TranscribeResult):
            result = value.payload
    if result is None:
        raise RuntimeError("The flow ended without a result.")
    return {
        "first_chunk_s": first,
        "windows": windows,
        "lines": len(result.lines),
        "largest_message_bytes": largest,
        "result_bytes": len(pickle.dumps(result)),
    }


def _forget_peak() -> None:
    """Reset the kernel's peak measurement (proc(5), `clear_refs`)."""
    Path("/proc/self/clear_refs").write_text("5")


def _tell(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:5]))
