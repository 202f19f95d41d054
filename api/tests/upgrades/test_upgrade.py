"""What versions of the past have left goes to this one while people ask for it, and nothing is lost."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx2
import pytest

from api.testing.browser import PASSWORD
from api.testing.databases.postgres import new_database
from api.testing.processes.product import running_product
from api.testing.upgrades.archives import ARCHIVES, Left, lost, unpack
from api.testing.upgrades.recording import TUS, Person
from api.testing.upgrades.visitors import Visitors
from cluster.testing.patience import PATIENCE_S
from cluster.testing.ports import free_port

TEXT = "Sjö grænar — flöskur"
"""What Ada typed in the version of the past."""


# Starts an installation.
@pytest.mark.long
@pytest.mark.parametrize("schema", ARCHIVES)
def test_nothing_is_lost(schema: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    left = unpack(ARCHIVES[schema], tmp_path)
    settings = {"allow_hub": "false"}
    with ExitStack() as stack:
        if left.dump is not None:
            settings["database_url"] = stack.enter_context(new_database(request.getfixturevalue("postgres_server")))
            left.load(settings["database_url"])
        _upgrade(left, settings)
    if left.dump is None:
        # What it was before, for a way back.
        assert [copy.name for copy in left.data_dir.glob("sagascript.db.schema-*")] == [f"sagascript.db.{schema}"]


def _upgrade(left: Left, settings: dict[str, str]) -> None:
    known = left.known
    url = f"http://127.0.0.1:{(port := free_port())}"
    with (
        Visitors(url, known) as visitors,
        running_product(left.data_dir, port=str(port), **settings),
        person(url, known) as ada,
    ):
        for path, before in known["answers"].items():
            assert lost(before, ada.call("GET", path)) == [], path
        for path, digest in known["files"].items():
            ada.note_file(path)
            assert ada.files[path] == digest, path
        _key_and_password(url, known)
        _goes_on(ada, known)
        visitors.leave()
    assert visitors.wrong == []


@contextmanager
def person(url: str, known: dict[str, Any]) -> Iterator[Person]:
    """Who signed in before the upgrade, at the same browser."""
    with httpx2.Client(base_url=url, cookies=known["cookies"], trust_env=False, timeout=PATIENCE_S) as client:
        yield Person(client, known["email"])


def _key_and_password(url: str, known: dict[str, Any]) -> None:
    headers = {"Authorization": f"Bearer {known['key']}"}
    with httpx2.Client(base_url=url, headers=headers, trust_env=False, timeout=PATIENCE_S) as program:
        assert [each["name"] for each in program.get("/api/v1/files").json()["data"]] == ["film"]
    with httpx2.Client(base_url=url, trust_env=False, timeout=PATIENCE_S) as browser:
        browser.get("/sanctum/csrf-cookie")
        headers = {"X-XSRF-TOKEN": unquote(browser.cookies["XSRF-TOKEN"])}
        body = {"email": known["email"], "password": PASSWORD}
        assert browser.post("/login", json=body, headers=headers).status_code == 200


def _goes_on(ada: Person, known: dict[str, Any]) -> None:
    """Take back what was typed, export that, restore a file from the bin, and send the other half of an upload."""
    slug, upload = known["slug"], known["upload"]
    captions = f"/api/files/captions/{slug}"
    before = ada.call("GET", captions)["data"]
    assert TEXT in [line["text"] for line in before["lines"]]
    ada.call("POST", captions, {"action": "Undo", "issued": before["revision"]})
    assert TEXT not in [line["text"] for line in ada.call("GET", captions)["data"]["lines"]]
    assert ada.export(slug) not in known["files"].values()

    (binned,) = ada.call("GET", "/api/files/bin")["data"]
    ada.call("POST", "/api/files/bin/restore", {"ids": [binned["id"]]})
    assert ada.call("GET", f"/api/files/{binned['slug']}")["data"]["status"] == "completed"

    standing = ada.client.head(upload["place"], headers=TUS).raise_for_status()
    assert int(standing.headers["Upload-Offset"]) == upload["offset"]
    ada.send(upload["place"], base64.b64decode(upload["rest"]), upload["offset"])
    assert ada.transcribed("unfinished")


def test_what_is_no_longer_said_is_noticed() -> None:
    before = {"a": [{"b": 1, "at": "2026-11-23T10:00:00Z"}], "c": "x"}
    same = {"a": [{"b": 1, "at": "2026-11-24T10:00:00Z", "new": 2}], "c": "x", "d": 3}
    assert lost(before, same) == []
    assert lost(before, {"a": [{"b": 1, "at": None}], "c": "x"}) == [".a[0].at: '2026-11-23T10:00:00Z' is None now"]
    assert lost(before, {"a": [], "c": "x"}) != []
    assert lost(before, {"a": before["a"]}) == [".c: 'x' is 'nothing' now"]
