"""What support did reads alike wherever it was done: in the admin area, as the customer, and in a team."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from api.people.audit.models import AuditEntry
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.files.uploaded_file import uploaded_file
from api.testing.teams import join, new_team

SUPPORT = "Support (Root)"


async def log_of(browser: Browser, url: str = "/api/user/log") -> dict[str, str]:
    """Who did what, by action; of several entries the newest."""
    lines = (await browser.get(url)).json()["data"]
    return {line["action"]: line["by"] for line in reversed(lines)}


async def test_whatever_support_does_is_by_support(admin: Browser, ada: Browser, state: AppState) -> None:
    file = await uploaded_file(state, ada.user_id)
    assert (await admin.delete(f"/api/admin/contents/{file.slug}")).status_code == 200
    assert (await admin.post(f"/api/admin/contents/{file.slug}/restore")).status_code == 200
    tag = (await ada.post("/api/tags", json={"tag": "Interview"})).json()["data"]
    await admin.post("/api/browse-as", json={"id": str(ada.user_id), "reason": "Ticket 4711"})
    await admin.post("/api/browse-as/changes", json={"may_change": True})
    assert (await admin.delete(f"/api/tags/{tag['slug']}")).status_code == 204
    await admin.delete("/api/browse-as")
    assert (await admin.delete(f"/api/admin/users/{ada.user_id}")).status_code == 204
    assert (await admin.post(f"/api/admin/users/{ada.user_id}/restore")).status_code == 200
    await ada.post("/login", json={"email": "ada@example.com", "password": PASSWORD})
    found = await log_of(ada)
    theirs = ("file.deleted", "file.restored", "tag.deleted", "account.deleted", "account.restored")
    assert {action: found[action] for action in theirs} == dict.fromkeys(theirs, SUPPORT)
    lines = (await ada.get("/api/user/log")).json()["data"]
    assert all(line["by_support"] == (line["by"] == SUPPORT) for line in lines)
    assert all(line["network"] is None for line in lines if line["by_support"])
    assert f"Moved the file {file.name} to the bin" in [line["sentence"] for line in lines]
    async with state.database.read() as session:
        entry = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "account.deleted"))).one()
    assert (entry.actor_id, entry.actor_email) == (admin.user_id, "root@example.com")


@pytest.mark.long
async def test_a_colleague_who_is_an_administrator_is_no_support(
    ada: Browser, bob: Browser, sign_up: SignUp, state: AppState
) -> None:
    """Bob is an administrator and owns a team with Ada. Carl's account is used by support."""
    carl, support = await sign_up("carl"), await sign_up("root")
    await promote(state, bob.user_id)
    await promote(state, support.user_id)
    async with state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=User.created_at))
    team = await new_team(bob)
    for colleague in (ada, carl):
        await join(state, bob, team, colleague)
    renamed = await bob.put(f"/api/teams/{team}", json={"name": "News desk"})
    assert renamed.status_code == 200, renamed.text
    assert (await log_of(ada, f"/api/teams/{team}/log"))["team.changed"] == "Bob"
    await support.post("/api/browse-as", json={"id": str(carl.user_id), "reason": "Ticket 4712"})
    await support.post("/api/browse-as/changes", json={"may_change": True})
    file = await uploaded_file(state, carl.user_id)
    moved = await carl.post(f"/api/teams/{team}/files", json={"ids": [str(file.id)]})
    assert moved.status_code == 200, moved.text
    deleted = await support.delete(f"/api/files/{file.slug}")
    assert deleted.status_code == 204, deleted.text
    assert (await log_of(ada, f"/api/teams/{team}/log"))["file.deleted"] == SUPPORT
