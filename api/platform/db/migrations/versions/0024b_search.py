"""An index over the words of captions and file names"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.search_words import search_text

revision = "0024b"
down_revision = "0023d"

BATCH = 5_000

SQLITE = (
    # FTS5 names rows by integers, and the integers that SQLite gives rows of other tables may change in a VACUUM.
    "CREATE TABLE search_lines (id INTEGER PRIMARY KEY, line_id CHAR(32) NOT NULL UNIQUE)",
    "CREATE VIRTUAL TABLE search_lines_index USING fts5(search_text, content='', tokenize='ascii', detail=none)",
    "INSERT INTO search_lines (line_id) SELECT id FROM caption_lines",
    "INSERT INTO search_lines_index (rowid, search_text)"
    " SELECT search_lines.id, caption_lines.search_text FROM search_lines"
    " JOIN caption_lines ON caption_lines.id = search_lines.line_id",
    "CREATE TRIGGER search_lines_insert AFTER INSERT ON caption_lines BEGIN"
    " INSERT INTO search_lines (line_id) VALUES (new.id);"
    " INSERT INTO search_lines_index (rowid, search_text)"
    " SELECT id, new.search_text FROM search_lines WHERE line_id = new.id;"
    " END",
    "CREATE TRIGGER search_lines_delete AFTER DELETE ON caption_lines BEGIN"
    " INSERT INTO search_lines_index (search_lines_index, rowid, search_text)"
    " SELECT 'delete', id, old.search_text FROM search_lines WHERE line_id = old.id;"
    " DELETE FROM search_lines WHERE line_id = old.id;"
    " END",
    "CREATE TRIGGER search_lines_update AFTER UPDATE OF search_text ON caption_lines BEGIN"
    " INSERT INTO search_lines_index (search_lines_index, rowid, search_text)"
    " SELECT 'delete', id, old.search_text FROM search_lines WHERE line_id = old.id;"
    " INSERT INTO search_lines_index (rowid, search_text)"
    " SELECT id, new.search_text FROM search_lines WHERE line_id = new.id;"
    " END",
)
POSTGRESQL = (
    "CREATE INDEX search_caption_lines ON caption_lines"
    " USING gin (array_to_tsvector(string_to_array(search_text, ' ')))",
)


def upgrade() -> None:
    for table, source in (("files", "name"), ("caption_lines", "text")):
        op.add_column(table, sa.Column("search_text", sa.Text(), nullable=False, server_default=""))
        _fill(table, source)
    for statement in POSTGRESQL if op.get_bind().dialect.name == "postgresql" else SQLITE:
        op.execute(statement)


def _fill(table: str, source: str) -> None:
    connection = op.get_bind()
    rows = sa.table(
        table, sa.column("id", sa.Uuid()), sa.column(source, sa.Text()), sa.column("search_text", sa.Text())
    )
    change = sa.update(rows).where(rows.c.id == sa.bindparam("row_id")).values(search_text=sa.bindparam("words"))
    last = None
    while True:
        batch = sa.select(rows.c.id, rows.c[source]).order_by(rows.c.id).limit(BATCH)
        found = connection.execute(batch if last is None else batch.where(rows.c.id > last)).all()
        if not found:
            return
        connection.execute(change, [{"row_id": row_id, "words": search_text(text)} for row_id, text in found])
        last = found[-1][0]
