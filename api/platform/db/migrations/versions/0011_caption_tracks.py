"""Captions belong to tracks: the transcription is the first track of a file, others can stand beside it"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from api.platform.db.base import AwareDateTime, JsonValue

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "caption_tracks",
        sa.Column("file_id", sa.Uuid(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("origin", sa.String(length=20), nullable=False),
        sa.Column("source_track_id", sa.Uuid(), nullable=True),
        sa.Column("source_revision", sa.Integer(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("engine", JsonValue, nullable=False),
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("created_at", AwareDateTime(), nullable=False),
        sa.Column("updated_at", AwareDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["file_id"], ["files.id"], name=op.f("fk_caption_tracks_file_id_files"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["source_track_id"],
            ["caption_tracks.id"],
            name=op.f("fk_caption_tracks_source_track_id_caption_tracks"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_caption_tracks")),
        sa.UniqueConstraint("file_id", "language", name=op.f("uq_caption_tracks_file_id")),
    )
    op.create_index(op.f("ix_caption_tracks_source_track_id"), "caption_tracks", ["source_track_id"])
    is_transcription = sa.text("origin = 'transcription'")
    op.create_index(
        "ux_caption_tracks_transcription",
        "caption_tracks",
        ["file_id"],
        unique=True,
        sqlite_where=is_transcription,
        postgresql_where=is_transcription,
    )
    # A transcription keeps its id: addresses of captions name it.
    columns = "id, file_id, language, revision, engine, created_at, updated_at"
    op.execute(f"INSERT INTO caption_tracks ({columns}, origin) SELECT {columns}, 'transcription' FROM transcriptions")
    _point_lines_at_tracks()
    _point_revisions_at_tracks()
    with op.batch_alter_table("exports") as exports:
        exports.add_column(sa.Column("track_id", sa.Uuid(), nullable=True))
        exports.create_foreign_key(
            op.f("fk_exports_track_id_caption_tracks"), "caption_tracks", ["track_id"], ["id"], ondelete="SET NULL"
        )
        exports.create_index(op.f("ix_exports_track_id"), ["track_id"])
    op.execute(
        "UPDATE exports SET track_id = "
        "(SELECT transcriptions.id FROM transcriptions WHERE transcriptions.file_id = exports.file_id)"
    )
    # Nothing ever wrote a translation.
    op.drop_table("translations")
    op.drop_table("transcriptions")


# SQLite makes these tables anew, which cascades to nothing: no other table points at them.
def _point_lines_at_tracks() -> None:
    op.execute("ALTER TABLE caption_lines RENAME COLUMN transcription_id TO track_id")
    with op.batch_alter_table("caption_lines") as lines:
        lines.drop_index("ix_caption_lines_transcription_id_start_ms")
        lines.drop_constraint("fk_caption_lines_transcription_id_transcriptions", type_="foreignkey")
        lines.create_foreign_key(
            op.f("fk_caption_lines_track_id_caption_tracks"),
            "caption_tracks",
            ["track_id"],
            ["id"],
            ondelete="CASCADE",
        )
        lines.create_index("ix_caption_lines_track_id_start_ms", ["track_id", "start_ms"])


def _point_revisions_at_tracks() -> None:
    op.execute("ALTER TABLE caption_revisions RENAME COLUMN transcription_id TO track_id")
    with op.batch_alter_table("caption_revisions") as revisions:
        revisions.drop_index("ux_caption_revisions_transcription_id_command_id")
        revisions.drop_constraint("uq_caption_revisions_transcription_id", type_="unique")
        revisions.drop_constraint("fk_caption_revisions_transcription_id_transcriptions", type_="foreignkey")
        revisions.create_foreign_key(
            op.f("fk_caption_revisions_track_id_caption_tracks"),
            "caption_tracks",
            ["track_id"],
            ["id"],
            ondelete="CASCADE",
        )
        revisions.create_unique_constraint(op.f("uq_caption_revisions_track_id"), ["track_id", "number"])
        revisions.create_index("ux_caption_revisions_track_id_command_id", ["track_id", "command_id"], unique=True)
