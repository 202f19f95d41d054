"""A mail server on loopback that keeps what it gets and refuses what it is told to."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from api.testing.mailbox import Letter, read_letter
from cluster.testing.ports import free_port

USER, PASSWORD = "sagascript", "smtp secret"


class MailServer:
    """`answers` maps an address to what RCPT gets; `letters` are the mails it took."""

    def __init__(self, port: int) -> None:
        self.url = f"smtp://{USER}@127.0.0.1:{port}"
        self.answers: dict[str, str] = {}
        self.letters: list[Letter] = []

    async def handle_RCPT(
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        refusal = self.answers.get(address)
        if refusal is not None:
            return refusal
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        self.letters.append(read_letter(content))
        return "250 Taken"


def _signs_in(_server: SMTP, _session: Session, _envelope: Envelope, _mechanism: str, data: object) -> AuthResult:
    is_right = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=is_right, handled=False)


@contextmanager
def running_mail_server() -> Iterator[MailServer]:
    port = free_port()
    server = MailServer(port)
    controller = Controller(
        server, hostname="127.0.0.1", port=port, authenticator=_signs_in, auth_required=True, auth_require_tls=False
    )
    controller.start()
    try:
        yield server
    finally:
        controller.stop()
