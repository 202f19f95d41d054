"""The content security policy follows the settings."""

from __future__ import annotations

import pytest

from api.platform.http.pages.content_security import content_security_policy
from api.platform.operations.page_origins import page_origins
from api.platform.settings import ApiSettings


def directives(**settings: object) -> dict[str, set[str]]:
    policy = content_security_policy(page_origins(ApiSettings(**settings)))  # type: ignore[arg-type]
    return {name: set(origins) for name, *origins in (each.split(" ") for each in policy.split("; "))}


def test_alone_a_page_uses_this_server_only() -> None:
    found = directives(port=8080)
    assert found["script-src"] == {"'self'", "'wasm-unsafe-eval'"}
    assert found["frame-src"] == {"'none'"}
    assert found["media-src"] == {"'self'", "blob:"}
    assert found["connect-src"] == {"'self'", "ws://127.0.0.1:8080", "http://127.0.0.1:8080"}
    assert "stripe" not in str(found)


def test_servers_elsewhere_are_named() -> None:
    found = directives(
        uploads_endpoint="https://uploads.example.com/tus/",
        realtime_socket_url="https://live.example.com",
        storage_public_endpoint="https://media.example.com:9000",
    )
    assert found["connect-src"] >= {
        "https://uploads.example.com",
        "wss://live.example.com:443",
        "https://media.example.com:9000",
    }
    assert found["media-src"] == {"'self'", "blob:", "https://media.example.com:9000"}
    assert "https://media.example.com:9000" in found["img-src"]


@pytest.mark.parametrize("billing", [True, False])
def test_stripe_is_allowed_only_where_people_pay(billing: bool) -> None:
    found = directives(billing=billing)
    assert ("https://js.stripe.com" in found["script-src"]) is billing
    assert ("https://hooks.stripe.com" in found["frame-src"]) is billing
    assert ("https://api.stripe.com" in found["connect-src"]) is billing


def test_a_stand_in_replaces_stripe() -> None:
    found = directives(billing=True, stripe_js_url="http://127.0.0.1:9911/stripe.js")
    for name in ("script-src", "frame-src", "connect-src"):
        assert "http://127.0.0.1:9911" in found[name]
    assert "stripe.com" not in str(found)
