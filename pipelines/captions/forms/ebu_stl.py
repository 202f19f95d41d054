"""EBU-STL (N19), the exchange form of European broadcasters. Source: EBU Tech 3264-E.

A header (GSI) of 1,024 bytes is followed by blocks (TTI) of 128 bytes with at most 112 bytes of text each.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cluster.wording.message import Message, Wording
from pipelines.captions.forms import stl_letters
from pipelines.captions.forms.form import Document, Source
from pipelines.captions.forms.tape_time import start_frame
from pipelines.captions.reading.cues import StyledCue, UnreadableSubtitles, lines_of_cues
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.texts.speaker_names import with_speakers
from pipelines.captions.texts.styled_text import Run, runs_of
from pipelines.captions.texts.text import clean_text
from pipelines.messages.lines import BOTTOM_CENTRE, NO_STYLES, CaptionLine, LinePlace, WordStyle
from pipelines.timecode import Counting

ROW_CHARS = 37
"""Characters of a row that teletext can show."""
FRAME_RATES = {25: b"STL25.01", 30: b"STL30.01"}

_RATES_READ = {b"23": 24_000 / 1_001, b"24": 24.0, b"25": 25.0, b"30": 30.0, b"50": 50.0, b"60": 60.0}
"""Frames per second by the two digits of the header. What is none of these is read as 25."""

_GSI, _TTI, _TEXT = 1024, 128, 112
_ROWS = 23
_ROOM_MIN = 3
"""A text that leaves fewer rows of the picture free stands at no particular height."""
_LAST_BLOCK, _USER_DATA = 0xFF, 0xFE
_NEW_ROW, _UNUSED = 0x8A, 0x8F
_MORE, _LAST_PART = (2, 3), 3
_ON_OFF = {WordStyle.ITALIC: (0x80, 0x81), WordStyle.UNDERLINE: (0x82, 0x83)}
_UPRIGHT = tuple(off for _, off in _ON_OFF.values())
_LANGUAGES = {
    "sq": 0x01, "br": 0x02, "ca": 0x03, "hr": 0x04, "cy": 0x05, "cs": 0x06, "da": 0x07, "de": 0x08, "en": 0x09,
    "es": 0x0A, "eo": 0x0B, "et": 0x0C, "eu": 0x0D, "fo": 0x0E, "fr": 0x0F, "fy": 0x10, "ga": 0x11, "gd": 0x12,
    "gl": 0x13, "is": 0x14, "it": 0x15, "la": 0x17, "lv": 0x18, "lb": 0x19, "lt": 0x1A, "hu": 0x1B, "mt": 0x1C,
    "nl": 0x1D, "no": 0x1E, "nb": 0x1E, "nn": 0x1E, "oc": 0x1F, "pl": 0x20, "pt": 0x21, "ro": 0x22, "rm": 0x23,
    "sr": 0x24, "sk": 0x25, "sl": 0x26, "fi": 0x27, "sv": 0x28, "tr": 0x29, "bg": 0x77, "el": 0x70, "he": 0x6D,
    "ru": 0x56, "uk": 0x52, "ar": 0x7E,
}  # fmt: skip


def is_ebu_stl(raw: bytes) -> bool:
    """Whether the bytes begin as an EBU-STL file does."""
    return len(raw) >= _GSI and re.fullmatch(rb"STL\d\d\.\d\d", raw[3:11]) is not None


# ---- writing


def write_stl(document: Document) -> bytes:
    """The captions as open subtitles at 25 or 30 frames a second. Letters outside the character set become `?`."""
    fps = frame_rate_of(document)
    lines = [line for line in with_speakers(document.lines, document.names, document.speakers) if clean_text(line.text)]
    table = _table_of(lines)
    blocks: list[bytes] = []
    begins = start_frame(document, Counting(fps))
    for number, line in enumerate(lines):
        blocks.extend(_blocks(line, number, fps, table, begins))
    return _header(document, fps, table, len(blocks), lines, begins) + b"".join(blocks)


def frame_rate_of(document: Document) -> int:
    """25 or 30, whichever is nearer to the document's frame rate: the form has no other."""
    return min(FRAME_RATES, key=lambda rate: abs(rate - document.fps))


_LONG_ROWS = Wording(
    "captions.stl.long_rows",
    "{count} caption has a row of more than {limit} characters, which teletext cannot show.",
    "{count:,} captions have a row of more than {limit} characters, which teletext cannot show.",
)
_LETTERS = Wording(
    "captions.stl.letters",
    "{count} caption has letters that this form does not have. They become question marks.",
    "{count:,} captions have letters that this form does not have. They become question marks.",
)
_BOLD = Wording(
    "captions.stl.bold",
    "{count} caption has bold words, which this form does not have. They become upright.",
    "{count:,} captions have bold words, which this form does not have. They become upright.",
)


