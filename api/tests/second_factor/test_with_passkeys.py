"""An authenticator app beside passkeys that have replaced the password."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from api.people.providers.models import Identity
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.identity.authenticator import Authenticator
from api.testing.identity.passkeys import ORIGIN, add, remove_password
from api.testing.mailbox import Mailbox
from api.tests.second_factor.conftest import Phone

NEW = "another long pass phrase"


@pytest.fixture
async def without_password(ada: Browser, phone: Phone) -> Browser:
    """Ada, who has an app and a passkey."""
    assert (await add(ada, Authenticator(ORIGIN))).status_code == 201
    removed = await remove_password(ada)
    assert removed.json()["data"]["codes"] == [], "those of the app stay"
    return ada


async def reset(visitor: Browser, mailbox: Mailbox) -> int:
    """Set a new password by a link from a mail, without a code."""
    await visitor.post("/forgot-password", json={"email": "ada@example.com"})
    token = (await mailbox.link("ada@example.com")).split("/reset/")[1].split("/")[0]
    body = {"token": token, "email": "ada@example.com", "password": NEW, "password_confirmation": NEW}
    return (await visitor.post("/reset-password", json=body)).status_code


async def test_the_sign_in_after_a_mail_asks_for_a_code(
    without_password: Browser, visitor: Browser, phone: Phone, mailbox: Mailbox
) -> None:
    assert await reset(visitor, mailbox) == 204
    body = {"email": "ada@example.com", "password": NEW}
    assert (await visitor.post("/login", json=body)).json()["code"] == "code_needed"
    assert (await visitor.post("/login/code", json={"code": phone.codes[0]})).status_code == 200


@pytest.mark.long
@pytest.mark.parametrize("is_linked", [False, True])
async def test_codes_go_with_the_app_unless_passkeys_are_all_that_is_left(
    is_linked: bool, without_password: Browser, visitor: Browser, phone: Phone, mailbox: Mailbox, state: AppState
) -> None:
    if is_linked:
        about = {"provider": "work", "issuer": "https://id.example.com", "subject": "1", "email": "ada@example.com"}
        async with state.database.write() as session:
            await session.execute(insert(Identity).values(user_id=without_password.user_id, **about))
    await without_password.post("/api/user/second-factor/confirm", json={"code": phone.code()})
    assert (await without_password.request("DELETE", "/api/user/second-factor", json={})).status_code == 204
    assert await reset(visitor, mailbox) == (204 if is_linked else 422)
