"""A server on loopback that gets webhooks, keeps them and answers as a test wants."""

from __future__ import annotations

import datetime as dt
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import Webhook


@dataclass(frozen=True, slots=True)
class ReceivedDelivery:
    path: str
    headers: dict[str, str]
    body: bytes

    def verified(self, secret: str) -> Any:
        """The message, if it is signed with this secret. Raises `WebhookVerificationError`."""
        return Webhook(secret).verify(self.body, self.headers)


class WebhookReceiver:
    """`answers` are the statuses of the next answers; then each is `usual`. `location` makes them redirects."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.messages: list[ReceivedDelivery] = []
        self.answers: list[int] = []
        self.usual = 204
        self.location = ""

    def reset(self) -> None:
        self.messages.clear()
        self.answers.clear()
        self.usual, self.location = 204, ""

    def take(self, message: ReceivedDelivery) -> int:
        self.messages.append(message)
        return self.answers.pop(0) if self.answers else self.usual


@contextmanager
def running_receiver(tls: ssl.SSLContext | None = None) -> Iterator[WebhookReceiver]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            status = receiver.take(ReceivedDelivery(self.path, dict(self.headers), body))
            self.send_response(status)
            if receiver.location:
                self.send_header("Location", receiver.location)
            self.send_header("Set-Cookie", "kept=no")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Write nothing to the terminal."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    host = "127.0.0.1"
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        host = "localhost"
    receiver = WebhookReceiver(f"http{'s' if tls else ''}://{host}:{server.server_port}/hook")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def make_certificate(folder: Path) -> Path:
    """A key and a certificate for `localhost`, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = folder / "localhost.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    file.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    return file
