"""`sagascript export`: several films one after another in one data folder, and what stays there."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import pytest

from api.edges.cli.local import storage as local_storage
from api.edges.cli.local.export_run import export_file
from api.platform.settings import get_settings
from cluster.settings import get_cluster_settings
from cluster.testing.patience import PATIENCE_S
from pipelines.flows.export import flow as export
from pipelines.flows.export import parts as export_parts
from pipelines.media.export.frame_index import divide
from pipelines.messages.attempt import StageFailed
from pipelines.messages.export_form import ExportForm, ExportMode, FileForm
from pipelines.testing.media.samples import ffmpeg

SECONDS = 4
SRT = f"1\n00:00:0{SECONDS - 1},200 --> 00:00:0{SECONDS - 1},800\n{{}}\n"
TONES = {"red": 440, "blue": 880, "lime": 660}

Export = Callable[..., Path]


def film(target: Path, colour: str, *options: str, rate: str = "25") -> Path:
    """Red, blue and lime films of one shape; options of ffmpeg make them odd."""
    coding = options or ("-c:v", "libx264", "-preset", "ultrafast", "-g", "25", "-pix_fmt", "yuv420p", "-c:a", "aac")
    picture = f"color={colour}:s=160x120:r={rate}:d={SECONDS}"
    sound = f"sine={TONES[colour]}:d={SECONDS}"
    ffmpeg("-f", "lavfi", "-i", picture, "-f", "lavfi", "-i", sound, *coding, str(target), cwd=target.parent)
    return target


@pytest.fixture
def exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Export:
    """Export as the command does, in parts of a second: `exported(film, "Text", data="clean")`."""
    monkeypatch.setattr(export, "divide", lambda path, facts: divide(path, facts, part_ms=1_000))

    def run(source: Path, text: str = "Hello", data: str = "data", mode: ExportMode = ExportMode.BURNED) -> Path:
        monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path / data))
        get_settings.cache_clear()
        get_cluster_settings.cache_clear()
        captions = tmp_path / "captions.srt"
        captions.write_text(SRT.format(text))
        form = ExportForm(FileForm.MP4)
        with export_file(get_settings(), source, [captions], mode, form) as made:
            return shutil.copyfile(made, tmp_path / f"out-{time.monotonic_ns()}.mp4")

    return run


def shown(path: Path) -> dict[str, Any]:
    """What a film shows: times and pictures of its frames, and its sound."""
    with av.open(str(path)) as opened:
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in opened.decode(video=0)]
    with av.open(str(path)) as opened:
        sound = b"".join(bytes(packet) for packet in opened.demux(audio=0)) if opened.streams.audio else b""
    # The corner, where no caption stands.
    colours = [tuple(int(value) for value in picture[4, 4]) for _, picture in frames]
    return {
        "times": [round(at, 3) for at, _ in frames],
        "colours": [max(range(3), key=colour.__getitem__) for colour in colours],
        "pictures": hashlib.sha256(b"".join(picture.tobytes() for _, picture in frames)).hexdigest(),
        "sound": hashlib.sha256(sound).hexdigest(),
    }


def left(folder: Path) -> set[str]:
    """The kinds of files in a data folder that are no parts."""
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    return {name for name in names if not name.startswith("local/objects/exports/path-")}


def test_films_of_one_shape_keep_their_own_picture_and_sound(tmp_path: Path, exported: Export) -> None:
    """Also at one path, where each replaces the one before; the last has another rate."""
    path = tmp_path / "film.mp4"
    made = [("red", "25"), ("blue", "25"), ("blue", "30")]
    for colour, rate in made:
        original = shown(film(path, colour, rate=rate))
        result = shown(exported(path))
        assert {name: result[name] for name in ("times", "colours", "sound")} == {
            name: original[name] for name in ("times", "colours", "sound")
        }, (colour, rate)
    assert left(tmp_path / "data") == set()


_X264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
_AAC = ("-c:a", "aac")
ODD: list[tuple[str, str, str, tuple[str, ...]]] = [
    ("mp4", "red", "25", ()),
    ("mp4", "blue", "25", ()),
    ("mp4", "blue", "30", ()),
    ("mp4", "lime", "24000/1001", ()),
    ("mp4", "red", "60", ()),
    ("mp4", "blue", "25", (*_X264, "-g", "50", *_AAC)),
    ("mp4", "blue", "25", (*_X264, "-g", "12", "-bf", "3", *_AAC)),
    ("mp4", "red", "25", (*_X264, "-g", "25", "-an")),
    ("mp4", "red", "25", (*_X264, "-g", "25", "-c:a", "ac3")),
    ("mp4", "red", "25", (*_X264, "-g", "25", *_AAC, "-ac", "2")),
    ("mp4", "red", "25", (*_X264, "-g", "25", *_AAC, "-ar", "22050")),
    ("mp4", "lime", "25", (*_X264, "-g", "25", *_AAC, "-video_track_timescale", "600")),
    ("mp4", "lime", "25", (*_X264, "-g", "25", *_AAC, "-output_ts_offset", "1")),
    ("mp4", "lime", "25", (*_X264, "-g", "25", *_AAC, "-movflags", "+faststart")),
    ("mp4", "red", "25", ("-c:v", "mpeg4", "-g", "25", *_AAC)),
    ("mkv", "red", "25", (*_X264, "-g", "25", "-c:a", "flac")),
    ("mkv", "blue", "25", (*_X264, "-g", "25", "-c:a", "flac")),
    ("mkv", "blue", "30", (*_X264, "-g", "25", "-c:a", "flac")),
    ("mkv", "lime", "25", (*_X264, "-g", "25", "-c:a", "pcm_s16le")),
    ("mkv", "lime", "24000/1001", (*_X264, "-g", "25", "-c:a", "libopus")),
    ("mkv", "red", "25", ("-vf", "select='lt(t,2)+not(mod(n,3))'", "-fps_mode", "passthrough", *_X264, "-an")),
    ("mkv", "blue", "25", ("-vf", "scale=120:160", *_X264, "-g", "25", *_AAC)),
    ("mov", "red", "25", (*_X264, "-g", "25", "-c:a", "pcm_s16le")),
    ("webm", "blue", "25", ("-c:v", "libvpx", "-g", "25", "-deadline", "realtime", "-c:a", "libvorbis")),
]  # fmt: skip


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_odd_films_one_after_another_are_those_of_a_clean_run(tmp_path: Path, exported: Export) -> None:
    for number, (suffix, colour, rate, options) in enumerate(ODD):
        path = film(tmp_path / f"film.{suffix}", colour, *options, rate=rate)
        assert shown(exported(path)) == shown(exported(path, data=f"clean-{number}")), (suffix, colour, rate, options)


@pytest.mark.long
def test_an_edit_costs_one_part_and_another_text_shows(tmp_path: Path, exported: Export) -> None:
    path = film(tmp_path / "film.mp4", "red")
    first = shown(exported(path))
    before = _parts(tmp_path)
    second = shown(exported(path, "Goodbye"))
    after = _parts(tmp_path)
    assert {name: after[name] for name in before} == before
    assert len(after) == len(before) + 1
    assert second["pictures"] != first["pictures"]


def _parts(tmp_path: Path) -> dict[str, int]:
    folder = tmp_path / "data" / "local" / "objects"
    return {path.name: path.stat().st_mtime_ns for path in folder.rglob("*.mp4")}


@pytest.mark.long
def test_what_earlier_versions_kept_is_never_used_and_goes(tmp_path: Path, exported: Export) -> None:
    """They named parts of every film alike."""
    data = tmp_path / "data"
    of_others = [data / "objects" / name for name in ("uploads/1/original", "exports/5b/parts/a.mp4")]
    wrong = [data / "objects" / name for name in ("local/original", "exports/local/parts/a.mp4", "jobs/export/1/x.mp4")]
    for file in (*of_others, *wrong):
        file.parent.mkdir(parents=True)
        file.write_bytes(b"red")
    original = film(tmp_path / "film.mp4", "blue")
    assert shown(exported(original))["colours"] == shown(original)["colours"]
    assert [file.exists() for file in (*of_others, *wrong)] == [True, True, False, False, False]


@pytest.mark.long
def test_parts_of_the_last_films_stay_and_a_run_in_progress_keeps_its_own(
    tmp_path: Path, exported: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    objects = tmp_path / "data" / "local" / "objects"
    for number in range(3):
        (objects / "exports" / f"path-{number}" / "parts").mkdir(parents=True)
        os.utime(objects / "exports" / f"path-{number}" / "parts", (number, number))
        os.utime(objects / "exports" / f"path-{number}", (number, number))
    for name in ("killed", "running"):
        (objects / "runs" / name).mkdir(parents=True)
        (objects / "jobs" / name).mkdir(parents=True)
    monkeypatch.setattr(local_storage, "PARTS_DAYS", 100_000)
    monkeypatch.setattr(local_storage, "FILMS_MAX", 2)
    busy = [os.open(objects / name, os.O_RDONLY) for name in ("runs/running", "exports/path-0")]
    for descriptor in busy:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    exported(film(tmp_path / "film.mp4", "red"))
    for descriptor in busy:
        os.close(descriptor)
    assert sorted(path.name for path in (objects / "runs").iterdir()) == ["running"]
    assert sorted(path.name for path in (objects / "jobs").iterdir()) == ["running"]
    films = {path.name for path in (objects / "exports").iterdir()}
    assert {"path-0", "path-2"} < films
    assert len(films) == 3, "and that of this run"


@pytest.mark.long
def test_a_film_that_is_written_while_it_is_read_is_refused(
    tmp_path: Path, exported: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = film(tmp_path / "film.mp4", "red")
    encode = export_parts.burn_parts

    def with_a_writer(*arguments: Any) -> Any:
        with path.open("ab") as opened:
            opened.write(b"more")
        yield from encode(*arguments)

    monkeypatch.setattr(export, "burn_parts", with_a_writer)
    with pytest.raises(StageFailed, match="changed while it was read"):
        exported(path)
    assert not _parts(tmp_path)


@pytest.mark.long
def test_two_films_at_once_in_one_data_folder(tmp_path: Path) -> None:
    """Whole commands: the second begins when the first has its original in place."""
    colours = ("red", "blue")
    env = {**os.environ, "SAGASCRIPT_DATA_DIR": str(tmp_path / "data"), "PYTHONPATH": os.getcwd()}
    (tmp_path / "c.srt").write_text(SRT.format("Hello"))
    running = []
    for colour in colours:
        film(tmp_path / f"{colour}.mp4", colour)
        command = ["export", f"{colour}.mp4", "-c", "c.srt", "-o", f"{colour}.out.mp4"]
        running.append(subprocess.Popen([sys.executable, "-m", "api.main", *command], env=env, cwd=tmp_path, stderr=-1))
    told = [process.communicate(timeout=2 * PATIENCE_S)[1] for process in running]
    assert [process.returncode for process in running] == [0, 0], told
    for colour in colours:
        original, result = shown(tmp_path / f"{colour}.mp4"), shown(tmp_path / f"{colour}.out.mp4")
        assert [original[name] == result[name] for name in ("times", "colours", "sound")] == [True] * 3, colour
    assert left(tmp_path / "data") == set()
