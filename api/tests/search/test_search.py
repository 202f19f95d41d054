"""Search through the API, on both databases, in step with every way captions change."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import Connection, MetaData, insert, select, text

from api.content.captions.models import CaptionLineRow, TrackOrigin
from api.content.files.models import File
from api.content.search.matching import line_contains
from api.content.search.queries import MATCHES_MAX
from api.content.search.routes import SHORT_KEYWORD, TRIES, searches
from api.platform.db.base import utc_now
from api.platform.db.engine import Database
from api.platform.db.migrate import upgrade
from api.platform.db.search_queue import MANY_LINES, index_piece
from api.platform.db.search_words import terms_of
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file
from pipelines.captions.timestamps import format_time

Found = list[dict[str, Any]]


async def search(browser: Browser, keyword: str, **query: Any) -> Found:
    path = f"/api/files/transcriptions/search/{quote(keyword, safe='')}"
    answer = await browser.get(path, params=query)
    assert answer.status_code == 200, answer.text
    found: Found = answer.json()["data"]
    return found


async def texts(browser: Browser, keyword: str) -> list[str]:
    return [match["text"] for file in await search(browser, keyword) for match in file["matches"]]


def marked(parts: list[dict[str, Any]]) -> str:
    return "".join(f"[{part['text']}]" if part["is_hit"] else part["text"] for part in parts)


async def test_lines_and_names_are_found_whatever_their_case_and_accents(ada: Browser, state: AppState) -> None:
    spoken = await captioned_file(state, ada.user_id, "Þórshöfn er 100% hér.", "Nothing else.", filename="a.mp4")
    named = await captioned_file(state, ada.user_id, "Hello.", filename="Fundur í Þórshöfn.mp4")
    for keyword in ("þórshöfn", "ÞÓRSHÖFN", "þorsho", "Þórshöfn!"):
        first, second = await search(ada, keyword)
        assert (first["slug"], first["hits"], first["matches"]) == (named.slug, 0, [])
        assert (second["slug"], second["hits"]) == (spoken.slug, 1)
    assert marked(first["title"]) == "Fundur í [Þórshöfn]"
    (match,) = second["matches"]
    assert marked(match["excerpt"]) == "[Þórshöfn] er 100% hér."
    assert (match["language"], match["start_ms"], match["is_translation"]) == ("en-US", 1_000, False)
    assert [file["slug"] for file in await search(ada, "her 100 þors")] == [spoken.slug]
    assert [file["slug"] for file in await search(ada, "100% h")] == [spoken.slug]
    assert [file["slug"] for file in await search(ada, "fundur/þórs")] == [named.slug]
    for nothing in ("%%%", "___", "órshöfn", "hofn", "þórshöfn nowhere", "' OR 1=1 --", 'a" b* ^(c)'):
        assert await search(ada, nothing) == []
    for short in ("ab", " ab "):
        answer = await ada.get(f"/api/files/transcriptions/search/{quote(short)}")
        assert (answer.status_code, answer.json()["message"]) == (422, SHORT_KEYWORD)


@pytest.mark.long
async def test_scripts_without_spaces_are_found_in_any_part(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id, "昨日、東京都庁に行きました。", "ฉันอยากกินข้าว", "한국어를 배운다")
    for keyword in ("東京都", "都庁に行き", "ยากกิน", "한국어", "昨日 行きました"):
        (found,) = await search(ada, keyword)
        assert (found["slug"], found["hits"]) == (file.slug, 1)
    assert await search(ada, "京東都") == []


@pytest.mark.long
async def test_results_come_in_pages_with_the_first_lines_of_each_file(ada: Browser, state: AppState) -> None:
    lines = [f"Harbour number {number}." for number in range(MATCHES_MAX + 2)]
    files = [await captioned_file(state, ada.user_id, *lines) for _ in range(3)]
    path = "/api/files/transcriptions/search/harbour"
    answer = (await ada.get(path, params={"per_page": 2})).json()
    assert answer["meta"] == {"total": 3, "page": 1, "per_page": 2}
    assert [file["slug"] for file in answer["data"]] == [files[2].slug, files[1].slug]
    assert {file["hits"] for file in answer["data"]} == {len(lines)}
    assert [match["text"] for match in answer["data"][0]["matches"]] == lines[:MATCHES_MAX]
    answer = (await ada.get(path, params={"per_page": 2, "page": 2})).json()
    assert [file["slug"] for file in answer["data"]] == [files[0].slug]
    answer = (await ada.get(path, params={"per_page": 2, "page": 9})).json()
    assert (answer["data"], answer["meta"]["total"]) == ([], 3)
    assert (await ada.get(path, params={"per_page": 101})).status_code == 422


@pytest.mark.long
async def test_what_others_own_and_what_is_in_the_bin_stays_hidden(ada: Browser, bob: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    assert len(await search(ada, "harbour")) == 1
    assert await search(bob, "harbour") == []
    await ada.delete(f"/api/files/{file.slug}")
    assert await search(ada, "harbour") == []
    await ada.post("/api/files/bin/restore", json={"ids": [str(file.id)]})
    assert len(await search(ada, "harbour")) == 1
    await ada.delete(f"/api/files/{file.slug}")
    await ada.delete("/api/files/bin")
    async with state.database.read() as session:
        if state.database.is_sqlite:
            assert (await session.execute(text("SELECT count(*) FROM search_lines"))).scalar_one() == 0
            found = "SELECT count(*) FROM search_lines_index WHERE search_lines_index MATCH 'harbour'"
            assert (await session.execute(text(found))).scalar_one() == 0


@pytest.mark.long
async def test_the_index_follows_a_change_of_many_lines_a_little_later(ada: Browser, state: AppState) -> None:
    """SQLite's index is slow, so it takes such changes from a queue, and all others in between."""
    file = await captioned_file(state, ada.user_id, *(f"Harbour number {number}." for number in range(MANY_LINES)))
    page = await Editor(ada, file.slug).look()
    starts = [line["start_ms"] for line in page.lines]
    cues = [f"{format_time(at)} --> {format_time(at + 100)}\nBridge nummer {at}.\n" for at in starts]
    answer = await ada.post(f"{page.path}/import", files={"file": ("a.srt", "\n".join(cues).encode())})
    assert answer.status_code == 200, answer.text
    await page.look()
    await page.save("Edit", 0, content="The tunnel is open.")
    await page.save("Edit", 0, content="The canal is open.")
    await page.save("Delete", 1)
    for _ in range(3):
        await page.save("Undo")
    await page.save("Undo")
    await page.save("Redo")
    await page.save("Edit", 0, content="The ferry has left.")
    while await index_piece(state.database):
        pass
    hits = {word: await search(ada, word) for word in ("harbour", "tunnel", "canal", "ferry", "bridge", "number")}
    assert {word: sum(file["hits"] for file in found) for word, found in hits.items()} == {
        **{"harbour": 0, "tunnel": 0, "canal": 0, "ferry": 1, "number": 0},
        "bridge": MANY_LINES - 1,
    }
    await ada.delete(f"/api/files/{file.slug}")
    await ada.delete("/api/files/bin")
    while await index_piece(state.database):
        pass
    if state.database.is_sqlite:
        async with state.database.read() as session:
            for word in hits:
                left = "SELECT count(*) FROM search_lines_index WHERE search_lines_index MATCH :word"
                assert (await session.execute(text(left), {"word": word})).scalar_one() == 0


