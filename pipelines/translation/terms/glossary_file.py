"""Read glossary terms from a CSV file."""

from __future__ import annotations

import csv
import io

from cluster.wording.message import Message
from pipelines.messages.translate import GlossaryTerm
from pipelines.spreadsheet_cells import text_of_cell

_TRUE = frozenset({"1", "true", "yes", "x"})


class UnreadableGlossary(ValueError):
    """A glossary file that cannot be used. The message is a sentence for the person who gave it."""


def read_glossary(text: str) -> tuple[GlossaryTerm, ...]:
    """The terms of a CSV file with the columns `source`, `target` and, if wanted, `case`. Other columns are ignored.

    An empty target means that the term stays as it is. Raises `UnreadableGlossary`.
    """
    lines = text.removeprefix("\ufeff")
    if not lines.strip():
        return ()
    header = lines.lstrip().splitlines()[0]
    reader = csv.DictReader(io.StringIO(lines), delimiter=";" if header.count(";") > header.count(",") else ",")
    names = {name.strip().casefold(): name for name in reader.fieldnames or () if name}
    if "source" not in names or "target" not in names:
        raise UnreadableGlossary(
            Message(
                "pipelines.translation.glossary.columns",
                "A glossary needs the columns “source” and “target” in its first row.",
            )
        )
    terms = []
    try:
        for row in reader:
            source = text_of_cell((row[names["source"]] or "").strip())
            if source:
                target = text_of_cell((row[names["target"]] or "").strip()) or source
                case = (row.get(names.get("case", "")) or "").strip().casefold() in _TRUE
                terms.append(GlossaryTerm(source=source, target=target, case_sensitive=case))
    except csv.Error as error:
        raise UnreadableGlossary(
            Message(
                "pipelines.translation.glossary.unreadable",
                "Row {row} of the glossary cannot be read ({error}).",
                row=reader.line_num,
                error=str(error),
            )
        ) from None
    return tuple(terms)
