"""Browse-as: an administrator uses a customer's account for a while, within limits, and everybody can see it later."""

from __future__ import annotations

import uuid
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from sqlalchemy import select, update

from api.people.audit.models import AuditEntry
from api.people.auth.browsing import MAY_CHANGE, OWN_CALLS, changes_something
from api.people.auth.cookies import SESSION_COOKIE
from api.people.auth.viewer import SignedIn
from api.people.users.models import BrowserSession
from api.platform.db import clock
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.outbox import CONNECTION_END
from api.routers import ROUTERS
from api.testing.admins import promote
from api.testing.browser import Browser
from api.testing.files.uploaded_file import uploaded_file

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
REASON = "Ticket 4711: captions look empty"


async def browse(admin: Browser, who: Browser, *, may_change: bool = False) -> dict[str, Any]:
    answer = await admin.post("/api/browse-as", json={"id": str(who.user_id), "reason": REASON})
    assert answer.status_code == 200, answer.text
    if may_change:
        assert (await admin.post("/api/browse-as/changes", json={"may_change": True})).status_code == 200
    data: dict[str, Any] = answer.json()["data"]
    return data


async def entries(state: AppState, action: str = "") -> list[AuditEntry]:
    async with state.database.read() as session:
        statement = (
            select(AuditEntry).where(AuditEntry.action.startswith(action or "browse_as")).order_by(AuditEntry.at)
        )
        return list((await session.scalars(statement)).all())


