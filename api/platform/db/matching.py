"""Text search in a column, with the same result on both databases."""

from __future__ import annotations

from sqlalchemy import ColumnElement, SQLColumnExpression, or_


def contains_text(column: SQLColumnExpression[str], keyword: str) -> ColumnElement[bool]:
    """Whether the text contains the keyword, whatever its case.

    SQLite's LIKE ignores the case of ASCII letters only, so we compare the usual spellings one by one.
    """
    if keyword.isascii():
        return column.icontains(keyword, autoescape=True)
    spellings = dict.fromkeys((keyword, keyword.lower(), keyword.upper(), keyword.capitalize(), keyword.title()))
    return or_(*(column.icontains(spelling, autoescape=True) for spelling in spellings))
