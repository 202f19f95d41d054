"""Text of users never becomes an argument, a filter or a code of ffmpeg: it is drawn and written unchanged."""

from __future__ import annotations

import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt
import pytest

from cluster.settings import get_cluster_settings
from cluster.storage.folder import LocalStorage
from pipelines.captions.fonts.font_files import FONTS_DIR
from pipelines.captions.reading.fit import split_long
from pipelines.captions.reading.srt import format_srt, parse_srt
from pipelines.captions.reading.vtt import format_vtt
from pipelines.captions.timestamps import format_time
from pipelines.languages import iso_639_2
from pipelines.media.ffmpeg import FORMAT_WHITELIST, find_ffmpeg
from pipelines.messages.lines import CaptionLine
from pipelines.testing.media.attempts import Attempted, result_of
from pipelines.testing.media.samples import ffmpeg

MARK = "q7Zx"
INJECTIONS = (
    f"a.srt',drawtext=textfile={MARK}.txt,subtitles='a.srt",
    f"{MARK}:fontsdir=/etc,movie=/etc/passwd[x]",
    f"-i /etc/{MARK} -y $(id) `id`; & | ../../{MARK}",
    f"file:/etc/{MARK}%03d\n-f\nlavfi",
)
CODES = (
    r"{\fs200}Ag",
    r"{\p1}m 0 0 l 600 0 600 300{\p0}",
    r"{\an8}{\pos(9,9)}Ag",
    r"{\fnArial\b1}Ag{\r}",
    r"{\k50}A{\kf20}g",
    r"{\t(0,500,\fscx300)}Ag",
    r"{\move(0,0,9,9)\clip(0,0,1,1)}",
    r"{\alpha&HFF&\1c&H0000FF&}Ag",
    "{a comment}Ag",
    "Ag}{Ag}}{{Ag{",
    r"A\NB\nC\hD\ ",
    "C:\\Ag\\",
    r"\{\}\\{\\}",
    "<font face=/etc/passwd>Ag</font>",
    "<i>Ag</i> &lt; &amp;nbsp; %{n}",
)
"""Only characters that a libass script might interpret."""
SCRIPTS = (
    "مرحبا بالعالم, ABC 123",
    "שלום \u202eabc\u202c עולם",
    "\u202e\u2066\u2067\u2068 reversed",
    "字幕は日本語です。한국어 자막",
    "नमस्ते ไทย ខ្មែរ",
    "👩\u200d👩\u200d👧\u200d👦🏽 🇮🇸",
    "Zalgo" + "\u0301\u0327\u0489" * 60,
    "a\u200b\u200c\u200d\ufeff\u2060b",
    "\ud800lone",
    "\x01\x02\x1b[31m\x7f",
    "\u2028line\u2029end\x85x",
    "\U000e0041\U0010ffffa\ufffea",
    "x" * 3000,
    "word " * 800,
)
BLACK = "color=black:s=1280x720:r=2:d={seconds}"


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("screen")
    graph = BLACK.format(seconds=max(len(CODES) + len(INJECTIONS), len(SCRIPTS)) + 1)
    ffmpeg("-f", "lavfi", "-i", graph, "-c:v", "libx264", "-pix_fmt", "yuv420p", "black.mp4", cwd=folder)
    return folder / "black.mp4"


@pytest.fixture
def commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """ffmpeg behind a script that records its calls."""
    log = tmp_path / "commands"
    script = tmp_path / "ffmpeg"
    script.write_text(f'#!/bin/sh\nprintf "%s\\0" "$@" >>{log}\nprintf "\\n\\0" >>{log}\nexec {find_ffmpeg()} "$@"\n')
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("SAGASCRIPT_FFMPEG", str(script))
    find_ffmpeg.cache_clear()
    get_cluster_settings.cache_clear()
    yield log
    find_ffmpeg.cache_clear()
    get_cluster_settings.cache_clear()


