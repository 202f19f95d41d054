"""Mail from the outbox to a real mail server on loopback, or into the folder."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from sqlalchemy import select, update

from api.edges.cli.upkeep.checks import mail as mail_check
from api.platform.db import clock
from api.platform.db.engine import Database
from api.platform.http.state import AppState
from api.platform.jobs.models import OutboxMessage
from api.platform.jobs.sending.outbox_sender import OutboxSender, Undelivered
from api.platform.mail.delivery import mail_delivery
from api.platform.mail.folder import remove_older
from api.platform.mail.messages import ResetPassword, VerifyEmail
from api.platform.mail.outgoing import MAIL, send_later
from api.platform.settings import ApiSettings
from api.testing.mailbox import Mailbox
from api.testing.processes.mail_server import PASSWORD, MailServer, running_mail_server
from cluster.doctor import State

LINK = "http://localhost/reset/of-somebody"


@pytest.fixture(scope="module")
def started_server() -> Iterator[MailServer]:
    with running_mail_server() as server:
        yield server


@pytest.fixture
def mail_server(started_server: MailServer) -> MailServer:
    started_server.answers.clear()
    started_server.letters.clear()
    return started_server


@pytest.fixture
def sending(settings: ApiSettings, mail_server: MailServer) -> ApiSettings:
    return settings.model_copy(update={"smtp_url": mail_server.url, "smtp_password": PASSWORD})


async def write(database: Database, *addresses: str) -> None:
    for address in addresses:
        async with database.write() as session:
            send_later(session, ResetPassword(to=address, locale="en", name="Ada", link=LINK, minutes=60))


async def send_all(database: Database, settings: ApiSettings, defer_s: tuple[float, ...] = (3600.0,)) -> None:
    delivery = mail_delivery(settings, defer_s=defer_s)
    sender = OutboxSender(database, [delivery])
    while await sender.send_batch(delivery):
        pass


async def waiting(database: Database) -> list[str]:
    async with database.read() as session:
        statement = select(OutboxMessage.payload).where(OutboxMessage.topic == MAIL).order_by(OutboxMessage.id)
        return [payload["to"] for payload in await session.scalars(statement)]


async def test_a_mail_arrives_and_its_link_stays_nowhere(
    database: Database, sending: ApiSettings, mail_server: MailServer
) -> None:
    await write(database, "ada@example.com")
    await send_all(database, sending)
    (letter,) = mail_server.letters
    assert (letter.to, letter.links) == ("ada@example.com", (LINK,))
    assert letter.message["Auto-Submitted"] == "auto-generated"
    assert await waiting(database) == []


async def test_a_bad_address_holds_up_nobody(database: Database, sending: ApiSettings, mail_server: MailServer) -> None:
    mail_server.answers = {"gone@example.com": "550 No such user", "full@example.com": "452 Mailbox full"}
    await write(database, "gone@example.com", "full@example.com", "ada@example.com")
    with structlog.testing.capture_logs() as logs:
        await send_all(database, sending)
    assert [letter.to for letter in mail_server.letters] == ["ada@example.com"]
    assert await waiting(database) == ["gone@example.com", "full@example.com"]
    assert {"mail.refused", "outbox.deferred"} <= {log["event"] for log in logs}
    assert "gone@example.com" not in str(logs)
    mail_server.answers.clear()
    async with database.write() as session:
        await session.execute(update(OutboxMessage).values(not_before=clock.now(-1)))
    await send_all(database, sending)
    assert [letter.to for letter in mail_server.letters] == ["ada@example.com", "full@example.com"]


async def test_a_mail_that_is_put_off_too_often_has_failed(
    database: Database, sending: ApiSettings, mail_server: MailServer
) -> None:
    mail_server.answers = {"full@example.com": "452 Mailbox full"}
    await write(database, "full@example.com")
    await send_all(database, sending, defer_s=())
    async with database.read() as session:
        message = (await session.scalars(select(OutboxMessage).where(OutboxMessage.topic == MAIL))).one()
    assert message.failed_at is not None
    assert message.error == "452 Mailbox full"
    mail_server.answers.clear()
    await send_all(database, sending)
    assert mail_server.letters == []


async def test_all_mail_waits_while_the_server_is_away_or_refuses_our_password(
    database: Database, sending: ApiSettings, unused_tcp_port: int, mail_server: MailServer
) -> None:
    await write(database, "ada@example.com")
    for away in ({"smtp_url": f"smtp://127.0.0.1:{unused_tcp_port}"}, {"smtp_password": "wrong"}):
        settings = sending.model_copy(update=away)
        with pytest.raises(Undelivered):
            await send_all(database, settings)
    assert await waiting(database) == ["ada@example.com"]
    await send_all(database, sending)
    assert [letter.to for letter in mail_server.letters] == ["ada@example.com"]


async def test_a_repeat_after_a_crash_is_the_same_mail(
    database: Database, sending: ApiSettings, mail_server: MailServer
) -> None:
    await write(database, "ada@example.com")
    async with database.read() as session:
        payload = (await session.scalars(select(OutboxMessage.payload))).one()
    await mail_delivery(sending).deliver([payload])
    await send_all(database, sending)
    first, again = mail_server.letters
    assert first.message["Message-ID"] == again.message["Message-ID"]
    assert first.message["Date"] == again.message["Date"]


async def test_without_a_server_mails_are_private_files(state: AppState, database: Database) -> None:
    await write(database, "ada@example.com", "bob@example.com")
    assert await Mailbox(state).link("ada@example.com") == LINK
    files = sorted(state.settings.mail_dir.iterdir())
    assert len(files) == 2
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o600}
    an_hour = timedelta(hours=1)
    assert remove_older(state.settings.mail_dir, datetime.now(UTC) - an_hour) == 0
    assert remove_older(state.settings.mail_dir, datetime.now(UTC) + an_hour) == 2
    assert await Mailbox(state).letters("ada@example.com") == []


async def test_a_mail_of_another_version_waits_and_holds_up_nobody(state: AppState, database: Database) -> None:
    async with database.write() as session:
        session.add(OutboxMessage(topic=MAIL, payload={"kind": "later", "to": "ada@example.com"}))
    async with database.write() as session:
        send_later(session, VerifyEmail(to="bob@example.com", locale="is", name="", link=LINK, hours=24))
    assert (await Mailbox(state).newest("bob@example.com")).subject == "Staðfestu netfangið þitt"
    assert await waiting(database) == ["ada@example.com"]


def test_doctor_says_how_mail_leaves(tmp_path: Path, mail_server: MailServer) -> None:
    settings = ApiSettings(data_dir=tmp_path)
    assert mail_check(settings).sentence.startswith(f"Mails are files in {tmp_path}/mail.")
    sending = ApiSettings(data_dir=tmp_path, smtp_url=mail_server.url, smtp_password=PASSWORD)
    assert (mail_check(sending).state, mail_check(sending).sentence) == (State.OK, f"{mail_server.url} takes our mail.")
    wrong = mail_check(sending.model_copy(update={"smtp_password": "wrong"}))
    assert wrong.state is State.WARN
    assert "refuses our user or password" in wrong.sentence


def test_an_address_with_a_password_is_refused_without_repeating_it() -> None:
    with pytest.raises(ValueError, match="SAGASCRIPT_SMTP_PASSWORD") as refused:
        ApiSettings(smtp_url="smtp://me:hunter2@mail.example.com")
    assert "hunter2" not in str(refused.value.errors(include_input=False))  # type: ignore[attr-defined]
