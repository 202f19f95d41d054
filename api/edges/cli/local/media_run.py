"""Runs the flows for one local file in this process: ingest, transcribe, and export to burn captions in."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from pathlib import Path

from api.edges.cli.console import err
from api.edges.cli.local.flow_bar import FlowBar
from api.edges.cli.local.outputs import move_whole
from api.edges.cli.local.storage import LocalFile
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.reading.srt import format_srt
from pipelines.flows.tasks import attempt_stream
from pipelines.flows.transcribe.flow import transcribe
from pipelines.flows.transcribe.windows import SpeechClient, refused
from pipelines.language_choice import default_language
from pipelines.messages.attempt import Attempt, StageFailed
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
    settings = get_cluster_settings()
    storage = LocalStorage(settings.storage_root)
    file = LocalFile(storage, source, f"local/{uuid.uuid4().hex}/original")
    with FlowBar(["upload", "transcribe", *(["export"] if burn else [])]) as bar:
        ingest = IngestRequest(file_id=FILE_ID, source_key=file.key, filename=source.name)
        facts = bar.follow("upload", attempt_stream(INGEST, ingest, "ingest", 1), IngestResult)
        if burn is not None and facts.kind != "video":
            raise StageFailed("export", NO_PICTURE, retryable=False)
        request = TranscribeRequest(
            file_id=FILE_ID,
            audio_key=facts.audio_key,
            duration_ms=facts.duration_ms,
            # The model loads while the file is prepared, so we ask for it only now.
            language=language or _default(client, preferred),
        )
        attempt = Attempt("transcribe", 1, settings.work_root, "jobs/transcribe/1")
        values = transcribe(request, attempt, client=client, storage=storage)
        transcribed = bar.follow("transcribe", values, TranscribeResult)
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


def _default(client: SpeechClient, preferred: str) -> str:
    try:
        return default_language(client.describe(), preferred)
    except EngineRefused as error:
        raise refused("transcribe", error) from error
