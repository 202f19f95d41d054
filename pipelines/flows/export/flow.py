"""The flow of kind `export`: a file with its captions, drawn into the picture or as tracks, or its sound alone."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import structlog

from cluster.limited_process.process import Stopped
from cluster.settings import get_cluster_settings
from cluster.storage.objects import Storage
from cluster.storage.opening import open_storage
from cluster.wording.message import Message
from pipelines.captions.fonts.glyphs import boxes_sentence, missing_characters
from pipelines.captions.json_form import line_from_json
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.srt import parse_srt
from pipelines.flows.export.parts import PartsWanted, burn_parts
from pipelines.flows.export.stored_parts import division_key, stored_division
from pipelines.flows.ingest import store_file, stored_source
from pipelines.media.content_digest import Content
from pipelines.media.export.audio_file import write_sound
from pipelines.media.export.burn_in import FAILURE, burn_in, is_thinned
from pipelines.media.export.clip import length_ms
from pipelines.media.export.encoders import Encoder, best_encoder
from pipelines.media.export.frame_index import divide
from pipelines.media.export.part_join import PartsDiffer
from pipelines.media.export.soft_subtitles import SubtitleTrack, add_tracks
from pipelines.media.ffmpeg import REASONS
from pipelines.media.probe import MediaFacts, probe
from pipelines.messages.attempt import Attempt, Progress, Result, StageFailed
from pipelines.messages.export_form import ExportMode
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import ExportRequest
from pipelines.messages.results import ExportResult

log = structlog.get_logger(__name__)

STAGE = "export"
PHASE = "exporting"
GPU_FAILED = Message(
    "pipelines.flows.gpu_failed",
    "The video encoder of the graphics card failed on this file, so the processor encoded it.",
)
_ENCODER_FAILURES = frozenset({FAILURE, REASONS[Stopped.STALLED]})
NO_CAPTIONS = Message("pipelines.flows.no_captions", "This file has no captions to export.")


def run(request: ExportRequest, attempt: Attempt) -> Generator[Progress | Result, None, None]:
    """Progress is in milliseconds of media written."""
    storage = open_storage(get_cluster_settings())
    tracks = _tracks(request)
    with stored_source(storage, attempt, request.source_key) as path:
        facts = MediaFacts.from_json(request.facts, path) or probe(path)
        if facts.video is None and request.duration_ms:
            # Ingest decoded the sound; the length in the header of a variable-rate MP3 is a guess.
            facts = replace(facts, duration_ms=request.duration_ms)
        length = length_ms(facts, request.form.clip)
        yield Progress(PHASE, 0, length, "media_ms")
        target = attempt.work / f"export.{request.form.file}"
        drawn = _Drawn()
        try:
            if request.mode is ExportMode.BURNED:
                drawn = yield from _burn(request, attempt, path, facts, tracks, target, storage)
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
        size = storage.size(key)
        yield Result(ExportResult(export_key=key, size_bytes=size, kept_parts=drawn.kept_parts, notice=drawn.notice))


@dataclass(frozen=True, slots=True)
class _Drawn:
    """`kept_parts`: whether parts stay in storage. `notice` tells the person what went another way than usual."""

    kept_parts: bool = False
    notice: str = ""


def _burn(
    request: ExportRequest,
    attempt: Attempt,
    path: Path,
    facts: MediaFacts,
    tracks: list[SubtitleTrack],
    target: Path,
    storage: Storage,
) -> Generator[Progress, None, _Drawn]:
    """Draw the first track into the picture, with x264 where NVIDIA's encoder does not get through the file."""
    lines = list(tracks[0].lines)
    # This machine may have other fonts than the one that checked before the export was queued.
    missing = [] if request.accept_boxes else missing_characters((line.text for line in lines), request.style.font)
    if missing:
        raise StageFailed(STAGE, boxes_sentence(missing), retryable=False)
    content = Content(path)
    division = None
    if request.form.clip is None and facts.video is not None and not is_thinned(facts.video):
        key = division_key(request.file_id, content.digest, facts)
        division = stored_division(storage, key, attempt.work, lambda: divide(path, facts))
    wanted = PartsWanted(
        *(request.file_id, request.source_key, path, content, facts, division, lines),
        form=request.form, style=request.style, encoder=best_encoder(),
    )  # fmt: skip
    try:
        return _Drawn((yield from _draw(wanted, attempt, target, storage)))
    except StageFailed as failed:
        # Cards have few sessions, and drivers fail at sizes and lengths that a trial does not meet.
        if wanted.encoder is not Encoder.NVENC or failed.reason not in _ENCODER_FAILURES:
            raise
        log.warning("export.nvenc_failed", job_id=attempt.job_id, reason=failed.reason)
    kept_parts = yield from _draw(replace(wanted, encoder=Encoder.X264), attempt, target, storage)
    return _Drawn(kept_parts, GPU_FAILED)


def _draw(wanted: PartsWanted, attempt: Attempt, target: Path, storage: Storage) -> Generator[Progress, None, bool]:
    """Write `target` in parts where they can be joined exactly, else in one pass. Return whether parts stay."""
    if wanted.division is not None:
        try:
            yield from burn_parts(wanted, wanted.division, attempt, target, storage)
        except PartsDiffer as differ:
            log.warning("export.one_pass", job_id=attempt.job_id, reason=str(differ))
        else:
            return True
    writing = burn_in(wanted.path, wanted.facts, wanted.lines, target, wanted.form, wanted.style, wanted.encoder)
    yield from _progress(writing, length_ms(wanted.facts, wanted.form.clip))
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
