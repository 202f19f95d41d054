"""Runs the flow `export` for a local file in this process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from api.edges.cli.local.flow_bar import FlowBar
from api.edges.cli.local.storage import local_run
from cluster.settings import ClusterSettings
from pipelines.captions.imports.process import read_in_process
from pipelines.captions.json_form import line_to_json
from pipelines.flows.tasks import attempt_stream
from pipelines.languages import AUTO, listed_code
from pipelines.messages.export_form import ExportForm, ExportMode
from pipelines.messages.requests import EXPORT, ExportRequest, ExportTrack
from pipelines.messages.results import ExportResult


@contextmanager
def export_file(
    settings: ClusterSettings, source: Path, subtitles: Sequence[Path], mode: ExportMode, form: ExportForm
) -> Iterator[Path]:
    """The exported file, while the context is open. Raises `StageFailed` and `UnreadableSubtitles`."""
    tracks = tuple(_track(each) for each in subtitles)
    with local_run(settings, source) as run:
        request = ExportRequest(file_id=run.file_id, source_key=run.file.key, tracks=tracks, mode=mode, form=form)
        with FlowBar(["export"]) as bar:
            made = bar.follow("export", attempt_stream(EXPORT, request, run.name, 1), ExportResult)
        run.file.check()
        yield run.storage.open_path(made.export_key)


def _track(path: Path) -> ExportTrack:
    """`talk.is.srt` is in Icelandic; a name without a language leaves the track without one."""
    _, _, named = path.stem.rpartition(".")
    language = listed_code(named) or ""
    imported = read_in_process(path.read_bytes(), language or AUTO)
    return ExportTrack(language=language, lines=[line_to_json(line) for line in imported.lines])
