"""Sentences in rows: stored as codes, also those of earlier versions."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import Connection, select

from api.content.files.models import File
from api.content.library.service import CANCELLED
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.tests.db.test_migrated_captions import Filler
from cluster.stored_sentences import stored_text, text_of
from cluster.wording.message import Message

UNKNOWN = "Something that no version of ours ever said {about} 3 things."


def test_a_message_comes_back_with_its_code_and_values() -> None:
    inner = Message("library.cancelled", "You cancelled this file.")
    message = Message("stored.verbatim", "{text}", text=inner)
    again = text_of(stored_text(message))
    assert isinstance(again, Message)
    assert again == message
    assert again.text("is") == inner.text("is") != str(inner)


def test_a_text_of_somebody_else_never_becomes_a_message_of_ours() -> None:
    forged = json.dumps({"code": "library.cancelled", "values": {}}, separators=(",", ":"))
    assert text_of(stored_text(forged)) == forged
    assert text_of(stored_text("plain")) == "plain"


@pytest.fixture
def database_url(bare_database_url: str) -> str:
    return bare_database_url


async def test_rows_of_earlier_versions_get_codes(database_url: str) -> None:
    files = {
        "exact": str(CANCELLED),
        "unknown": UNKNOWN,
        "named": "You cancelled 'Fundur. Nr. 2 {x}'.",
        "counted": "This file is longer than 24 hours. Split it and upload the parts.",
        "forged": '{"code":"library.cancelled","values":{}}',
    }

    def fill(connection: Connection) -> None:
        filler = Filler(connection)
        user = filler.add("users")
        for slug, error in files.items():
            filler.add("files", user_id=user, language="is-IS", status="failed", kind="video", slug=slug, error=error)

    await upgrade(database_url, "0041")
    database = Database(database_url)
    try:
        async with database.engine.begin() as connection:
            await connection.run_sync(fill)
        await upgrade(database_url)
        async with database.read() as session:
            found = dict((await session.execute(select(File.slug, File.error))).all())
            assert {slug: str(error) for slug, error in found.items()} == files
            exact = found["exact"]
            assert isinstance(exact, Message)
            assert exact.text("is") == CANCELLED.text("is")
            assert not isinstance(found["unknown"], Message)
            counted = found["counted"]
            assert isinstance(counted, Message)
            assert "24 klukkustundir" in counted.text("is")
            assert await session.scalar(select(File.slug).where(File.error == CANCELLED)) == "exact"
    finally:
        await database.close()
