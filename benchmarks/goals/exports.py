"""`python -m benchmarks export`: goals 19 to 22, exports against the bare ffmpeg program on generated video."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import av
import typer

from benchmarks.goals.pairs import alternate
from benchmarks.goals.report import Report
from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.captions.picture.ass_document import write_ass
from pipelines.flows.tasks import attempt_stream
from pipelines.media.export.burn_in import write_script
from pipelines.media.export.encoders import Encoder, video_encoding
from pipelines.media.ffmpeg import find_ffmpeg
from pipelines.media.probe import probe
from pipelines.messages.attempt import Result
from pipelines.messages.caption_style import DEFAULT_STYLE
from pipelines.messages.export_form import ExportMode, Quality
from pipelines.messages.lines import CaptionLine
from pipelines.messages.requests import EXPORT, ExportRequest, ExportTrack
from pipelines.messages.results import ExportResult, parts_folder

SIZE = (1920, 1080)
MADE_S = 60


def command(
    seconds: Annotated[int, typer.Option(min=30, help="Length of the video of goals 20 and 22.")] = 120,
    edited: Annotated[int, typer.Option(min=60, help="Length of the video of goal 21, in seconds.")] = 600,
    copied: Annotated[int, typer.Option(min=60, help="Length of the video of goal 19, in seconds.")] = 3_600,
    captions: Annotated[int, typer.Option(min=10, help="Captions in each.")] = 500,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of goal 19 that must count.")] = 5,
    burned_pairs: Annotated[int, typer.Option(min=1, help="Pairs of goal 20 that must count.")] = 2,
) -> None:
    report = Report("export")
    with tempfile.TemporaryDirectory(prefix="export-") as work:
        os.environ["SAGASCRIPT_DATA_DIR"] = work
        get_cluster_settings.cache_clear()
        made = _make(Path(work))
        bench = _Bench(Path(work), made, "soft", copied, captions)
        soft = alternate(lambda: _wall(bench.soft), lambda: _wall(bench.bare_copy), pairs=pairs)
        report.goal("19", soft.ratio, seconds=copied, **soft.detail())
        bench = _Bench(Path(work), made, "edited", edited, captions)
        first = _cores(lambda: bench.burned())
        again = _cores(lambda: bench.burned(forget=False, changed=captions // 2))
        report.goal("21", again / first, seconds=edited, first_core_s=first, again_core_s=again)
        bench = _Bench(Path(work), made, "burned", seconds, captions)
        burned = alternate(lambda: _wall(bench.burned), lambda: _wall(bench.bare_burn), pairs=burned_pairs)
        report.goal("20", burned.ratio, seconds=seconds, **burned.detail())
        _compare(report, bench.last, bench.bare_burned)
    report.note(
        f"1080p at 30 frames/s, little noise, a keyframe every 2 s, AAC; {captions} captions. {MADE_S} s are encoded "
        "and repeated without encoding until the video is long enough. The bare program has the same encoder settings "
        "and threads, and the same script for burning in. Ours knows the file from ingest, indexes "
        "its frames once, stores the parts durably and joins them."
    )
    report.write()


def _make(work: Path) -> Path:
    picture = f"testsrc=s={SIZE[0]}x{SIZE[1]}:r=30:d={MADE_S}"
    # Shorter than the picture, or each repetition would begin late and the bare program move its frames.
    tone = f"sine=440:r=48000:d={MADE_S - 0.1}"
    _ffmpeg(work, "-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", tone, "-c:v", "libx264", "-preset", "ultrafast",
            "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", "made.mp4")  # fmt: skip
    return work / "made.mp4"


def _ffmpeg(work: Path, *arguments: str) -> None:
    # As nice as the product's own process, which people at work must not notice.
    command = ["nice", "-n", "5", find_ffmpeg(), "-nostdin", "-v", "error", "-y", *arguments]
    subprocess.run(command, cwd=work, check=True)


def _lines(seconds: int, captions: int) -> list[CaptionLine]:
    each = seconds * 1000 // captions
    return [CaptionLine(str(n), n * each, (n + 1) * each - each // 10, f"Caption number {n}") for n in range(captions)]


@dataclass
class _Bench:
    """One video of `seconds`, stored as the original of the file `name`."""

    work: Path
    made: Path
    name: str
    seconds: int
    captions: int
    fence: int = 0

    def __post_init__(self) -> None:
        self.storage = LocalStorage(get_cluster_settings().storage_root)
        self.key = f"{self.name}/original"
        _ffmpeg(self.work, "-stream_loop", "-1", "-i", str(self.made), "-t", str(self.seconds), "-c", "copy",
                "long.mp4")  # fmt: skip
        self.storage.put(self.work / "long.mp4", self.key)
        self.source = self.storage.open_path(self.key)
        self.facts = probe(self.source).as_json()
        self.lines = _lines(self.seconds, self.captions)
        self.last = self.source
        write_script(self.work, write_ass(self.lines, DEFAULT_STYLE, *SIZE))

    @property
    def bare_burned(self) -> Path:
        return self.work / "burned.mp4"

    def soft(self) -> None:
        self._export(ExportMode.SOFT, self.lines)

    def burned(self, *, forget: bool = True, changed: int | None = None) -> None:
        if forget:
            self.storage.delete_prefix(parts_folder(self.name))
        lines = list(self.lines)
        if changed is not None:
            lines[changed] = replace(lines[changed], text="Another text")
        self._export(ExportMode.BURNED, lines)

    def bare_copy(self) -> None:
        (self.work / "copy.mp4").unlink(missing_ok=True)
        _ffmpeg(self.work, "-i", str(self.source), "-i", "captions.ass", "-map", "0", "-map", "1", "-c", "copy",
                "-c:s", "mov_text", "-movflags", "+faststart", "copy.mp4")  # fmt: skip

    def bare_burn(self) -> None:
        encoding = video_encoding(Encoder.X264, Quality.STANDARD, *SIZE)
        _ffmpeg(self.work, "-i", str(self.source), "-vf", "ass=captions.ass:fontsdir=fonts", *encoding, "-c:a", "copy",
                "-movflags", "+faststart", self.bare_burned.name)  # fmt: skip

    def _export(self, mode: ExportMode, lines: list[CaptionLine]) -> None:
        if self.last != self.source:
            self.last.unlink()
        self.fence += 1
        track = ExportTrack(language="en-US", lines=[line_to_json(line) for line in lines])
        request = ExportRequest(file_id=self.name, source_key=self.key, tracks=(track,), mode=mode, facts=self.facts)
        *_, last = attempt_stream(EXPORT, request, self.name, self.fence)
        if not isinstance(last, Result) or not isinstance(last.payload, ExportResult):
            raise RuntimeError(str(last))
        self.last = self.storage.open_path(last.payload.export_key)


def _wall(run: Callable[[], None]) -> float:
    began = time.monotonic()
    run()
    return time.monotonic() - began


def _cores(run: Callable[[], None]) -> float:
    """Core-seconds of this process and of the programs that it ran."""
    before = _used()
    run()
    return _used() - before


def _compare(report: Report, ours: Path, bare: Path) -> None:
    """In parts against one pass: frames, times, sound, and how alike the pictures are."""
    report.goal("22-frames", abs(len(_times(ours)) - len(_times(bare))))
    report.goal("22-times", sum(a != b for a, b in zip(_times(ours), _times(bare), strict=False)))
    report.goal("22-sound", float(_sound(ours) != _sound(bare)))
    answer = subprocess.run(
        [find_ffmpeg(), "-nostdin", "-i", str(ours), "-i", str(bare), "-lavfi", "ssim", "-f", "null", "-"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    report.goal("22", float(answer.stderr.rpartition("All:")[2].split()[0]))


def _times(path: Path) -> list[Fraction]:
    with av.open(str(path)) as video:
        return sorted(packet.pts * packet.time_base for packet in video.demux(video=0) if packet.pts is not None)


def _sound(path: Path) -> str:
    with av.open(str(path)) as opened:
        return hashlib.md5(b"".join(bytes(packet) for packet in opened.demux(audio=0))).hexdigest()


def _used() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in both)
