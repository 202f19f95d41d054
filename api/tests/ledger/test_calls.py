"""The calls of the ledger: balance, quote, movements, CSV, extra minutes, and who may see whose."""

from __future__ import annotations

import csv
import io
import uuid

import httpx2
import pytest
from sqlalchemy import update

from api.people.ledger.errors import NO_ROOM_WITHOUT_PLAN
from api.people.ledger.month import Month
from api.people.ledger.usage import usage_of
from api.people.teams.models import Membership, Team, TeamRole
from api.people.users.models import User
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.uploaded_file import uploaded_file
from api.testing.ledger import Ledger
from api.testing.teams import new_team, token_for
from api.testing.uploads.memory import patch_headers
from api.testing.uploads.sending import TUS, send, start

MINUTE = 60


async def _customer(sign_up: SignUp, state: AppState, name: str = "ada") -> Browser:
    browser = await sign_up(f"{name}{uuid.uuid4().hex[:8]}")
    async with state.database.write() as session:
        await session.execute(update(User).values(email_verified_at=User.created_at))
    return browser


async def _team(state: AppState, payer: Browser, **members: Browser) -> uuid.UUID:
    async with state.database.write() as session:
        team = Team(name="News", payer_id=payer.user_id)
        session.add(team)
        await session.flush()
        for role, browser in members.items():
            session.add(Membership(team_id=team.id, user_id=browser.user_id, role=TeamRole(role)))
        return team.id


async def test_a_quote_says_what_an_upload_will_use(sign_up: SignUp, state: AppState, shop: Ledger) -> None:
    ada = await _customer(sign_up, state)
    await shop.grant(ada.user_id, 300 * MINUTE)
    quote = (await ada.post("/api/ledger/quote", json={"seconds": 42 * MINUTE - 0.5})).json()["data"]
    assert (quote["fits"], quote["included"], quote["extra"]) == (True, 42 * MINUTE, 0)
    assert quote["sentence"] == "42 min of your 300 min; 258 min will be left. Your plan does not change."
    refused = (await ada.post("/api/ledger/quote", json={"seconds": 301 * MINUTE})).json()["data"]
    assert refused["fits"] is False
    assert refused["sentence"].startswith("This needs 301 min, and 300 min of your 300 min are left.")
    assert (await ada.post("/api/ledger/quote", json={})).status_code == 422


@pytest.mark.long
async def test_extra_minutes_go_as_far_as_their_limit_and_add_up_to_the_invoice(
    sign_up: SignUp, state: AppState, shop: Ledger
) -> None:
    ada = await _customer(sign_up, state)
    nothing_for_sale = await ada.put("/api/ledger/extra", json={"is_allowed": True, "limit": 500})
    assert nothing_for_sale.status_code == 409
    await shop.contract(ada.user_id, max_seconds=10 * MINUTE, price_minutes=25)
    allowed = await ada.put("/api/ledger/extra", json={"is_allowed": True, "limit": 500})
    assert allowed.json()["data"]["extra"]["limit"] == 500
    quote = (await ada.post("/api/ledger/quote", json={"seconds": 12 * MINUTE})).json()["data"]
    assert quote["sentence"] == "12 min: 10 min are left in your plan, and 2 min extra cost $0.50."
    first = await shop.reserve(ada.user_id, 30 * MINUTE)
    refused = (await ada.post("/api/ledger/quote", json={"seconds": MINUTE})).json()["data"]
    assert "Choose a larger plan, raise your limit for extra minutes or wait until" in refused["sentence"]
    await shop.settle(first)
    now = await shop.now()
    async with state.database.read() as session:
        usage = await usage_of(session, ada.user_id, Month.of(now))
    assert (usage.seconds, usage.extra_seconds, usage.extra_cents) == (30 * MINUTE, 20 * MINUTE, 500)
    shown = (await ada.get("/api/ledger/usage", params={"month": str(Month.of(now))})).json()["data"]
    assert shown["extra_cents"] == 500
    rows = (await ada.get("/api/ledger")).json()["data"]
    assert sum(row["cents"] for row in rows if row["kind"] == "settle") == 500
    assert await shop.violations() == []


