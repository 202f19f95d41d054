"""Where webhooks may go, and that nothing leads them elsewhere."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest

from api.platform.http.errors import Invalid
from api.platform.webhooks import addresses, sending
from api.platform.webhooks.addresses import CannotSend, addresses_of, checked_url, is_public
from api.platform.webhooks.sending import Message, send
from api.platform.webhooks.signing import new_secret
from api.testing.processes.webhook_receiver import WebhookReceiver, make_certificate, running_receiver

PRIVATE = [
    "127.0.0.1",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "::1",
    "::",
    "fe80::1",
    "fe80::1%eth0",
    "fc00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b::a9fe:a9fe",
    "2002:7f00:1::",
    "2001:db8::1",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_in_every_form_are_no_target(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_addresses_of_the_internet_are(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("example.com", addresses.NO_URL),
        ("ftp://example.com", addresses.NO_URL),
        ("https://", addresses.NO_URL),
        ("https://example.com:99999/", addresses.NO_URL),
        ("https://exa mple.com:0/", addresses.NO_URL),
        ("http://example.com/", addresses.NO_HTTPS),
        ("https://ada:secret@example.com/", addresses.NO_PASSWORD),
        ("https://127.0.0.1/", addresses.PRIVATE),
        ("https://[::1]:8443/", addresses.PRIVATE),
        ("https://localhost/", addresses.PRIVATE),
    ],
)
def test_a_url_that_cannot_work_is_refused_with_a_reason(url: str, sentence: str) -> None:
    with pytest.raises(Invalid) as refused:
        checked_url(url, allow_private=False)
    assert refused.value.errors == {"url": [sentence]}


def test_a_url_is_kept_as_it_is() -> None:
    url = "https://example.com:8443/hook?key=a%20b"
    assert checked_url(f"{url}#top", allow_private=False) == url


async def test_numbers_and_names_that_lead_home_are_found_when_looked_up() -> None:
    for host in ("2130706433", "0x7f.1", "localhost", "127.1"):
        with pytest.raises(CannotSend):
            await addresses_of(httpx2.URL(f"https://{host}/"), allow_private=False)


async def test_one_private_address_among_public_ones_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    def both(*_arguments: Any, **_named: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 0)) for each in ("93.184.216.34", "10.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", both)
    with pytest.raises(CannotSend):
        await addresses_of(httpx2.URL("https://example.com/"), allow_private=False)


async def test_a_private_address_gets_no_connection(receiver: WebhookReceiver) -> None:
    outcome = await send(message(receiver.url.replace("http:", "https:")), allow_private=False)
    assert (outcome.status, outcome.error) == (None, addresses.PRIVATE)
    assert receiver.messages == []


def message(url: str) -> Message:
    return Message(uuid.uuid4(), url, "webhook.test", datetime.now(UTC), {}, [new_secret()])


async def test_tls_is_checked_for_the_name_although_the_address_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = make_certificate(tmp_path)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(file)
    with running_receiver(tls) as receiver:
        untrusted = await send(message(receiver.url), allow_private=True)
        monkeypatch.setenv("SSL_CERT_FILE", str(file))
        sending._tls.cache_clear()
        trusted = await send(message(receiver.url), allow_private=True)
        other_name = await send(message(receiver.url.replace("localhost", "127.0.0.1")), allow_private=True)
    sending._tls.cache_clear()
    assert untrusted.error == sending.BAD_CERTIFICATE
    assert (trusted.status, trusted.error) == (204, None)
    assert other_name.error == sending.BAD_CERTIFICATE
    (received,) = receiver.messages
    assert received.headers["Host"] == httpx2.URL(receiver.url).netloc.decode()


async def test_a_redirect_is_not_followed(receiver: WebhookReceiver) -> None:
    receiver.usual, receiver.location = 302, receiver.url
    outcome = await send(message(receiver.url), allow_private=True)
    assert outcome.status == 302
    assert outcome.error == sending.REDIRECTED(status=302)
    assert len(receiver.messages) == 1


async def test_a_server_that_never_answers_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending, "ANSWER_WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        outcome = await send(message(f"http://127.0.0.1:{silent.getsockname()[1]}/"), allow_private=True)
    assert (outcome.status, outcome.error) == (None, sending.SILENT)


async def test_a_server_that_is_not_there_is_named_so(unused_tcp_port: int) -> None:
    outcome = await send(message(f"http://127.0.0.1:{unused_tcp_port}/"), allow_private=True)
    assert (outcome.status, outcome.error) == (None, sending.NOT_REACHED)
