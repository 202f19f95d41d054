"""What an import changed, as sentences for the person who sent the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cluster.wording.message import Message, Wording
from pipelines.captions.limits import LINE_CHARS_MAX, SPEAKERS_MAX
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.timestamps import format_time

_ROWS_SHOWN = 5
_TEXTS_SHOWN = 3
_CHARS_SHOWN = 60

_LEFT_OUT = Wording(
    "captions.import.left_out",
    "{count} character of text outside readable captions was left out. Compare the captions with the file.",
    "{count:,} characters of text outside readable captions were left out. Compare the captions with the file.",
)
_NOT_XML = Wording(
    "captions.import.not_xml",
    "{count} sign that XML does not allow, such as “&” or “&eacute;”, was read as in a web page.",
    "{count:,} signs that XML does not allow, such as “&” or “&eacute;”, were read as in a web page.",
)
_BAD_ROWS = Wording(
    "captions.import.bad_rows",
    "{count} row looks like a time but cannot be read as one ({rows}). Check the captions there.",
    "{count:,} rows look like times but cannot be read as one ({rows}). Check the captions there.",
)
_UNREAD_ROWS = Wording(
    "captions.import.unread_rows",
    "{count} row cannot be read ({rows}). Check the captions there.",
    "{count:,} rows cannot be read ({rows}). Check the captions there.",
)
_FOREIGN_BYTES = Wording(
    "captions.import.foreign_bytes",
    "{count} byte is not valid UTF-8 and was read as {page}. Check the letters there.",
    "{count:,} bytes are not valid UTF-8 and were read as {page}. Check the letters there.",
)
_UNKNOWN_LETTERS = Wording(
    "captions.import.unknown_letters",
    "{count} letter of the file cannot be read and shows as “�”. Compare the captions with the file.",
    "{count:,} letters of the file cannot be read and show as “�”. Compare the captions with the file.",
)
_CHECK_BITS = Wording(
    "captions.import.check_bits",
    "{count} byte has a wrong check bit, so its letter may be wrong. Compare the captions with the file.",
    "{count:,} bytes have a wrong check bit, so their letters may be wrong. Compare the captions with the file.",
)
_NEVER_SHOWN = Wording(
    "captions.import.never_shown",
    "{count} caption was left out, because the file erases it before it shows it ({texts}).",
    "{count:,} captions were left out, because the file erases them before it shows them ({texts}).",
)
_OVERWRITTEN = Wording(
    "captions.import.overwritten",
    "{count} letter was left out, because the file writes another one in its place.",
    "{count:,} letters were left out, because the file writes others in their place.",
)
_OTHER_CHANNELS = Wording(
    "captions.import.other_channels",
    "{count} letter for another caption channel was left out.",
    "{count:,} letters for other caption channels were left out.",
)
_ROLLED_ONCE = Message(
    "captions.import.rolled_once",
    "The captions of this file roll up. Each row became a caption that ends when the next one comes.",
)
_ROLLED_SCREEN = Message(
    "captions.import.rolled_screen",
    "The captions of this file roll up. Rows that stay on the screen are repeated in the captions after them.",
)
_OTHER_LANGUAGES = Wording(
    "captions.import.other_languages",
    "This file holds captions in several languages. {count} letter of the others was left out.",
    "This file holds captions in several languages. {count:,} letters of the others were left out.",
)
_UNTIMED_PARAGRAPHS = Wording(
    "captions.import.untimed_paragraphs",
    "{count} caption has no time and starts at zero.",
    "{count:,} captions have no time and start at zero.",
)
_JOINED = Wording(
    "captions.import.joined",
    "{count} caption started together with another one and was joined with it.",
    "{count:,} captions started together with another one and were joined with it.",
)
_DISPLACED = Wording(
    "captions.import.displaced",
    "{count} of these stood at another place on the picture and lost it.",
    "{count:,} of these stood at another place on the picture and lost it.",
)
_SHORTENED = Wording(
    "captions.import.shortened",
    "{count} caption overlapped the next one and now ends where it starts.",
    "{count:,} captions overlapped the next one and now end where it starts.",
)
_BUILT_UP = Wording(
    "captions.import.built_up",
    "{count} caption appears bit by bit in the file and is shown whole from the beginning.",
    "{count:,} captions appear bit by bit in the file and are shown whole from the beginning.",
)
_CHANGING = Wording(
    "captions.import.changing",
    "{count} caption changes while on screen and became {lines:,} lines.",
    "{count:,} captions change while on screen and became {lines:,} lines.",
)
_WITHOUT_END = Wording(
    "captions.import.without_end",
    "{count} caption had no end after its beginning and got up to two seconds.",
    "{count:,} captions had no end after their beginning and got up to two seconds.",
)
_SPLIT = Wording(
    "captions.import.split",
    "{count} caption had more than {limit:,} characters and was split into {lines:,} lines.",
    "{count:,} captions had more than {limit:,} characters and were split into {lines:,} lines.",
)
_BEFORE_ZERO = Wording(
    "captions.import.before_zero",
    "{count} time before zero was set to 0.",
    "{count:,} times before zero were set to 0.",
)
_CUT_END = Wording(
    "captions.import.cut_end",
    "{count} caption ended after 99:59:59,999 and now ends there.",
    "{count:,} captions ended after 99:59:59,999 and now end there.",
)
_FORMATTED = Wording(
    "captions.import.formatted",
    "Formatting such as colours or fonts was left out of {count} caption.",
    "Formatting such as colours or fonts was left out of {count:,} captions.",
)
_PART_STYLES = Wording(
    "captions.import.part_styles",
    "{count} word with italics, bold or underlining in a part only has it as a whole or not at all.",
    "{count:,} words with italics, bold or underlining in a part only have it as a whole or not at all.",
)
_UNTIMED = Wording(
    "captions.import.untimed",
    "The words of {count} caption did not fit the text and got estimated times.",
    "The words of {count:,} captions did not fit the text and got estimated times.",
)


def notes_of(report: ImportReport) -> list[str]:
    """One sentence for each kind of change, most serious first. Empty when the lines are those of the file."""
    return [*_damage(report), *_of_one_form(report), *_times(report), *_looks(report)]


def _counted(wording: Wording, count: int, **values: str | int) -> Iterator[Message]:
    """The sentence, where there is something to count."""
    if count:
        yield wording(count=count, **values)


def _damage(report: ImportReport) -> Iterator[Message]:
    yield from _counted(_LEFT_OUT, report.left_out)
    if report.broken_rows:
        yield Message(
            "captions.import.broken",
            "This file is damaged or cut off at row {row:,}: from there on it is not XML. Check the captions there.",
            row=report.broken_rows[0],
        )
    yield from _counted(_NOT_XML, report.not_xml)
    yield from _counted(_BAD_ROWS, len(report.bad_rows), rows=_shown(report.bad_rows))
    yield from _counted(_UNREAD_ROWS, len(report.unread_rows), rows=_shown(report.unread_rows))
    yield from _counted(_FOREIGN_BYTES, report.foreign_bytes, page=report.foreign_page)
    if report.page:
        yield Message(
            "captions.import.page",
            "The letters of this file are not those of its language, so it was read as {page}.",
            page=report.page,
        )
    yield from _counted(_UNKNOWN_LETTERS, report.unknown_letters)
    yield from _counted(_CHECK_BITS, report.wrong_check_bits)


def _of_one_form(report: ImportReport) -> Iterator[Message]:
    if report.has_no_scc_head:
        yield Message(
            "captions.import.no_scc_head",
            "This file lacks the first row of an SCC file, “Scenarist_SCC V1.0”. It was read as one all the same.",
        )
    texts = "; ".join(f"“{' '.join(text.split())[:_CHARS_SHOWN]}”" for text in report.never_shown[:_TEXTS_SHOWN])
    yield from _counted(_NEVER_SHOWN, len(report.never_shown), texts=texts)
    yield from _counted(_OVERWRITTEN, report.overwritten)
    yield from _counted(_OTHER_CHANNELS, report.other_channels)
    if report.rolled_rows:
        yield _ROLLED_SCREEN if report.keeps_screen else _ROLLED_ONCE
    yield from _counted(_OTHER_LANGUAGES, report.other_languages)
    if report.has_no_rate:
        yield Message(
            "captions.import.no_rate",
            "This file counts frames and does not say how many a second has. It was read with 23.976. "
            "Choose another frame rate if the captions drift away from the sound.",
        )
    if report.programme_start_ms:
        yield Message(
            "captions.import.programme_start",
            "The programme of this file starts at {time}, which is now zero.",
            time=format_time(report.programme_start_ms),
        )


def _times(report: ImportReport) -> Iterator[Message]:
    yield from _counted(_UNTIMED_PARAGRAPHS, report.untimed_paragraphs)
    if report.has_preamble:
        yield Message(
            "captions.import.preamble",
            "The text before the first time of the file became a caption of its own.",
        )
    yield from _counted(_JOINED, report.joined)
    yield from _counted(_DISPLACED, report.displaced)
    yield from _counted(_SHORTENED, report.shortened)
    yield from _counted(_BUILT_UP, report.built_up)
    yield from _counted(_CHANGING, len(report.changing), lines=sum(report.changing))
    yield from _counted(_WITHOUT_END, report.without_end)
    yield from _counted(_SPLIT, len(report.parts), limit=LINE_CHARS_MAX, lines=sum(report.parts))
    yield from _counted(_BEFORE_ZERO, report.before_zero)
    yield from _counted(_CUT_END, report.cut_end)


def _looks(report: ImportReport) -> Iterator[Message]:
    yield from _counted(_FORMATTED, report.formatted)
    yield from _counted(_PART_STYLES, report.part_styles)
    if report.unnumbered:
        yield Message(
            "captions.import.unnumbered",
            "The file names more than {limit} speakers. The other {count:,} stand before their words.",
            limit=SPEAKERS_MAX,
            count=len(report.unnumbered),
        )
    yield from _counted(_UNTIMED, report.untimed)


def _shown(rows: Sequence[tuple[int, str]]) -> str:
    """The first of some rows, with their numbers."""
    shown = "; ".join(f"{number}: “{row.strip()[:_CHARS_SHOWN]}”" for number, row in rows[:_ROWS_SHOWN])
    return shown + ("; …" if len(rows) > _ROWS_SHOWN else "")
