"""The mails of an installation without a mail server, as the people they are for would read them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_string
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

from api.platform.http.state import AppState
from api.platform.jobs.sending.outbox_sender import OutboxSender
from api.platform.mail.delivery import mail_delivery
from api.platform.mail.folder import SUFFIX

_LINK = re.compile(r"^https?://\S+$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Letter:
    """`links` are the addresses of its buttons."""

    to: str
    subject: str
    text: str
    html: str
    links: tuple[str, ...]
    message: EmailMessage


class Mailbox:
    """All mail of one installation.

    With the `app` fixture: `link = await Mailbox(state).link("ada@example.com")`. For a `Site`, call it in the
    server's loop: `site.call(Mailbox(site.state).link(address))`.
    """

    def __init__(self, state: AppState) -> None:
        self._state = state

    async def deliver(self) -> None:
        """Do at once what the dispatcher does: send all mail that waits in the outbox."""
        delivery = mail_delivery(self._state.settings)
        while await OutboxSender(self._state.database, [delivery]).send_batch(delivery):
            pass

    async def letters(self, to: str) -> list[Letter]:
        """Every mail for an address, the oldest first."""
        await self.deliver()
        return letters_in(self._state.settings.mail_dir, to)

    async def newest(self, to: str) -> Letter:
        letters = await self.letters(to)
        assert letters, f"There is no mail for {to}."
        return letters[-1]

    async def link(self, to: str) -> str:
        """The address of the button in the newest mail."""
        letter = await self.newest(to)
        assert letter.links, f"There is no link in “{letter.subject}”."
        return letter.links[0]


def letters_in(folder: Path, to: str) -> list[Letter]:
    found = [read_letter(path.read_bytes()) for path in sorted(folder.glob(f"*{SUFFIX}"))]
    return [letter for letter in found if letter.to == to.lower()]


def read_letter(raw: bytes) -> Letter:
    # Read as text, since a header may hold UTF-8.
    message = message_from_string(raw.decode(), policy=default)
    text, html = (_part(message, kind) for kind in ("plain", "html"))
    to = message["To"].addresses[0]
    return Letter(
        to=f"{to.username}@{to.domain}",
        subject=str(message["Subject"]),
        text=text,
        html=html,
        links=tuple(_LINK.findall(text)),
        message=message,
    )


def _part(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")
