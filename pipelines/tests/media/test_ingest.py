"""The flow `upload` on real files: facts, sound on the viewers' clock, peaks, poster, and refusals."""

from __future__ import annotations

import json
import os
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.flows.ingest import SOURCE_GONE
from pipelines.flows.tasks import Failed, attempt_stream, storage_prefix
from pipelines.media import limits, probe
from pipelines.media.probe import DAMAGED, NO_STREAMS, TOO_LARGE, TOO_LONG
from pipelines.media.sniff import EMPTY, PLAYLIST, TEXT
from pipelines.media.sound.audio import UNDECODABLE
from pipelines.media.sound.pcm import PcmFile
from pipelines.media.sound.voice import FRAME
from pipelines.messages.attempt import Progress, StageFailed
from pipelines.messages.requests import INGEST, IngestRequest
from pipelines.testing.media.attempts import SOURCE_KEY, Attempted, failure_of, result_of, samples
from pipelines.testing.media.samples import FREQUENCY, H264, PICTURE, ffmpeg


def first_sound_ms(pcm: npt.NDArray[np.int16]) -> float:
    return float(np.argmax(np.abs(pcm) > 500)) / 16


def test_a_video_gives_its_facts_sound_peaks_and_poster(
    media: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    streamed = attempt("upload", media / "plain.mp4")
    result = result_of(streamed)
    assert (result["kind"], result["width"], result["height"], result["fps"]) == ("video", 320, 180, 25.0)
    assert (result["has_audio"], result["audio_channels"], result["plays_in_browser"]) == (True, 1, True)
    assert abs(result["duration_ms"] - 2000) <= 50
    pcm = samples(installation, result["audio_key"])
    assert abs(len(pcm) / 16 - result["duration_ms"]) <= 60
    # The tone has its original pitch.
    assert abs(np.argmax(np.abs(np.fft.rfft(pcm[8000:24000]))) - FREQUENCY) <= 1
    with av.open(str(installation.open_path(result["poster_key"]))) as poster:
        assert (poster.streams.video[0].width, poster.streams.video[0].height) == (320, 180)
    progress = [value for value in streamed if isinstance(value, Progress)]
    assert [value.percent for value in progress] == sorted(value.percent for value in progress)
    assert progress[-1].phase == "finishing"
    json.dumps(result)


@pytest.mark.long
def test_voices_and_the_peaks_of_each_50_ms_are_found_while_decoding(
    media: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    result = result_of(attempt("upload", media / "speech.mp4"))
    with PcmFile(installation.open_path(result["audio_key"])) as audio:
        kept = audio.voice()
        assert kept is not None
        assert len(kept) == -(-audio.samples // FRAME)
    assert max(kept) > 200
    pcm = samples(installation, result["audio_key"]).astype(np.int32)
    drawn = json.loads(installation.open_path(result["peaks_key"]).read_text())
    assert (drawn["version"], drawn["samples_per_second"]) == (2, 20)
    bins = [pcm[start : start + 800] for start in range(0, len(pcm), 800)]
    expected = [round(float(value) * 127 / 32768) for each in bins for value in (each.min(), each.max())]
    assert drawn["peaks"] == expected
    assert max(drawn["peaks"]) > 20


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "kind", "plays"),
    [
        ("speech.wav", "audio", True),
        ("tone.mp3", "audio", True),
        ("tone.m4a", "audio", True),
        ("tone.flac", "audio", True),
        ("tone.ogg", "audio", True),
        ("tone.wma", "audio", False),
        ("web.webm", "video", True),
        ("old.avi", "video", False),
        ("screen.mkv", "video", False),
        ("stream.ts", "video", False),
        ("odd.mkv", "video", False),
    ],
)
def test_kinds_and_what_browsers_play(
    media: Path, attempt: Attempted, installation: LocalStorage, name: str, kind: str, plays: bool
) -> None:
    result = result_of(attempt("upload", media / name))
    assert (result["kind"], result["plays_in_browser"]) == (kind, plays)
    assert (result["poster_key"] is not None) is (kind == "video")
    assert abs(len(samples(installation, result["audio_key"])) / 16 - result["duration_ms"]) <= 100


@pytest.mark.long
def test_sound_has_the_times_of_the_picture(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    # Browsers show this file's first frame at 2 s, so its sound starts there too.
    late = result_of(attempt("upload", media / "late.mp4"))
    assert abs(first_sound_ms(samples(installation, late["audio_key"])) - 2000) < 60
    assert abs(late["duration_ms"] - 4000) < 60
    late_sound = result_of(attempt("upload", media / "late_sound.mp4"))
    assert abs(first_sound_ms(samples(installation, late_sound["audio_key"])) - 1000) < 60
    # A transport stream starts anywhere; players begin at its first frame.
    stream = result_of(attempt("upload", media / "stream.ts"))
    assert first_sound_ms(samples(installation, stream["audio_key"])) < 120


@pytest.mark.long
def test_recordings_without_a_stated_length_are_measured(media: Path, attempt: Attempted, tmp_path: Path) -> None:
    ffmpeg("-i", str(media / "web.webm"), "-c", "copy", "-live", "1", "-f", "webm", "live.webm", cwd=tmp_path)
    assert abs(result_of(attempt("upload", tmp_path / "live.webm"))["duration_ms"] - 2000) < 60
    ffmpeg("-itsoffset", "3", "-i", str(media / "web.webm"), "-c", "copy", "late.webm", cwd=tmp_path)
    assert abs(result_of(attempt("upload", tmp_path / "late.webm"))["duration_ms"] - 5000) < 60


@pytest.mark.long
def test_a_turned_video_has_its_shown_size(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    result = result_of(attempt("upload", media / "rotated.mov"))
    assert (result["width"], result["height"]) == (180, 320)
    with av.open(str(installation.open_path(result["poster_key"]))) as poster:
        assert poster.streams.video[0].height == 320


@pytest.fixture(scope="module")
def one_keyframe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve seconds with one keyframe in ten."""
    folder = tmp_path_factory.mktemp("keyframe")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=12", "-f", "lavfi", "-i", "sine=d=12", *H264, "-g", "250",
           "-c:a", "aac", "long.mp4", cwd=folder)  # fmt: skip
    return folder / "long.mp4"


@pytest.mark.long
@pytest.mark.parametrize("into_s", ["3.72", "9.96"])
def test_a_trim_without_encoding_hides_the_frames_before_it(
    one_keyframe: Path, attempt: Attempted, installation: LocalStorage, tmp_path: Path, into_s: str
) -> None:
    # The file has the frames from the keyframe on, and an edit list that hides them.
    ffmpeg("-ss", into_s, "-i", str(one_keyframe), "-t", "1.6", "-c", "copy", "trim.mp4", cwd=tmp_path)
    result = result_of(attempt("upload", tmp_path / "trim.mp4"))
    assert (result["kind"], result["width"], result["height"], result["fps"]) == ("video", 160, 90, 25.0)
    assert abs(result["duration_ms"] - 1_600) <= 60
    assert abs(len(samples(installation, result["audio_key"])) / 16 - 1_600) <= 60
    srt = "1\n00:00:00,000 --> 00:00:01,000\nHello\n"
    exported = result_of(attempt("export", tmp_path / "trim.mp4", mode="burned", srt=srt))
    with av.open(str(installation.open_path(exported["export_key"]))) as made:
        shown = [frame.time for frame in made.decode(video=0)]
    # What can be seen, and none of what is hidden.
    assert 39 <= len(shown) <= 42
    assert (shown[0], shown[-1]) == pytest.approx((0, 1.6), abs=0.05)


@pytest.mark.long
def test_files_without_sound_or_with_silence(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    mute = result_of(attempt("upload", media / "no_audio.mp4"))
    assert (mute["has_audio"], mute["audio_key"], mute["peaks_key"], mute["audio_channels"]) == (False, None, None, 0)
    assert mute["poster_key"]
    silent = result_of(attempt("upload", media / "silent.mp4"))
    assert not samples(installation, silent["audio_key"]).any()


@pytest.mark.long
def test_a_file_that_ends_early_gives_what_is_there_and_says_so(
    media: Path, attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x64:r=5:d=20", "-f", "lavfi", "-i", "sine=440:d=20", "-c:v", "libx264",
           "-c:a", "aac", "-movflags", "+faststart", "long.mp4", cwd=tmp_path)  # fmt: skip
    whole = (tmp_path / "long.mp4").read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    result = result_of(attempt("upload", tmp_path / "cut.mp4"))
    assert 5_000 < len(samples(installation, result["audio_key"])) / 16 < 15_000
    (warning,) = result["facts"]["warnings"]
    assert warning.startswith("The file is cut off")


@pytest.mark.parametrize(("name", "sentence"), [("letter.mp4", TEXT), ("empty.mp4", EMPTY), ("plain_cut.mp4", DAMAGED)])
def test_what_is_no_media_is_refused_with_a_sentence(
    media: Path, attempt: Attempted, installation: LocalStorage, name: str, sentence: str
) -> None:
    assert failure_of(attempt("upload", media / name)) == Failed("probe", sentence, retryable=False)
    assert not installation.root.joinpath("jobs", "job", "1").exists()
    assert not list(get_cluster_settings().work_root.iterdir())


@pytest.mark.long
def test_a_playlist_is_never_followed(media: Path, attempt: Attempted, tmp_path: Path) -> None:
    secret = tmp_path / "secret.ts"
    secret.write_bytes((media / "stream.ts").read_bytes())
    os.utime(secret, (1, 1))
    body = f"#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{secret}\n#EXT-X-ENDLIST\n"
    playlist = tmp_path / "x.mp4"
    playlist.write_text(body)
    assert failure_of(attempt("upload", playlist)).reason == PLAYLIST
    # Even if the first bytes deceive the sniffer, neither reader opens it: the playlist's demuxer is not allowed.
    # libav in the child follows a playlist only by its true name, ffmpeg 5 by any.
    for name in ("y.mp4", "y.m3u8"):
        (tmp_path / name).write_text(body)
        assert_refused_by_readers(tmp_path / name)
    assert secret.stat().st_atime == 1


def assert_refused_by_readers(playlist: Path) -> None:
    from pipelines.media.sniff import Container
    from pipelines.media.sound.audio import DecodedAudio, Drawings, decode

    with pytest.raises(StageFailed) as refused:
        probe._child_facts(playlist)
    assert refused.value.reason == DAMAGED
    sound = probe.AudioFacts(index=0, codec="aac", channels=1, rate=44100, language=None)
    facts = probe.MediaFacts(Container.MP4, False, 2000, 0, 100, None, None, sound, None)
    wav, peaks = playlist.with_name("a.wav"), playlist.with_name("a.json")
    drawings = Drawings(peaks, playlist.with_name("a.bin"))
    with pytest.raises(StageFailed) as stopped:
        list(decode(playlist, facts, wav=wav, drawings=drawings, into=DecodedAudio()))
    assert stopped.value.reason == UNDECODABLE
    assert not peaks.exists()


@pytest.mark.long
def test_size_and_length_have_limits(
    media: Path, attempt: Attempted, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ffmpeg(
        "-f", "lavfi", "-i", f"color=s={limits.MAX_SIDE_PX + 2}x16:r=1:d=1", "-c:v", "ffv1", "wide.mkv", cwd=tmp_path
    )
    assert failure_of(attempt("upload", tmp_path / "wide.mkv")).reason == TOO_LARGE
    monkeypatch.setattr(probe, "MAX_DURATION_MS", 1_000)
    assert failure_of(attempt("upload", media / "plain.mp4")).reason == TOO_LONG


def test_a_file_with_subtitles_only_has_nothing_to_show(attempt: Attempted, tmp_path: Path) -> None:
    (tmp_path / "s.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nHi\n")
    ffmpeg("-i", "s.srt", "-c:s", "srt", "s.mkv", cwd=tmp_path)
    assert failure_of(attempt("upload", tmp_path / "s.mkv")).reason == NO_STREAMS


@pytest.mark.long
def test_the_cover_of_a_song_is_its_poster(
    media: Path, attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    ffmpeg(*PICTURE[:-1], "color=red:s=300x300:d=1", "-frames:v", "1", "cover.png", cwd=tmp_path)
    ffmpeg("-i", str(media / "tone.mp3"), "-i", "cover.png", "-map", "0", "-map", "1", "-c", "copy",
           "-disposition:v", "attached_pic", "song.mp3", cwd=tmp_path)  # fmt: skip
    result = result_of(attempt("upload", tmp_path / "song.mp3"))
    assert (result["kind"], result["width"], result["plays_in_browser"]) == ("audio", None, True)
    with av.open(str(installation.open_path(result["poster_key"]))) as poster:
        assert poster.streams.video[0].width == 300


def test_a_missing_source(installation: LocalStorage) -> None:
    request = IngestRequest(file_id="f", source_key=SOURCE_KEY)
    assert list(attempt_stream(INGEST, request, "job", 1)) == [Failed("storage", SOURCE_GONE, retryable=False)]


@pytest.mark.long
def test_a_second_attempt_has_objects_of_its_own(media: Path, attempt: Attempted, installation: LocalStorage) -> None:
    first = result_of(attempt("upload", media / "tone.mp3"))
    second = result_of(attempt("upload", media / "tone.mp3", fence=2))
    assert first["audio_key"].startswith(storage_prefix("job", 1) + "/")
    assert second["audio_key"].startswith(storage_prefix("job", 2) + "/")
    assert samples(installation, first["audio_key"]).tolist() == samples(installation, second["audio_key"]).tolist()
