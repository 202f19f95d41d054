"""Read and write SubRip. Reading tolerates almost anything and never drops text. Output can always be read back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cluster.wording.message import Message
from pipelines.captions.reading.cues import Cue, NoCaptionTimes, StyledCue, lines_of_cues, with_words
from pipelines.captions.reading.encodings import decode
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import JOINER, REFERENCE, guarded, place_codes, read_markup, unguarded
from pipelines.captions.texts.styled_text import Run, to_markup
from pipelines.captions.texts.text import LINE_ENDS, clean_text
from pipelines.captions.timestamps import CLOCK, LIKE_A_TIME, clock_ms, format_time
from pipelines.messages.lines import CaptionLine

_ARROW = r"(-{1,3}\s?>|[–—]\s?>|→|⟶)"
_TIMING = re.compile(rf"\s*(-?){CLOCK}\s*{_ARROW}\s*(?:(-?){CLOCK})?(?![-\d:])(.*)", re.ASCII | re.DOTALL)
_NUMBER = re.compile(r"\s*(\d{1,9})\s*", re.ASCII)
# Positions on the picture (`X1:40 …`) and WebVTT settings after a time are not text.
_SETTING = re.compile(r"[XY][12]:-?\d+|(?:align|line|position|size|vertical|region):\S+", re.ASCII)


def parse_srt(source: str | bytes, language: str | None = None) -> list[CaptionLine]:
    """The captions of a SubRip file, in time order, without overlap, numbered from `1`. Words spread over their line.

    Taken as it comes: any encoding, line ends or byte order mark; comma, dot or nothing before the milliseconds;
    missing hours; wrong, doubled or missing numbers; missing or extra blank rows; times without an end.
    Text before the first time becomes a separate line. Raises `NoCaptionTimes` when there are no times at all.
    Formatting codes stay, as somebody may have typed them into a line. `read_srt` removes them.
    """
    text = source if isinstance(source, str) else decode(source, language)
    cues = (StyledCue(start, end, [Run(unguarded(body))]) for start, end, body in _cues(text, ImportReport()))
    return [with_words(line) for line in lines_of_cues(cues, ImportReport())]


def read_srt(text: str, report: ImportReport) -> list[CaptionLine]:
    """Lines of a SubRip file from another program, with italics, bold, underlining and place."""
    cues = []
    for start, end, body in _cues(text, report):
        markup = read_markup(body, references=True)
        report.formatted += markup.has_more
        cues.append(StyledCue(start, end, markup.runs, markup.place))
    return lines_of_cues(cues, report)


def _cues(text: str, report: ImportReport) -> list[tuple[int, int | None, str]]:
    preamble, cues = _read(LINE_ENDS.split(text.removeprefix("\ufeff")), report)
    before = _text_of(preamble)
    if not cues:
        if before:
            raise NoCaptionTimes(
                Message(
                    "pipelines.captions.srt.no_times",
                    "No caption times were found in this file. It needs rows like 00:00:01,000 --> 00:00:04,000.",
                )
            )
        return []
    if before:
        report.has_preamble = True
        cues.insert(0, Cue(0, max(0, min(cue.start_ms for cue in cues)), [before]))
    return [(cue.start_ms, cue.end_ms, _text_of(cue.rows)) for cue in cues]


def _read(rows: Sequence[str], report: ImportReport) -> tuple[list[str], list[Cue]]:
    """The rows before the first time, and the cues with their own rows."""
    preamble: list[str] = []
    cues: list[Cue] = []
    number = 0
    for row_number, row in enumerate(rows, 1):
        timing = _timing(row)
        if timing is None:
            if "-->" in row and LIKE_A_TIME.search(row):
                report.bad_rows.append((row_number, row))
            (cues[-1].rows if cues else preamble).append(row)
            continue
        # Numbering may start at 0, and a number is often off by one where a cue was deleted by hand.
        expected = {len(cues), len(cues) + 1, len(cues) + 2, number + 1}
        number = _take_number(cues[-1].rows if cues else preamble, expected) or number
        start = _signed(timing[1], clock_ms(timing[2], timing[3], timing[4], timing[5]))
        end = None if timing[9] is None else _signed(timing[7], clock_ms(timing[8], timing[9], timing[10], timing[11]))
        trailing = timing[12]
        only_settings = all(_SETTING.fullmatch(token) for token in trailing.split())
        cues.append(Cue(start, end, [] if only_settings else [trailing]))
    return preamble, cues


def _signed(sign: str, moment_ms: int) -> int:
    return -moment_ms if sign else moment_ms


def _timing(row: str) -> re.Match[str] | None:
    """The row as a cue time, or None. An arrow of another form counts only between full times with seconds."""
    timing = _TIMING.fullmatch(row)
    if timing is None or (timing[6] != "-->" and (timing[2] is None or timing[8] is None)):
        return None
    return timing


def _take_number(rows: list[str], expected: set[int]) -> int | None:
    """Remove the cue number above a time from the rows before it. Return the number, if there was one.

    A number right below text, with no blank row between, is taken for a cue number only when it is the one to expect:
    else it is text, as in `In the year / 1984`.
    """
    while rows and not rows[-1].strip():
        rows.pop()
    found = _NUMBER.fullmatch(rows[-1]) if rows else None
    if found is None:
        return None
    number = int(found[1])
    if number not in expected and len(rows) > 1 and rows[-2].strip():
        return None
    rows.pop()
    return number


def _text_of(rows: Sequence[str]) -> str:
    text = clean_text("\n".join(rows)).replace(f"--{JOINER}>", "-->")
    return "\n".join(row.removeprefix(JOINER) for row in text.split("\n"))


def format_srt(lines: Sequence[CaptionLine]) -> str:
    """SubRip text, with rows ended by a newline. Lines without text are left out.

    Styled words stand in tags, and a place in the codes that most players know. Text that looks like a tag, a code, a
    reference or an arrow is written with an invisible joiner in it, and rows of the text are never empty, so nothing in
    a text is taken for formatting or for the start of another cue; `parse_srt` gives the same text back.
    """
    cues: list[str] = []
    for line in lines:
        if not clean_text(line.text):
            continue
        text = place_codes(line.place) + clean_text(to_markup(line, _guarded))
        times = f"{format_time(line.start_ms)} --> {format_time(line.end_ms)}"
        cues.append(f"{len(cues) + 1}\n{times}\n{_defused(text)}\n")
    return "\n".join(cues)


def _guarded(text: str) -> str:
    return REFERENCE.sub(lambda found: f"&{JOINER}{found[0][1:]}", guarded(text))


def _defused(text: str) -> str:
    text = text.replace("-->", f"--{JOINER}>")
    # A tolerant reader, such as ours, takes `00:01 → 00:02` in the text for a time.
    return "\n".join(f"{JOINER}{row}" if _timing(row) else row for row in text.split("\n"))
