"""Runs the flows for one local file in this process: ingest, transcribe, and export to burn captions in."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

from api.edges.cli.console import err
from api.edges.cli.local.flow_bar import FlowBar
from api.edges.cli.local.models_here import SpeechModels
from api.edges.cli.local.outputs import move_whole
from api.edges.cli.local.storage import LocalFile
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.srt import format_srt
from pipelines.captions.script.placed_script import place
from pipelines.captions.script.script import Script
from pipelines.flows.tasks import attempt_stream
from pipelines.flows.transcribe.flow import transcribe
from pipelines.flows.transcribe.measure import SpokenWords, measured
from pipelines.flows.transcribe.windows import SpeechClient, refused
from pipelines.language_choice import default_language
from pipelines.media.sound.pcm import PcmFile
from pipelines.messages.attempt import Attempt, StageFailed
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import EXPORT, INGEST, ExportRequest, IngestRequest, TranscribeRequest
from pipelines.messages.results import ExportResult, IngestResult, TranscribeResult
from serve.core.messages import EngineRefused

FILE_ID = "local"
NO_PICTURE = "This file has no picture to burn captions into. Leave out --burn."

NO_SPEECH = "No speech was found in this file, so there are no captions."


def transcribe_file(
    source: Path,
    *,
    language: str | None,
    preferred: str,
    client: SpeechClient,
    write: Callable[[list[CaptionLine], str], bytes],
    burn: Path | None,
) -> bytes:
    """Return the captions of `source` as formatted by `write`; with `burn`, also write the video. Raises `StageFailed`.

    Without a `language`, the model detects it; if it cannot, `preferred` or a language of the model is used.
    Intermediate files go to the storage and work folders of the settings.
    """
    storage = LocalStorage(get_cluster_settings().storage_root)
    file = LocalFile(storage, source, f"local/{uuid.uuid4().hex}/original")
    with FlowBar(["upload", "transcribe", *(["export"] if burn else [])]) as bar:
        facts = _prepare(file, source, bar)
        if burn is not None and facts.kind != "video":
            raise StageFailed("export", NO_PICTURE, retryable=False)
        transcribed = _transcribe(facts, language, preferred, client, storage, bar)
        lines = list(transcribed.lines)
        if not lines:
            err.print(NO_SPEECH)
        if burn is not None:
            export = ExportRequest(
                file_id=FILE_ID, source_key=file.key, srt=format_srt(lines), language=transcribed.language
            )
            video = bar.follow("export", attempt_stream(EXPORT, export, "export", 1), ExportResult)
            file.check()
            move_whole(storage.open_path(video.export_key), burn)
    return write(lines, transcribed.language)


def align_file(
    source: Path,
    script: Script,
    *,
    language: str | None,
    preferred: str,
    models: SpeechModels,
    write: Callable[[list[CaptionLine], str], bytes],
) -> bytes:
    """Return captions of the words of `script`, at the times at which `source` speaks them.

    Raises `StageFailed`, also where hardly any of the words is heard. Says which passages are not spoken.
    """
    storage = LocalStorage(get_cluster_settings().storage_root)
    file = LocalFile(storage, source, f"local/{uuid.uuid4().hex}/original")
    with FlowBar(["upload", "transcribe"]) as bar:
        facts = _prepare(file, source, bar)
        transcribed = _transcribe(facts, language, preferred, models.speech, storage, bar)
    heard = [word for line in transcribed.lines for word in line.words]
    try:
        placed = place(script, heard)
    except UnreadableSubtitles as another:
        raise StageFailed("align", str(another), retryable=False) from another
    for note in placed.notes:
        err.print(note, soft_wrap=True, markup=False)
    indexes = sorted(placed.words)
    words = [placed.words[index] for index in indexes]
    if models.aligner is not None and facts.audio_key is not None:
        with PcmFile(storage.open_path(facts.audio_key)) as audio:
            whole = SpokenWords(tuple(words), 0, audio.duration_ms)
            [timed] = measured([whole], audio, models.aligner)
            words = list(timed)
    lines = script.lines(dict(zip(indexes, words, strict=True)), rules_for(transcribed.language), transcribed.language)
    return write(lines, transcribed.language)


def _prepare(file: LocalFile, source: Path, bar: FlowBar) -> IngestResult:
    ingest = IngestRequest(file_id=FILE_ID, source_key=file.key, filename=source.name)
    return bar.follow("upload", attempt_stream(INGEST, ingest, "ingest", 1), IngestResult)


def _transcribe(
    facts: IngestResult,
    language: str | None,
    preferred: str,
    client: SpeechClient,
    storage: LocalStorage,
    bar: FlowBar,
) -> TranscribeResult:
    request = TranscribeRequest(
        file_id=FILE_ID,
        audio_key=facts.audio_key,
        duration_ms=facts.duration_ms,
        # The model loads while the file is prepared, so we ask for it only now.
        language=language or _default(client, preferred),
    )
    attempt = Attempt("transcribe", 1, get_cluster_settings().work_root, "jobs/transcribe/1")
    values = transcribe(request, attempt, client=client, storage=storage)
    return bar.follow("transcribe", values, TranscribeResult)


def _default(client: SpeechClient, preferred: str) -> str:
    try:
        return default_language(client.describe(), preferred)
    except EngineRefused as error:
        raise refused("transcribe", error) from error
