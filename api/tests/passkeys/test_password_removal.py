"""Passkeys as the only way in: the password goes, and a mail alone brings none back."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select, update

from api.people.second_factor.models import RecoveryCode
from api.people.users.models import BrowserSession
from api.platform.http.state import AppState
from api.testing.admins import promote
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.identity.authenticator import Authenticator
from api.testing.identity.passkeys import ORIGIN, add, confirm, remove_password, sign_in
from api.testing.mailbox import Mailbox

NEW = "another long pass phrase"


async def forget_confirmation(state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(BrowserSession).values(confirmed_at=None))


async def reset_body(visitor: Browser, state: AppState) -> dict[str, str]:
    """What sets Ada's new password by a link from a mail, without a code."""
    await visitor.post("/forgot-password", json={"email": "ada@example.com"})
    token = (await Mailbox(state).link("ada@example.com")).split("/reset/")[1].split("/")[0]
    return {"token": token, "email": "ada@example.com", "password": NEW, "password_confirmation": NEW}


async def codes_left(state: AppState) -> int:
    async with state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(RecoveryCode)) or 0


async def test_the_password_goes_once_there_is_a_passkey(ada: Browser, visitor: Browser, state: AppState) -> None:
    assert (await remove_password(ada)).json()["message"].startswith("Add a passkey first")
    phone = Authenticator(ORIGIN)
    await add(ada, phone)
    assert (await remove_password(ada, "guess")).status_code == 422
    answer = await remove_password(ada)
    assert len(answer.json()["data"]["codes"]) == 10
    assert (await remove_password(ada)).status_code == 409
    assert (await ada.get("/api/user")).json()["data"]["has_password"] is False
    body = {"email": "ada@example.com", "password": PASSWORD}
    assert (await visitor.post("/login", json=body)).status_code == 422
    assert (await sign_in(visitor, phone)).status_code == 200
    assert "passkeys alone" in (await Mailbox(state).newest("ada@example.com")).text
    assert "Removed the password" in (await ada.get("/api/user/log")).text


async def test_without_a_password_a_passkey_confirms(ada: Browser, phone: Authenticator, state: AppState) -> None:
    await remove_password(ada)
    await forget_confirmation(state)
    key = {"name": "Newsdesk", "scopes": ["files:read"]}
    calls: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/keys", key),
        ("DELETE", "/api/user", {"password": "", "confirmation": "ada@example.com"}),
    ]
    for method, path, body in calls:
        assert (await ada.request(method, path, json=body)).json()["code"] == "step_up_needed"
    assert (await confirm(ada, phone)).status_code == 204
    done = [(await ada.request(method, path, json=body)).status_code for method, path, body in calls]
    assert done == [201, 200]


async def test_an_administrator_helps_who_lost_passkeys_and_codes(
    ada: Browser, phone: Authenticator, sign_up: SignUp, visitor: Browser, state: AppState
) -> None:
    await remove_password(ada)
    root = await sign_up("root")
    await promote(state, root.user_id)
    path = f"/api/admin/users/{ada.user_id}/second-factor"
    (listed,) = (await root.get("/api/admin/users?q=ada@example.com")).json()["data"]
    assert listed["has_second_factor"] is True
    assert (await root.delete(path)).json()["data"]["has_second_factor"] is False
    assert (await root.delete(path)).status_code == 409
    assert (await visitor.post("/reset-password", json=await reset_body(visitor, state))).status_code == 204


async def test_a_mail_alone_sets_no_new_password(
    ada: Browser, phone: Authenticator, visitor: Browser, state: AppState
) -> None:
    codes = (await remove_password(ada)).json()["data"]["codes"]
    body = await reset_body(visitor, state)
    for code in ("", "aaaa-bbbb-cccc"):
        refused = await visitor.post("/reset-password", json={**body, "code": code})
        assert (refused.status_code, list(refused.json()["errors"])) == (422, ["code"])
    assert (await visitor.post("/reset-password", json={**body, "code": codes[3]})).status_code == 204
    assert (await visitor.post("/login", json={"email": "ada@example.com", "password": NEW})).status_code == 200
    # With a password there is nothing left for them to guard.
    assert await codes_left(state) == 0


async def test_a_password_that_is_set_again_ends_the_codes(ada: Browser, phone: Authenticator, state: AppState) -> None:
    await remove_password(ada)
    assert (await confirm(ada, phone)).status_code == 204
    body = {"password_old": "", "password": NEW, "password_confirmation": NEW}
    assert (await ada.put("/api/user/settings", json=body)).status_code == 200
    assert await codes_left(state) == 0
