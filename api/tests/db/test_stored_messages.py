"""Sentences in rows: stored as codes, also those of earlier versions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import Connection, MetaData, Text, cast, select

from api.content.files.models import File
from api.content.library.service import CANCELLED
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.tests.db.test_migrated_captions import Filler
from cluster.stored_sentences import sentence_of_json, stored_text, text_of
from cluster.wording.message import Message
from pipelines.flows.proofread import BY_RULES
from serve.tasks.text.proofreading_rules import TWICE

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


@pytest.mark.long
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


@pytest.mark.long
async def test_notes_inside_json_of_earlier_versions_get_codes(database_url: str) -> None:
    """Wherever the product keeps a sentence inside JSON. What people or models wrote stays as it is."""
    note = str(BY_RULES)
    engine = {"engine": "apertium", "reason": str(CANCELLED), "note": note, "problem": ""}
    proposal = {"line": "1", "before": "Helo", "after": "Hello", "reason": str(TWICE)}
    stored: dict[tuple[str, str], Any] = {
        ("ai_text_versions", "content"): {"title": note, "blocks": [], "notes": [note, UNKNOWN]},
        ("ai_text_versions", "engine"): engine,
        ("caption_tracks", "engine"): engine,
        ("caption_tracks", "notes"): [note, UNKNOWN],
        ("exports", "form"): {"format": "mp4", "notice": note},
        ("jobs", "result"): {"engine": engine, "notes": [note], "lines": 3},
        ("proofreadings", "content"): {"engine": engine, "notes": [note], "proposals": [proposal]},
    }

    def fill(connection: Connection) -> None:
        filler = Filler(connection)
        user = filler.add("users")
        file = filler.add("files", user_id=user, language="is-IS", status="completed", kind="video", slug="before")
        track = filler.add(
            "caption_tracks",
            file_id=file,
            language="is-IS",
            notes=stored["caption_tracks", "notes"],
            engine=engine,
        )
        text = filler.add("ai_texts", file_id=file, track_id=track, type="summary", language="is-IS", status="complete")
        content = stored["ai_text_versions", "content"]
        filler.add("ai_text_versions", text_id=text, ai_text_id=text, content=content, engine=engine)
        form = stored["exports", "form"]
        filler.add("exports", file_id=file, user_id=user, language="is-IS", mode="soft", status="complete", form=form)
        filler.add("jobs", user_id=user, kind="translate", state="completed", result=stored["jobs", "result"])
        filler.add("jobs", user_id=user, kind="encode", state="running", result=None)
        content = stored["proofreadings", "content"]
        filler.add("proofreadings", file_id=file, track_id=track, language="is-IS", status="complete", content=content)

    def rows(connection: Connection) -> dict[tuple[str, str], Any]:
        metadata = MetaData()
        metadata.reflect(connection)
        found = {}
        for table, column in stored:
            place = cast(metadata.tables[table].columns[column], Text())
            found[table, column] = [
                json.loads(value) for value in connection.scalars(select(place)) if value not in (None, "null")
            ]
        return found

    await upgrade(database_url, "0042")
    database = Database(database_url)
    try:
        async with database.engine.begin() as connection:
            await connection.run_sync(fill)
            before = await connection.run_sync(rows)
        assert before == {place: [value] for place, value in stored.items()}
        await upgrade(database_url)
        async with database.engine.begin() as connection:
            after = await connection.run_sync(rows)
    finally:
        await database.close()
    coded = BY_RULES.as_json()
    assert after["caption_tracks", "notes"] == [[coded, UNKNOWN]]
    assert after["ai_text_versions", "content"] == [{"title": note, "blocks": [], "notes": [coded, UNKNOWN]}]
    assert after["exports", "form"] == [{"format": "mp4", "notice": coded}]
    kept = {"engine": "apertium", "reason": CANCELLED.as_json(), "note": coded, "problem": ""}
    assert after["caption_tracks", "engine"] == after["ai_text_versions", "engine"] == [kept]
    assert after["jobs", "result"] == [{"engine": kept, "notes": [coded], "lines": 3}]
    (proofread,) = after["proofreadings", "content"]
    assert proofread["proposals"] == [proposal | {"reason": TWICE.as_json()}]
    assert sentence_of_json(proofread["notes"][0]) == note
