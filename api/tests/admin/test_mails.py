"""Mails that the mail server does not take: administrators see why, send them again or give them up."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select

from api.job_types import JOB_TYPES
from api.people.audit.models import AuditEntry
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.sending.outbox_sender import OutboxSender, Undelivered
from api.platform.mail.delivery import mail_delivery
from api.platform.mail.messages import ResetPassword
from api.platform.mail.outgoing import MAIL, send_later, stamped
from api.platform.retention.loop import apply_rules
from api.platform.retention.rules import Rule, RuleTools
from api.platform.settings import ApiSettings
from api.retention import RULES
from api.testing.browser import Browser
from api.testing.processes.mail_server import PASSWORD, MailServer, running_mail_server

URL = "/api/admin/mails"
LINK = "http://localhost/reset/of-somebody"


@pytest.fixture(scope="module")
def mail_server() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def sending(settings: ApiSettings, mail_server: MailServer) -> ApiSettings:
    mail_server.answers.clear()
    mail_server.letters.clear()
    return settings.model_copy(update={"smtp_url": mail_server.url, "smtp_password": PASSWORD})


def reset_for(address: str, minutes: int = 60) -> ResetPassword:
    return ResetPassword(to=address, locale="en", name="Ada", link=LINK, minutes=minutes)


async def send_all(state: AppState, settings: ApiSettings) -> None:
    delivery = mail_delivery(settings)
    while await OutboxSender(state.database, [delivery]).send_batch(delivery):
        pass


async def listed(admin: Browser, to: str, **query: str) -> list[dict[str, Any]]:
    answer = await admin.get(URL, params=query)
    assert answer.status_code == 200, answer.text
    assert LINK not in answer.text
    return [mail for mail in answer.json()["data"] if mail["to"] == to]


async def test_a_refused_mail_stays_with_its_reason_and_is_sent_again(
    admin: Browser, ada: Browser, state: AppState, sending: ApiSettings, mail_server: MailServer
) -> None:
    mail_server.answers = {"ada@example.com": "550 No such user"}
    async with state.database.write() as session:
        send_later(session, reset_for("ada@example.com"))
    mails = await listed(admin, "ada@example.com", state="waiting")
    (waiting,) = [mail for mail in mails if mail["kind"] == "Reset password"]
    assert (waiting["state"], waiting["attempts"], waiting["error"]) == ("waiting", 0, None)
    await send_all(state, sending)
    mail = next(each for each in await listed(admin, "ada@example.com", state="failed") if each["id"] == waiting["id"])
    assert (mail["state"], mail["attempts"], mail["error"]) == ("failed", 1, "550 No such user")
    mail_server.answers.clear()
    await send_all(state, sending)
    assert [letter for letter in mail_server.letters if LINK in letter.links] == []

    assert (await ada.post(f"{URL}/{mail['id']}/retry")).status_code == 403
    again = await admin.post(f"{URL}/{mail['id']}/retry")
    assert (again.status_code, again.json()["data"]["state"]) == (200, "waiting")
    await send_all(state, sending)
    assert LINK in mail_server.letters[-1].links
    assert (await admin.post(f"{URL}/{mail['id']}/retry")).status_code == 404
    async with state.database.read() as session:
        entry = (await session.scalars(select(AuditEntry).where(AuditEntry.action == "mail.retried"))).one()
    assert (entry.actor_id, entry.subject_id, entry.details["to"]) == (admin.user_id, ada.user_id, "ada@example.com")
    assert LINK not in str(entry.details)


async def test_a_server_that_is_away_is_named_and_an_expired_link_is_not_sent(
    admin: Browser, state: AppState, sending: ApiSettings, unused_tcp_port: int
) -> None:
    address = f"{uuid.uuid4().hex[:8]}@example.com"
    long_ago = (datetime.now(UTC) - timedelta(hours=3)).isoformat()
    payload = stamped(reset_for(address)) | {"at": long_ago}
    async with state.database.write() as session:
        before = set(await session.scalars(select(OutboxMessage.id).where(OutboxMessage.topic == MAIL)))
        session.add(OutboxMessage(topic=MAIL, payload=payload))
    away = sending.model_copy(update={"smtp_url": f"smtp://127.0.0.1:{unused_tcp_port}"})
    with pytest.raises(Undelivered):
        await send_all(state, away)
    oldest = min((await admin.get(URL)).json()["data"], key=lambda mail: int(mail["id"]))
    assert "does not take mail" in oldest["error"]
    icelandic = (await admin.get(URL, headers={"Accept-Language": "is"})).json()["data"]
    assert "tekur ekki við pósti" in min(icelandic, key=lambda mail: int(mail["id"]))["error"]
    assert oldest["state"] == "waiting"
    (mail,) = await listed(admin, address)
    assert int(mail["id"]) not in before
    refused = await admin.post(f"{URL}/{mail['id']}/retry")
    assert refused.status_code == 409
    assert "has expired" in refused.json()["message"]
    assert (await admin.delete(f"{URL}/{mail['id']}")).status_code == 204
    assert await listed(admin, address) == []
    assert (await admin.delete(f"{URL}/{mail['id']}")).status_code == 404


async def test_failed_mails_are_kept_for_a_month(state: AppState, settings: ApiSettings) -> None:
    now = datetime.now(UTC)
    async with state.database.write() as session:
        for days in (29, 31):
            failed_at = now - timedelta(days=days)
            session.add(OutboxMessage(topic=MAIL, payload={"to": str(days)}, failed_at=failed_at, error="550"))
        session.add(OutboxMessage(topic=MAIL, payload={"to": "waiting"}, created_at=now - timedelta(days=90)))
    rule: Rule = next(rule for rule in RULES if rule.name == "mails that failed")
    removed = await apply_rules(RuleTools(settings, state.database, JOB_TYPES), [rule])
    assert removed == {"mails that failed": 1}
    async with state.database.read() as session:
        left = await session.scalars(select(OutboxMessage.payload).where(OutboxMessage.topic == MAIL))
        assert {payload["to"] for payload in left} == {"29", "waiting"}