@pytest.mark.long
async def test_the_index_follows_edits_undo_imports_and_names(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    assert await texts(ada, "closed today") == [SENTENCES[0]]
    await page.save("Edit", 0, content="The bridge is open.")
    assert (await texts(ada, "closed"), await texts(ada, "bridge")) == ([], ["The bridge is open."])
    await page.save("Undo")
    assert (await texts(ada, "closed"), await texts(ada, "bridge")) == ([SENTENCES[0]], [])
    await page.save("Shift", offset=1_000)
    (found,) = await search(ada, "closed")
    assert found["matches"][0]["start_ms"] == 2_000
    raw = b"1\n00:00:01,000 --> 00:00:02,000\nImported words\n"
    answer = await ada.post(f"/api/files/captions/{file.slug}/import", files={"file": ("a.srt", raw)})
    assert answer.status_code == 200, answer.text
    assert (await texts(ada, "closed"), await texts(ada, "imported")) == ([], ["Imported words"])
    await ada.put(f"/api/files/{file.slug}", json={"name": "Vikulegur fundur"})
    assert [found["slug"] for found in await search(ada, "vikul")] == [file.slug]
    assert await search(ada, "talk") == []


@pytest.mark.long
async def test_a_filled_database_is_indexed_by_the_migration(bare_database_url: str) -> None:
    await upgrade(bare_database_url, "0023d")
    database = Database(bare_database_url)
    async with database.engine.begin() as connection:
        await connection.run_sync(_fill)
    await upgrade(bare_database_url)
    async with database.read() as session:
        assert (await session.scalars(select(File.search_text))).one() == "þorshofn"
        assert (await session.scalars(select(CaptionLineRow.search_text))).one() == "hofnin er lokuð"
        found = select(CaptionLineRow.start_ms).where(line_contains(session, terms_of("höfn lok")))
        assert (await session.scalars(found)).all() == [5]
    await database.close()


def _fill(connection: Connection) -> None:
    """A line of captions as an earlier version wrote it."""
    tables = MetaData()
    tables.reflect(connection, only=["users", "files", "caption_tracks", "caption_lines"])
    key = uuid.uuid4()
    one = {
        "id": key.hex if connection.dialect.name == "sqlite" else key,
        "created_at": utc_now(),
        "updated_at": utc_now(),
    }
    name = {"name": "Þórshöfn", "language": "is", "slug": "slug"}
    rows: dict[str, dict[str, Any]] = {
        "users": {**one, "name": "a", "email": "a@example.com", "password_hash": "-", "is_admin": False},
        "files": {
            **one,
            **name,
            "user_id": one["id"],
            "filename": "a",
            "kind": "video",
            "status": "completed",
            "progress": 100,
            "phase": "",
            "facts": {},
            "original_key": "a",
            "plays_in_browser": False,
        },
        "caption_tracks": {
            **one,
            "file_id": one["id"],
            "language": "is",
            "origin": TrackOrigin.TRANSCRIPTION,
            "revision": 0,
            "engine": {},
        },
        "caption_lines": {
            "id": one["id"],
            "track_id": one["id"],
            "start_ms": 5,
            "end_ms": 9,
            "text": "Höfnin er lokuð.",
            "words": [],
            "doubts": [],
            "revision": 0,
        },
    }
    for table, values in rows.items():
        connection.execute(insert(tables.tables[table]), values)


async def test_a_flood_of_searches_is_refused_for_a_while(ada: Browser, bob: Browser) -> None:
    path = "/api/files/transcriptions/search/nothing"
    for _ in range(TRIES):
        searches.add(str(ada.user_id))
    refused = await ada.get(path)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["Retry-After"]) <= 61
    assert refused.json()["message"].startswith("Too many tries.")
    assert (await bob.get(path)).status_code == 200