def stl_losses(document: Document) -> list[str]:
    """What a player of this form would not show as it is."""
    lines = with_speakers(document.lines, document.names, document.speakers)
    table = _table_of(lines)
    long = sum(any(len(row) > ROW_CHARS for row in line.text.split("\n")) for line in lines)
    missing = sum(bool(stl_letters.encode(line.text.replace("\n", " "), table)[1]) for line in lines)
    bold = sum(any(WordStyle.BOLD in word.styles for word in line.words) for line in lines)
    sentences: list[str] = [
        Message(
            "pipelines.captions.stl.frames",
            "Times are counted in frames, {rate} a second.",
            rate=frame_rate_of(document),
        )
    ]
    if long:
        sentences.append(_LONG_ROWS(count=long, limit=ROW_CHARS))
    if missing:
        sentences.append(_LETTERS(count=missing))
    if any("€" in line.text for line in lines):
        sentences.append(Message("pipelines.captions.stl.no_euro", "This form has no “€”. “EUR” stands for it."))
    if bold:
        sentences.append(_BOLD(count=bold))
    return sentences


def _table_of(lines: Sequence[CaptionLine]) -> bytes:
    """The character table that lacks least of the text; Latin where several are equal."""
    counts = Counter(letter for line in lines for letter in line.text if letter != "\n")
    return min(
        stl_letters.TABLES,
        key=lambda table: sum(count for letter, count in counts.items() if stl_letters.encode(letter, table)[1]),
    )


def _header(
    document: Document, fps: int, table: bytes, blocks: int, lines: Sequence[CaptionLine], begins: int
) -> bytes:
    language = _LANGUAGES.get(document.language.split("-")[0], 0)
    first = _digits(begins + (_frames(lines[0].start_ms, fps) if lines else 0), fps)
    title = stl_letters.encode(document.title, stl_letters.LATIN)[0][:32].ljust(32)
    fields = [
        *(b"850", FRAME_RATES[fps], b"0", table, b"%02X" % language),
        *(title, b" " * 32, title, *([b" " * 32] * 3), b" " * 16, b" " * 12, b"00"),
        *(b"%05d" % (blocks % 100_000), b"%05d" % (len(lines) % 100_000), b"001"),
        *(b"%02d" % ROW_CHARS, b"%02d" % _ROWS, b"1", _digits(begins, fps), first, b"1", b"1", b"   "),
    ]
    return b"".join(fields).ljust(_GSI)


def _frames(moment_ms: int, fps: int) -> int:
    return (moment_ms * fps + 500) // 1000


def _parts_of(frame: int, fps: int) -> tuple[int, int, int, int]:
    seconds, frames = divmod(frame, fps)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return min(hours, 99), minutes, seconds, frames


def _digits(frame: int, fps: int) -> bytes:
    return b"".join(b"%02d" % part for part in _parts_of(frame, fps))


def _blocks(line: CaptionLine, number: int, fps: int, table: bytes, begins: int) -> Iterator[bytes]:
    text = _text_field(line, table)
    start = begins + _frames(line.start_ms, fps)
    end = max(start + 1, begins + _frames(line.end_ms, fps))
    align = line.place.align if line.place else BOTTOM_CENTRE
    rows = line.text.count("\n") + 1
    top = {0: max(1, _ROWS - rows), 1: max(1, 1 + round((_ROWS - 1 - rows) / 2)), 2: 1}[(align - 1) // 3]
    justification = {0: 1, 1: 2, 2: 3}[(align - 1) % 3]
    times = bytes((*_parts_of(start, fps), *_parts_of(end, fps)))
    parts = [text[at : at + _TEXT] for at in range(0, len(text), _TEXT)]
    for index, part in enumerate(parts):
        block = _LAST_BLOCK if index == len(parts) - 1 else index
        head = bytes((0, number & 0xFF, number >> 8 & 0xFF, block, 0))
        yield head + times + bytes((top, justification, 0)) + part.ljust(_TEXT, bytes([_UNUSED]))


def _text_field(line: CaptionLine, table: bytes) -> bytes:
    field = bytearray()
    for run in runs_of(line):
        codes = [_ON_OFF[style] for style in _ON_OFF if style in run.styles]
        field += bytes(on for on, _ in codes)
        field += bytes([_NEW_ROW]).join(stl_letters.encode(row, table)[0] for row in run.text.split("\n"))
        field += bytes(off for _, off in reversed(codes))
    return bytes(field)


# ---- reading


@dataclass(slots=True)
class _Subtitle:
    """The blocks of one subtitle."""

    start_ms: int
    end_ms: int
    row: int
    justification: int
    cumulative: int
    """1, 2 and 3 for the first, the next and the last part of what is shown bit by bit; 0 for what is not."""
    text: bytearray = field(default_factory=bytearray)


def read_stl(source: Source, report: ImportReport) -> list[CaptionLine]:
    """The subtitles of a file, with italics, underlining and place. Comments for other translators are left out.

    The file's frame rate holds unless the person chose one. Times count from the start of the programme that the
    header names. Raises `UnreadableSubtitles` for a file that ends within its header.
    """
    raw = source.raw
    if not is_ebu_stl(raw):
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.stl.unreadable",
                "This is not an EBU-STL file, or it is cut off within its header.",
            )
        )
    fps = source.reading.fps or _RATES_READ.get(raw[6:8], 25.0)
    rows = int(raw[253:255]) if raw[253:255].isdigit() else _ROWS
    began = _moment(bytes(int(raw[at : at + 2]) for at in range(256, 264, 2)), fps) if raw[256:264].isdigit() else 0
    subtitles = _whole(_subtitles(raw, fps), report)
    if subtitles and min(each.start_ms for each in subtitles) < began:
        began = 0
    report.programme_start_ms = began
    table = raw[12:14]
    return lines_of_cues(
        (
            StyledCue(
                each.start_ms - began,
                each.end_ms - began,
                _runs(each, table, source, report),
                _place(each, rows or _ROWS),
            )
            for each in subtitles
        ),
        report,
    )


