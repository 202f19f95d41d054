"""The flow of kind `export`: a file with its captions, drawn into the picture or as tracks, or its sound alone."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from pathlib import Path

import structlog

from cluster.settings import get_cluster_settings
from cluster.storage import Storage, open_storage
from pipelines.captions.cues import UnreadableSubtitles
from pipelines.captions.json_form import line_from_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.srt import parse_srt
from pipelines.flows.export_parts import PartsWanted, burn_parts
from pipelines.flows.ingest import store_file, stored_source
from pipelines.flows.messages import Attempt, Progress, Result, StageFailed
from pipelines.flows.requests import ExportRequest
from pipelines.flows.results import ExportResult
from pipelines.media.audio_file import write_sound
from pipelines.media.burn_in import burn_in, is_thinned
from pipelines.media.clip import length_ms
from pipelines.media.encoders import best_encoder
from pipelines.media.export_form import ExportMode
from pipelines.media.frame_index import divide
from pipelines.media.glyphs import boxes_sentence, missing_characters
from pipelines.media.part_join import PartsDiffer
from pipelines.media.probe import MediaFacts, probe
from pipelines.media.soft_subtitles import SubtitleTrack, add_tracks

log = structlog.get_logger(__name__)

STAGE = "export"
PHASE = "exporting"
NO_CAPTIONS = "This file has no captions to export."


def run(request: ExportRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of media written."""
    storage = open_storage(get_cluster_settings())
    tracks = _tracks(request)
    with stored_source(storage, attempt, request.source_key) as path:
        facts = probe(path)
        length = length_ms(facts, request.form.clip)
        yield Progress(PHASE, 0, length, "media_ms")
        target = attempt.work / f"export.{request.form.file}"
        kept_parts = False
        try:
            if request.mode is ExportMode.BURNED:
                kept_parts = yield from _burn(request, attempt, path, facts, tracks, target, storage)
            else:
                writing = (
                    write_sound(path, facts, target, request.form)
                    if request.mode is ExportMode.AUDIO
                    else add_tracks(path, facts, tracks, target, request.form)
                )
                yield from _progress(writing, length)
        except UnreadableSubtitles as error:
            raise StageFailed(STAGE, str(error), retryable=False) from error
        key = store_file(storage, attempt, target)
        yield Result(ExportResult(export_key=key, size_bytes=storage.size(key), kept_parts=kept_parts))


def _burn(
    request: ExportRequest,
    attempt: Attempt,
    path: Path,
    facts: MediaFacts,
    tracks: list[SubtitleTrack],
    target: Path,
    storage: Storage,
) -> Generator[Progress, None, bool]:
    """Draw the first track into the picture, in parts where they can be joined exactly. Return whether parts stay."""
    lines = list(tracks[0].lines)
    # This machine may have other fonts than the one that checked before the export was queued.
    missing = [] if request.accept_boxes else missing_characters((line.text for line in lines), request.style.font)
    if missing:
        raise StageFailed(STAGE, boxes_sentence(missing), retryable=False)
    encoder = best_encoder()
    can_divide = request.form.clip is None and facts.video is not None and not is_thinned(facts.video)
    division = divide(path, facts) if can_divide else None
    if division is not None:
        wanted = PartsWanted(
            *(request.file_id, request.source_key, path, facts, division, lines),
            form=request.form, style=request.style, encoder=encoder,
        )  # fmt: skip
        try:
            yield from burn_parts(wanted, attempt, target, storage)
        except PartsDiffer as differ:
            log.warning("export.one_pass", job_id=attempt.job_id, reason=str(differ))
        else:
            return True
    writing = burn_in(path, facts, lines, target, request.form, request.style, encoder)
    yield from _progress(writing, length_ms(facts, request.form.clip))
    return False


def _progress(writing: Generator[int, None, None], length: int) -> Generator[Progress, None, None]:
    with closing(writing):
        for done_ms in writing:
            yield Progress(PHASE, min(done_ms, length), length, "media_ms")


def _tracks(request: ExportRequest) -> list[SubtitleTrack]:
    if request.mode is ExportMode.AUDIO:
        return []
    tracks = [SubtitleTrack(track.language, [line_from_json(line) for line in track.lines]) for track in request.tracks]
    tracks = tracks or [SubtitleTrack(request.language, _lines(request.srt))]
    if not any(track.lines for track in tracks):
        raise StageFailed(STAGE, NO_CAPTIONS, retryable=False)
    return tracks


def _lines(srt: str) -> list[CaptionLine]:
    try:
        return parse_srt(srt)
    except UnreadableSubtitles as error:
        raise StageFailed(STAGE, str(error), retryable=False) from error
