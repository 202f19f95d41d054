"""`python -m benchmarks speech-calls`: the processor time of a call of the speech API with one sentence."""

from __future__ import annotations

import asyncio
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated, Self
from urllib.parse import unquote
from uuid import uuid4

import httpx2
import typer

from api.people.auth.csrf import XSRF_COOKIE, XSRF_HEADER
from api.testing.browser import PASSWORD
from api.testing.processes.product import running_product
from benchmarks.goals.report import Report
from cluster.resources import cores
from cluster.testing.processes import cpu_seconds, descendants
from serve.testing.random_whisper import BASE, reciter
from serve.testing.tiny_models.clips import clip_named, synthesise

SENTENCE = "en1-rms"
TOKENS = 14
"""Of a sentence of 2 s: about ten words' parts, and timestamps."""
REPLICA = b"ServeReplica:transcription"
IDLE_S = 8.0
SETTLE_S = 1.0
"""After the last answer the dispatcher still removes what was stored."""
TIMEOUT_S = 600.0


def command(
    calls: Annotated[int, typer.Option(min=1, help="Calls one after the other.")] = 20,
    together: Annotated[int, typer.Option(min=1, max=100, help="Calls at once.")] = 50,
) -> None:
    """Measure calls one after the other and at once, in processor time of the whole installation."""
    report = Report("speech-calls")
    with tempfile.TemporaryDirectory(prefix="speech-calls-") as work:
        folder = Path(work)
        sound = synthesise(clip_named(SENTENCE), folder / "sentence.wav").read_bytes()
        model = reciter(BASE, TOKENS)
        with running_product(folder / "data", whisper_model=str(model)) as product:
            asyncio.run(_measure(report, product.url, product.process.pid, sound, calls=calls, together=together))
    report.note(f"Random weights of the shape of base, which writes {TOKENS} tokens for each sentence of 2 s.")
    report.note("Each call sends a WAV. Idle processor time is taken off.")
    report.note("The model's time for a burst is its processor time, spread over the cores that it uses.")
    report.write()


@dataclass(frozen=True, slots=True)
class _Used:
    """Processor time so far, of all processes and of the model's replicas, at a time in seconds."""

    at: float
    all_s: float
    model_s: float

    @classmethod
    def now(cls, pid: int) -> Self:
        replicas = [each for each in descendants(pid) if REPLICA in _command(each)]
        model_s = sum(cpu_seconds(each, children=False) for each in replicas)
        return cls(time.monotonic(), cpu_seconds(pid), model_s)

    def since(self, before: Self) -> Self:
        return type(self)(self.at - before.at, self.all_s - before.all_s, self.model_s - before.model_s)


async def _measure(report: Report, url: str, pid: int, sound: bytes, *, calls: int, together: int) -> None:
    key = await _key(url)
    limits = httpx2.Limits(max_connections=None)
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(base_url=url, headers=headers, timeout=TIMEOUT_S, limits=limits) as program:
        # The first burst starts Ray's workers.
        await asyncio.gather(*(_call(program, sound) for _ in range(together)))
        await asyncio.sleep(SETTLE_S)
        before = _Used.now(pid)
        await asyncio.sleep(IDLE_S)
        idle = _Used.now(pid).since(before)

        before = _Used.now(pid)
        one_after_the_other = [await _call(program, sound) for _ in range(calls)]
        await asyncio.sleep(SETTLE_S)
        _tell(report, "one after the other", _Used.now(pid).since(before), idle, one_after_the_other)

        before = _Used.now(pid)
        at_once = await asyncio.gather(*(_call(program, sound) for _ in range(together)))
        lasted_s = time.monotonic() - before.at
        report.figure(f"{together} at once: all answered", lasted_s, "s")
        await asyncio.sleep(SETTLE_S)
        used = _Used.now(pid).since(before)
        _tell(report, f"{together} at once", used, idle, at_once)
        report.goal("34-burst", lasted_s * cores() / used.model_s, model_core_s=used.model_s, cores=cores())


def _tell(report: Report, name: str, used: _Used, idle: _Used, answered_s: list[float]) -> None:
    all_s = used.all_s - idle.all_s / idle.at * used.at
    model_s = used.model_s - idle.model_s / idle.at * used.at
    report.goal("34-cpu", (all_s - model_s) / len(answered_s), calls=name)
    report.figure(f"{name}: the model, a call", model_s / len(answered_s), "core-s")
    report.figure(f"{name}: median answer", median(answered_s), "s")


async def _call(program: httpx2.AsyncClient, sound: bytes) -> float:
    began = time.monotonic()
    answer = await program.post(
        "/v1/audio/transcriptions",
        files={"file": ("sentence.wav", sound, "audio/wav")},
        data={"model": "whisper-1", "language": "en"},
    )
    answer.raise_for_status()
    return time.monotonic() - began


async def _key(url: str) -> str:
    """The secret of a key of a new account."""
    async with httpx2.AsyncClient(base_url=url, timeout=TIMEOUT_S) as browser:

        async def post(path: str, body: dict[str, object]) -> httpx2.Response:
            headers = {XSRF_HEADER: unquote(browser.cookies[XSRF_COOKIE])}
            return (await browser.post(path, json=body, headers=headers)).raise_for_status()

        (await browser.get("/sanctum/csrf-cookie")).raise_for_status()
        email = f"calls.{uuid4().hex[:8]}@example.com"
        names = {"name": "Calls", "email": email}
        await post("/register", {**names, "password": PASSWORD, "password_confirmation": PASSWORD})
        made = await post("/api/keys", {"name": "Calls", "scopes": ["transcribe"], "requests_minute": 1_000})
        return str(made.json()["data"]["secret"])


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""
