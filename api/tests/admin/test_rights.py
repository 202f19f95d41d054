"""Every admin call refuses visitors, users and owners of teams; the log has no call that changes it."""

from __future__ import annotations

import uuid
from datetime import timedelta
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute

from api.edges.admin.browse_as_routes import router as browse_as
from api.people.access.rules import require_admin
from api.people.audit.actions import AuditAction
from api.people.audit.sentences import sentence
from api.people.audit.service import record
from api.people.teams.models import Membership, Team, TeamRole
from api.platform.db.base import utc_now
from api.platform.http.state import AppState
from api.routers import ROUTERS
from api.testing.browser import Browser

SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

ADMIN_CALLS = [
    (method, route.path)
    for router in ROUTERS
    for route in router.routes
    if isinstance(route, APIRoute)
    and (route.path.startswith("/api/admin") or route.path in ("/api/user/create", "/api/browse-as"))
    for method in route.methods or ()
    if (method, route.path) != ("DELETE", "/api/browse-as")
]


@SQLITE
async def test_no_admin_call_is_open_to_others(visitor: Browser, ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        team = Team(name="Newsroom", payer_id=ada.user_id)
        session.add(team)
        await session.flush()
        session.add(Membership(team_id=team.id, user_id=ada.user_id, role=TeamRole.OWNER))
    assert len(ADMIN_CALLS) > 25
    own = {"id": str(ada.user_id), "reason": "Because I can", "name": "Eve", "email": "eve@example.com"}
    for method, path in ADMIN_CALLS:
        for key in (str(ada.user_id), str(uuid.uuid4())):
            url = "/".join(key if part.startswith("{") else part for part in path.split("/"))
            body = own if method in ("POST", "PUT", "PATCH") else None
            assert (await visitor.request(method, url, json=body)).status_code == 401, (method, path)
            refused = await ada.request(method, url, json=body, headers={"X-Active-Team": str(team.id)})
            # A body that does not fit may be refused before the person is.
            assert refused.status_code == 403, (method, path, refused.text)
            assert "ada@example.com" not in refused.text


def test_every_admin_route_asks_for_an_administrator() -> None:
    def calls(dependant: object) -> set[object]:
        found: set[object] = set()
        for each in dependant.dependencies:  # type: ignore[attr-defined]
            found |= {each.call} | calls(each)
        return found

    for router in ROUTERS:
        for route in router.routes:
            if isinstance(route, APIRoute) and route.path.startswith("/api/admin") and router is not browse_as:
                assert require_admin in calls(route.dependant), route.path


async def test_the_log_is_filtered_paged_and_never_changed(
    admin: Browser, ada: Browser, bob: Browser, state: AppState
) -> None:
    now = utc_now()
    async with state.database.write() as session:
        record(session, AuditAction.PASSWORD_CHANGED, actor_id=ada.user_id, subject_id=ada.user_id)
        record(session, AuditAction.CONTRACT_SET, actor_id=admin.user_id, subject_id=ada.user_id)
        record(session, AuditAction.ACCOUNT_DELETED, actor_id=None, subject_id=bob.user_id)

    async def actions(query: str) -> list[str]:
        # Signing in left entries too.
        answer = await admin.get(f"/api/admin/audit?{query}&since={quote(now.isoformat())}")
        assert answer.status_code == 200, answer.text
        assert answer.json()["meta"]["total"] == len(answer.json()["data"])
        return sorted(entry["action"] for entry in answer.json()["data"])

    assert await actions("") == ["account.deleted", "contract.set", "password.changed"]
    assert await actions(f"subject_id={ada.user_id}") == ["contract.set", "password.changed"]
    assert await actions("actor=ROOT@") == ["contract.set"]
    assert await actions("subject=bob") == ["account.deleted"]
    assert await actions("action=password&action=account.deleted") == ["account.deleted", "password.changed"]
    hour = timedelta(hours=1)
    since, until = (now - hour).isoformat(), (now + hour).isoformat()
    params = {"since": since, "until": until}
    assert len((await admin.get("/api/admin/audit", params=params)).json()["data"]) >= 3
    assert (await admin.get("/api/admin/audit", params={"until": since})).json()["data"] == []
    page = (await admin.get("/api/admin/audit", params={"per_page": 2, "page": 2, "since": now.isoformat()})).json()
    assert (len(page["data"]), page["meta"]["total"]) == (1, 3)
    entry = page["data"][0]
    assert (await admin.get(f"/api/admin/audit/{entry['id']}")).json()["data"] == entry
    exported = await admin.get("/api/admin/audit", params={"format": "csv", "since": now.isoformat()})
    assert exported.text.count("\r\n") == 4
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for url in ("/api/admin/audit", f"/api/admin/audit/{entry['id']}"):
            assert (await admin.request(method, url, json={})).status_code in (404, 405)
    own = (await ada.get("/api/user/log")).json()["data"]
    assert {(line["action"], line["by"]) for line in own} >= {
        ("password.changed", "You"),
        ("contract.set", "Support (Root)"),
    }


def test_every_action_is_said_in_words() -> None:
    for action in AuditAction:
        said = sentence(action, {})
        assert said[0].isupper() or said[0] == "…"
        assert "{" not in said
        assert "_" not in said
