"""Runs the flow `export` for a local file in this process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from api.cli.flow_bar import FlowBar
from api.cli.local_run import FILE_ID, put_copy
from cluster.settings import get_cluster_settings
from cluster.storage import LocalStorage
from pipelines.captions.import_process import read_in_process
from pipelines.captions.json_form import line_to_json
from pipelines.flows.requests import EXPORT, ExportRequest, ExportTrack
from pipelines.flows.results import ExportResult
from pipelines.flows.tasks import attempt_stream
from pipelines.languages import AUTO, listed_code
from pipelines.media.export_form import ExportForm, ExportMode


def export_file(source: Path, subtitles: Sequence[Path], mode: ExportMode, form: ExportForm) -> Path:
    """The exported file in storage. Raises `StageFailed` and `UnreadableSubtitles`."""
    storage = LocalStorage(get_cluster_settings().storage_root)
    source_key = "local/original"
    put_copy(storage, source, source_key)
    tracks = tuple(_track(each) for each in subtitles)
    request = ExportRequest(file_id=FILE_ID, source_key=source_key, tracks=tracks, mode=mode, form=form)
    with FlowBar(["export"]) as bar:
        made = bar.follow("export", attempt_stream(EXPORT, request, "export", 1), ExportResult)
    return storage.open_path(made.export_key)


def _track(path: Path) -> ExportTrack:
    """`talk.is.srt` is in Icelandic; a name without a language leaves the track without one."""
    _, _, named = path.stem.rpartition(".")
    language = listed_code(named) or ""
    imported = read_in_process(path.read_bytes(), language or AUTO)
    return ExportTrack(language=language, lines=[line_to_json(line) for line in imported.lines])
