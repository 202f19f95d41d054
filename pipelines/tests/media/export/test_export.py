"""The flow `export`: captions in the picture, captions as a track, and text that looks like commands."""

from __future__ import annotations

from pathlib import Path

import av
import numpy as np
import pytest

from cluster.storage.folder import LocalStorage
from pipelines.captions.picture.ass_document import write_ass
from pipelines.captions.picture.ass_text import escape_for_libass, escape_for_track
from pipelines.flows.export.flow import NO_CAPTIONS
from pipelines.media.probe import probe
from pipelines.messages.attempt import Progress
from pipelines.messages.caption_style import DEFAULT_STYLE
from pipelines.testing.media.attempts import Attempted, failure_of, result_of
from pipelines.testing.media.pictures import BLACK, burned, frame_at
from pipelines.testing.media.samples import ffmpeg

SRT = "1\n00:00:00,500 --> 00:00:01,500\nÞetta er próf\nmeð tveimur línum\n"


@pytest.fixture(scope="module")
def black(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("black")
    ffmpeg(*BLACK, "black.mp4", cwd=folder)
    return folder / "black.mp4"


def test_captions_are_drawn_at_the_bottom_during_their_time(
    black: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    made = burned(attempt, installation, black, "Þetta er próf\nmeð tveimur línum")
    shown = frame_at(made, 1.0)
    assert shown.shape == (360, 640)
    assert (shown[250:] > 200).sum() > 300
    assert not (shown[:250] > 60).any()
    assert not (frame_at(made, 0.2) > 60).any()
    assert not (frame_at(made, 1.7) > 60).any()


@pytest.mark.long
def test_a_caption_that_starts_with_a_frame_is_on_that_frame(
    attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    ffmpeg("-f", "lavfi", "-i", "color=black:s=640x360:r=30000/1001:d=8", "-c:v", "libx264", "-preset", "ultrafast",
           "ntsc.mp4", cwd=tmp_path)  # fmt: skip
    # Starts of frames, rounded down as the editor does.
    first, after = (int(number * 1001 / 30) for number in (196, 205))
    srt = f"1\n00:00:0{first // 1000},{first % 1000:03} --> 00:00:0{after // 1000},{after % 1000:03}\nHello\n"
    result = result_of(attempt("export", tmp_path / "ntsc.mp4", mode="burned", srt=srt))
    with av.open(str(installation.open_path(result["export_key"]))) as video:
        frames = [frame.to_ndarray(format="gray") for frame in video.decode(video=0)]
    assert [number for number, frame in enumerate(frames) if (frame > 200).any()] == list(range(196, 205))


COMMANDS = (
    r"{\fs200}AAAA",
    r"{\p1}m 0 0 l 600 0 600 300 0 300{\p0}",
    r"{\pos(320,20)}AAAA",
    r"{\an8}AAAA",
    "a',drawtext=textfile=secret.txt,ass='b",
    "Dialogue: 0,0:00:00.00,0:00:02.00,Captions,,0,0,0,,AAAA",
)


@pytest.mark.long
def test_commands_in_captions_are_shown_and_not_obeyed(
    attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    """One a second."""
    ffmpeg("-f", "lavfi", "-i", f"color=black:s=640x360:r=2:d={len(COMMANDS)}", "-c:v", "libx264", "-pix_fmt",
           "yuv420p", "black.mp4", cwd=tmp_path)  # fmt: skip
    srt = "".join(f"{at}\n00:00:0{at},000 --> 00:00:0{at},900\n{command}\n\n" for at, command in enumerate(COMMANDS))
    result = result_of(attempt("export", tmp_path / "black.mp4", mode="burned", srt=srt))
    for at, command in enumerate(COMMANDS):
        shown = frame_at(installation.open_path(result["export_key"]), at + 0.4)
        rows = np.flatnonzero((shown > 150).any(axis=1))
        assert len(rows) > 0, command
        # One or two rows of letters of the usual size at the bottom: nothing large, nothing elsewhere.
        assert rows.min() > 260, command
        columns = np.flatnonzero((shown > 150).any(axis=0))
        assert columns.max() - columns.min() > 60, command


@pytest.mark.long
def test_a_backslash_and_braces_are_drawn_as_letters(
    black: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    def width(text: str) -> int:
        columns = np.flatnonzero((frame_at(burned(attempt, installation, black, text), 1.0) > 150).any(axis=0))
        return int(columns.max() - columns.min())

    plain = width("MMM MMM")
    assert width(r"MMM\NMMM") > plain
    assert width("MMM{b}MMM") > plain
    # All on one row: the escape is not read as a new line either.
    rows = np.flatnonzero((frame_at(burned(attempt, installation, black, r"MMM\NMMM"), 1.0) > 150).any(axis=1))
    assert rows.max() - rows.min() < 30


def test_escapes() -> None:
    assert escape_for_libass("a{b}\\N\nc\r\nd\x00") == "a\\{b\\}\\\u2060N\\Nc\\Nd "
    assert escape_for_track("a{b}{\\i1}\\n C:\\x\nd") == "a{b}{\u2060\\i1}\\\u2060n C:\\x\\Nd"


def test_letters_fit_narrow_screens() -> None:
    def size(width: int, height: int) -> int:
        script = write_ass([], DEFAULT_STYLE, width, height)
        return int(next(row for row in script.splitlines() if row.startswith("Style:")).split(",")[2])

    assert (size(1920, 1080), size(3840, 2160)) == (56, 112)
    # Shorter rows instead of small letters.
    assert size(1080, 1920) == 56


@pytest.mark.long
@pytest.mark.parametrize("name", ["old.avi", "odd.mkv", "rotated.mov", "no_audio.mp4"])
def test_odd_files_can_be_burned(media: Path, attempt: Attempted, installation: LocalStorage, name: str) -> None:
    streamed = attempt("export", media / name, mode="burned", srt=SRT)
    path = installation.open_path(result_of(streamed)["export_key"])
    shown = frame_at(path, 0.9)
    assert shown.shape == ((320, 180) if name == "rotated.mov" else (180, 320))
    with av.open(str(path)) as made:
        assert bool(made.streams.audio) is (name != "no_audio.mp4")
    assert isinstance(streamed[0], Progress)


@pytest.mark.long
def test_captions_of_sound_alone_are_drawn_on_a_dark_picture(
    media: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    result = result_of(attempt("export", media / "tone.mp3", mode="burned", srt=SRT))
    path = installation.open_path(result["export_key"])
    shown = frame_at(path, 1.0)
    assert shown.shape == (720, 1280)
    assert np.median(shown) < 40
    assert (shown[300:420] > 200).sum() > 500
    with av.open(str(path)) as made:
        assert len(made.streams.audio) == 1
    assert abs(probe(path).duration_ms - 2000) < 200


@pytest.mark.long
@pytest.mark.parametrize("name", ["plain.mp4", "late.mp4", "tone.mp3", "web.webm"])
def test_a_track_has_its_language_times_and_text(
    media: Path, attempt: Attempted, installation: LocalStorage, name: str
) -> None:
    srt = "1\n00:00:00,500 --> 00:00:01,500\nÞetta {\\b1}er <i>próf</i> {x}\nC:\\new\n"
    result = result_of(attempt("export", media / name, mode="soft", srt=srt, language="is-IS"))
    with av.open(str(installation.open_path(result["export_key"]))) as made:
        (track,) = made.streams.subtitles
        assert (track.codec_context.name, track.language) == ("mov_text", "isl")
        cues = [packet for packet in made.demux(track) if packet.size > 2]
        (cue,) = cues
        assert [round(float(value * cue.time_base), 2) for value in (cue.pts or 0, cue.duration or 0)] == [0.5, 1.0]
        length = int.from_bytes(bytes(cue)[:2], "big")
        text = bytes(cue)[2 : 2 + length].decode()
        assert text.replace("\u2060", "") == "Þetta {\\b1}er <i>próf</i> {x}\nC:\\new"


@pytest.mark.long
def test_a_track_leaves_the_picture_as_it_is(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("export", media / "rotated.mov", mode="soft", srt=SRT))
    with (
        av.open(str(media / "rotated.mov")) as before,
        av.open(str(installation.open_path(result["export_key"]))) as after,
    ):
        wanted = [bytes(packet) for packet in before.demux(video=0) if packet.size]
        assert [bytes(packet) for packet in after.demux(video=0) if packet.size] == wanted
    turned = probe(installation.open_path(result["export_key"])).video
    assert turned is not None
    assert (turned.width, turned.height) == (180, 320)


def test_what_cannot_be_exported(media: Path, attempt: Attempted) -> None:
    assert failure_of(attempt("export", media / "plain.mp4", mode="soft", srt="")).reason == NO_CAPTIONS
    failed = failure_of(attempt("export", media / "plain.mp4", mode="soft", srt="A letter without times."))
    assert "No caption times" in failed.reason
    assert not failed.retryable
