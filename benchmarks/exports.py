"""`python -m benchmarks export`: goals 19 to 22, exports against the bare ffmpeg program on generated video."""

from __future__ import annotations

import hashlib
import os
import resource
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated

import av
import typer

from benchmarks.pairs import alternate
from benchmarks.report import Report
from cluster.settings import get_cluster_settings
from cluster.storage import LocalStorage
from pipelines.captions.ass_document import write_ass
from pipelines.captions.json_form import line_to_json
from pipelines.captions.lines import CaptionLine
from pipelines.captions.style import DEFAULT_STYLE
from pipelines.flows.messages import Result
from pipelines.flows.requests import EXPORT, ExportRequest, ExportTrack
from pipelines.flows.results import ExportResult
from pipelines.flows.tasks import attempt_stream
from pipelines.media.burn_in import write_script
from pipelines.media.encoders import Encoder, video_encoding
from pipelines.media.export_form import ExportMode, Quality
from pipelines.media.ffmpeg import find_ffmpeg

SOURCE = "bench/original"
SIZE = (1920, 1080)


def command(
    seconds: Annotated[int, typer.Option(min=30, help="Length of the video.")] = 120,
    captions: Annotated[int, typer.Option(min=10, help="Captions in it.")] = 500,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs that must count.")] = 5,
) -> None:
    report = Report("export")
    with tempfile.TemporaryDirectory(prefix="export-") as work:
        os.environ["SAGASCRIPT_DATA_DIR"] = work
        get_cluster_settings.cache_clear()
        bench = _Bench(Path(work), seconds, _lines(seconds, captions))
        soft = alternate(lambda: bench.wall(bench.soft), lambda: bench.wall(bench.bare_copy), pairs=pairs)
        report.goal("19", soft.ratio, **soft.detail())
        burned = alternate(lambda: bench.wall(bench.burned), lambda: bench.wall(bench.bare_burn), pairs=pairs)
        report.goal("20", burned.ratio, **burned.detail())
        first = bench.cores(lambda: bench.burned())
        again = bench.cores(lambda: bench.burned(forget=False, changed=captions // 2))
        report.goal("21", again / first, first_core_s=first, again_core_s=again)
        _compare(report, bench)
    report.note(
        f"{seconds} s of 1080p at 30 frames/s, little noise, a keyframe every 2 s, AAC; {captions} captions. The bare "
        "program has the same encoder settings and threads, and the same script for burning in. Ours probes the file, "
        "indexes its frames, stores the parts durably and joins them."
    )
    report.write()


def _lines(seconds: int, captions: int) -> list[CaptionLine]:
    each = seconds * 1000 // captions
    return [CaptionLine(str(n), n * each, (n + 1) * each - each // 10, f"Caption number {n}") for n in range(captions)]


@dataclass
class _Bench:
    work: Path
    seconds: int
    lines: list[CaptionLine]

    def __post_init__(self) -> None:
        self.storage = LocalStorage(get_cluster_settings().storage_root)
        self.fence = 0
        picture = f"testsrc=s={SIZE[0]}x{SIZE[1]}:r=30:d={self.seconds}"
        tone = f"sine=440:r=48000:d={self.seconds}"
        self._ffmpeg("-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", tone, "-c:v", "libx264", "-preset", "ultrafast",
                     "-pix_fmt", "yuv420p", "-g", "60", "-c:a", "aac", "made.mp4")  # fmt: skip
        self.storage.put(self.work / "made.mp4", SOURCE)
        self.source = self.storage.open_path(SOURCE)
        write_script(self.work, write_ass(self.lines, DEFAULT_STYLE, *SIZE))

    def soft(self) -> Path:
        return self._export(ExportMode.SOFT, self.lines)

    def burned(self, *, forget: bool = True, changed: int | None = None) -> Path:
        if forget:
            self.storage.delete_prefix("exports/bench")
        lines = list(self.lines)
        if changed is not None:
            old = lines[changed]
            lines[changed] = CaptionLine(old.id, old.start_ms, old.end_ms, "Another text")
        return self._export(ExportMode.BURNED, lines)

    def bare_copy(self) -> Path:
        self._ffmpeg("-i", str(self.source), "-i", "captions.ass", "-map", "0", "-map", "1", "-c", "copy", "-c:s",
                     "mov_text", "-movflags", "+faststart", "copy.mp4")  # fmt: skip
        return self.work / "copy.mp4"

    def bare_burn(self) -> Path:
        encoding = video_encoding(Encoder.X264, Quality.STANDARD, *SIZE)
        self._ffmpeg("-i", str(self.source), "-vf", "ass=captions.ass:fontsdir=fonts", *encoding, "-c:a", "copy",
                     "-movflags", "+faststart", "burned.mp4")  # fmt: skip
        return self.work / "burned.mp4"

    def wall(self, run: Callable[[], Path]) -> float:
        began = os.times().elapsed
        run()
        return os.times().elapsed - began

    def cores(self, run: Callable[[], Path]) -> float:
        """Core-seconds of this process and of the programs that it ran."""
        before = _used()
        run()
        return _used() - before

    def _export(self, mode: ExportMode, lines: list[CaptionLine]) -> Path:
        self.fence += 1
        track = ExportTrack(language="en-US", lines=[line_to_json(line) for line in lines])
        request = ExportRequest(file_id="bench", source_key=SOURCE, tracks=(track,), mode=mode)
        *_, last = attempt_stream(EXPORT, request, "bench", self.fence)
        if not isinstance(last, Result) or not isinstance(last.payload, ExportResult):
            raise RuntimeError(str(last))
        return self.storage.open_path(last.payload.export_key)

    def _ffmpeg(self, *arguments: str) -> None:
        # As nice as the product's own process, which people at work must not notice.
        command = ["nice", "-n", "5", find_ffmpeg(), "-nostdin", "-v", "error", "-y", *arguments]
        subprocess.run(command, cwd=self.work, check=True)


def _compare(report: Report, bench: _Bench) -> None:
    """In parts against one pass: frames, times, sound, and how alike the pictures are."""
    ours, bare = bench.burned(), bench.bare_burn()
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
