"""`sagascript admin`: administrators without a browser."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from api.commands import app


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    monkeypatch.setenv("SAGASCRIPT_DATA_DIR", str(tmp_path))
    monkeypatch.delenv("SAGASCRIPT_DATABASE_URL", raising=False)

    def call(*words: str, answers: str = "") -> Result:
        return CliRunner().invoke(app, ["admin", *words], input=answers)

    return call


def test_administrators_are_made_listed_and_revoked(run: Callable[..., Result]) -> None:
    assert "There is no administrator" in run("list").output
    made = run("create", "Root@Example.com", "--name", "Root")
    assert made.exit_code == 0, made.output
    (password,) = [line for line in made.output.splitlines() if line.startswith("Password")]
    assert len(password.rpartition(" ")[2]) >= 20
    assert run("list").output.split() == ["root@example.com", "Root"]

    declined = run("create", "root@example.com", answers="n\n")
    assert declined.exit_code == 1
    assert run("create", "root@example.com", "--yes").exit_code == 0

    weak = run("create", "eve@example.com", "--ask", answers="password1\npassword1\n")
    assert weak.exit_code == 1
    assert "eve@example.com" not in run("list").output
    typed = run("create", "eve@example.com", "--ask", answers="correct horse battery\ncorrect horse battery\n")
    assert typed.exit_code == 0
    assert "correct horse battery" not in typed.output

    assert run("revoke", "root@example.com").exit_code == 0
    last = run("revoke", "eve@example.com")
    assert last.exit_code == 1
    assert "only administrator" in last.output
    assert run("revoke", "nobody@example.com").exit_code == 1
    assert run("create", "not an address").exit_code == 1
    reserved = run("create", "root@test.local")
    assert reserved.exit_code == 1
    assert "root@test.local cannot be used" in reserved.output
    assert "reserved name" in " ".join(reserved.output.split())


@pytest.mark.long
def test_the_demo_account_can_become_an_administrator(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("create", "root@example.com").exit_code == 0
    with sqlite3.connect(tmp_path / "sagascript.db") as database:
        database.execute("UPDATE users SET email = 'demo@sagascript.local', is_admin = 0")
    made = run("create", "demo@sagascript.local", "--yes")
    assert made.exit_code == 0, made.output
    assert run("list").output.split() == ["demo@sagascript.local", "root"]


@pytest.mark.long
def test_a_provider_that_is_down_is_turned_off(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("create", "root@example.com").exit_code == 0
    missing = run("provider-off", "work")
    assert missing.exit_code == 1
    assert "There is no such provider" in missing.output
    described = {"slug": "work", "name": "Work", "issuer": "https://id.example.com", "client_id": "x"}
    with sqlite3.connect(tmp_path / "sagascript.db") as database:
        database.execute(
            "INSERT INTO identity_providers (slug, described, is_enabled, created_at, updated_at)"
            " VALUES ('work', ?, 1, '2026-11-29 00:00:00', '2026-11-29 00:00:00')",
            [json.dumps(described)],
        )
    assert run("provider-off", "work").exit_code == 0
    with sqlite3.connect(tmp_path / "sagascript.db") as database:
        assert database.execute("SELECT is_enabled FROM identity_providers").fetchall() == [(0,)]


def test_a_wrong_provider_in_the_settings_is_named(run: Callable[..., Result], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_IDENTITY_PROVIDERS", '[{"slug": "work"}]')
    answer = run("list")
    assert answer.exit_code == 1
    assert "Provider 1 in SAGASCRIPT_IDENTITY_PROVIDERS: name: Field required" in " ".join(answer.output.split())


@pytest.mark.long
def test_codes_are_turned_off_for_who_lost_the_phone(run: Callable[..., Result], tmp_path: Path) -> None:
    assert run("create", "root@example.com").exit_code == 0
    off = run("second-factor-off", "root@example.com")
    assert off.exit_code == 1
    assert "has no authenticator app" in off.output
    with sqlite3.connect(tmp_path / "sagascript.db") as database:
        database.execute("UPDATE users SET second_factor_at = '2026-11-29 00:00:00'")
    assert run("second-factor-off", "root@example.com").exit_code == 0
    with sqlite3.connect(tmp_path / "sagascript.db") as database:
        assert database.execute("SELECT second_factor_at FROM users").fetchall() == [(None,)]
