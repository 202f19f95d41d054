"""Glossaries of people and teams: terms, CSV files, and what reaches a translation."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx2
import pytest

from api.content.files.models import File
from api.content.glossary import service
from api.content.glossary.csv_form import EMPTY, NO_SOURCE
from api.content.glossary.service import FULL, NO_TEAM, TAKEN, TWICE
from api.content.preparation.work import transcribe_work
from api.people.auth.viewer import TEAM_HEADER
from api.platform.http.limits import GLOSSARY_TERM_MAX
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.files.translated import begin, load_model
from api.testing.newsroom import make_newsroom
from pipelines.messages.requests import TranscribeRequest
from pipelines.translation.terms.glossary_file import read_glossary

PATH = "/api/glossary"


async def add(browser: Browser, source: str, target: str, **more: Any) -> httpx2.Response:
    return await browser.post(PATH, json={"source": source, "target": target, **more})


async def sources(browser: Browser, **query: str) -> list[str]:
    answer = await browser.get(PATH, params=query)
    assert answer.status_code == 200, answer.text
    return [each["source"] for each in answer.json()["data"]]


async def send(browser: Browser, text: str | bytes, **query: str) -> httpx2.Response:
    raw = text.encode() if isinstance(text, str) else text
    return await browser.post(f"{PATH}/import", params=query, files={"file": ("terms.csv", raw, "text/csv")})


async def test_add_change_delete(ada: Browser) -> None:
    added = await add(
        ada, " Harbour\tpilot ", "práctico", **{"from": "EN-us", "to": "es"}, note="the person", case=True
    )
    assert added.status_code == 201, added.text
    term = added.json()["data"]
    assert (term["source"], term["from"], term["to"], term["case"]) == ("Harbour pilot", "en-US", "es", True)
    assert (term["scope"], term["may_change"]) == ("user", True)
    changed = await ada.put(f"{PATH}/{term['id']}", json={"source": "Pilot", "target": "práctico"})
    assert changed.json()["data"]["source"] == "Pilot"
    assert (changed.json()["data"]["from"], changed.json()["data"]["note"]) == (None, "")
    assert await sources(ada) == ["Pilot"]
    assert (await ada.delete(f"{PATH}/{term['id']}")).status_code == 204
    assert await sources(ada) == []
    assert (await ada.delete(f"{PATH}/{term['id']}")).status_code == 404


async def test_refusals(ada: Browser) -> None:
    await add(ada, "Sagascript", "Sagascript")
    again = await add(ada, "SAGASCRIPT", "x")
    assert (again.status_code, again.json()["message"]) == (422, TAKEN)
    assert (await add(ada, "SAGASCRIPT", "x", case=True)).status_code == 201
    assert (await add(ada, "", "x")).status_code == 422
    assert (await add(ada, "x" * (GLOSSARY_TERM_MAX + 1), "x")).status_code == 422
    assert (await add(ada, "x", "y", to="klingon")).json()["errors"].keys() == {"to"}
    assert (await add(ada, "x", "y", scope="team")).json()["message"] == NO_TEAM


async def test_languages_choose_the_terms_that_fit(ada: Browser) -> None:
    await add(ada, "any", "x")
    await add(ada, "english to spanish", "x", **{"from": "en-US", "to": "es"})
    await add(ada, "to german", "x", to="de-DE")
    assert await sources(ada) == ["any", "english to spanish", "to german"]
    assert await sources(ada, **{"from": "en-GB", "to": "es"}) == ["any", "english to spanish"]
    assert await sources(ada, **{"from": "is-IS", "to": "de"}) == ["any", "to german"]


async def test_a_file_goes_out_and_in_again_unchanged(ada: Browser, bob: Browser) -> None:
    await add(ada, 'quote " and, comma', "línea; otra", to="es", note="=1+1", case=True)
    await add(ada, "höfn", "harbour")
    exported = await ada.get(f"{PATH}/export")
    assert exported.headers["content-type"].startswith("text/csv")
    assert exported.content.startswith(b"\xef\xbb\xbf")
    report = (await send(bob, exported.content)).json()["data"]
    assert report == {"added": 2, "changed": 0, "unchanged": 0, "refused": []}
    assert (await bob.get(f"{PATH}/export")).content == exported.content
    assert (await send(bob, exported.content)).json()["data"]["unchanged"] == 2


@pytest.mark.long
@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+1", "-x", "@SUM(A1)", "'=1+1", "＝1", "'n'Sync"])
async def test_no_cell_begins_a_formula_and_each_term_comes_back(ada: Browser, bob: Browser, text: str) -> None:
    assert (await add(ada, text, f"{text} there", note=text)).status_code == 201
    exported = await ada.get(f"{PATH}/export")
    row = list(csv.reader(io.StringIO(exported.content.decode("utf-8-sig"), newline="")))[1]
    assert not any(cell.startswith(("=", "+", "-", "@", "＝")) for cell in row)
    assert (await send(bob, exported.content)).json()["data"]["added"] == 1
    (term,) = (await bob.get(PATH)).json()["data"]
    assert (term["source"], term["target"], term["note"]) == (text, f"{text} there", text)
    assert read_glossary(exported.content.decode("utf-8-sig"))[0].source == text


async def test_rows_that_cannot_be_used_are_reported(ada: Browser) -> None:
    await add(ada, "old", "alt")
    text = (
        "source;target;from;to;note;case\n"
        "new;neu;en;de;;\n"
        "\n"
        ";nichts;;;;\n"
        "old;älter;;;;\n"
        "stays;;;;;yes\n"
        "NEW;nochmal;en;de;;\n"
        "bad;x;zz;;;\n"
        "case;x;;;;maybe\n"
        f"{'l' * 300};x;;;;\n"
    )
    report = (await send(ada, text)).json()["data"]
    assert (report["added"], report["changed"]) == (2, 1)
    refused = {each["row"]: each["reason"] for each in report["refused"]}
    assert list(refused) == [4, 7, 8, 9, 10]
    assert (refused[4], refused[7]) == (NO_SOURCE, TWICE)
    terms = {each["source"]: each["target"] for each in (await ada.get(PATH)).json()["data"]}
    assert terms == {"new": "neu", "old": "älter", "stays": "stays"}


@pytest.mark.parametrize("raw", [b"", b"source,target\n", b"\n\n"])
async def test_empty_files(ada: Browser, raw: bytes) -> None:
    answer = await send(ada, raw)
    assert (answer.status_code, answer.json()["message"]) == (422, EMPTY)


async def test_files_of_other_programs(ada: Browser) -> None:
    assert (await send(ada, "haus\thouse\nhöfn\tport\n".encode("utf-16"))).json()["data"]["added"] == 2
    assert (await send(ada, bytes(range(256)) * 40)).status_code in (200, 422)
    assert (await send(ada, b'source,target\n"open,x\n')).status_code == 422


async def test_a_full_glossary(ada: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "TERMS_MAX", 2)
    report = (await send(ada, "a,x\nb,x\nc,x\n")).json()["data"]
    assert (report["added"], [each["reason"] for each in report["refused"]]) == (2, [FULL])
    assert (await add(ada, "c", "x")).json()["message"] == FULL


async def test_terms_of_a_team(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    acting = {TEAM_HEADER: str(room.team_id)}
    added = await room.ada.post(PATH, json={"source": "team", "target": "equipo"}, headers=acting)
    assert added.json()["data"]["scope"] == "team"
    await room.ada.post(PATH, json={"source": "mine", "target": "mío", "scope": "user"}, headers=acting)
    assert [each["source"] for each in (await room.ada.get(PATH, headers=acting)).json()["data"]] == ["mine", "team"]
    assert await sources(room.ada) == ["mine"]
    path = f"{PATH}/{added.json()['data']['id']}"
    theirs = (await room.bob.get(PATH, headers=acting)).json()["data"]
    assert [(each["source"], each["may_change"]) for each in theirs] == [("team", True)]
    looked = (await room.vera.get(PATH, headers=acting)).json()["data"]
    assert [(each["source"], each["may_change"]) for each in looked] == [("team", False)]
    body = {"source": "team", "target": "grupo"}
    assert (await room.vera.post(PATH, json=body, headers=acting)).status_code == 403
    assert (await room.vera.put(path, json=body)).status_code == 403
    assert (await room.bob.put(path, json=body)).status_code == 200
    # A stranger sees, changes and removes nothing.
    assert await sources(room.eve) == []
    assert (await room.eve.put(path, json=body)).status_code == 404
    assert (await room.eve.delete(path)).status_code == 404


async def test_a_translation_gets_the_terms_that_fit(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    acting = {TEAM_HEADER: str(room.team_id)}
    file = await captioned_file(state, room.ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, file.id)).team_id = room.team_id
    await add(room.bob, "harbour", "puerto", to="es")
    await add(room.bob, "closed", "cerrado", to="es")
    await add(room.bob, "today", "í dag", to="is")
    await add(room.ada, "ada's own", "x")
    await room.ada.post(PATH, json={"source": "Harbour", "target": "rada", "to": "es"}, headers=acting)
    await load_model(state)
    answer = await room.bob.post(f"/api/files/captions/{file.slug}/translate", json={"language": "es"})
    assert answer.status_code == 202, answer.text
    _, request = await begin(state, file, "es")
    assert {term.source: term.target for term in request.glossary} == {"Harbour": "rada", "closed": "cerrado"}


async def test_a_transcription_gets_the_terms_that_may_be_spoken(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    acting = {TEAM_HEADER: str(room.team_id)}
    await add(room.ada, "harbour", "höfn", **{"from": "en", "to": "is"})
    await add(room.ada, "Sagascript", "Sagascript")
    await add(room.eve, "of a stranger", "x")
    await room.bob.post(PATH, json={"source": "Team", "target": "equipo", "from": "en"}, headers=acting)
    file = await captioned_file(state, room.ada.user_id)
    async with state.database.write() as session:
        row = await session.get_one(File, file.id)
        alone = await transcribe_work(session, row)
        row.team_id = room.team_id
        in_team = await transcribe_work(session, row)
    for work, team in ((alone, []), (in_team, [("Team", "en")])):
        assert isinstance(work.request, TranscribeRequest)
        told = [(term.text, term.language) for term in work.request.terms]
        # Names first, then the newest.
        assert told == [*team, ("Sagascript", None), ("harbour", "en"), ("höfn", "is")]
