"""A queue in front of the search index of SQLite, so that a change of many lines need not wait for the index."""

from __future__ import annotations

from alembic import op

revision = "0039"
down_revision = "0038"

_AT_ONCE = "NOT EXISTS (SELECT 1 FROM search_queue)"
_LATER = "EXISTS (SELECT 1 FROM search_queue)"

SQLITE = (
    "DROP TRIGGER search_lines_insert",
    "DROP TRIGGER search_lines_delete",
    "DROP TRIGGER search_lines_update",
    # `words` are those that the index gains, or holds and loses.
    "CREATE TABLE search_queue (id INTEGER PRIMARY KEY, line_id CHAR(32) NOT NULL, leaves BOOLEAN NOT NULL,"
    " words TEXT NOT NULL)",
    f"CREATE TRIGGER search_lines_insert AFTER INSERT ON caption_lines WHEN {_AT_ONCE} BEGIN"
    " INSERT INTO search_lines (line_id) VALUES (new.id);"
    " INSERT INTO search_lines_index (rowid, search_text)"
    " SELECT id, new.search_text FROM search_lines WHERE line_id = new.id;"
    " END",
    f"CREATE TRIGGER search_lines_insert_later AFTER INSERT ON caption_lines WHEN {_LATER} BEGIN"
    " INSERT INTO search_queue (line_id, leaves, words) VALUES (new.id, 0, new.search_text);"
    " END",
    f"CREATE TRIGGER search_lines_delete AFTER DELETE ON caption_lines WHEN {_AT_ONCE} BEGIN"
    " INSERT INTO search_lines_index (search_lines_index, rowid, search_text)"
    " SELECT 'delete', id, old.search_text FROM search_lines WHERE line_id = old.id;"
    " DELETE FROM search_lines WHERE line_id = old.id;"
    " END",
    f"CREATE TRIGGER search_lines_delete_later AFTER DELETE ON caption_lines WHEN {_LATER} BEGIN"
    " INSERT INTO search_queue (line_id, leaves, words) VALUES (old.id, 1, old.search_text);"
    " END",
    f"CREATE TRIGGER search_lines_update AFTER UPDATE OF search_text ON caption_lines WHEN {_AT_ONCE} BEGIN"
    " INSERT INTO search_lines_index (search_lines_index, rowid, search_text)"
    " SELECT 'delete', id, old.search_text FROM search_lines WHERE line_id = old.id;"
    " INSERT INTO search_lines_index (rowid, search_text)"
    " SELECT id, new.search_text FROM search_lines WHERE line_id = new.id;"
    " END",
    f"CREATE TRIGGER search_lines_update_later AFTER UPDATE OF search_text ON caption_lines WHEN {_LATER} BEGIN"
    " INSERT INTO search_queue (line_id, leaves, words) VALUES (old.id, 1, old.search_text);"
    " INSERT INTO search_queue (line_id, leaves, words) VALUES (new.id, 0, new.search_text);"
    " END",
)


def upgrade() -> None:
    # PostgreSQL's index holds no lock that other people's changes wait for.
    if op.get_bind().dialect.name != "postgresql":
        for statement in SQLITE:
            op.execute(statement)
