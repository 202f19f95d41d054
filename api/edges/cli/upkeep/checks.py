"""What an installation has beyond the machine: programs, engines, servers, pages."""

from __future__ import annotations

import asyncio
import platform
import socket
from collections.abc import Iterable
from importlib import metadata
from typing import Any
from urllib.parse import urlsplit

from api.platform.http.pages.missing_build import HOW_TO_BUILD
from api.platform.settings import ApiSettings
from cluster.doctor import Check, State
from cluster.sentences import clauses, paragraph
from cluster.wording.message import Message
from serve.core.messages import EngineInfo
from serve.tasks.transcription.messages import TRANSCRIPTION

NAME_OWN_FONTS = Message("doctor.name.own_fonts", "own fonts")
NAME_RAY_CLUSTER = Message("doctor.name.ray_cluster", "Ray cluster")
NAME_DATABASE = Message("doctor.name.database", "database")
NAME_MAIL = Message("doctor.name.mail", "mail")
NAME_PAGES = Message("doctor.name.pages", "pages")
NAME_RELAY = Message("doctor.name.relay", "relay")
NAME_VERSIONS = Message("doctor.name.versions", "versions")
NAME_SCANNER = Message("doctor.name.scanner", "virus scanner")
NONE = Message("doctor.none", "None.")
NOT_RUNNING = Message("doctor.not_running", "Not running; `sagascript up` starts one on this machine.")

_WAIT_S = 5.0
LEAST_POSTGRESQL = 15
_FEW_LANGUAGES = 10
"""An engine with this few languages works, but not for most people's files."""


def media() -> Iterable[Check]:
    from pipelines.media.doctor import check_ffmpeg

    report = check_ffmpeg()
    if report.problem is not None:
        yield Check("ffmpeg", State.MISSING, report.problem)
    elif report.missing:
        yield Check(
            "ffmpeg",
            State.MISSING,
            Message(
                "doctor.ffmpeg_lacks",
                "{program}, version {version}, lacks {parts}. Set SAGASCRIPT_FFMPEG to a full build.",
                program=str(report.program),
                version=str(report.version),
                parts=clauses(*report.missing),
            ),
        )
    else:
        yield Check(
            "ffmpeg",
            State.OK,
            Message(
                "doctor.ffmpeg_ok",
                "{program}, version {version}, has every filter and encoder needed. Exports use {encoder}.",
                program=str(report.program),
                version=str(report.version),
                encoder=report.encoder,
            ),
        )
    yield Check(NAME_OWN_FONTS, State.OK if report.fonts else State.WARN, ", ".join(report.fonts) or NONE)


def virus_scanner(settings: ApiSettings) -> Iterable[Check]:
    from pipelines.media.virus_scan import ping

    if settings.clamd is None:
        return
    version = ping(settings.clamd)
    if version is None:
        yield Check(
            NAME_SCANNER,
            State.MISSING,
            Message("doctor.scanner_away", "No ClamAV daemon answers at {address}.", address=settings.clamd),
        )
    else:
        yield Check(NAME_SCANNER, State.OK, version)


def engines(settings: ApiSettings) -> Iterable[Check]:
    from serve.doctor import explain_engines
    from serve.tasks.registry import deployment_of

    for info in explain_engines(settings):
        name = Message("doctor.name.engine", "{task} engine", task=info.task, title=deployment_of(info.task).title)
        if not info.can_run:
            # Captions work without the other tasks.
            is_required = deployment_of(info.task).is_required
            yield Check(name, State.MISSING if is_required else State.WARN, paragraph(NONE, info.reason))
            continue
        parts = [
            Message(
                "doctor.engine",
                "{engine}, model {model}, on {device}.",
                engine=info.engine,
                model=info.model,
                device=info.device,
            ),
            info.reason,
        ]
        is_narrow = 0 < len(info.languages) <= _FEW_LANGUAGES
        if is_narrow:
            parts.append(
                Message("doctor.languages", "Languages: {languages}.", languages=", ".join(sorted(info.languages)))
            )
        if info.pairs is not None:
            parts.append(Message("doctor.pairs", "Pairs: {pairs}.", pairs=_pairs(info)))
        if info.note:
            parts.append(info.note)
        state = State.WARN if is_narrow and info.pairs is None else State.OK
        if info.task == TRANSCRIPTION and (said := _evidence(settings, info)):
            parts.append(said)
        yield Check(name, state, paragraph(*parts))


