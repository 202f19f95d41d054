"""The flow of kind `export`: write a video file with its captions, drawn into the picture or as a track."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

from cluster.settings import get_cluster_settings
from cluster.storage import Storage, open_storage
from pipelines.captions.cues import UnreadableSubtitles
from pipelines.captions.json_form import line_from_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import parse_srt
from pipelines.flows.ingest import store_file, stored_source
from pipelines.flows.messages import Attempt, Progress, Result, StageFailed
from pipelines.flows.requests import ExportRequest
from pipelines.flows.results import ExportResult
from pipelines.media.burn_in import burn_in
from pipelines.media.glyphs import boxes_sentence, missing_characters
from pipelines.media.probe import probe
from pipelines.media.soft_subtitles import add_track

STAGE = "export"
PHASE = "exporting"
SOFT = "soft"
NO_CAPTIONS = "This file has no captions to export."


def run(request: ExportRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of media written."""
    storage = open_storage(get_cluster_settings())
    lines = _lines(request)
    with stored_source(storage, attempt, request.source_key) as path:
        yield from _export(request, attempt, path, lines, storage)


def _export(
    request: ExportRequest, attempt: Attempt, path: Path, lines: list[CaptionLine], storage: Storage
) -> Generator[Progress | Result, None, None]:
    facts = probe(path)
    target = attempt.work / "export.mp4"
    yield Progress(PHASE, 0, facts.duration_ms, "media_ms")
    if request.mode == SOFT:
        writing = add_track(path, facts, lines, target, language=request.language)
    else:
        # This machine may have other fonts than the one that checked before the export was queued.
        missing = [] if request.accept_boxes else missing_characters((line.text for line in lines), request.style.font)
        if missing:
            raise StageFailed(STAGE, boxes_sentence(missing), retryable=False)
        writing = burn_in(path, facts, lines, target, request.style)
    try:
        with closing(writing):
            for done_ms in writing:
                yield Progress(PHASE, min(done_ms, facts.duration_ms), facts.duration_ms, "media_ms")
    except UnreadableSubtitles as error:
        raise StageFailed(STAGE, str(error), retryable=False) from error
    key = store_file(storage, attempt, target)
    yield Result(ExportResult(export_key=key, size_bytes=storage.size(key)))


def _lines(request: ExportRequest) -> list[CaptionLine]:
    try:
        lines = parse_srt(request.srt) if request.lines is None else [line_from_json(line) for line in request.lines]
    except UnreadableSubtitles as error:
        raise StageFailed(STAGE, str(error), retryable=False) from error
    if not lines:
        raise StageFailed(STAGE, NO_CAPTIONS, retryable=False)
    return lines