def _subtitles(raw: bytes, fps: float) -> Iterator[_Subtitle]:
    current: _Subtitle | None = None
    for at in range(_GSI, len(raw) - 15, _TTI):
        block = raw[at : at + _TTI].ljust(_TTI, bytes([_UNUSED]))
        if block[3] == _USER_DATA or block[15]:
            continue
        if current is None:
            current = _Subtitle(_moment(block[5:9], fps), _moment(block[9:13], fps), block[13], block[14], block[4])
        current.text += block[16:].split(bytes([_UNUSED]), 1)[0]
        if block[3] == _LAST_BLOCK:
            yield current
            current = None
    if current is not None:
        yield current


def _whole(subtitles: Iterable[_Subtitle], report: ImportReport) -> list[_Subtitle]:
    """The subtitles, with those that are shown bit by bit as one, from the first part until the last has ended."""
    whole: list[_Subtitle] = []
    parts = 0
    for each in subtitles:
        if parts and each.cumulative in _MORE and each.start_ms >= whole[-1].start_ms:
            report.built_up += parts == 1
            parts += 1
            whole[-1].end_ms = max(whole[-1].end_ms, each.end_ms)
            whole[-1].text += bytes([*_UPRIGHT, _NEW_ROW]) + each.text
        else:
            whole.append(each)
            parts = int(each.cumulative == 1)
        parts = 0 if each.cumulative == _LAST_PART else parts
    return whole


def _moment(code: bytes, fps: float) -> int:
    hours, minutes, seconds, frames = code
    base = round(fps)
    # Addresses of 30 and 60 frames drop numbers to stay with the clock. Those of 24 do not, and 24 of 23.976 last more.
    second_ms = 1000.0 if base % 30 == 0 else base * 1000 / fps
    return round(((hours * 60 + minutes) * 60 + seconds) * second_ms + frames * 1000 / fps)


def _runs(subtitle: _Subtitle, table: bytes, source: Source, report: ImportReport) -> list[Run]:
    """The text cut where italics or underlining begin or end. Colours and boxes of teletext stand for a space."""
    runs: list[Run] = []
    styles: frozenset[WordStyle] = NO_STYLES
    codes = {code: (style, code == on) for style, (on, off) in _ON_OFF.items() for code in (on, off)}
    letters = bytearray()
    dropped = False

    def close() -> None:
        if letters:
            text = stl_letters.decode(bytes(letters), table, source.language)
            report.unknown_letters += text.count("\ufffd")
            runs.append(Run(text, styles))
            letters.clear()

    for code in bytes(subtitle.text):
        if code in codes:
            close()
            style, is_on = codes[code]
            styles = styles | {style} if is_on else styles - {style}
        elif code == _NEW_ROW:
            close()
            runs.append(Run("\n", styles))
        elif code < 0x20:
            letters.append(0x20)
            dropped = dropped or code < 0x08
        elif not 0x84 <= code <= 0x9F:
            letters.append(code)
    close()
    report.formatted += dropped
    return runs


def _place(subtitle: _Subtitle, rows: int) -> LinePlace | None:
    """By the share of the free rows that lie above the text, so that tall texts at the bottom stay there."""
    room = rows - 1 - subtitle.text.count(_NEW_ROW)
    share = (subtitle.row - 1) / room if subtitle.row and room >= _ROOM_MIN else 1.0
    height = 2 if share < 0.3 else 1 if share < 0.62 else 0
    column = {1: 0, 3: 2}.get(subtitle.justification, 1)
    align = 1 + 3 * height + column
    return None if align == BOTTOM_CENTRE else LinePlace(align)
