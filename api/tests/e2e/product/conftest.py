"""One installation with Ray for all tests of this folder. `conftest.py` of the whole suite gives them one process."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import uuid4

import httpx2
import openai
import pytest
from playwright.sync_api import Browser

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.testing.browser import PASSWORD
from api.testing.files.spoken_video import make_video
from api.testing.in_browser.chromium import running_chromium
from api.testing.processes.product import Product, require_pages, running_product
from cluster.testing.patience import PATIENCE_S
from serve.testing.tiny_models.archives import TRANSLATION, unpack

SPOKEN = "en1-rms"
"""What the microphone hears."""


@pytest.fixture(scope="package")
def product(tmp_path_factory: pytest.TempPathFactory, tiny_whisper: Path) -> Iterator[Product]:
    """One installation for all tests of this folder, with the tiny Whisper and the tiny translation model.

    It ends with the folder: while nobody uses it, it still takes a fifth of a core from the tests that follow.
    """
    require_pages()
    folder = tmp_path_factory.mktemp("product")
    unpack(TRANSLATION, folder / "models")
    with running_product(folder, whisper_model=str(tiny_whisper)) as running:
        yield running


@pytest.fixture(scope="package")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Ends with this folder, whose tests are the first of all: asynchronous ones follow in the same process.

    Its microphone hears one sentence again and again.
    """
    folder = tmp_path_factory.mktemp("microphone")
    make_video(folder / "talk.mp4", [SPOKEN])
    with running_chromium(folder / "talk.wav") as browser:
        yield browser


@dataclass(frozen=True)
class Owner:
    """Somebody's browser, and a program with a key of theirs."""

    browser: httpx2.Client
    program: openai.OpenAI

    def data(self, path: str) -> Any:
        return self.browser.get(path).raise_for_status().json()["data"]


@pytest.fixture(scope="module")
def owner(product: Product) -> Iterator[Owner]:
    with httpx2.Client(base_url=product.url, timeout=PATIENCE_S) as browser:
        browser.get("/sanctum/csrf-cookie").raise_for_status()
        headers = {XSRF_HEADER: unquote(browser.cookies[XSRF_COOKIE])}
        email = f"robot.{uuid4().hex[:8]}@example.com"
        body = {"name": "Robot", "email": email, "password": PASSWORD, "password_confirmation": PASSWORD}
        browser.post("/register", json=body, headers=headers).raise_for_status()
        headers = {XSRF_HEADER: unquote(browser.cookies[XSRF_COOKIE])}
        wanted = {"name": "Robot", "scopes": ["transcribe"], "requests_minute": 1_000}
        made = browser.post("/api/keys", json=wanted, headers=headers).raise_for_status().json()["data"]
        with openai.OpenAI(api_key=made["secret"], base_url=f"{product.url}/v1", max_retries=0) as program:
            yield Owner(browser, program)
