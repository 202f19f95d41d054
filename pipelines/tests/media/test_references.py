"""A stranger's file may name other files and addresses: nothing opens them, and the sentence says what the file is."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from cluster.storage.folder import LocalStorage
from cluster.testing.patience import PATIENCE_S
from pipelines.media import probe, probe_child
from pipelines.media.export.audio_file import write_sound
from pipelines.media.export.burn_in import burn_in
from pipelines.media.export.soft_subtitles import SubtitleTrack, add_tracks
from pipelines.media.ffmpeg import FORMAT_WHITELIST, find_ffmpeg
from pipelines.media.limits import MAX_PIXELS, PROBE_SIZE_BYTES
from pipelines.media.playback import Rendition, make_playback
from pipelines.media.poster import make_poster
from pipelines.media.probe import AudioFacts, MediaFacts, VideoFacts
from pipelines.media.sniff import DOCUMENT, PICTURE, PLAYLIST, TEXT, UNKNOWN, Container
from pipelines.media.sound.audio import DecodedAudio, decode
from pipelines.messages.attempt import StageFailed
from pipelines.messages.export_form import ExportForm, FileForm
from pipelines.messages.lines import CaptionLine
from pipelines.testing.media.attempts import Attempted, failure_of, nothing_is_left
from pipelines.testing.media.references import list_in_avi, reference_movie, referring_movie, texts
from pipelines.testing.media.samples import ffmpeg
from pipelines.testing.media.watching import ListeningServer, WatchedFile

SRT = "1\n00:00:00,000 --> 00:00:00,900\nHello\n"
PRODUCT = Path(__file__).parents[3]
NAMES = tuple(texts(Path("/x/y.ts"), 1))


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another customer's film."""
    folder = tmp_path_factory.mktemp("other")
    ffmpeg("-f", "lavfi", "-i", "testsrc2=s=64x36:r=25:d=2", "-f", "lavfi", "-i", "sine=440:d=2", "-c:v", "mpeg2video",
           "-c:a", "mp2", "secret.ts", cwd=folder)  # fmt: skip
    return folder / "secret.ts"


@pytest.fixture
def watched(secret: Path) -> Iterator[WatchedFile]:
    with WatchedFile(secret) as trap:
        yield trap


@pytest.fixture
def server() -> Iterator[ListeningServer]:
    with ListeningServer() as trap:
        yield trap


def readers(path: Path, work: Path) -> None:
    """Each flow's handling of a file, without the check of its first bytes."""
    video = VideoFacts(0, "h264", "", "yuv420p", 64, 36, 25.0, 0, False)
    sound = AudioFacts(1, "aac", 1, 44100, None)
    facts = MediaFacts(Container.MP4, False, 2000, 0, 100, None, video, sound, None)
    lines = [CaptionLine("1", 0, 900, "Hello")]
    steps = (
        decode(path, facts, wav=work / "a.wav", into=DecodedAudio()),
        make_playback(path, facts, work / "a.mp4", Rendition(64, 36, "video/mp4")),
        burn_in(path, facts, lines, work / "b.mp4", ExportForm()),
        add_tracks(path, facts, [SubtitleTrack("is-IS", lines)], work / "c.mp4", ExportForm()),
        write_sound(path, facts, work / "d.m4a", ExportForm(FileForm.M4A)),
    )
    with pytest.raises(StageFailed):
        probe._child_facts(path)
    for step in steps:
        with pytest.raises(StageFailed):
            list(step)
    assert not make_poster(path, facts, work / "a.jpg")


def test_the_traps_work(watched: WatchedFile, server: ListeningServer, tmp_path: Path) -> None:
    """The bare program follows each of these; a trap that nothing triggers would prove nothing."""
    for name in ("absolute.m3u8", "named.mp4", "list.concat"):
        (tmp_path / name).write_bytes(texts(watched.path, server.port)[name])
    (tmp_path / "web.m3u8").write_bytes(texts(watched.path, server.port)["web.m3u8"])
    referring_movie(tmp_path / "film.mov", watched.path)
    free = ["-protocol_whitelist", "file,http,tcp,crypto,data,subfile"]
    follow = {
        "absolute.m3u8": ["-f", "hls", "-allowed_extensions", "ALL"],
        "named.mp4": ["-f", "hls", "-allowed_extensions", "ALL"],
        "list.concat": ["-safe", "0", "-f", "concat"],
        "film.mov": ["-enable_drefs", "1", "-use_absolute_path", "1"],
    }
    for name, options in follow.items():
        command = [find_ffmpeg(), "-nostdin", *free, *options, "-i", name, "-f", "null", "-"]
        subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=PATIENCE_S)
        assert watched.was_opened(), name
    command = [find_ffmpeg(), "-nostdin", *free, "-f", "hls", "-i", "web.m3u8", "-f", "null", "-"]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.DEVNULL) as caller:
        while caller.poll() is None and not (called := server.was_called()):
            pass
        caller.kill()
    assert called


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_file_that_names_others_is_refused_in_every_flow(
    watched: WatchedFile,
    server: ListeningServer,
    attempt: Attempted,
    installation: LocalStorage,
    tmp_path: Path,
    name: str,
) -> None:
    path = tmp_path / name
    path.write_bytes(texts(watched.path, server.port)[name])
    for flow, request in (("upload", {}), ("encoding", {}), ("export", {"mode": "burned", "srt": SRT})):
        failed = failure_of(attempt(flow, path, **request))
        assert not failed.retryable
        assert failed.reason in {PLAYLIST, TEXT, UNKNOWN, PICTURE, DOCUMENT, probe.DAMAGED}
        if name.endswith(".m3u8") and name not in {"grid.m3u8", "junk.m3u8", "zeros.m3u8"}:
            assert failed.reason == PLAYLIST
        nothing_is_left(installation)
    assert not watched.was_opened()
    assert not server.was_called()


