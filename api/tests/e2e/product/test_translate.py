"""Captions are translated by a real model on Ray Serve, from the call to the finished track."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest

from api.content.captions.models import TrackOrigin
from api.content.captions.tracks import add_track
from api.content.files.models import File, FileKind, FileStatus
from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD
from api.testing.processes.product import Product
from cluster.testing.patience import PATIENCE_S
from pipelines.captions.reading.cues import with_words
from pipelines.messages.lines import CaptionLine
from serve.testing.tiny_models.phrases import Phrase, phrases_between

EVERY_MS = 6_000
LINES = 12


@pytest.fixture
def person(product: Product) -> Iterator[httpx2.Client]:
    """A new person's browser."""
    with httpx2.Client(base_url=product.url, timeout=PATIENCE_S) as client:
        client.get("/sanctum/csrf-cookie").raise_for_status()
        client.headers[XSRF_HEADER] = unquote(client.cookies[XSRF_COOKIE])
        body = {"name": "Tove", "email": f"{uuid.uuid4().hex}@example.com"}
        passwords = {"password": PASSWORD, "password_confirmation": PASSWORD}
        client.post("/register", json={**body, **passwords}).raise_for_status()
        client.headers[XSRF_HEADER] = unquote(client.cookies[XSRF_COOKIE])
        yield client


async def add_file(product: Product, user_id: uuid.UUID, phrases: list[Phrase]) -> str:
    """A file as a transcription leaves it, one phrase a line."""
    database = Database(ApiSettings(data_dir=product.data_dir).db_url)
    lines = [
        with_words(CaptionLine(str(uuid.uuid4()), index * EVERY_MS, index * EVERY_MS + 4_000, phrase.source))
        for index, phrase in enumerate(phrases)
    ]
    async with database.write() as session:
        file = File(
            user_id=user_id,
            name="Phrases",
            filename="phrases.mp4",
            kind=FileKind.VIDEO,
            status=FileStatus.COMPLETED,
            language="en-US",
            original_key="nothing",
            duration_ms=len(phrases) * EVERY_MS,
        )
        session.add(file)
        await session.flush()
        await add_track(session, file, "en-US", TrackOrigin.TRANSCRIPTION, lines)
    await database.close()
    return file.slug


def known_offers(person: httpx2.Client) -> dict[str, Any]:
    """The languages on offer, once the installation knows its model: until then anything may be chosen."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = person.get("/api/translation/languages", params={"from": "en-US"})
        offers = {each["value"]: each for each in answer.json()["data"]}
        if not offers["ja"]["available"] or time.monotonic() > deadline:
            return offers
        time.sleep(0.3)


def wait_for(person: httpx2.Client, path: str, language: str) -> dict[str, Any]:
    """The translation once its run has ended."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        answer = person.get(f"{path}/translations")
        found = next(each for each in answer.json()["data"] if each["language"] == language)
        if found["state"] not in ("waiting", "running") or time.monotonic() > deadline:
            return dict(found)
        time.sleep(0.3)


@pytest.mark.long
def test_captions_are_translated_refreshed_and_downloaded(product: Product, person: httpx2.Client) -> None:
    phrases = phrases_between("en", "es")[:LINES]
    user_id = uuid.UUID(person.get("/api/user").json()["data"]["id"])
    with ThreadPoolExecutor(1) as thread:
        # The browser of the tests before has a loop in this one.
        slug = thread.submit(asyncio.run, add_file(product, user_id, phrases)).result()
    path = f"/api/files/captions/{slug}"
    offers = known_offers(person)
    assert offers["es"]["available"]
    assert offers["es"]["via"]
    assert offers["is"]["available"]
    assert (offers["ja"]["available"], bool(offers["ja"]["reason"])) == (False, True)
    assert person.post(f"{path}/translate", json={"language": "ja"}).status_code == 422
    started = person.post(f"{path}/translate", json={"languages": ["es", "is"]})
    assert started.status_code == 202, started.text
    done = wait_for(person, path, "es")
    assert (done["state"], done["lines"], done["stale"], done["error"]) == ("ready", LINES, 0, None)
    spanish = person.get(path, params={"language": "es"}).json()["data"]
    assert [" ".join(line["text"].split()) for line in spanish["lines"]] == [phrase.target for phrase in phrases]
    source = person.get(path).json()["data"]
    assert [line["source"]["ids"] for line in spanish["lines"]] == [[line["id"]] for line in source["lines"]]
    assert wait_for(person, path, "is")["state"] == "ready"
    _refresh(person, path, source)


def _refresh(person: httpx2.Client, path: str, source: dict[str, Any]) -> None:
    """A line that gets another phrase of the book is translated anew; the others stay."""
    other = phrases_between("en", "es")[LINES]
    first = source["lines"][0]["id"]
    edit = {"action": "Edit", "line": first, "issued": source["revision"], "content": other.source}
    assert sorted(person.post(path, json=edit).json()["data"]["followed"]) == ["es", "is"]
    assert wait_for(person, path, "es")["stale"] == 1
    assert person.post(f"{path}/translations/es/refresh", json={}).status_code == 202
    done = wait_for(person, path, "es")
    assert (done["state"], done["stale"], done["lines"]) == ("ready", 0, LINES)
    text = person.get(f"{path}/download", params={"language": "es", "format": "txt"}).text
    assert other.target in " ".join(text.split())
