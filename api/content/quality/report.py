"""A track's findings as CSV, as spreadsheets read it."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from pipelines.captions.quality.findings import Finding
from pipelines.captions.quality.sentences import ENGLISH, ICELANDIC, SEVERITIES, TITLES, reason_of, sentence_of
from pipelines.captions.timestamps import format_time
from pipelines.messages.lines import CaptionLine
from pipelines.spreadsheet_cells import text_cell

COLUMNS = {
    ENGLISH: ("line", "start", "end", "severity", "rule", "finding", "safe fix", "text"),
    ICELANDIC: ("texti nr.", "byrjun", "endir", "vægi", "regla", "athugasemd", "örugg lagfæring", "texti"),
}
_SEPARATORS = {ENGLISH: ",", ICELANDIC: ";"}
"""As spreadsheets in these languages have it: where the comma stands in numbers, a semicolon separates cells."""


def report_csv(lines: Sequence[CaptionLine], findings: Sequence[Finding], language: str) -> bytes:
    """UTF-8 with a mark at the beginning, without which Excel reads another encoding. `language`: see `COLUMNS`."""
    number_of = {line.id: number for number, line in enumerate(lines, 1)}
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=_SEPARATORS[language])
    writer.writerow(COLUMNS[language])
    for finding in findings:
        number = number_of[finding.line_ids[0]]
        line = lines[number - 1]
        writer.writerow(
            (
                number,
                format_time(line.start_ms),
                format_time(line.end_ms),
                SEVERITIES[language][finding.severity],
                TITLES[language][finding.rule],
                text_cell(sentence_of(finding, language)),
                "" if finding.fix is None else text_cell(reason_of(finding.fix, language)),
                text_cell(line.text),
            )
        )
    return out.getvalue().encode("utf-8-sig")
