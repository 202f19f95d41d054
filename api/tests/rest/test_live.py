"""REST v1: a program with a key sends live sound."""

from __future__ import annotations

import uuid

import pytest

from api.people.api_keys.scopes import Scope
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.live import PIECE, LiveFlow, words_chunk
from api.tests.rest.conftest import MakeProgram

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

URL = "/api/v1/live"


async def test_a_program_records_and_reads_what_is_said(
    ada: Browser, bob: Browser, state: AppState, program_of: MakeProgram
) -> None:
    program, stranger = await program_of(ada), await program_of(bob)
    source = str(uuid.uuid4())
    begun = await program.post(URL, json={"language": "en-US", "source": source, "name": "Stream"})
    assert begun.status_code == 201, begun.text
    slug = begun.json()["data"]["slug"]
    for number in range(2):
        sent = await program.put(f"{URL}/{slug}/sound/{number}", params={"source": source}, content=PIECE)
        assert sent.json()["data"]["next_piece"] == number + 1
    flow = await LiveFlow.begin(state, slug)
    await flow.hand_over(words_chunk(0, "good morning"))
    found = (await program.get(f"{URL}/{slug}")).json()["data"]
    assert [word["text"] for word in found["words"]] == ["good", "morning"]
    shared = (await program.put(f"{URL}/{slug}/link", json={"is_open": True})).json()["data"]
    assert shared["watch_path"].startswith("/watch/")
    other = str(uuid.uuid4())
    assert (await program.post(f"{URL}/{slug}/source", json={"source": other})).status_code == 200
    late = await program.put(f"{URL}/{slug}/sound/2", params={"source": source}, content=PIECE)
    assert (late.status_code, late.json()["code"]) == (409, "other_source")
    for call in ("", "/sound/2"):
        method = "PUT" if call else "GET"
        answer = await stranger.request(method, f"{URL}/{slug}{call}", params={"source": other}, content=PIECE)
        assert answer.status_code == 404
    assert (await program.post(f"{URL}/{slug}/end")).json()["data"]["state"] == "ended"
    assert (await ada.get(f"/api/live/{slug}")).json()["data"]["live"]["name"] == "Stream"


async def test_sound_does_not_count_against_the_calls_of_a_key(ada: Browser, program_of: MakeProgram) -> None:
    program = await program_of(ada, requests_minute=3)
    source = str(uuid.uuid4())
    begun = await program.post(URL, json={"language": "en-US", "source": source})
    slug = begun.json()["data"]["slug"]
    for number in range(6):
        sent = await program.put(f"{URL}/{slug}/sound/{number}", params={"source": source}, content=PIECE)
        assert sent.status_code == 200, sent.text
    assert [(await program.get(f"{URL}/{slug}")).status_code for _ in range(3)] == [200, 200, 429]


async def test_a_key_needs_the_scope_and_must_be_one(ada: Browser, visitor: Browser, program_of: MakeProgram) -> None:
    reader = await program_of(ada, Scope.FILES_READ)
    body = {"language": "en-US", "source": str(uuid.uuid4())}
    assert (await reader.post(URL, json=body)).status_code == 403
    params = {"source": body["source"]}
    assert (await reader.put(f"{URL}/x/sound/0", params=params, content=PIECE)).status_code == 403
    assert (await visitor.put(f"{URL}/x/sound/0", params=params, content=PIECE)).status_code == 401
