"""A passkey says once more who one is, before what cannot be undone."""

from __future__ import annotations

from sqlalchemy import update
from webauthn.helpers import base64url_to_bytes

from api.people.users.models import User
from api.platform.db import clock
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.identity.authenticator import Authenticator
from api.testing.identity.passkeys import HEADERS, ORIGIN, PASSKEYS, add, confirm, options_of


async def test_a_passkey_stands_in_for_the_code(ada: Browser, phone: Authenticator, state: AppState) -> None:
    async with state.database.write() as session:
        await session.execute(update(User).values(second_factor_at=clock.now()))
    key = {"name": "Newsdesk", "scopes": ["files:read"]}
    assert (await ada.post("/api/keys", json=key)).json()["code"] == "step_up_needed"
    assert (await confirm(ada, phone)).status_code == 204
    assert (await ada.post("/api/keys", json=key)).status_code == 201


async def test_nobody_confirms_with_the_passkey_of_another(
    ada: Browser, phone: Authenticator, sign_up: SignUp, visitor: Browser
) -> None:
    eve = await sign_up("eve")
    assert (await eve.post(f"{PASSKEYS}/confirm/options", headers=HEADERS)).status_code == 409
    await add(eve, Authenticator(ORIGIN))
    options = await options_of(eve, f"{PASSKEYS}/confirm/options")
    assert phone.credential_id not in [base64url_to_bytes(each["id"]) for each in options["allowCredentials"]]
    stolen = {"credential": phone.get(options)}
    assert (await eve.post(f"{PASSKEYS}/confirm", json=stolen, headers=HEADERS)).status_code == 422
    # Neither does what was signed for a sign-in, in one's own browser, nor the same twice.
    options = await options_of(ada, "/login/passkey/options")
    answer = await ada.post(f"{PASSKEYS}/confirm", json={"credential": phone.get(options)}, headers=HEADERS)
    assert answer.status_code == 422
    options = await options_of(ada, f"{PASSKEYS}/confirm/options")
    body = {"credential": phone.get(options)}
    answers = [(await ada.post(f"{PASSKEYS}/confirm", json=body, headers=HEADERS)).status_code for _ in range(2)]
    assert answers == [204, 422]
    assert (await visitor.post(f"{PASSKEYS}/confirm/options", headers=HEADERS)).status_code == 401
