"""Run one order through the flow of exports, and judge what came out."""

from __future__ import annotations

import os
import shutil
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.soak.exports.orders import LANGUAGES, Order, order_of
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.captions.picture.built_in_styles import BUILT_IN_STYLES
from pipelines.flows.tasks import Failed, attempt_stream
from pipelines.media.export.audio_file import ONE_TRACK
from pipelines.media.probe import probe
from pipelines.messages.attempt import Result
from pipelines.messages.export_form import Aspect, ExportMode, FileForm
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import EXPORT, ExportRequest, ExportTrack
from pipelines.messages.results import ExportResult
from pipelines.testing.media.exported import Ordered, Shown, faults, first_s, shown_by

_FILE, _JOB = "film", "export"
_RATIO = {Aspect.WIDE: 16 / 9, Aspect.TALL: 9 / 16, Aspect.SQUARE: 1.0}


@dataclass(slots=True)
class Made:
    """The result of one order. `faults` are sentences; `seconds` is the wall time of its longest export."""

    number: int
    kind: str
    seconds: float = 0.0
    exports: int = 0
    faults: list[str] = field(default_factory=list)


class Worker:
    """A small installation of one process, which exports one file after another."""

    flow = EXPORT

    def __init__(self, folder: Path, films: Path, seed: int) -> None:
        os.environ["SAGASCRIPT_DATA_DIR"] = str(folder)
        get_cluster_settings.cache_clear()
        self._storage = LocalStorage(get_cluster_settings().storage_root)
        self._films, self._seed = films, seed
        self._shown: dict[str, Shown] = {}

    def run(self, number: int) -> Made:
        """Export as ordered and, where parts are kept, once more after an edit."""
        order = order_of(self._seed, number)
        made = Made(number, f"{order.film.name} {order.mode} {order.form.file}")
        path = order.film.make(self._films)
        if order.film.name not in self._shown:
            self._shown[order.film.name] = shown_by(path)
        key = f"uploads/{number}/original"
        copy = self._storage.root.parent / "copy"
        shutil.copyfile(path, copy)
        self._storage.put(copy, key)
        facts = probe(path).as_json() if order.knows_facts else None
        if self._export(order, key, facts, made):
            edited = replace(order, texts=("Edited MMM", *order.texts[1:]))
            self._export(edited, key, facts, made)
        self._storage.delete_prefix(f"uploads/{number}")
        self._storage.delete_prefix(f"exports/{_FILE}")
        made.faults += self._leftovers()
        return made

    def _export(self, order: Order, key: str, facts: dict[str, Any] | None, made: Made) -> bool:
        """Whether parts are kept."""
        lines = [
            line_to_json(CaptionLine(str(number), *times, text))
            for number, (times, text) in enumerate(zip(order.captions, order.texts, strict=True))
        ]
        request = ExportRequest(
            file_id=_FILE, source_key=key, form=order.form, mode=order.mode, accept_boxes=True, facts=facts,
            style=BUILT_IN_STYLES[order.style_id][1],
            tracks=tuple(ExportTrack(language=code, lines=lines) for code in order.language_codes),
        )  # fmt: skip
        made.exports += 1
        began = time.monotonic()
        last: Any = None
        for value in attempt_stream(self.flow, request, _JOB, made.exports):
            last = value
        made.seconds = max(made.seconds, time.monotonic() - began)
        if isinstance(last, Failed) or not isinstance(last, Result) or not isinstance(last.payload, ExportResult):
            made.faults.append(f"failed: {last}")
            return False
        made.faults += judged(order, self._shown[order.film.name], shown_by(self._path(last.payload)))
        self._storage.delete_prefix(f"jobs/{_JOB}/{made.exports}")
        return last.payload.kept_parts

    def _path(self, result: ExportResult) -> Path:
        return self._storage.open_path(result.export_key)

    def _leftovers(self) -> list[str]:
        """Objects and work folders that nobody needs any more."""
        root = self._storage.root
        left = [str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
        left += [str(path) for path in get_cluster_settings().work_root.rglob("*")]
        return [f"left behind: {name}" for name in left]


def judged(order: Order, original: Shown, exported: Shown) -> list[str]:
    """Sentences on what the file has otherwise than ordered."""
    film, clip, picture = order.film, order.form.clip, order.form.picture
    if order.mode is ExportMode.AUDIO:
        first = film.sounds[:1] if order.form.file in ONE_TRACK else film.sounds
        channels = [min(each, 2) if order.form.file is FileForm.MP3 else each for _, each in first]
        found = [each for _, each in exported.sounds]
        wrong = [] if found == channels else [f"channels {found}, not {channels}"]
        return [*wrong, "a picture in a file of sound"] if exported.times else wrong
    captions = [times for times in order.captions if times[0] < 60_000]
    languages = [LANGUAGES[code] for code in order.language_codes] if order.mode is ExportMode.SOFT else []
    if clip is not None:
        captions = [(max(0, a - clip.start_ms), min(clip.end_ms, b) - clip.start_ms) for a, b in captions]
        counted = original.times[0] if original.times else 0.0
        zero = clip.start_ms / 1000 + counted - first_s(order.film, original)
        original = original.part(zero, clip.duration_ms / 1000)
        film = replace(film, start_s=0.0)
    wrong = []
    if picture.aspect in _RATIO or picture.short_side is not None:
        width, height = exported.size
        if picture.aspect in _RATIO and abs(width / height / _RATIO[picture.aspect] - 1) > 0.03:
            wrong.append(f"{width} by {height} pixels, not {picture.aspect}")
        if picture.short_side is not None and film.width and min(width, height) > picture.short_side:
            wrong.append(f"{width} by {height} pixels, larger than {picture.short_side}")
        film = replace(film, width=0, height=0)
    is_early = clip is not None and order.mode is ExportMode.SOFT
    ordered = Ordered(order.mode, order.form.file, captions, languages, from_keyframe=is_early)
    return wrong + faults(film, original, exported, ordered)
