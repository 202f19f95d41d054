"""Captions that people worked on before a migration: everything is there, and undo and redo still work."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, insert, select, update

from api.app import create_app
from api.content.captions.models import TrackOrigin
from api.content.captions.tracks import tracks_of
from api.content.exports.models import Export
from api.content.files.models import File
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.editor import Editor

NOW = datetime(2026, 1, 2, tzinfo=UTC)
TRANSCRIPTION = uuid.uuid4()
LINES = (uuid.uuid4(), uuid.uuid4())
SHIFT_MS = 500


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    return bare_database_url


def line(index: int, text: str) -> dict[str, Any]:
    start = 1_000 + 5_000 * index
    return {
        "id": str(LINES[index]),
        "start_ms": start,
        "end_ms": start + 2_000,
        "text": text,
        "words": [],
        "doubts": [],
    }


class Filler:
    """Adds rows to whatever schema the database has: columns it does not know yet are left out."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.metadata = MetaData()
        self.metadata.reflect(connection)

    def knows(self, table: str, column: str) -> bool:
        return column in self.metadata.tables[table].columns

    def add(self, table: str, **values: Any) -> uuid.UUID:
        row_id = uuid.uuid4()
        columns = self.metadata.tables[table].columns
        given = {"id": row_id, "created_at": NOW, "updated_at": NOW, **values}
        for column in columns:
            if column.name not in given and not column.nullable and column.server_default is None:
                kinds: dict[type, Any] = {
                    str: uuid.uuid4().hex[:12],
                    bool: False,
                    int: 0,
                    uuid.UUID: uuid.uuid4(),
                    datetime: NOW,
                    object: {},
                }
                given[column.name] = kinds[column.type.python_type]
        given = {name: value for name, value in given.items() if name in columns}
        # SQLite has no type for ids: they come back as text.
        for name, value in given.items():
            if isinstance(value, uuid.UUID) and columns[name].type.python_type is str:
                given[name] = value.hex
        self.connection.execute(insert(self.metadata.tables[table]), [given])
        return uuid.UUID(str(given["id"]))


def fill(connection: Connection) -> None:
    """A file with two lines: one was edited, then all were shifted, and the shift was undone."""
    filler = Filler(connection)
    user = filler.add("users")
    file = filler.add("files", user_id=user, language="is-IS", status="completed", kind="video", slug="before")
    filler.add("transcriptions", id=TRANSCRIPTION, file_id=file, language="is-IS", revision=3)
    filler.add("exports", file_id=file, user_id=user, language="is-IS", mode="soft", status="complete", revision=1)
    for index, text in enumerate(("Góðan dag", "Gott kvöld")):
        filler.add("caption_lines", transcription_id=TRANSCRIPTION, **(line(index, text) | {"id": LINES[index]}))
    of_track = {"transcription_id": TRANSCRIPTION, "user_id": user}
    edit = {"before": [line(0, "Góðan daginn")], "after": [line(0, "Góðan dag")]}
    filler.add("caption_revisions", number=1, action="Edit", **of_track, **edit)
    if filler.knows("caption_revisions", "moves"):
        empty: dict[str, Any] = {"before": [], "after": []}
        filler.add("caption_revisions", number=2, action="Shift", moves={"shift_ms": SHIFT_MS}, **of_track, **empty)
        filler.add("caption_revisions", number=3, action="Undo", step_of=2, **of_track, **empty)


@pytest.fixture
async def page(database_url: str, settings: ApiSettings, revision: str) -> AsyncIterator[Editor]:
    """The captions page of the file after the migrations, opened by its new owner."""
    await upgrade(database_url, revision)
    database = Database(database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(fill)
    await upgrade(database_url)
    app = create_app(settings)
    async with app.router.lifespan_context(app), Browser.open(app) as browser:
        await browser.register("ada")
        async with database.write() as session:
            await session.execute(update(File).values(user_id=browser.user_id))
        yield await Editor(browser, "before").look()
    await database.close()


@pytest.mark.long
@pytest.mark.parametrize("revision", ["0001", "0007", "0008", "0009", "0010"])
async def test_captions_and_their_history_survive_every_migration(
    page: Editor, database_url: str, revision: str
) -> None:
    assert page.texts == ["Góðan dag", "Gott kvöld"]
    assert (page.data["language"], page.data["revision"]) == ("is-IS", 3)
    assert uuid.UUID(page.data["id"]) == TRANSCRIPTION
    assert (await Editor(page.browser, str(TRANSCRIPTION)).look()).texts == page.texts
    if revision >= "0009":
        await page.save("Redo")
        assert [line["start_ms"] for line in page.lines] == [1_000 + SHIFT_MS, 6_000 + SHIFT_MS]
        await page.save("Undo")
    assert [line["start_ms"] for line in page.lines] == [1_000, 6_000]
    await page.save("Undo")
    assert page.texts == ["Góðan daginn", "Gott kvöld"]
    await page.save("Edit", 1, content="Góða nótt")
    assert (await Editor(page.browser, "before").look()).texts == ["Góðan daginn", "Góða nótt"]
    database = Database(database_url)
    async with database.read() as session:
        file = (await session.scalars(select(File))).one()
        (track,) = (await tracks_of(session, file)).tracks
        assert (track.id, track.origin) == (TRANSCRIPTION, TrackOrigin.TRANSCRIPTION)
        assert (await session.scalars(select(Export.track_id))).all() == [TRANSCRIPTION]
    await database.close()
