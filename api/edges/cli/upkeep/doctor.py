"""`sagascript doctor`: report what is there, what is missing and which engine each task will use."""

from __future__ import annotations

import asyncio
import json
import platform
import socket
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib import metadata
from typing import Annotated, Any
from urllib.parse import urlsplit

import typer
from rich.markup import escape

from api.edges.cli.console import out
from api.edges.cli.settings import settings_with
from api.platform.http.pages.missing_build import HOW_TO_BUILD
from api.platform.settings import ApiSettings
from cluster.doctor import Check, State, can_work, machine_checks, run_checks
from serve.core.messages import EngineInfo

_MARKS = {State.OK: "[green]ok     [/]", State.WARN: "[yellow]warn   [/]", State.MISSING: "[bold red]missing[/]"}
_WAIT_S = 5.0
LEAST_POSTGRESQL = 15
_FEW_LANGUAGES = 10
"""An engine with this few languages works, but not for most people's files."""


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON, for programs.")] = False,
) -> None:
    """Report what is there and what is missing. Exits with 1 if files cannot be transcribed here."""
    found = run_checks(all_checks(settings_with()))
    if as_json:
        typer.echo(json.dumps([asdict(check) for check in found]))
        raise typer.Exit(0 if can_work(found) else 1)
    print_checks(found)
    if not can_work(found):
        out.print("\n[bold red]Files cannot be transcribed here. Install what is missing first.[/]")
        raise typer.Exit(1)
    out.print("\nFiles can be transcribed here.")


def print_checks(found: list[Check]) -> None:
    width = max(len(check.name) for check in found)
    for check in found:
        out.print(f"{_MARKS[check.state]}  {check.name:<{width}}  {escape(check.sentence)}", soft_wrap=True)


def all_checks(settings: ApiSettings) -> list[Callable[[], Check | Iterable[Check]]]:
    return [
        *machine_checks(settings),
        lambda: ray_cluster(settings),
        media,
        lambda: engines(settings),
        lambda: database(settings),
        lambda: redis(settings),
        lambda: mail(settings),
        lambda: relay(settings),
        lambda: pages(settings),
        versions,
    ]


def media() -> Iterable[Check]:
    from pipelines.media.doctor import check_ffmpeg

    report = check_ffmpeg()
    found = f"{report.program}, version {report.version}"
    if report.problem is not None:
        yield Check("ffmpeg", State.MISSING, report.problem)
    elif report.missing:
        lacks = f"{found}, lacks {'; '.join(report.missing)}."
        yield Check("ffmpeg", State.MISSING, f"{lacks} Set SAGASCRIPT_FFMPEG to a full build.")
    else:
        yield Check("ffmpeg", State.OK, f"{found}, has every filter and encoder needed. Exports use {report.encoder}.")
    yield Check("own fonts", State.OK if report.fonts else State.WARN, ", ".join(report.fonts) or "None.")


def engines(settings: ApiSettings) -> Iterable[Check]:
    from serve.doctor import explain_engines
    from serve.tasks.registry import deployment_of

    for info in explain_engines(settings):
        name = f"{info.task} engine"
        if not info.can_run:
            # Captions work without the other tasks.
            is_required = deployment_of(info.task).is_required
            yield Check(name, State.MISSING if is_required else State.WARN, f"None. {info.reason}")
            continue
        model = f"{info.engine}, model {info.model}, on {info.device}"
        is_narrow = 0 < len(info.languages) <= _FEW_LANGUAGES
        known = f" Languages: {', '.join(sorted(info.languages))}." if is_narrow else ""
        pairs = f" Pairs: {_pairs(info)}." if info.pairs is not None else ""
        note = f" {info.note}" if info.note else ""
        state = State.WARN if is_narrow and info.pairs is None else State.OK
        yield Check(name, state, f"{model}. {info.reason}{known}{pairs}{note}")


def _pairs(info: EngineInfo) -> str:
    """The directions of translation, such as “en → is”."""
    return ", ".join(
        f"{pair.source} → {pair.target}" + (f" (through {pair.via})" if pair.via else "")
        for pair in sorted(info.pairs or ())
    )


