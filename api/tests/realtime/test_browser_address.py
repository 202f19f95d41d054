"""The address that pages connect to, for each way of running the realtime service."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from api.platform.realtime.browser_address import BrowserAddress, browser_address
from api.platform.settings import ApiSettings

HERE = BrowserAddress(tls=False, host="127.0.0.1", port=8080, path="")


@pytest.mark.parametrize(
    ("options", "address", "origins", "api"),
    [
        ({}, HERE, ["ws://127.0.0.1:8080", "http://127.0.0.1:8080"], "http://127.0.0.1:8080"),
        (
            {"public_url": "https://saga.example/"},
            BrowserAddress(tls=True, host="saga.example", port=443, path=""),
            ["wss://saga.example:443", "https://saga.example:443"],
            "http://127.0.0.1:8080",
        ),
        (
            # Servers and browsers have different addresses for the relay, and the pages force TLS.
            {
                "public_url": "https://saga.example",
                "realtime_url": "http://relay.internal:6001",
                "realtime_socket_url": "http://[2001:db8::1]:6002/live/",
            },
            BrowserAddress(tls=True, host="2001:db8::1", port=6002, path="/live"),
            ["wss://[2001:db8::1]:6002", "https://[2001:db8::1]:6002"],
            "http://relay.internal:6001",
        ),
        (
            {"realtime_socket_url": "wss://soketi.example"},
            BrowserAddress(tls=True, host="soketi.example", port=443, path=""),
            ["wss://soketi.example:443", "https://soketi.example:443"],
            "http://127.0.0.1:8080",
        ),
        (
            {"realtime_cluster": "eu"},
            BrowserAddress(tls=True, cluster="eu"),
            ["wss://ws-eu.pusher.com", "https://sockjs-eu.pusher.com"],
            "https://api-eu.pusher.com",
        ),
    ],
    ids=["alone", "behind a proxy", "a relay of its own", "another server", "hosted"],
)
def test_servers_and_browsers_each_get_their_address(
    options: dict[str, Any], address: BrowserAddress, origins: list[str], api: str
) -> None:
    settings = ApiSettings(**options)
    found = browser_address(settings)
    assert (found, list(found.origins), settings.relay_url) == (address, origins, api)


def test_a_cluster_is_only_a_name() -> None:
    with pytest.raises(ValidationError):
        ApiSettings(realtime_cluster="eu.example.com; script-src *")