@pytest.mark.long
async def test_movements_name_their_file_and_can_be_opened_as_a_spreadsheet(
    sign_up: SignUp, state: AppState, shop: Ledger
) -> None:
    ada = await _customer(sign_up, state)
    await shop.grant(ada.user_id, 10 * MINUTE)
    file = await uploaded_file(state, ada.user_id, filename="=cmd.mp4")
    await shop.settle(await shop.reserve(ada.user_id, 2 * MINUTE, file_id=file.id))
    await shop.reserve(ada.user_id, MINUTE)
    rows = (await ada.get("/api/ledger")).json()
    assert [(row["kind"], row["seconds"]) for row in rows["data"]] == [("reserve", MINUTE), ("settle", 2 * MINUTE)]
    assert rows["data"][1]["file"] == {"slug": file.slug, "name": "=cmd"}
    assert rows["data"][1]["source"] == "plan"
    assert len((await ada.get("/api/ledger", params={"all": True})).json()["data"]) == 3
    assert (await ada.get("/api/ledger", params={"month": "2020-01"})).json()["data"] == []
    sheet = (await ada.get("/api/ledger", params={"format": "csv"})).text.lstrip("\ufeff")
    lines = list(csv.DictReader(io.StringIO(sheet)))
    assert [line["Seconds"] for line in lines] == ["60", "120"]
    assert lines[1]["File"] == "'=cmd", "a spreadsheet must not run it"


@pytest.mark.long
async def test_who_sees_whose_minutes(sign_up: SignUp, state: AppState, shop: Ledger) -> None:
    payer, owner, editor, stranger = [
        await _customer(sign_up, state, name) for name in ("payer", "owner", "editor", "stranger")
    ]
    team = await _team(state, payer, owner=owner, editor=editor)
    await shop.grant(payer.user_id, 10 * MINUTE)
    for_team = {"team": str(team)}
    seen = [await browser.get("/api/ledger/balance", params=for_team) for browser in (owner, editor, stranger)]
    assert [answer.status_code for answer in seen] == [200, 200, 404]
    assert [len(answer.json()["data"]["grants"]) for answer in seen[:2]] == [1, 0]
    assert (await editor.get("/api/ledger", params=for_team)).status_code == 403
    others = {"payer": str(payer.user_id)}
    assert (await editor.get("/api/ledger", params=others)).status_code == 403
    assert (await stranger.get("/api/ledger/balance")).json()["data"]["available"] == 0
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == stranger.user_id).values(is_admin=True))
    assert (await stranger.get("/api/ledger/balance", params=others)).json()["data"]["available"] == 10 * MINUTE
    assert (await stranger.get("/api/ledger", params={"payer": str(uuid.uuid4())})).status_code == 404


@pytest.mark.long
async def test_an_administrator_refunds_and_corrects_with_an_entry(
    sign_up: SignUp, state: AppState, shop: Ledger
) -> None:
    ada, admin = await _customer(sign_up, state), await _customer(sign_up, state, "admin")
    async with state.database.write() as session:
        await session.execute(update(User).where(User.id == admin.user_id).values(is_admin=True))
    grant = await shop.grant(ada.user_id, 10 * MINUTE)
    job = await shop.reserve(ada.user_id, 4 * MINUTE)
    await shop.settle(job)
    refund = f"/api/ledger/jobs/{job}/refund"
    assert (await ada.post(refund, json={"note": "I want it"})).status_code == 403
    assert (await admin.post(refund, json={"note": "Bad sound"})).json()["data"] == {"seconds": 4 * MINUTE}
    assert (await admin.post(refund, json={"note": "Bad sound"})).status_code == 409
    assert (await shop.balance(ada.user_id)).available == 10 * MINUTE
    correct = f"/api/ledger/grants/{grant}/correct"
    assert (await admin.post(correct, json={"seconds": -700, "note": "Too many"})).status_code == 409
    assert (await admin.post(correct, json={"seconds": 0, "note": "Nothing"})).status_code == 422
    assert (await admin.post(correct, json={"seconds": -60, "note": "One too many"})).status_code == 204
    assert (await shop.balance(ada.user_id)).available == 9 * MINUTE
    assert await shop.violations() == []


