"""We answer only for the installation's own names, and trust forwarded addresses only from proxies."""

from __future__ import annotations

import pytest

from api.app import create_app
from api.platform.settings import ApiSettings
from api.testing.browser import Browser

# Nothing here depends on the database.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.mark.parametrize(
    "host",
    [
        "rebind.evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8080",
        "",
        "a\xff",
        "[x]",
    ],
)
async def test_a_foreign_host_name_is_refused_before_anything_is_read(ada: Browser, host: str) -> None:
    for method, path in (("GET", "/api/files"), ("POST", "/login"), ("GET", "/dashboard"), ("OPTIONS", "/tus/")):
        answer = await ada.request(method, path, headers={"Host": host.encode("latin-1")})
        assert answer.status_code == 421
        assert "SAGASCRIPT_ALLOWED_HOSTS" in answer.json()["message"]


@pytest.mark.long
@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:8080", "[::1]:8080", "::1", "192.168.1.5"]
)
async def test_own_names_and_addresses_are_answered(ada: Browser, host: str) -> None:
    assert (await ada.get("/api/files", headers={"Host": host})).status_code == 200


async def test_a_probe_may_name_any_host(visitor: Browser) -> None:
    assert (await visitor.get("/api/health", headers={"Host": "10-0-0-1.probe"})).status_code == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [("saga.example.com", 200), ("films.example.com", 200), ("www.example.com", 200), ("example.com", 421)],
)
async def test_names_from_the_settings_are_answered(settings: ApiSettings, host: str, status: int) -> None:
    named = settings.model_copy(
        update={
            "public_url": "https://Saga.example.com",
            "uploads_endpoint": "https://films.example.com/tus/",
            "allowed_hosts": "other.example.com, WWW.example.com",
        }
    )
    async with Browser.open(create_app(named)) as browser:
        assert (await browser.get("/sanctum/csrf-cookie", headers={"Host": host})).status_code == (
            204 if status == 200 else status
        )


@pytest.mark.parametrize(
    ("values", "trusted"),
    [
        ({}, ""),
        ({"public_url": "http://localhost:9000"}, ""),
        ({"public_url": "https://saga.example.com"}, "127.0.0.1,::1"),
        ({"public_url": "https://saga.example.com", "trusted_proxies": "10.0.0.0/8"}, "10.0.0.0/8"),
        ({"trusted_proxies": "10.0.0.7"}, "10.0.0.7"),
    ],
)
def test_which_proxies_are_trusted(database_url: str, values: dict[str, str], trusted: str) -> None:
    assert ApiSettings.model_validate(values).forwarded_allow_ips == trusted
