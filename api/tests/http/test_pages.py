"""Pages and the headers that keep people safe."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from fastapi import FastAPI

from api.app import create_app
from api.people.auth.cookies import SESSION_COOKIE
from api.platform.http.pages.front_end import LASTING
from api.platform.settings import ApiSettings
from api.testing.browser import Browser

# Nothing here depends on the database.
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

PAGE = {"Accept": "text/html"}


@pytest.fixture(autouse=True)
def built(settings: ApiSettings) -> None:
    """A front end as built."""
    (settings.ui_root / "assets").mkdir(parents=True)
    (settings.ui_root / "index.html").write_text("<!doctype html>")
    (settings.ui_root / "assets" / "page-1a2b.js").write_text("export {}")


@pytest.fixture
async def over_https(app: FastAPI, settings: ApiSettings) -> AsyncIterator[Browser]:
    """A browser on an installation behind a proxy that terminates TLS."""
    secure = settings.model_copy(update={"public_url": "https://saga.example.com"})
    made = create_app(secure)
    async with made.router.lifespan_context(made), Browser.open(made, url="https://saga.example.com") as browser:
        yield browser


@pytest.mark.parametrize("path", ["/", "/login", "/captions/abc", "/assets/page-1a2b.js"])
async def test_a_head_request_has_the_headers_of_the_page(visitor: Browser, path: str) -> None:
    page, head = await visitor.get(path, headers=PAGE), await visitor.head(path, headers=PAGE)
    assert (page.status_code, head.status_code) == (200, 200)
    assert head.content == b""
    assert head.headers["content-length"] == page.headers["content-length"] == str(len(page.content))
    assert head.headers["cache-control"] == page.headers["cache-control"]


@pytest.mark.parametrize(
    ("path", "cache"),
    [
        ("/assets/page-1a2b.js", LASTING),
        ("/assets/..%2findex.html", "no-cache"),
        ("/index.html", "no-cache"),
        ("/dashboard", "no-cache"),
    ],
)
async def test_only_files_with_a_hash_are_cached_forever(visitor: Browser, path: str, cache: str) -> None:
    answer = await visitor.get(path, headers=PAGE)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, cache)


async def test_answers_about_people_are_not_stored(ada: Browser) -> None:
    answers = [
        await ada.get("/api/user"),
        await ada.get("/api/files"),
        await ada.get("/api/files/none"),
        await ada.get("/sanctum/csrf-cookie"),
        await ada.post("/login", json={"email": "ada@example.com", "password": "wrong"}),
    ]
    assert [answer.headers.get("cache-control") for answer in answers] == ["no-store"] * len(answers)


async def test_over_https_browsers_return_by_https_and_protect_the_session(over_https: Browser) -> None:
    page = await over_https.get("/login", headers=PAGE)
    assert page.headers["strict-transport-security"] == "max-age=31536000; includeSubDomains"
    assert page.headers["cross-origin-opener-policy"] == "same-origin"
    await over_https.register("grace")
    assert (await over_https.get("/api/user")).status_code == 200
    session = next(cookie for cookie in over_https.cookies.jar if cookie.name == f"__Host-{SESSION_COOKIE}")
    assert (session.secure, session.path, session.domain_specified) == (True, "/", False)
    assert all(cookie.secure for cookie in over_https.cookies.jar)
    # A sibling domain can set only the plain name, which is ignored here.
    value = session.value or ""
    over_https.cookies.delete(session.name)
    over_https.cookies.set(SESSION_COOKIE, value)
    assert (await over_https.get("/api/user")).status_code == 401


async def test_sign_out_over_https_clears_every_cookie(over_https: Browser) -> None:
    await over_https.register("grace")
    assert (await over_https.post("/api/user/logout")).status_code == 204
    assert list(over_https.cookies.jar) == []


async def test_plain_http_sends_no_promise_of_https(visitor: Browser) -> None:
    assert "strict-transport-security" not in (await visitor.get("/login", headers=PAGE)).headers


@pytest.mark.parametrize(
    ("accepted", "encoding", "content"),
    [
        ("gzip, deflate, br", "br", b"as brotli"),
        ("gzip;q=1.0, br;q=0", "gzip", b"as gzip"),
        ("identity", None, b"export {}"),
    ],
)
async def test_an_asset_is_sent_as_the_build_compressed_it(
    visitor: Browser, settings: ApiSettings, accepted: str, encoding: str | None, content: bytes
) -> None:
    asset = settings.ui_root / "assets" / "page-1a2b.js"
    asset.with_name(f"{asset.name}.br").write_bytes(b"as brotli")
    asset.with_name(f"{asset.name}.gz").write_bytes(b"as gzip")
    request = visitor.build_request("GET", "/assets/page-1a2b.js", headers={"Accept-Encoding": accepted})
    answer = await visitor.send(request, stream=True)
    assert b"".join([part async for part in answer.aiter_raw()]) == content
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("headers", [PAGE, {"Accept": "*/*"}])
async def test_without_pages_the_first_address_says_how_to_get_them(
    visitor: Browser, settings: ApiSettings, headers: dict[str, str]
) -> None:
    (settings.ui_root / "index.html").unlink()
    answer = await visitor.get("/", headers=headers)
    assert answer.status_code == 503
    assert "`make run` builds them" in answer.json()["message"]
    assert "SAGASCRIPT_UI_DIR" in answer.json()["message"]
    assert (await visitor.get("/nothing", headers={"Accept": "*/*"})).status_code == 404
