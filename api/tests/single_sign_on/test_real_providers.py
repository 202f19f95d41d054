"""The whole way with providers that others wrote: sign in, come back, show who one is, and sign out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from api.platform.settings import ApiSettings
from api.testing.browser import Browser
from api.testing.identity.person import walk_through
from api.testing.identity.servers import (
    PASSWORDS,
    IdentityServer,
    running_nanoidp,
    running_node_provider,
)
from api.testing.identity.signing_in import bring, sent_to

ORIGIN = "http://127.0.0.1:8080"


@pytest.fixture(params=[running_nanoidp, running_node_provider], ids=["nanoidp", "oidc-provider"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[IdentityServer]:
    running: Callable[[Path, str], AbstractContextManager[IdentityServer]] = request.param
    with running(tmp_path / "provider", ORIGIN) as started:
        yield started


@pytest.fixture
def settings(settings: ApiSettings, server: IdentityServer) -> ApiSettings:
    scopes = "openid email profile" + (" groups" if server.slug == "node" else "")
    return settings.model_copy(update={"identity_providers": [server.configured(scopes=scopes, trusts_email=True)]})


async def test_the_whole_way(visitor: Browser, another: Browser, server: IdentityServer) -> None:
    slug, back = server.slug, f"{ORIGIN}/sign-in/"
    typed = {"username": "grace", "login": "grace", "password": PASSWORDS["grace"]}
    ids = set()
    for browser in (visitor, another):
        answer = walk_through(await sent_to(browser, slug), until=back, **typed)
        done = await bring(browser, answer, slug)
        assert done.status_code == 200, done.text
        user = done.json()["data"]["user"]
        assert user["email"] == "grace@example.com"
        ids.add(user["id"])
    assert len(ids) == 1

    begun = await visitor.post(f"/api/user/identities/{slug}/confirm", json={})
    answer = walk_through(begun.json()["data"]["url"], until=back, **typed)
    assert (await bring(visitor, answer, slug)).status_code == 200
    body = {"password_old": "", "password": "correct horse battery", "password_confirmation": "correct horse battery"}
    assert (await visitor.put("/api/user/settings", json=body)).status_code == 200

    left = await visitor.post("/api/user/logout")
    assert left.status_code == 200
    assert left.json()["data"]["url"].startswith(server.url)
    assert (await visitor.get("/api/user")).status_code == 401