def _evidence(settings: ApiSettings, used: EngineInfo) -> str:
    """What the last `sagascript models compare` advises; empty without one, or where the database cannot be read."""
    from api.edges.cli.upkeep.evidence import NotStored, last_advice

    try:
        return last_advice(settings, used)
    except NotStored:
        return ""


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
            return Check(
                NAME_RAY_CLUSTER,
                State.OK,
                Message("doctor.answers", "Something answers at {address}.", address=settings.ray_address),
            )
        return Check(
            NAME_RAY_CLUSTER,
            State.MISSING,
            Message("doctor.no_answer", "Nothing answers at {address}.", address=settings.ray_address),
        )
    address = announced_address(settings)
    running = Message("doctor.cluster_running", "Running at {address}.", address=address or "")
    return Check(NAME_RAY_CLUSTER, State.OK, running if address else NOT_RUNNING)


def database(settings: ApiSettings) -> Check:
    from sqlalchemy.engine import make_url

    url = make_url(settings.db_url)
    shown = url.render_as_string(hide_password=True)
    if url.get_backend_name() == "sqlite":
        import sqlite3

        return Check(
            NAME_DATABASE,
            State.OK,
            Message(
                "doctor.sqlite", "SQLite {version} at {place}.", version=sqlite3.sqlite_version, place=str(url.database)
            ),
        )
    try:
        version = asyncio.run(_server_version(settings.db_url))
    except Exception as error:
        return Check(
            NAME_DATABASE,
            State.MISSING,
            Message(
                "doctor.database_silent",
                "{url} does not answer: {problem}",
                url=shown,
                problem=str(error) or type(error).__name__,
            ),
        )
    state = State.OK if int(version[0]) >= LEAST_POSTGRESQL else State.WARN
    return Check(
        NAME_DATABASE,
        state,
        Message("doctor.postgresql", "PostgreSQL {version} at {url}.", version=".".join(map(str, version)), url=shown),
    )


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
        return Check("Redis", State.OK, Message("doctor.redis_unused", "Not used. A single relay process needs none."))
    import redis as client

    try:
        info: Any = client.Redis.from_url(settings.redis_url, socket_timeout=_WAIT_S).info("server")
    except client.RedisError as error:
        return Check(
            "Redis",
            State.WARN,
            Message(
                "doctor.redis_silent",
                "Redis does not answer ({problem}), so browsers fall back to polling.",
                problem=str(error),
            ),
        )
    return Check(
        "Redis", State.OK, Message("doctor.redis_ok", "Redis {version} answers.", version=str(info["redis_version"]))
    )


def mail(settings: ApiSettings) -> Check:
    from api.platform.mail.smtp import MailUnavailable, greet

    if settings.smtp_url is None:
        return Check(
            NAME_MAIL,
            State.OK,
            Message(
                "doctor.mail_files",
                "Mails are files in {folder}. Set SAGASCRIPT_SMTP_URL to send them.",
                folder=str(settings.mail_dir),
            ),
        )
    try:
        asyncio.run(greet(settings))
    except MailUnavailable as error:
        return Check(
            NAME_MAIL, State.WARN, paragraph(str(error), Message("doctor.mail_waits", "Mails wait until it does."))
        )
    return Check(NAME_MAIL, State.OK, Message("doctor.mail_ok", "{url} takes our mail.", url=str(settings.smtp_url)))


def pages(settings: ApiSettings) -> Check:
    if (settings.ui_root / "index.html").is_file():
        return Check(
            NAME_PAGES, State.OK, Message("doctor.pages_ok", "Built, at {folder}.", folder=str(settings.ui_root))
        )
    return Check(
        NAME_PAGES,
        State.WARN,
        paragraph(
            Message("doctor.pages_missing", "Not built: {folder} is empty.", folder=str(settings.ui_root)),
            HOW_TO_BUILD,
            Message("doctor.pages_optional", "The API works without them."),
        ),
    )


def relay(settings: ApiSettings) -> Check:
    """Whether events can reach browsers."""
    if settings.serve_relay and settings.realtime_url is None and settings.realtime_cluster is None:
        return Check(NAME_RELAY, State.OK, Message("doctor.relay_inside", "Part of the web process."))
    if _answers(settings.relay_url):
        return Check(
            NAME_RELAY,
            State.OK,
            Message("doctor.relay_answers", "Something answers at {address}.", address=settings.relay_url),
        )
    return Check(
        NAME_RELAY,
        State.WARN,
        Message(
            "doctor.relay_silent",
            "Nothing answers at {address}, so browsers fall back to polling.",
            address=settings.relay_url,
        ),
    )


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
    return Check(NAME_VERSIONS, State.OK, f"{', '.join(found)}.")