def ray_cluster(settings: ApiSettings) -> Check:
    from cluster.ray.runtime import announced_address, is_reachable

    if settings.ray_address is not None:
        if is_reachable(settings.ray_address):
            return Check("Ray cluster", State.OK, f"Something answers at {settings.ray_address}.")
        return Check("Ray cluster", State.MISSING, f"Nothing answers at {settings.ray_address}.")
    address = announced_address(settings)
    where = f"Running at {address}." if address else "Not running; `sagascript up` starts one on this machine."
    return Check("Ray cluster", State.OK, where)


def database(settings: ApiSettings) -> Check:
    from sqlalchemy.engine import make_url

    url = make_url(settings.db_url)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite":
        import sqlite3

        return Check("database", State.OK, f"SQLite {sqlite3.sqlite_version} at {url.database}.")
    try:
        version = asyncio.run(_server_version(settings.db_url))
    except Exception as error:
        return Check("database", State.MISSING, f"{shown} does not answer: {str(error) or type(error).__name__}")
    state = State.OK if int(version[0]) >= LEAST_POSTGRESQL else State.WARN
    return Check("database", state, f"PostgreSQL {'.'.join(map(str, version))} at {shown}.")


async def _server_version(url: str) -> tuple[int | str, ...]:
    from api.platform.db.engine import make_engine

    engine = make_engine(url)
    try:
        async with asyncio.timeout(_WAIT_S), engine.connect():
            return tuple(engine.dialect.server_version_info or ())
    finally:
        await engine.dispose()


def redis(settings: ApiSettings) -> Check:
    if settings.redis_url is None:
        return Check("Redis", State.OK, "Not used. A single relay process needs none.")
    import redis as client

    try:
        info: Any = client.Redis.from_url(settings.redis_url, socket_timeout=_WAIT_S).info("server")
    except client.RedisError as error:
        return Check("Redis", State.WARN, f"Redis does not answer ({error}), so browsers fall back to polling.")
    return Check("Redis", State.OK, f"Redis {info['redis_version']} answers.")


def mail(settings: ApiSettings) -> Check:
    from api.platform.mail.smtp import MailUnavailable, greet

    if settings.smtp_url is None:
        return Check("mail", State.OK, f"Mails are files in {settings.mail_dir}. Set SAGASCRIPT_SMTP_URL to send them.")
    try:
        asyncio.run(greet(settings))
    except MailUnavailable as error:
        return Check("mail", State.WARN, f"{error} Mails wait until it does.")
    return Check("mail", State.OK, f"{settings.smtp_url} takes our mail.")


def pages(settings: ApiSettings) -> Check:
    if (settings.ui_root / "index.html").is_file():
        return Check("pages", State.OK, f"Built, at {settings.ui_root}.")
    return Check(
        "pages",
        State.WARN,
        f"Not built: {settings.ui_root} is empty. {HOW_TO_BUILD} The API works without them.",
    )


def relay(settings: ApiSettings) -> Check:
    """Whether events can reach browsers."""
    if settings.serve_relay and settings.realtime_url is None and settings.realtime_cluster is None:
        return Check("relay", State.OK, "Part of the web process.")
    if _answers(settings.relay_url):
        return Check("relay", State.OK, f"Something answers at {settings.relay_url}.")
    return Check("relay", State.WARN, f"Nothing answers at {settings.relay_url}, so browsers fall back to polling.")


def _answers(url: str) -> bool:
    address = urlsplit(url)
    port = address.port or (80 if address.scheme == "http" else 443)
    try:
        with socket.create_connection((address.hostname or "", port), timeout=_WAIT_S):
            return True
    except OSError:
        return False


def versions() -> Check:
    names = ("sagascript", "ray", "fastapi", "sqlalchemy", "ctranslate2", "onnxruntime")
    found = [f"Python {platform.python_version()}"]
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return Check("versions", State.OK, f"{', '.join(found)}.")