@pytest.mark.long
async def test_storage_is_refused_before_the_bytes_are_sent(sign_up: SignUp, state: AppState, shop: Ledger) -> None:
    ada = await _customer(sign_up, state)
    without = await ada.post("/api/files/upload/token", json={"filesize": 1})
    assert (without.status_code, without.json()["message"]) == (402, NO_ROOM_WITHOUT_PLAN)
    await shop.contract(ada.user_id, max_seconds=None, max_space=1_000_000)
    await uploaded_file(state, ada.user_id, content=b"x" * 400_000)
    fits = await ada.post("/api/files/upload/token", json={"filesize": 600_000})
    assert fits.status_code == 200
    refused = await ada.post("/api/files/upload/token", json={"filesize": 600_001})
    assert (refused.status_code, refused.json()["code"]) == (402, "storage_exceeded")
    assert "0.4 MB of 1.0 MB are taken, and this needs 0.6 MB." in refused.json()["message"]
    token = fits.json()["data"]["token"]
    headers = {"Authorization": f"Bearer {token}", "Tus-Resumable": "1.0.0", "Upload-Length": "700000"}
    assert (await ada.post("/tus/", headers=headers)).status_code == 402
    assert (await ada.post("/tus/", headers={**headers, "Upload-Length": "600000"})).status_code == 201
    assert (await ada.post("/api/files/upload/token")).status_code == 402, "the unfinished upload takes the rest"


@pytest.mark.long
async def test_storage_that_filled_up_meanwhile_refuses_the_last_byte_and_keeps_nothing(
    sign_up: SignUp, state: AppState, shop: Ledger
) -> None:
    ada = await _customer(sign_up, state)
    await shop.contract(ada.user_id, max_seconds=None, max_space=1_000)
    token = (await ada.post("/api/files/upload/token")).json()["data"]["token"]
    # The size is unknown when it begins, so that only its end shows whether it fits.
    headers = {**TUS, "Authorization": f"Bearer {token}", "Upload-Defer-Length": "1"}
    location = (await ada.post("/tus/", headers=headers)).headers["Location"]
    assert (await send(ada, location, 0, b"x" * 600)).status_code == 204
    last = {**TUS, **patch_headers(600), "Upload-Length": "1200"}
    refused = await ada.patch(location, headers=last, content=b"x" * 600)
    assert refused.status_code == 402
    assert "There is not enough room" in refused.json()["message"]
    assert (await ada.get("/api/files")).json()["data"] == []
    (upload,) = (await ada.get("/api/files/uploads")).json()["data"]
    assert (upload["status"], upload["error"]) == ("failed", refused.json()["message"])
    assert [path for path in state.settings.storage_root.rglob("*") if path.is_file()] == []
    # The plan shrinks while an upload of a known size is on its way.
    promised = await start(ada, 900)
    assert (await send(ada, promised, 0, b"x" * 800)).status_code == 204
    await shop.contract(ada.user_id, max_seconds=None, max_space=500)
    assert (await send(ada, promised, 800, b"x" * 100)).status_code == 402
    assert (await ada.get("/api/files")).json()["data"] == []
    small = await start(ada, 500)
    assert (await send(ada, small, 0, b"x" * 500)).status_code == 204, "what was refused takes no room"
    assert len((await ada.get("/api/files")).json()["data"]) == 1


@pytest.mark.long
async def test_seats_are_refused_with_a_sentence_and_free_again(sign_up: SignUp, state: AppState, shop: Ledger) -> None:
    ada, bob, carl = [await _customer(sign_up, state, name) for name in ("ada", "bob", "carl")]
    await shop.contract(ada.user_id, max_seconds=None, max_users=2)
    team = await new_team(ada)
    invitations = f"/api/teams/{team}/invitations"

    async def invited(guest: Browser) -> httpx2.Response:
        return await ada.post(invitations, json={"email": guest.user["email"], "role": "editor"})

    assert (await invited(bob)).status_code == 201
    refused = await invited(carl)
    assert (refused.status_code, refused.json()["code"]) == (402, "seats_exceeded")
    assert refused.json()["message"].startswith(
        "The plan that pays for this team has room for 2 people, and 2 of these seats are taken, 1 of them by an open "
        "invitation."
    )
    (open_one,) = (await ada.get(f"/api/teams/{team}")).json()["data"]["invitations"]
    assert (await ada.delete(f"{invitations}/{open_one['id']}")).status_code == 204
    assert (await invited(carl)).status_code == 201, "a withdrawn invitation gives its seat back"
    token = await token_for(state, carl.user["email"])
    await shop.contract(ada.user_id, max_seconds=None, max_users=1)
    late = await carl.post("/api/teams/invitations/accept", json={"token": token})
    assert (late.status_code, late.json()["code"]) == (402, "seats_exceeded")
    assert len((await ada.get(f"/api/teams/{team}")).json()["data"]["people"]) == 1
    await shop.contract(ada.user_id, max_seconds=None, max_users=2)
    assert (await carl.post("/api/teams/invitations/accept", json={"token": token})).status_code == 200
    assert len((await ada.get(f"/api/teams/{team}")).json()["data"]["people"]) == 2
