"""Input that no browser sends. None of it may be answered with a 500."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from api.people.auth.csrf import XSRF_HEADER
from benchmarks.soak.abuse.target import REST_S, Tally, Target, Until, rounds

DIGITS = "9" * 5000
PASSWORD = "no password of anybody"


def malformed(target: Target, until: Until) -> Tally:
    """Every input in turn; an outcome is the input's name with its status."""
    tally = Tally()
    for _ in rounds(until):
        for name, act in INPUTS.items():
            tally[f"{name} {act(target)}"] += 1
            time.sleep(REST_S / 5)
    return tally


def _edit(**fields: Any) -> Callable[[Target], str]:
    def act(target: Target) -> str:
        change: dict[str, Any] = {"action": "Edit", "line": target.lines[1], "content": "hi", **fields}
        return target.change("talk", 0, **change)[0]

    return act


def _account(path: str, **fields: str) -> Callable[[Target], str]:
    return lambda target: target.post_json(path, fields, target.stranger())


def _get(path: str) -> Callable[[Target], str]:
    return lambda target: target.send("GET", path, headers=target.headers)


def _raw_get(path: bytes) -> Callable[[Target], str]:
    return lambda target: target.raw([b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"])


def _authorize(body: bytes) -> Callable[[Target], str]:
    kind = {"Content-Type": "application/json"}
    return lambda target: target.send("POST", "/api/broadcasting/auth", body, kind | target.headers)


def _token(target: Target) -> str:
    head = f"POST /login HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{XSRF_HEADER}: a.".encode() + b"\xe9\r\n"
    return target.raw([head + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"])


def _concatenation(target: Target) -> str:
    headers = {"Tus-Resumable": "1.0.0", "Upload-Concat": "final;http://[::1"}
    return target.send("POST", "/tus/", headers=target.headers | headers)


def _signed_call(target: Target) -> str:
    query = f"auth_key={target.realtime_key}&auth_timestamp={DIGITS[:400]}&auth_version=1.0&auth_signature=0"
    return target.send("GET", f"/apps/7461/channels?{query}")


INPUTS: dict[str, Callable[[Target], str]] = {
    "token with accent": _token,
    "path with NUL": _raw_get(b"/%00"),
    "path segment of 300": _raw_get(b"/" + b"a" * 300),
    "path of 5,000": _raw_get(b"/a" * 2500),
    "nested brackets": _authorize(b"[" * 200_000),
    "number of 5,000 digits": _authorize(f'{{"socket_id": {DIGITS}}}'.encode()),
    "broken address": _concatenation,
    "entity of 5,000 digits": lambda target: target.import_captions(
        "talk", f"WEBVTT\n\n00:01.000 --> 00:02.000\n&#{DIGITS};\n".encode(), "entity.vtt"
    ),
    "time beyond 64 bits": _edit(start=2**70, end=2**71),
    "time beyond 32 bits": _edit(start=2**40, end=2**41),
    "NUL in an e-mail": _account("/login", email="a\0b", password=PASSWORD),
    "NUL in a password": _account("/login", email="nobody@example.com", password="a\0b"),
    "NUL in a name": _account(
        "/register", name="a\0b", email="n@example.com", password=PASSWORD, password_confirmation=PASSWORD
    ),
    "NUL in a slug": _get("/api/files/%00"),
    "NUL in captions": _get("/api/files/captions/%00"),
    "NUL in a search": _get("/api/files/transcriptions/search/abc%00"),
    "NUL in a caption": _edit(content="a\0b"),
    "timestamp of 400 digits": _signed_call,
    # json.dumps escapes it, so the body is valid UTF-8 and the text is not.
    "lone surrogate": _account("/login", email="\ud800@example.com", password=PASSWORD),
}
