"""What an export may be besides a burned-in MP4: shapes, clips, several tracks, sound alone, HDR, varying rates."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import av
import numpy as np
import pysubs2
import pytest
from pysubs2 import SSAStyle
from pysubs2.formats.substation import parse_tags

from cluster.storage.folder import LocalStorage
from pipelines.captions.json_form import line_to_json
from pipelines.media import colour
from pipelines.media.colour import NO_TONE_MAPPING
from pipelines.media.export.audio_file import NO_SOUND
from pipelines.media.export.soft_subtitles import NO_WEBM
from pipelines.media.probe import SOUNDS_MAX, probe
from pipelines.messages.export_form import Aspect, Clip, ExportForm, ExportMode, FileForm, Fit, PictureForm
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, WordStyle
from pipelines.messages.requests import ExportTrack
from pipelines.testing.media.attempts import Attempted, failure_of, result_of
from pipelines.testing.media.samples import H264, PICTURE, ffmpeg

LINE = CaptionLine("1", 500, 1500, "Hello")
HELLO = (ExportTrack(language="en-US", lines=[line_to_json(LINE)]),)


@pytest.fixture(scope="module")
def films(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    tones = [part for pitch in (440, 880) for part in ("-f", "lavfi", "-i", f"sine={pitch}:r=48000:d=2")]
    surround = ("-filter_complex", "[2:a]aformat=channel_layouts=mono,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0[six]")
    ffmpeg(*PICTURE, *tones, *surround, "-map", "0:v", "-map", "1:a", "-map", "[six]", *H264, "-c:a:0", "aac", "-c:a:1",
           "pcm_s16le", "-metadata:s:a:0", "language=isl", "-metadata:s:a:1", "language=eng", "two.mkv",
           cwd=folder)  # fmt: skip
    # The first second has 30 frames, the second one 10.
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x90:r=30:d=2", "-vf", "select='lt(t,1)+not(mod(n,3))'", "-fps_mode",
           "passthrough", *H264, "varying.mp4", cwd=folder)  # fmt: skip
    ffmpeg("-f", "lavfi", "-i", "color=white:s=160x90:r=10:d=1", "-pix_fmt", "yuv420p10le", "-c:v", "libx264",
           "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc", "hdr.mp4",
           cwd=folder)  # fmt: skip
    return folder


def made(
    attempt: Attempted,
    installation: LocalStorage,
    path: Path,
    form: ExportForm,
    mode: ExportMode = ExportMode.BURNED,
    tracks: tuple[ExportTrack, ...] = HELLO,
) -> Path:
    result: dict[str, Any] = result_of(attempt("export", path, mode=mode, tracks=tracks, form=form))
    return installation.open_path(result["export_key"])


@pytest.mark.parametrize(
    ("aspect", "fit", "size"),
    [
        (Aspect.TALL, Fit.CROP, (100, 180)),
        (Aspect.SQUARE, Fit.PAD, (180, 180)),
        (Aspect.TALL, Fit.BLUR, (180, 320)),
    ],
)
def test_a_picture_takes_another_shape(
    media: Path, attempt: Attempted, installation: LocalStorage, aspect: Aspect, fit: Fit, size: tuple[int, int]
) -> None:
    path = made(attempt, installation, media / "plain.mp4", ExportForm(picture=PictureForm(aspect, fit)))
    with av.open(str(path)) as video:
        frame = next(video.decode(video=0)).to_ndarray(format="gray")
    assert frame.shape == (size[1], size[0])
    edge = frame[: size[1] // 8]
    # Bars are black, a blurred picture is not, and a crop has detail up to the edge.
    if fit is Fit.PAD:
        assert edge.max() < 30
    else:
        assert edge.mean() > 30


@pytest.mark.long
def test_a_clip_has_its_length_and_its_captions(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    form = ExportForm(clip=Clip(500, 1300))
    burned = made(attempt, installation, media / "plain.mp4", form)
    with av.open(str(burned)) as video:
        assert sum(1 for _ in video.decode(video=0)) == 20
    soft = made(attempt, installation, media / "plain.mp4", form, ExportMode.SOFT)
    with av.open(str(soft)) as video:
        (cue,) = [packet for packet in video.demux(video.streams.subtitles[0]) if packet.size > 2]
        assert float((cue.pts or 0) * cue.time_base) == pytest.approx(0.0, abs=0.05)
    assert abs(probe(soft).duration_ms - 800) < 150


@pytest.mark.long
@pytest.mark.parametrize(("form", "codec"), [(FileForm.MP4, "mov_text"), (FileForm.MKV, "subrip")])
def test_several_tracks_have_languages_titles_and_one_default(
    films: Path, attempt: Attempted, installation: LocalStorage, form: FileForm, codec: str
) -> None:
    tracks = tuple(ExportTrack(language=code, lines=[line_to_json(LINE)]) for code in ("is-IS", "pt-BR", "pt-PT"))
    path = made(attempt, installation, films / "two.mkv", ExportForm(form), ExportMode.SOFT, tracks)
    with av.open(str(path)) as opened:
        found = opened.streams.subtitles
        assert [track.codec_context.codec.canonical_name for track in found] == [codec] * 3
        assert [track.language for track in found] == ["isl", "por", "por"]
        titles = [track.metadata.get("title") or track.metadata.get("handler_name") for track in found]
        assert titles == ["Icelandic", "Portuguese (Brazil)", "Portuguese (Portugal)"]
        default = [bool(track.disposition & type(track.disposition).default) for track in found]
        assert default == [True, False, False]


_WORDS = {"Read": (), "The": ("italic",), "Sagas": ("italic",), "<i>now</i>": (), "loud": ("bold", "underline")}
STYLED = CaptionLine(
    "1",
    500,
    1500,
    "Read The\nSagas <i>now</i> loud",
    tuple(
        CaptionWord(500 + 200 * number, 700 + 200 * number, text, styles=frozenset(map(WordStyle, styles)))
        for number, (text, styles) in enumerate(_WORDS.items())
    ),
    place=LinePlace(8),
)


@pytest.mark.long
@pytest.mark.parametrize("clip", [None, Clip(1000, 1800)])
@pytest.mark.parametrize("form", [FileForm.MP4, FileForm.MKV, FileForm.WEBM])
def test_a_track_keeps_italics_and_place(
    media: Path, attempt: Attempted, installation: LocalStorage, form: FileForm, clip: Clip | None
) -> None:
    original = media / ("web.webm" if form is FileForm.WEBM else "plain.mp4")
    tracks = (ExportTrack(language="is-IS", lines=[line_to_json(STYLED)]),)
    path = made(attempt, installation, original, ExportForm(form, clip=clip), ExportMode.SOFT, tracks)
    script = subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-map", "0:s", "-f", "ass", "-"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    (event,) = pysubs2.SSAFile.from_string(script, format_="ass")
    shown = parse_tags(event.text.replace("\u2060", ""), SSAStyle())
    assert "".join(text for text, style in shown if style.italic).split("\\N") == ["The", "Sagas"]
    assert [text for text, style in shown if style.bold and style.underline] == ["loud"]
    assert "<i>now</i>" in "".join(text for text, _ in shown)
    # The other kinds of track have no place for single captions that ffmpeg writes.
    assert ("\\an8" in event.text) is (form is FileForm.MKV)
    assert event.duration == (1000 if clip is None else 500)


@pytest.mark.long
@pytest.mark.parametrize("mode", [ExportMode.BURNED, ExportMode.SOFT])
def test_sound_tracks_keep_language_and_channels(
    films: Path, attempt: Attempted, installation: LocalStorage, mode: ExportMode
) -> None:
    path = made(attempt, installation, films / "two.mkv", ExportForm(), mode)
    with av.open(str(path)) as opened:
        found = [(track.language, track.codec_context.channels) for track in opened.streams.audio]
    assert found == [("isl", 1), ("eng", 6)]
    second = made(attempt, installation, films / "two.mkv", ExportForm(sounds=(2,)), mode)
    with av.open(str(second)) as opened:
        assert [track.language for track in opened.streams.audio] == ["eng"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("form", "codec"),
    [(FileForm.M4A, "aac"), (FileForm.MP3, "mp3"), (FileForm.WAV, "pcm_s16le"), (FileForm.FLAC, "flac")],
)
def test_sound_alone(media: Path, attempt: Attempted, installation: LocalStorage, form: FileForm, codec: str) -> None:
    path = made(attempt, installation, media / "tone.ogg", ExportForm(form), ExportMode.AUDIO, ())
    with av.open(str(path)) as opened:
        assert not opened.streams.video
        (track,) = opened.streams.audio
        assert track.codec_context.codec.canonical_name == codec
        samples = np.concatenate([frame.to_ndarray().ravel()[:100] for frame in opened.decode(track)])
    assert abs(samples).max() > 0
    failed = failure_of(attempt("export", media / "no_audio.mp4", mode="audio", form=ExportForm(form)))
    assert (failed.reason, failed.retryable) == (NO_SOUND, False)


def test_frames_keep_their_times_where_the_rate_varies(
    films: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    def times(path: Path) -> list[float]:
        with av.open(str(path)) as video:
            return [round(frame.time or 0, 3) for frame in video.decode(video=0)]

    before = times(films / "varying.mp4")
    assert len(before) == 40
    assert times(made(attempt, installation, films / "varying.mp4", ExportForm())) == before


@pytest.mark.long
def test_hdr_becomes_what_every_screen_shows(
    films: Path, attempt: Attempted, installation: LocalStorage, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = made(attempt, installation, films / "hdr.mp4", ExportForm())
    with av.open(str(path)) as video:
        context = video.streams.video[0].codec_context
        assert (context.pix_fmt, context.color_trc, context.color_primaries) == ("yuv420p", 1, 1)
    monkeypatch.setattr(colour, "can_map_tones", lambda: False)
    failed = failure_of(attempt("export", films / "hdr.mp4", mode="burned", tracks=HELLO))
    assert (failed.reason, failed.retryable) == (NO_TONE_MAPPING, False)


@pytest.mark.long
def test_webm_takes_only_what_fits(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    path = made(attempt, installation, media / "web.webm", ExportForm(FileForm.WEBM), ExportMode.SOFT)
    with av.open(str(path)) as opened:
        assert opened.streams.subtitles[0].codec_context.name == "webvtt"
    failed = failure_of(
        attempt("export", media / "plain.mp4", mode="soft", tracks=HELLO, form=ExportForm(FileForm.WEBM))
    )
    assert failed.reason == NO_WEBM


@pytest.mark.long
def test_of_hundreds_of_sound_tracks_some_stay(tmp_path: Path, attempt: Attempted, installation: LocalStorage) -> None:
    ffmpeg("-f", "lavfi", "-i", "sine=440:r=8000:d=0.2", *["-map", "0:a"] * 40, "-c:a", "pcm_s16le", "many.mkv",
           cwd=tmp_path)  # fmt: skip
    path = made(attempt, installation, tmp_path / "many.mkv", ExportForm(), ExportMode.SOFT)
    with av.open(str(path)) as opened:
        assert len(opened.streams.audio) == SOUNDS_MAX
