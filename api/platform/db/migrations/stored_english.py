"""English sentences that earlier versions stored, recognised for migrations by the catalogues of the version that runs.

A sentence that no form fits is not recognised. Neither is one with a formatted number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

from cluster.wording.catalogue import english_forms

PORTION = 500
_HOLE = re.compile(r"\{(\w+)\}")
_ONE_SENTENCE = r"((?:(?![.?!] [A-Z]).)+?)"
"""No value holds the end of one sentence and another one."""


class StoredEnglish:
    def __init__(self) -> None:
        self._exact, self._forms = _known()

    def coded(self, text: str) -> dict[str, Any] | None:
        """The sentence as `{"code", "values"}`; None where no form fits."""
        if text in self._exact:
            return {"code": self._exact[text], "values": {}}
        for pattern, code in self._forms:
            if match := pattern.fullmatch(text):
                return {"code": code, "values": {name: _value(value) for name, value in match.groupdict().items()}}
        return None


def portions(rows: sa.TableClause, column: sa.ColumnClause[Any], *where: sa.ColumnElement[bool]) -> Iterator[list[Any]]:
    """Every row with something in the column, as `(id, value)` in the order of ids: one pass over the table."""
    wanted = sa.select(rows.c.id, column).where(column.is_not(None), *where).order_by(rows.c.id).limit(PORTION)
    portion = list(op.get_bind().execute(wanted))
    while portion:
        yield portion
        portion = list(op.get_bind().execute(wanted.where(rows.c.id > portion[-1][0])))


def _known() -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """Codes by their English sentence, and patterns of the forms with plain holes, the most exact first."""
    exact: dict[str, str] = {}
    patterns: list[tuple[int, re.Pattern[str], str]] = []
    for code, english in english_forms().items():
        # A form that begins with a hole, such as `{first} or {second}.`, would fit nearly every text.
        if not isinstance(english, str) or english.startswith("{"):
            continue
        pieces = _HOLE.split(english)
        literal = "".join(pieces[::2])
        if "{" in literal or len(set(pieces[1::2])) < len(pieces[1::2]) or not literal.strip(" .:"):
            continue
        if len(pieces) == 1:
            exact[english] = code
            continue
        pattern = "".join(
            re.escape(piece) if index % 2 == 0 else f"(?P<{piece}>{_ONE_SENTENCE[1:-1]})"
            for index, piece in enumerate(pieces)
        )
        patterns.append((len(literal), re.compile(pattern, re.DOTALL), code))
    patterns.sort(key=lambda each: -each[0])
    return exact, [(pattern, code) for _, pattern, code in patterns]


def _value(text: str) -> str | int:
    """Numbers choose the plural in other languages."""
    return int(text) if text.isdecimal() and str(int(text)) == text else text
