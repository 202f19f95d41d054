"""Text in cells of CSV files, which spreadsheets run as a formula where it begins as one (OWASP, CSV injection)."""

from __future__ import annotations

import re

_LIKE_FORMULA = re.compile(r"'*[ \u00a0\ufeff]*[=+\-@\t\r\n＝＋－＠]")
"""Also behind apostrophes, so that each text has a cell of its own. Japanese spreadsheets know the wide signs."""


def text_cell(text: str) -> str:
    """The text as a cell that no spreadsheet runs: an apostrophe stands before what begins as a formula, as `- Yes`."""
    return f"'{text}" if _LIKE_FORMULA.match(text) else text


def text_of_cell(cell: str) -> str:
    """The text that `text_cell` made a cell of."""
    return cell[1:] if cell[:1] == "'" and _LIKE_FORMULA.match(cell) else cell