@pytest.mark.long
@pytest.mark.parametrize("name", ["absolute.m3u8", "named.mp4", "web.m3u8", "list.ffconcat", "call.sdp"])
def test_should_its_first_bytes_deceive_us_no_reader_follows_it(
    watched: WatchedFile, server: ListeningServer, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(texts(watched.path, server.port)[name])
    readers(path, tmp_path)
    assert not watched.was_opened()
    assert not server.was_called()


@pytest.mark.parametrize("name", NAMES)
def test_the_probe_follows_nothing(watched: WatchedFile, server: ListeningServer, tmp_path: Path, name: str) -> None:
    """The probe's library is a different ffmpeg than the program and trusts file names more.

    What the child does, in this process: 34 of them would take 0.15 s of processor time each.
    """
    path = tmp_path / name
    path.write_bytes(texts(watched.path, server.port)[name])
    path_arguments = (str(path), FORMAT_WHITELIST, str(PROBE_SIZE_BYTES), str(MAX_PIXELS))
    assert probe_child.main(*path_arguments) == probe_child.UNREADABLE
    assert not watched.was_opened()
    assert not server.was_called()


@pytest.mark.long
def test_films_that_lie_in_other_files(
    watched: WatchedFile, server: ListeningServer, attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    referring_movie(tmp_path / "sound.mov", watched.path)
    reference_movie(tmp_path / "names.mov", watched.path, server.port)
    list_in_avi(tmp_path / "list.avi", watched.path)
    for path in sorted(tmp_path.glob("*.*")):
        for flow, request in (("upload", {}), ("encoding", {}), ("export", {"mode": "soft", "srt": SRT})):
            # Data in the file itself may be read: a picture track, or its own bytes instead of the other file's.
            attempt(flow, path, **request)
            installation.delete_prefix("jobs/job/1")
        assert not watched.was_opened(), path
        assert not server.was_called(), path


def test_a_picture_of_a_numbered_row_is_one_picture(watched: WatchedFile, attempt: Attempted, tmp_path: Path) -> None:
    """ffmpeg reads `%03d.png` as all pictures of a folder; originals have no names of their users."""
    (tmp_path / "001.png").symlink_to(watched.path)
    (tmp_path / "%03d.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(64))
    assert failure_of(attempt("upload", tmp_path / "%03d.png")).reason == PICTURE
    assert not watched.was_opened()


def test_only_children_that_follow_nothing_read_files_through_the_library() -> None:
    """Any other module that opened one with `av` or faster-whisper's own reader would need the same rules."""
    found = {}
    for package in ("api", "pipelines", "serve", "cluster"):
        for path in (PRODUCT / package).rglob("*.py"):
            if {"tests", "testing"} & set(path.parts):
                continue
            source = path.read_text(encoding="utf-8")
            # Parsing every module takes 3 s of processor time.
            if not re.search(r"\bav\b|\bdecode_audio\b", source):
                continue
            for node in ast.walk(ast.parse(source)):
                named = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
                module = node.module if isinstance(node, ast.ImportFrom) else None
                if "av" in named or (module or "").split(".")[0] == "av" or "decode_audio" in named:
                    found[path.name] = source
    assert found.keys() == {
        *("probe_child.py", "frame_index_child.py", "part_join_child.py"),
        # Opens files as `probe_child.py` does, by its functions.
        "short_sound_decoding.py",
        # Resamples what a program sends, and opens nothing.
        "pieces.py",
    }
    for name, source in found.items():
        guarded = source.count('"protocol_whitelist": "file"') + source.count('av.open(target, "w"')
        assert source.count("av.open(") <= guarded, name
