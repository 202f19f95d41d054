"""REST v1, as a program with a key uses it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api.people.api_keys.scopes import Scope
from api.people.teams.models import TeamRole
from api.platform.http.state import AppState
from api.platform.webhooks.events import EventType
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import ENGINE, captioned_file
from api.testing.files.translated import load_model
from api.testing.teams import join, new_team
from api.tests.rest.conftest import MakeProgram

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

SRT = "1\n00:00:01,000 --> 00:00:02,500\nThe harbour is open.\n\n2\n00:00:03,000 --> 00:00:04,000\nCome in.\n"


async def test_a_program_finds_reads_and_deletes_files(
    ada: Browser, bob: Browser, state: AppState, program_of: MakeProgram
) -> None:
    program = await program_of(ada)
    file = await captioned_file(state, ada.user_id, "One line.")
    theirs = await captioned_file(state, bob.user_id, "Not yours.")
    listed = (await program.get("/api/v1/files", params={"status": "completed", "per_page": 1})).json()
    assert [each["id"] for each in listed["data"]] == [file.slug]
    assert listed["meta"] == {"total": 1, "page": 1, "per_page": 1}
    one = (await program.get(f"/api/v1/files/{file.slug}")).json()["data"]
    assert one == listed["data"][0]
    assert (one["status"], one["duration_ms"], one["language"]) == ("completed", 60_000, "en-US")
    for call in ("", "/captions", "/translations", "/exports"):
        assert (await program.get(f"/api/v1/files/{theirs.slug}{call}")).status_code == 404
    assert (await program.delete(f"/api/v1/files/{theirs.slug}")).status_code == 404
    assert (await program.delete(f"/api/v1/files/{file.slug}")).status_code == 204
    assert (await program.get("/api/v1/files")).json()["data"] == []
    assert (await ada.get("/api/files/bin")).json()["meta"]["total"] == 1


async def test_a_file_arrives_by_the_upload_protocol(ada: Browser, program_of: MakeProgram) -> None:
    program = await program_of(ada)
    ticket = (await program.post("/api/v1/uploads", json={"size_bytes": 10})).json()["data"]
    assert ticket["tus_url"].endswith("/tus/")
    headers = {"Tus-Resumable": "1.0.0", "Authorization": f"Bearer {ticket['token']}"}
    creation = {"Upload-Length": "10", "Upload-Metadata": "filename dGFsay5tcDQ="}
    made = await program.post("/tus/", headers=headers | creation)
    assert made.status_code == 201, made.text
    location = made.headers["Location"]
    path = f"/api/v1/uploads/{location.rstrip('/').rpartition('/')[2]}"
    waiting = (await program.get(path)).json()["data"]
    assert (waiting["filename"], waiting["file_id"], waiting["size_bytes"]) == ("talk.mp4", None, 10)
    piece = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    sent = await program.patch(location, headers=headers | piece, content=b"0123456789")
    assert sent.status_code == 204, sent.text
    done = (await program.get(path)).json()["data"]
    file = (await program.get(f"/api/v1/files/{done['file_id']}")).json()["data"]
    assert (file["name"], file["status"], file["size_bytes"]) == ("talk", "waiting", 10)


@pytest.mark.long
async def test_captions_are_read_in_every_form_and_replaced(
    ada: Browser, state: AppState, program_of: MakeProgram
) -> None:
    program = await program_of(ada)
    file = await captioned_file(state, ada.user_id, "One line.")
    path = f"/api/v1/files/{file.slug}/captions"
    answer = await program.put(path, content=SRT.encode(), headers={"Content-Type": "text/plain"})
    assert answer.status_code == 200, answer.text
    saved = answer.json()["data"]
    assert (saved["language"], saved["revision"], saved["changed"], saved["removed"]) == ("en-US", 1, 2, 0)
    srt = await program.get(path, params={"format": "srt"})
    assert srt.headers["content-type"].startswith("application/x-subrip")
    assert "The harbour is open." in srt.text
    assert (await program.get(path, params={"format": "vtt"})).text.startswith("WEBVTT")
    whole = (await program.get(path)).json()
    assert "The harbour is open." in json.dumps(whole)
    undo = {"action": "Undo", "issued": saved["revision"]}
    assert (await ada.post(f"/api/files/captions/{file.slug}", json=undo)).status_code == 200
    refused = await program.put(path, content=b"\x00\x01nothing")
    assert refused.status_code == 422
    assert refused.json()["message"]


async def test_translations_and_exports_are_started_and_followed(
    ada: Browser, state: AppState, program_of: MakeProgram
) -> None:
    program = await program_of(ada)
    await load_model(state)
    file = await captioned_file(state, ada.user_id, "One line.")
    path = f"/api/v1/files/{file.slug}"
    started = await program.post(f"{path}/translations", json={"languages": ["is-IS"]})
    assert started.status_code == 202, started.text
    assert [each["state"] for each in started.json()["data"]] == ["waiting"]
    assert (await program.get(f"{path}/translations")).json() == started.json()
    assert (await program.post(f"{path}/translations", json={"languages": ["xx-XX"]})).status_code == 422
    export = await program.post(f"{path}/exports", json={"language": "en-US", "mode": "soft"})
    assert export.status_code == 202, export.text
    data = export.json()["data"]
    assert (data["status"], data["download_url"]) == ("submitted", None)
    assert (await program.get(f"{path}/exports/{data['id']}")).json() == export.json()
    assert (await program.get(f"{path}/exports")).json()["data"] == [data]
    assert (await program.get(f"{path}/exports/{data['id']}/download")).status_code == 404


async def test_transcription_is_asked_for_and_explained(ada: Browser, state: AppState, program_of: MakeProgram) -> None:
    program = await program_of(ada)
    options = (await program.get("/api/v1/transcription")).json()["data"]
    assert set(options) == {"model", "reason", "languages", "detects_language", "detects_speakers"}
    file = await captioned_file(state, ada.user_id, "One line.")
    again = await program.post(f"/api/v1/files/{file.slug}/transcribe", json={})
    assert again.status_code == 202, again.text
    assert again.json()["data"]["status"] == "transcribing"
    assert ENGINE.model in str(again.json()["data"]["model"]).lower()


async def test_webhooks_are_added_and_deleted(ada: Browser, program_of: MakeProgram) -> None:
    program = await program_of(ada)
    body = {"url": "https://example.com/hook", "events": [EventType.EXPORT_READY]}
    made = (await program.post("/api/v1/webhooks", json=body)).json()["data"]
    assert made["secret"].startswith("whsec_")
    assert [each["id"] for each in (await program.get("/api/v1/webhooks")).json()["data"]] == [made["id"]]
    assert (await program.delete(f"/api/v1/webhooks/{made['id']}")).status_code == 204
    assert (await ada.get("/api/webhooks")).json()["data"] == []


async def test_a_key_of_a_team_reaches_the_teams_things_alone(
    ada: Browser, sign_up: SignUp, state: AppState, program_of: MakeProgram
) -> None:
    vera = await sign_up("vera")
    team = await new_team(ada)
    await join(state, ada, team, vera, TeamRole.VIEWER)
    program = await program_of(ada, team_id=team)
    own = await captioned_file(state, ada.user_id, "Mine.")
    assert own.slug not in (await program.get("/api/v1/files")).text
    body = {"url": "https://example.com/hook", "events": ["file.created"]}
    hook = (await program.post("/api/v1/webhooks", json=body)).json()["data"]
    assert hook["team_id"] == team


@pytest.mark.long
async def test_every_call_wants_its_scope(ada: Browser, program_of: MakeProgram) -> None:
    webhooks_only = await program_of(ada, Scope.WEBHOOKS)
    others = await program_of(ada, *(scope for scope in Scope if scope is not Scope.WEBHOOKS))
    document = (await others.get("/api/v1/openapi.json")).json()
    for path, calls in document["paths"].items():
        for method in calls:
            program = others if "/webhooks" in path else webhooks_only
            url = path.format(file_id="x", upload_id="x" * 32, export_id=ID, webhook_id=ID, key="x", number=0)
            answer = await program.request(method.upper(), url, json=BODIES.get((method, path)))
            assert (answer.status_code, answer.json().get("code")) == (403, "missing_scope"), (
                method,
                path,
                answer.text,
            )
            nobody = await program.request(method.upper(), url, headers={"Authorization": "Bearer sgk_unknown"})
            assert nobody.status_code == 401


ID = "00000000-0000-0000-0000-000000000000"
BODIES: dict[tuple[str, str], Any] = {
    ("post", "/api/v1/uploads"): {},
    ("post", "/api/v1/live"): {"language": "en-US", "source": ID},
    ("post", "/api/v1/live/{key}/source"): {"source": ID},
    ("put", "/api/v1/live/{key}/link"): {"is_open": True},
    ("post", "/api/v1/webhooks"): {"url": "https://example.com", "events": ["file.created"]},
    ("post", "/api/v1/files/{file_id}/transcribe"): {},
    ("post", "/api/v1/files/{file_id}/translations"): {"languages": ["is-IS"]},
    ("post", "/api/v1/files/{file_id}/exports"): {"language": "en-US"},
}


@pytest.mark.long
async def test_the_document_holds_these_calls_and_what_they_need(ada: Browser, program_of: MakeProgram) -> None:
    program = await program_of(ada)
    document = (await program.get("/api/v1/openapi.json")).json()
    assert document["info"]["title"] == "Sagascript REST API"
    assert all(path.startswith("/api/v1/") for path in document["paths"])
    text = json.dumps(document)
    for schema in document["components"]["schemas"]:
        assert f"#/components/schemas/{schema}" in text, schema
    for reference in {part.split('"')[0] for part in text.split('"$ref": "#/components/schemas/')[1:]}:
        assert reference in document["components"]["schemas"]
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            assert {"401", "403", "429"} <= set(call["responses"]), (method, path)
            assert call["security"], (method, path)
