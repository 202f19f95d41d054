"""What an import changed, as sentences for the person who sent the file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cluster.wording.message import Message
from pipelines.captions.limits import LINE_CHARS_MAX, SPEAKERS_MAX
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.timestamps import format_time

_ROWS_SHOWN = 5
_TEXTS_SHOWN = 3
_CHARS_SHOWN = 60

Counted = tuple[int, str, str]
"""A number, and its sentence for one and for several."""


def notes_of(report: ImportReport) -> list[str]:
    """One sentence for each kind of change, most serious first. Empty when the lines are those of the file."""
    counted = (*_damage(report), *_of_one_form(report), *_times(report), *_looks(report))
    return [(one if count == 1 else many).replace("#", f"{count:,}", 1) for count, one, many in counted if count]


def _damage(report: ImportReport) -> Iterator[Counted]:
    compare, check = "Compare the captions with the file.", "Check the captions there."
    yield (
        report.left_out,
        f"# character of text outside readable captions was left out. {compare}",
        f"# characters of text outside readable captions were left out. {compare}",
    )
    if report.broken_rows:
        yield _once(
            f"This file is damaged or cut off at row {report.broken_rows[0]:,}: from there on it is not XML. {check}"
        )
    yield (
        report.not_xml,
        "# sign that XML does not allow, such as “&” or “&eacute;”, was read as in a web page.",
        "# signs that XML does not allow, such as “&” or “&eacute;”, were read as in a web page.",
    )
    rows = _shown(report.bad_rows)
    yield (
        len(report.bad_rows),
        f"# row looks like a time but cannot be read as one ({rows}). {check}",
        f"# rows look like times but cannot be read as one ({rows}). {check}",
    )
    rows = _shown(report.unread_rows)
    yield len(report.unread_rows), f"# row cannot be read ({rows}). {check}", f"# rows cannot be read ({rows}). {check}"
    yield (
        report.foreign_bytes,
        f"# byte is not valid UTF-8 and was read as {report.foreign_page}. Check the letters there.",
        f"# bytes are not valid UTF-8 and were read as {report.foreign_page}. Check the letters there.",
    )
    if report.page:
        yield _once(
            Message(
                "pipelines.captions.letters_file_not_those_its",
                "The letters of this file are not those of its language, so it was read as {page}.",
                page=report.page,
            )
        )
    yield (
        report.unknown_letters,
        f"# letter of the file cannot be read and shows as “\ufffd”. {compare}",
        f"# letters of the file cannot be read and show as “\ufffd”. {compare}",
    )
    yield (
        report.wrong_check_bits,
        f"# byte has a wrong check bit, so its letter may be wrong. {compare}",
        f"# bytes have a wrong check bit, so their letters may be wrong. {compare}",
    )


def _of_one_form(report: ImportReport) -> Iterator[Counted]:
    if report.has_no_scc_head:
        yield _once(
            Message(
                "pipelines.captions.file_lacks_first_row_scc",
                "This file lacks the first row of an SCC file, “Scenarist_SCC V1.0”. It was read as one all the same.",
            )
        )
    texts = "; ".join(f"“{' '.join(text.split())[:_CHARS_SHOWN]}”" for text in report.never_shown[:_TEXTS_SHOWN])
    yield (
        len(report.never_shown),
        f"# caption was left out, because the file erases it before it shows it ({texts}).",
        f"# captions were left out, because the file erases them before it shows them ({texts}).",
    )
    yield (
        report.overwritten,
        "# letter was left out, because the file writes another one in its place.",
        "# letters were left out, because the file writes others in their place.",
    )
    yield (
        report.other_channels,
        "# letter for another caption channel was left out.",
        "# letters for other caption channels were left out.",
    )
    yield (
        report.other_languages,
        "This file holds captions in several languages. # letter of the others was left out.",
        "This file holds captions in several languages. # letters of the others were left out.",
    )
    if report.has_no_rate:
        yield _once(
            Message(
                "pipelines.captions.file_counts_frames_does_not",
                "This file counts frames and does not say how many a second has. It was read with 23.976. "
                "Choose another frame rate if the captions drift away from the sound.",
            )
        )
    if report.programme_start_ms:
        yield _once(
            Message(
                "pipelines.captions.programme_file_starts_at_which",
                "The programme of this file starts at {time}, which is now zero.",
                time=format_time(report.programme_start_ms),
            )
        )


def _times(report: ImportReport) -> Iterator[Counted]:
    yield (
        report.untimed_paragraphs,
        "# caption has no time and starts at zero.",
        "# captions have no time and start at zero.",
    )
    if report.has_preamble:
        yield _once(
            Message(
                "pipelines.captions.text_before_first_time_file",
                "The text before the first time of the file became a caption of its own.",
            )
        )
    yield (
        report.joined,
        "# caption started together with another one and was joined with it.",
        "# captions started together with another one and were joined with it.",
    )
    yield (
        report.displaced,
        "# of these stood at another place on the picture and lost it.",
        "# of these stood at another place on the picture and lost it.",
    )
    yield (
        report.shortened,
        "# caption overlapped the next one and now ends where it starts.",
        "# captions overlapped the next one and now end where it starts.",
    )
    yield (
        report.built_up,
        "# caption appears bit by bit in the file and is shown whole from the beginning.",
        "# captions appear bit by bit in the file and are shown whole from the beginning.",
    )
    lines = f"{sum(report.changing):,}"
    yield (
        len(report.changing),
        f"# caption changes while on screen and became {lines} lines.",
        f"# captions change while on screen and became {lines} lines.",
    )
    yield (
        report.without_end,
        "# caption had no end after its beginning and got up to two seconds.",
        "# captions had no end after their beginning and got up to two seconds.",
    )
    lines, limit = f"{sum(report.parts):,}", f"{LINE_CHARS_MAX:,}"
    yield (
        len(report.parts),
        f"# caption had more than {limit} characters and was split into {lines} lines.",
        f"# captions had more than {limit} characters and were split into {lines} lines.",
    )
    yield report.before_zero, "# time before zero was set to 0.", "# times before zero were set to 0."
    yield (
        report.cut_end,
        "# caption ended after 99:59:59,999 and now ends there.",
        "# captions ended after 99:59:59,999 and now end there.",
    )


def _looks(report: ImportReport) -> Iterator[Counted]:
    left_out = "Formatting such as colours or fonts was left out of"
    yield report.formatted, f"{left_out} # caption.", f"{left_out} # captions."
    partly = "with italics, bold or underlining in a part only"
    yield (
        report.part_styles,
        f"# word {partly} has it as a whole or not at all.",
        f"# words {partly} have it as a whole or not at all.",
    )
    if report.unnumbered:
        yield _once(
            Message(
                "pipelines.captions.file_names_more_than_speakers",
                "The file names more than {limit} speakers. The other {count:,} stand before their words.",
                limit=SPEAKERS_MAX,
                count=len(report.unnumbered),
            )
        )
    estimated = "did not fit the text and got estimated times."
    yield report.untimed, f"The words of # caption {estimated}", f"The words of # captions {estimated}"


def _once(sentence: str) -> Counted:
    return 1, sentence, sentence


def _shown(rows: Sequence[tuple[int, str]]) -> str:
    """The first of some rows, with their numbers."""
    shown = "; ".join(f"{number}: “{row.strip()[:_CHARS_SHOWN]}”" for number, row in rows[:_ROWS_SHOWN])
    return shown + ("; …" if len(rows) > _ROWS_SHOWN else "")
