"""Subtitle files beyond the limits: late, long, large and slow ones."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pipelines.captions.imports.process import TOO_HARD, read_in_process
from pipelines.captions.imports.subtitles import RTF, Imported, parse_subtitles
from pipelines.captions.limits import FILE_CHARS_MAX, FILE_WORDS_MAX, LINE_CHARS_MAX, LINES_MAX, TIME_MS_MAX
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.timestamps import format_time


def read(text: str, language: str | None = None) -> Imported:
    return parse_subtitles(text.encode(), language)


def cues(imported: Imported) -> list[tuple[int, int, str]]:
    return [(line.start_ms, line.end_ms, line.text) for line in imported.lines]


def srt(*texts: str) -> str:
    return "\n".join(
        f"{n}\n{format_time(n * 1000)} --> {format_time(n * 1000 + 900)}\n{t}\n" for n, t in enumerate(texts, 1)
    )


def test_rtf_is_refused_with_advice() -> None:
    with pytest.raises(UnreadableSubtitles, match=re.escape(RTF)):
        parse_subtitles(b"{\\rtf1\\ansi 1\\par 00:00:01,000 --> 00:00:02,000\\par Hello}")


def test_times_past_the_maximum() -> None:
    found = read("99:59:58,000 --> 100:00:05,000\nlast\n")
    assert cues(found) == [(TIME_MS_MAX - 1_999, TIME_MS_MAX, "last")]
    assert found.notes == ("1 caption ended after 99:59:59,999 and now ends there.",)
    assert cues(read("99:59:59,500 -->\nlast\n")) == [(TIME_MS_MAX - 499, TIME_MS_MAX, "last")]
    with pytest.raises(UnreadableSubtitles, match="starts after 99:59:59,999"):
        read("100:00:01,000 --> 100:00:05,000\nlate\n")


def test_a_long_caption_is_split_and_no_word_is_lost() -> None:
    words = " ".join(f"word{n}" for n in range(2_000))
    found = read(f"00:00:00,000 --> 00:01:00,000\n{words}\n\n00:01:00,000 --> 00:01:01,000\nnext\n")
    assert " ".join(line.text for line in found.lines) == f"{words} next"
    assert max(len(line.text) for line in found.lines) <= LINE_CHARS_MAX
    assert all(left.end_ms == right.start_ms for left, right in pairwise(found.lines))
    assert found.notes == (
        f"1 caption had more than 1,000 characters and was split into {len(found.lines) - 1} lines.",
    )
    with pytest.raises(UnreadableSubtitles, match=r"holds 16,\d{3} characters, more than can be shown in its 5 ms"):
        read(f"00:00:00,000 --> 00:00:00,005\n{words}\n")


@pytest.mark.long
def test_files_beyond_the_limits_are_refused_with_the_limit() -> None:
    with pytest.raises(UnreadableSubtitles, match=r"holds 20,001 captions; 20,000 are the most"):
        read("".join(f"{format_time(n * 2000)} -->\nx\n\n" for n in range(LINES_MAX + 1)))
    with pytest.raises(UnreadableSubtitles, match=r"characters of captions; 2,000,000 are the most"):
        read("00:00:00,000 --> 01:00:00,000\n" + "x" * (FILE_CHARS_MAX + 1))
    with pytest.raises(UnreadableSubtitles, match=r"words; 400,000 are the most"):
        read("00:00:00,000 --> 01:00:00,000\n" + "x " * (FILE_WORDS_MAX + 1))


@pytest.mark.long
def test_a_child_process_reads_what_this_one_reads() -> None:
    raw = srt("<i>Þoka</i>", "two").encode("cp1252")
    assert read_in_process(raw, "is-IS") == parse_subtitles(raw, "is-IS")
    with pytest.raises(UnreadableSubtitles, match="No caption times"):
        read_in_process(b"just text", None)


@pytest.mark.long
def test_a_file_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    from cluster.limited_process.limits import ProcessLimits
    from pipelines.captions.imports import process as import_process

    monkeypatch.setattr(import_process, "LIMITS", ProcessLimits(cpu_s=1, wall_s=20))
    raw = "".join(f"{format_time(n * 2)} -->\n{'x ' * 20}\n\n" for n in range(200_000)).encode()
    with pytest.raises(UnreadableSubtitles, match=re.escape(TOO_HARD)):
        read_in_process(raw, None)