async def test_an_admin_sees_what_the_customer_sees_and_returns(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    own_cookie = admin.cookies[SESSION_COOKIE]
    shown = await browse(admin, ada)
    assert (shown["email"], shown["is_admin"]) == ("ada@example.com", False)
    assert shown["browse_as"]["admin_name"] == "Root"
    assert shown["browse_as"]["may_change"] is False
    assert admin.cookies[SESSION_COOKIE] != own_cookie
    assert (await admin.get("/api/user")).json()["data"]["browse_as"] == shown["browse_as"]
    assert (await admin.get(f"/api/files/{file.slug}")).json()["data"]["name"] == file.name
    # The customer's own page shows nothing of it, and their session goes on.
    assert (await ada.get("/api/user")).json()["data"]["browse_as"] is None

    assert (await admin.delete("/api/browse-as")).status_code == 204
    assert (await admin.get("/api/user")).json()["data"]["email"] == "root@example.com"
    assert (await admin.get(f"/api/files/{file.slug}")).status_code == 404
    assert (await admin.delete("/api/browse-as")).status_code == 204

    found = await entries(state)
    assert [entry.action for entry in found] == ["browse_as.started", "browse_as.opened", "browse_as.ended"]
    assert {(entry.actor_id, entry.subject_id) for entry in found} == {(admin.user_id, ada.user_id)}
    assert {entry.actor_email for entry in found} - {None} == {"root@example.com"}
    assert all(entry.network == "127.0.0.1" for entry in found)
    assert found[0].details["reason"] == REASON
    assert (found[1].object_kind, found[1].object_id) == ("a file", file.slug)


@SQLITE
async def test_it_is_read_only_until_the_second_switch(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await browse(admin, ada)
    refused = await admin.put(f"/api/files/{file.slug}", json={"name": "Renamed"})
    assert (refused.status_code, refused.json()["code"]) == (403, "browse_as_read_only")
    before = dict(admin.cookies)
    assert (await admin.post("/api/browse-as/changes", json={"may_change": True})).status_code == 200
    assert dict(admin.cookies) == before, "calls that are under way would be refused"
    assert (await admin.put(f"/api/files/{file.slug}", json={"name": "Renamed"})).status_code == 200
    assert (await admin.post("/api/browse-as/changes", json={"may_change": False})).status_code == 200
    assert (await admin.put(f"/api/files/{file.slug}", json={"name": "Again"})).status_code == 403
    (write,) = await entries(state, "browse_as.changed")
    assert (write.actor_id, write.subject_id) == (admin.user_id, ada.user_id)
    assert (write.details["method"], write.details["path"]) == ("PUT", f"/api/files/{file.slug}")
    assert (await ada.get(f"/api/files/{file.slug}")).json()["data"]["name"] == "Renamed"


@SQLITE
async def test_looking_draws_previews_and_counts_minutes(admin: Browser, ada: Browser, state: AppState) -> None:
    await browse(admin, ada)
    styles = (await admin.get("/api/caption-styles")).json()["data"]["presets"]
    script = {"style": styles[0]["style"], "width": 640, "height": 360, "lines": []}
    assert (await admin.post("/api/caption-styles/script", json=script)).status_code == 200
    query = {"query": "so", "replacement": "thus"}
    assert (await admin.post("/api/captions/replace/preview", json=query)).status_code == 200
    assert (await admin.post("/api/captions/replace", json=query | {"targets": []})).status_code == 403
    assert [entry.details["path"] for entry in await entries(state, "browse_as.opened")] == [
        "/api/caption-styles",
        "/api/captions/replace/preview",
    ]
    assert await entries(state, "browse_as.changed") == []


NEVER = [
    ("PUT", "/api/user/settings"),
    ("POST", "/api/user/settings"),
    ("DELETE", "/api/user"),
    ("POST", "/api/email/verify"),
    ("POST", "/api/user/subscribe"),
    ("PUT", "/api/user/billing/payment"),
    ("GET", "/api/user/subscription/cancel"),
    ("GET", "/api/user/subscription/uncancel"),
    ("GET", "/api/user/stripe/intent"),
    ("GET", "/api/user/browser-key"),
    ("PUT", "/api/user/subscription/change/creator/monthly"),
    ("DELETE", f"/api/teams/{uuid.uuid4()}"),
    ("POST", "/api/files/bin/purge"),
    ("DELETE", "/api/files/bin"),
    ("POST", "/api/teams"),
    ("PUT", f"/api/teams/{uuid.uuid4()}"),
    ("POST", f"/api/teams/{uuid.uuid4()}/files"),
    ("PUT", f"/api/teams/{uuid.uuid4()}/voices"),
    ("POST", f"/api/teams/{uuid.uuid4()}/voices/forget"),
    ("POST", f"/api/teams/{uuid.uuid4()}/invitations"),
    ("POST", f"/api/teams/{uuid.uuid4()}/invitations/{uuid.uuid4()}/resend"),
    ("PUT", f"/api/teams/{uuid.uuid4()}/members/{uuid.uuid4()}"),
    ("DELETE", f"/api/teams/{uuid.uuid4()}/members/{uuid.uuid4()}"),
    ("POST", "/api/something/new"),
]

WORK = """
DELETE /api/caption-styles/{style_id}
DELETE /api/captions/profiles/{profile_id}
DELETE /api/files/aitext/{key}
DELETE /api/files/captions/{key}/notes/{note_id}
DELETE /api/files/captions/{key}/rerun
DELETE /api/files/captions/{key}/translations
DELETE /api/files/captions/{key}/versions/{version}
DELETE /api/files/delete-multiple
DELETE /api/files/upload/{id}
DELETE /api/files/{slug}
DELETE /api/glossary/words/{word_id}
DELETE /api/glossary/{term_id}
DELETE /api/tags/{slug}
DELETE /api/video/exports/{slug}/{export_id}
PATCH /api/files/minutes/{id}
PATCH /api/tags/{slug}
POST /api/caption-styles
POST /api/captions/profiles
POST /api/captions/replace
POST /api/files/aitext/{key}
POST /api/files/bin/restore
POST /api/files/captions/{key}
POST /api/files/captions/{key}/import
POST /api/files/captions/{key}/notes
POST /api/files/captions/{key}/proofreading
POST /api/files/captions/{key}/proofreading/cancel
POST /api/files/captions/{key}/recut
POST /api/files/captions/{key}/rerun
POST /api/files/captions/{key}/rerun/cancel
POST /api/files/captions/{key}/rerun/decision
POST /api/files/captions/{key}/review
POST /api/files/captions/{key}/translate
POST /api/files/captions/{key}/translations/restore
POST /api/files/captions/{key}/translations/{language}/cancel
POST /api/files/captions/{key}/translations/{language}/refresh
POST /api/files/captions/{key}/versions
POST /api/files/captions/{key}/versions/{version}/restore
POST /api/files/improve
POST /api/files/minutes/{id}/again
POST /api/files/minutes/{id}/cancel
POST /api/files/minutes/{id}/restore
POST /api/files/speakers/{key}
POST /api/files/speakers/{key}/cancel
POST /api/files/speakers/{key}/lines
POST /api/files/speakers/{key}/new
POST /api/files/speakers/{key}/{label}/merge
POST /api/files/speakers/{key}/{label}/voice/dismiss
POST /api/files/tags
POST /api/files/upload
POST /api/files/upload/token
POST /api/files/{slug}/cancel
POST /api/files/{slug}/playback
POST /api/files/{slug}/retry
POST /api/files/{slug}/shots
POST /api/files/{slug}/transcribe
POST /api/glossary
POST /api/glossary/import
POST /api/glossary/suggestions
POST /api/glossary/words
POST /api/tags
POST /api/video/export/{slug}
PUT /api/caption-styles/{style_id}
PUT /api/captions/profiles/{profile_id}
PUT /api/files/captions/{key}/notes/{note_id}
PUT /api/files/captions/{key}/profile
PUT /api/files/speakers/{key}/{label}
PUT /api/files/style/{slug}
PUT /api/files/upload
PUT /api/files/{slug}
PUT /api/glossary/{term_id}
PUT /api/tags/{slug}
""".strip().splitlines()
"""The changes that browse-as may make. A new route is the owner's own until it stands here and in `MAY_CHANGE`."""


def test_every_change_that_browse_as_may_make_is_listed() -> None:
    changes = {
        f"{method} {route.path}"
        for router in ROUTERS
        for route in router.routes
        if isinstance(route, APIRoute) and OWN_CALLS.fullmatch(route.path) is None
        for method in route.methods or ()
        if changes_something(method, route.path)
    }
    assert sorted(change for change in changes if MAY_CHANGE.fullmatch(change)) == WORK


@SQLITE
async def test_it_reads_by_post_before_the_second_switch(admin: Browser, ada: Browser) -> None:
    await browse(admin, ada)
    answer = await admin.post("/api/captions/replace/preview", json={"query": "a", "replacement": "b"})
    assert answer.status_code == 200, answer.text


@SQLITE
async def test_no_administrator_invites_themselves_into_a_team(admin: Browser, ada: Browser) -> None:
    team = (await ada.post("/api/teams", json={"name": "Desk"})).json()["data"]["id"]
    await browse(admin, ada, may_change=True)
    invitation = {"email": "root@example.com", "role": "owner"}
    answer = await admin.post(f"/api/teams/{team}/invitations", json=invitation)
    assert (answer.status_code, answer.json()["code"]) == (403, "browse_as_never")


@SQLITE
async def test_never_password_email_payment_or_deletion(
    admin: Browser, ada: Browser, app: FastAPI, state: AppState
) -> None:
    """The rule stands before the routes: it holds for each of these calls that there is, now and later."""

    async def untouched(viewer: SignedIn) -> str:
        return str(viewer.user_id)

    for method, path in NEVER:
        app.add_api_route(path, untouched, methods=[method])
        app.router.routes.insert(0, app.router.routes.pop())
    await browse(admin, ada, may_change=True)
    for method, path in NEVER:
        answer = await admin.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (403, "browse_as_never"), path
    assert await entries(state, "browse_as.changed") == []
    await admin.delete("/api/browse-as")
    for method, path in NEVER:
        assert (await admin.request(method, path)).json() == str(admin.user_id)


@SQLITE
async def test_no_other_admin_nobody_unknown_and_no_nesting(
    admin: Browser, ada: Browser, bob: Browser, state: AppState
) -> None:
    await promote(state, bob.user_id)
    for who, status in ((bob.user_id, 409), (admin.user_id, 409), (uuid.uuid4(), 404)):
        answer = await admin.post("/api/browse-as", json={"id": str(who), "reason": REASON})
        assert answer.status_code == status
    assert (await ada.post("/api/browse-as", json={"id": str(bob.user_id), "reason": REASON})).status_code == 403
    missing = await admin.post("/api/browse-as", json={"id": str(ada.user_id)})
    assert (missing.status_code, missing.json()["message"]) == (422, "The reason is required.")
    await browse(admin, ada)
    assert (await admin.post("/api/browse-as", json={"id": str(ada.user_id), "reason": REASON})).status_code == 409
    assert (await admin.get("/api/models/catalogue")).status_code == 403
    assert (await ada.post("/api/browse-as/changes", json={"may_change": True})).status_code == 409


async def test_it_ends_by_itself_and_never_turns_into_the_admins_own_call(
    admin: Browser, ada: Browser, state: AppState
) -> None:
    await uploaded_file(state, ada.user_id)
    await browse(admin, ada, may_change=True)
    async with state.database.write() as session:
        await session.execute(update(BrowserSession).values(browse_ends_at=clock.now(-1)))
    for call in (admin.get("/api/files"), admin.post("/api/files/upload/token")):
        answer = await call
        assert (answer.status_code, answer.json()["code"]) == (409, "browse_as_ended")
    user = (await admin.get("/api/user")).json()["data"]
    assert (user["email"], user["browse_as"]) == ("root@example.com", None)
    assert (await admin.delete("/api/browse-as")).status_code == 204
    assert (await admin.get("/api/files")).json()["data"] == []


@SQLITE
async def test_sign_out_ends_both(admin: Browser, ada: Browser) -> None:
    await browse(admin, ada)
    kept = dict(admin.cookies)
    assert (await admin.post("/api/user/logout")).status_code == 204
    admin.cookies.update(kept)
    assert (await admin.get("/api/user")).status_code == 401
    assert (await ada.get("/api/user")).status_code == 200


@SQLITE
async def test_the_channel_follows_the_account(admin: Browser, ada: Browser) -> None:
    async def allowed(who: Browser) -> int:
        body = {"socket_id": "1.1", "channel_name": f"private-polling.{who.user_id}"}
        return (await admin.post("/api/broadcasting/auth", json=body)).status_code

    assert (await allowed(admin), await allowed(ada)) == (200, 403)
    await browse(admin, ada)
    assert (await allowed(admin), await allowed(ada)) == (403, 200)
    await admin.delete("/api/browse-as")
    assert (await allowed(admin), await allowed(ada)) == (200, 403)


@SQLITE
async def test_an_old_cookie_and_its_upload_tokens_end_when_changes_do(
    admin: Browser, ada: Browser, visitor: Browser
) -> None:
    await browse(admin, ada, may_change=True)
    token = (await admin.post("/api/files/upload/token")).json()["token"]
    kept = dict(admin.cookies)
    await admin.post("/api/browse-as/changes", json={"may_change": False})
    headers = {"Tus-Resumable": "1.0.0", "Upload-Length": "4", "Authorization": f"Bearer {token}"}
    assert (await admin.post("/tus/", headers=headers)).status_code == 401
    visitor.cookies.update(kept)
    assert (await visitor.get("/api/user")).status_code == 401


@SQLITE
async def test_one_opening_is_one_entry(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    await browse(admin, ada)
    for _ in range(3):
        await admin.get(f"/api/files/{file.slug}")
        await admin.get("/api/files?page=1")
    assert len(await entries(state, "browse_as.opened")) == 2
    await admin.delete("/api/browse-as")
    await browse(admin, ada)
    await admin.get(f"/api/files/{file.slug}")
    assert len(await entries(state, "browse_as.opened")) == 3


@SQLITE
async def test_its_realtime_connections_end_with_it(admin: Browser, ada: Browser, state: AppState) -> None:
    async def ends() -> list[tuple[str, bool]]:
        async with state.database.read() as session:
            messages = await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == CONNECTION_END))
            return [(message.payload["user"], message.not_before is not None) for message in messages]

    before = await ends()
    await browse(admin, ada)
    (planned,) = [each for each in await ends() if each not in before]
    assert planned[1] is True
    await admin.delete("/api/browse-as")
    assert (planned[0], False) in await ends()
