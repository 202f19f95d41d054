"""Adding and changing webhooks: whose they are, who may, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from api.app import create_app
from api.people.audit.models import AuditEntry
from api.people.teams.models import TeamRole
from api.platform.http.state import AppState
from api.platform.settings import ApiSettings
from api.platform.webhooks.events import EventType
from api.platform.webhooks.limits import ENDPOINTS_MAX
from api.testing.browser import Browser, SignUp
from api.testing.processes.webhook_receiver import WebhookReceiver
from api.testing.teams import join, new_team
from api.tests.webhooks.calls import add, deliveries, send_all

URL = "https://example.com/hook"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


async def test_a_webhook_is_added_changed_and_deleted(ada: Browser, state: AppState) -> None:
    webhook = await add(ada, URL, [EventType.EXPORT_READY, EventType.FILE_CREATED, EventType.EXPORT_READY], name="CI")
    assert webhook["events"] == ["file.created", "export.ready"]
    path = f"/api/webhooks/{webhook['id']}"
    changed = (await ada.patch(path, json={"events": ["file.failed"], "url": f"{URL}/2"})).json()["data"]
    assert (changed["url"], changed["events"], changed["name"]) == (f"{URL}/2", ["file.failed"], "CI")
    off = (await ada.patch(path, json={"is_enabled": False})).json()["data"]
    assert (off["is_enabled"], off["problem"]) == (False, None)
    assert (await ada.post(f"{path}/test")).status_code == 409
    assert (await ada.delete(path)).status_code == 204
    assert (await ada.get("/api/webhooks")).json()["data"] == []
    async with state.database.read() as session:
        entries = (await session.scalars(select(AuditEntry).order_by(AuditEntry.at))).all()
    recorded = [entry for entry in entries if entry.object_kind == "webhook"]
    assert [entry.action for entry in recorded] == [
        "webhook.added",
        "webhook.changed",
        "webhook.changed",
        "webhook.deleted",
    ]
    # The rest of an address is often a secret.
    assert all(entry.details["host"] == "example.com" and "/hook" not in str(entry.details) for entry in recorded)


async def test_a_test_event_says_at_once_how_it_went(ada: Browser, state: AppState, receiver: WebhookReceiver) -> None:
    webhook = await add(ada, receiver.url, [EventType.EXPORT_READY])
    receiver.answers = [404]
    for expected in ("failed", "delivered"):
        sent = await ada.post(f"/api/webhooks/{webhook['id']}/test")
        assert sent.status_code == 202, sent.text
        await send_all(state)
        newest = (await deliveries(ada, webhook))[0]
        assert (newest["event"], newest["state"], newest["attempts"]) == ("webhook.test", expected, 1)
    assert receiver.messages[-1].verified(webhook["secret"])["type"] == "webhook.test"


@pytest.mark.long
@pytest.mark.parametrize(
    "body",
    [
        {"url": URL, "events": []},
        {"url": URL, "events": ["file.eaten"]},
        {"url": "", "events": ["file.created"]},
        {"url": "https://example.com:99999/", "events": ["file.created"]},
        {"url": "https://" + "a" * 2_000 + ".com/", "events": ["file.created"]},
        {"url": URL, "events": ["file.created"], "name": "x" * 101},
    ],
)
async def test_what_cannot_be_a_webhook_is_refused(ada: Browser, body: dict[str, object]) -> None:
    assert (await ada.post("/api/webhooks", json=body)).status_code == 422


async def test_private_addresses_are_refused_unless_the_installation_allows_them(
    database_url: str, tmp_path: Path
) -> None:
    app = create_app(ApiSettings(data_dir=tmp_path / "data", database_url=database_url))
    async with app.router.lifespan_context(app), Browser.open(app) as ada:
        await ada.register("ada")
        for url in ("http://example.com/", "https://127.0.0.1/", "https://[::ffff:10.0.0.1]/"):
            answer = await ada.post("/api/webhooks", json={"url": url, "events": ["file.created"]})
            assert answer.status_code == 422
            assert answer.json()["errors"]["url"]


@pytest.mark.long
async def test_there_is_a_largest_number(ada: Browser) -> None:
    for _ in range(ENDPOINTS_MAX):
        await add(ada, URL)
    answer = await ada.post("/api/webhooks", json={"url": URL, "events": ["file.created"]})
    assert answer.status_code == 422
    assert str(ENDPOINTS_MAX) in answer.json()["message"]


@pytest.mark.long
async def test_a_teams_webhooks_belong_to_its_editors(
    ada: Browser, bob: Browser, sign_up: SignUp, state: AppState, receiver: WebhookReceiver
) -> None:
    carol, eve = await sign_up("carol"), await sign_up("eve")
    team = await new_team(ada)
    await join(state, ada, team, bob)
    await join(state, ada, team, carol, TeamRole.VIEWER)
    webhook = await add(bob, receiver.url, team_id=team)
    path = f"/api/webhooks/{webhook['id']}"
    of_team = f"/api/webhooks?team_id={team}"
    assert [each["id"] for each in (await ada.get(of_team)).json()["data"]] == [webhook["id"]]
    assert (await bob.get("/api/webhooks")).json()["data"] == []
    new = {"url": URL, "events": ["file.created"], "team_id": team}
    for browser, status in ((carol, 403), (eve, 404)):
        assert (await browser.get(of_team)).status_code == status
        assert (await browser.post("/api/webhooks", json=new)).status_code == status
        assert (await browser.get(f"{path}/deliveries")).status_code == status
        assert (await browser.patch(path, json={"name": "x"})).status_code == status
        assert (await browser.post(f"{path}/secret")).status_code == status
        assert (await browser.delete(path)).status_code == status
    # It stays the team's when whoever added it leaves.
    assert (await bob.post(f"/api/teams/{team}/leave")).status_code == 204
    assert (await bob.get(f"{path}/deliveries")).status_code == 404
    assert (await ada.post(f"{path}/test")).status_code == 202
    await send_all(state)
    assert len(receiver.messages) == 1
    # Nothing leaves for a deleted team.
    assert (await ada.post(f"{path}/test")).status_code == 202
    assert (await ada.delete(f"/api/teams/{team}")).status_code == 204
    await send_all(state)
    assert len(receiver.messages) == 1