def one_a_second(texts: tuple[str, ...]) -> str:
    return "".join(
        f"{number}\n{format_time(1000 * number)} --> {format_time(1000 * number + 900)}\n{text}\n\n"
        for number, text in enumerate(texts)
    )


def frames(path: Path) -> list[npt.NDArray[np.uint8]]:
    """The luminance in the middle of each second."""
    with av.open(str(path)) as video:
        every = [frame.to_ndarray(format="gray").astype(np.uint8) for frame in video.decode(video=0)]
    return every[1::2]


def letters(picture: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    """The part of a picture with text."""
    bright = picture > 128
    rows, columns = np.flatnonzero(bright.any(axis=1)), np.flatnonzero(bright.any(axis=0))
    assert len(rows) > 0, "nothing is drawn"
    return bright[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def references(texts: Sequence[str], size: float, folder: Path) -> Iterator[npt.NDArray[np.bool_]]:
    """The same letters drawn by another filter, which has no codes."""
    outputs: list[str] = []
    for number, text in enumerate(texts):
        (folder / f"text{number}").write_text(text, encoding="utf-8")
        drawn = f"drawtext=textfile=text{number}:expansion=none:fontfile={FONTS_DIR / 'DejaVuSans.ttf'}"
        outputs += ["-vf", f"{drawn}:fontsize={size}:fontcolor=white:x=20:y=300"]
        outputs += ["-frames:v", "1", "-pix_fmt", "gray", f"text{number}.png"]
    ffmpeg("-f", "lavfi", "-i", BLACK.format(seconds=1), *outputs, cwd=folder)
    for number in range(len(texts)):
        with av.open(str(folder / f"text{number}.png")) as picture:
            yield letters(next(picture.decode(video=0)).to_ndarray(format="gray").astype(np.uint8))


def test_no_text_of_a_user_reaches_the_command_of_ffmpeg(attempt: Attempted, media: Path, commands: Path) -> None:
    text = "\n".join(INJECTIONS)
    fields = {"filename": text, "language": text, "name": text, "team": text, "font": text}
    for flow, mode in (("upload", ""), ("encoding", ""), ("export", "burned"), ("export", "soft")):
        result_of(attempt(flow, media / "odd.mkv", **fields, mode=mode, srt=one_a_second((*INJECTIONS, "Hello"))))
    calls = commands.read_bytes().split(b"\0\n\0")[:-1]
    assert len(calls) == 5
    for call in calls:
        words = [word.decode() for word in call.split(b"\0")]
        assert not [word for word in words if MARK in word or "/etc" in word]
        inputs = [index for index, word in enumerate(words) if word == "-i"]
        assert inputs
        for before, index in zip([0, *inputs], inputs, strict=False):
            options = words[before:index]
            assert options[options.index("-protocol_whitelist") + 1] == "file"
            assert options[options.index("-format_whitelist") + 1] in {FORMAT_WHITELIST, "ass"}


def test_a_language_is_one_of_a_list() -> None:
    assert {iso_639_2(text) for text in (*INJECTIONS, *CODES, "", "x" * 9999, "is\x00", "-")} == {"und"}


@pytest.mark.long
def test_codes_are_drawn_as_the_letters_they_are(
    screen: Path, attempt: Attempted, installation: LocalStorage, tmp_path: Path
) -> None:
    plain = "Plain Ag{}"
    result = result_of(attempt("export", screen, mode="burned", srt=one_a_second((plain, *CODES)), accept_boxes=True))
    seen = frames(installation.open_path(result["export_key"]))
    # The two filters measure font sizes differently: one line of plain text gives the scale between them.
    wanted = letters(seen[0]).shape[1]
    (of_plain,) = references([plain], 30, tmp_path)
    every = references([text.rstrip() for text in CODES], 30 * wanted / of_plain.shape[1], tmp_path)
    for text, picture, expected in zip(CODES, seen[1:], every, strict=False):
        drawn = letters(picture)
        assert abs(drawn.shape[1] - expected.shape[1]) <= max(6, expected.shape[1] * 0.03), text
        assert abs(drawn.shape[0] - expected.shape[0]) <= 3, text
        assert not (picture[:600] > 60).any(), f"{text} is drawn elsewhere"
        assert alike(drawn, expected) > 0.95, text


def alike(drawn: npt.NDArray[np.bool_], expected: npt.NDArray[np.bool_]) -> float:
    """The share of text in either picture that is also in the other, at most a pixel or two away."""
    rows = np.arange(drawn.shape[0]) * expected.shape[0] // drawn.shape[0]
    columns = np.arange(drawn.shape[1]) * expected.shape[1] // drawn.shape[1]
    onto = expected[np.ix_(rows, columns)]
    found = (drawn & thickened(onto)).sum() + (onto & thickened(drawn)).sum()
    return float(found / (drawn.sum() + onto.sum()))


def thickened(picture: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    around = np.pad(picture, 2)
    height, width = picture.shape
    shifted = [around[down : down + height, right : right + width] for down in range(5) for right in range(5)]
    thick: npt.NDArray[np.bool_] = np.logical_or.reduce(shifted)
    return thick


def test_codes_stand_in_a_track_as_they_are(screen: Path, attempt: Attempted, installation: LocalStorage) -> None:
    texts = (*CODES, *INJECTIONS)
    result = result_of(attempt("export", screen, mode="soft", srt=one_a_second(texts)))
    assert track(installation.open_path(result["export_key"])) == [line.text for line in parse_srt(one_a_second(texts))]


def track(path: Path) -> list[str]:
    """The texts in the packets of a subtitle track, without characters of no width."""
    with av.open(str(path)) as made:
        packets = [bytes(packet) for packet in made.demux(made.streams.subtitles[0]) if packet.size > 2]
    texts = [packet[2 : 2 + int.from_bytes(packet[:2], "big")].decode() for packet in packets]
    return [text.replace("\u2060", "") for text in texts]


@pytest.mark.long
def test_every_script_and_sign_is_written_and_breaks_nothing(
    screen: Path, attempt: Attempted, installation: LocalStorage
) -> None:
    srt = one_a_second(SCRIPTS)
    burned = result_of(attempt("export", screen, mode="burned", srt=srt, accept_boxes=True))
    shown = frames(installation.open_path(burned["export_key"]))
    for text, picture in zip(SCRIPTS, shown, strict=False):
        if any(line.text == text for line in parse_srt(srt)):
            assert letters(picture).any(), text
    # Reversed letters end with their line.
    soft = result_of(attempt("export", screen, mode="soft", srt=srt, fence=2))
    held = track(installation.open_path(soft["export_key"]))
    written = [part.text for line in parse_srt(srt) for part in split_long(line)]
    assert held == [text.replace("\u2060", "") for text in written]
    assert parse_srt(format_srt(parse_srt(srt))) == parse_srt(srt)


def test_other_readers_see_as_many_lines_in_our_subtitle_files(tmp_path: Path) -> None:
    texts = (
        *CODES,
        *INJECTIONS,
        "1\n00:00:01,000 --> 00:00:02,000\nNo line of its own",
        "a --> b",
        "-->",
        "7",
        "In the year\n1984",
        "first\n\n\nlast",
        "NOTE\nSTYLE\nWEBVTT",
        "<v Ada>&amp;<00:00:01.000><b>&lt;/b>",
    )
    lines = [CaptionLine(str(n), 1000 * n, 1000 * n + 900, text) for n, text in enumerate(texts)]
    (tmp_path / "ours.srt").write_text(format_srt(lines), encoding="utf-8")
    (tmp_path / "ours.vtt").write_text(format_vtt(lines, "is-IS"), encoding="utf-8")
    for name in ("ours.srt", "ours.vtt"):
        with av.open(str(tmp_path / name)) as read:
            times = [
                round(float((packet.pts or 0) * packet.time_base) * 1000) for packet in read.demux() if packet.size
            ]
        assert times == [line.start_ms for line in lines], name
    assert "<" not in (tmp_path / "ours.vtt").read_text(encoding="utf-8")
