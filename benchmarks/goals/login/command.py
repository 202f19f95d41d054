"""`python -m benchmarks login`: how many people can sign in at once, and what other calls feel of it."""

from __future__ import annotations

import asyncio
import json
import secrets
import uuid
from statistics import median
from typing import Annotated

import typer

from api.people.auth import sessions
from api.people.auth.cookies import SESSION_COOKIE
from api.people.auth.csrf import XSRF_HEADER, make_csrf_token
from api.people.auth.passwords import hash_password
from api.people.users.models import User
from api.platform.db.engine import Database
from api.platform.settings import ApiSettings
from api.testing.browser import PASSWORD
from api.testing.databases.database_kind import DatabaseKind
from benchmarks.goals.files.callers import Calls, call, request
from benchmarks.goals.report import Report
from benchmarks.goals.submit.installation import Served, served

CLIENTS = 24
"""Fewer than the hashes that may wait; more would be told to try again."""
PEOPLE_EACH = 50
"""Enough that nobody signs in more often than the limits of an account and an address allow."""


def command(seconds: Annotated[float, typer.Option(help="Seconds of each run.")] = 10.0) -> None:
    """Measure sign-ins at 24 clients, and a call of somebody else alone and beside them."""
    report = Report("login")
    report.note(
        "Argon2id with 19 MiB, two passes and one lane, as OWASP recommends, in one thread on 2 cores. "
        f"{CLIENTS} connections sign one person in after the other; the other call is GET /api/user on one connection."
    )
    for kind in (DatabaseKind.POSTGRESQL, DatabaseKind.SQLITE):
        if report.begins(f"signing in with {kind}"):
            asyncio.run(_measure(report, kind, seconds))
    report.write()


async def _measure(report: Report, kind: DatabaseKind, seconds: float) -> None:
    key = secrets.token_hex(32)
    # Each person has an address of their own, as behind a proxy: sign-ins are limited by address.
    settings = {"SAGASCRIPT_TRUSTED_PROXIES": "127.0.0.1", "SAGASCRIPT_SESSION_SECRET": key}
    async with served(kind, more=settings) as api:
        requests = await _sign_ins(api.database, ApiSettings(session_secret=key).signing_key)
        other = [[request("/api/user", api.headers)]]
        alone = await call(api.port, other, seconds)
        signing_in, beside = await asyncio.gather(
            call(api.port, requests, seconds), _a_little_later(api, other, seconds / 2)
        )
    report.figure(f"sign-ins with {kind}", signing_in.per_s, "sign-ins/s", clients=CLIENTS, refused=signing_in.refused)
    report.figure(f"a sign-in with {kind}, median", 1000 * median(signing_in.seconds), "ms", p99=signing_in.p99_ms)
    for name, calls in (("alone", alone), ("beside the sign-ins", beside)):
        ms = 1000 * median(calls.seconds)
        report.figure(f"another call {name} with {kind}, median", ms, "ms", p99=calls.p99_ms, per_s=calls.per_s)


async def _a_little_later(api: Served, requests: list[list[str]], seconds: float) -> Calls:
    await asyncio.sleep(seconds / 2)
    return await call(api.port, requests, seconds)


async def _sign_ins(database: Database, key: str) -> list[list[str]]:
    """The requests with which new people sign in, those of each connection."""
    password_hash = await hash_password(PASSWORD)
    emails = [f"{uuid.uuid4().hex}@example.com" for _ in range(CLIENTS * PEOPLE_EACH)]
    async with database.write() as session:
        session.add_all(User(name="Ada", email=email, password_hash=password_hash) for email in emails)
    requests = []
    for number, email in enumerate(emails):
        token = sessions.new_token()
        headers = {
            "Cookie": f"{SESSION_COOKIE}={token}",
            XSRF_HEADER: make_csrf_token(key, token),
            "X-Forwarded-For": f"10.{number // 256}.{number % 256}.1",
        }
        requests.append(request("/login", headers, json.dumps({"email": email, "password": PASSWORD})))
    return [requests[first : first + PEOPLE_EACH] for first in range(0, len(requests), PEOPLE_EACH)]
