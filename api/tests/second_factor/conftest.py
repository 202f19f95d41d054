from __future__ import annotations

from dataclasses import dataclass, field

import pyotp
import pytest

from api.people.second_factor import service
from api.platform.http.state import AppState
from api.testing.browser import PASSWORD, Browser, SignUp
from api.testing.mailbox import Mailbox


class Clock:
    """The time that codes depend on. A test moves it, because each code is taken once."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def time(self) -> float:
        return self.now

    def next_code(self) -> None:
        self.now += 30


@dataclass
class Phone:
    """An authenticator app. `codes` are the recovery codes that its owner wrote down."""

    secret: str
    clock: Clock
    codes: list[str] = field(default_factory=list)

    def code(self) -> str:
        """The next code, which nobody has used."""
        self.clock.next_code()
        return pyotp.TOTP(self.secret).at(self.clock.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(service, "time", made)
    return made


@pytest.fixture
def mailbox(state: AppState) -> Mailbox:
    return Mailbox(state)


async def add_phone(browser: Browser, clock: Clock) -> Phone:
    begun = await browser.post("/api/user/second-factor", json={"password": PASSWORD})
    assert begun.status_code == 201, begun.text
    phone = Phone(begun.json()["data"]["secret"], clock)
    done = await browser.put("/api/user/second-factor", json={"code": phone.code()})
    assert done.status_code == 200, done.text
    phone.codes = done.json()["data"]["codes"]
    return phone


@pytest.fixture
async def ada(sign_up: SignUp) -> Browser:
    return await sign_up("ada")


@pytest.fixture
async def phone(ada: Browser, clock: Clock) -> Phone:
    """Ada's: her account asks for its codes."""
    return await add_phone(ada, clock)
