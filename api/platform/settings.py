"""Settings of the control plane alone: database, sessions, realtime secret. GPU nodes never have these."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator
from pydantic_settings import SettingsConfigDict

from cluster.settings import ClusterSettings

SECRETS = ("session_secret", "realtime_secret", "data_key")
"""What an installation generates for itself where no setting names it."""

LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})


class ApiSettings(ClusterSettings):
    """Read from `SAGASCRIPT_` environment variables. Unset secrets are generated once, in the data folder."""

    model_config = SettingsConfigDict(env_prefix="SAGASCRIPT_", extra="ignore")

    host: str = Field("127.0.0.1", description="Address the web server listens on.")
    port: int = Field(8080, description="Port the web server listens on.")
    public_url: str | None = Field(None, description="Base URL people use; made from host and port when unset.")
    security_contact: str | None = Field(
        None,
        pattern=r"^(mailto:\S+@\S+|https://\S+)$",
        description="Where people report weaknesses, as `mailto:` or `https:`; `/.well-known/security.txt` names it.",
    )
    allowed_hosts: str | None = Field(
        None, description="More host names under which people reach the pages, separated by commas."
    )
    trusted_proxies: str | None = Field(
        None,
        description="Addresses or networks of proxies whose X-Forwarded-For counts, separated by commas; "
        "loopback when a public URL is set, else none.",
    )
    database_url: str | None = Field(None, description="SQLAlchemy URL; SQLite in the data folder when unset.")
    redis_url: str | None = Field(None, description="Redis between several relay processes; one needs none.")
    session_secret: str | None = Field(None, description="Key that signs anti-forgery and upload tokens.")
    data_key: str | None = Field(
        None, description="Key that encrypts personal numbers and the secrets of webhooks in the database."
    )
    identity_providers: list[dict[str, Any]] = Field(
        default_factory=list,
        description="OpenID Connect providers with which people sign in, a JSON list; the manual says its fields. "
        "Administrators can add others on the page Sign-in.",
    )
    second_factor: Literal["optional", "admins", "everybody"] = Field(
        "optional",
        description="Who must have an authenticator app before they can work: nobody, administrators, or everybody "
        "who signs in with a password.",
    )
    session_hours: int = Field(24 * 14, description="Hours a signed-in browser stays signed in without being used.")
    session_hours_max: int = Field(
        0, ge=0, description="Hours after which everybody signs in again, however much they work. 0 for no such limit."
    )
    realtime_app_id: str = Field("7461", description="Pusher application id, a number.")
    realtime_key: str = Field("sagascript-key", description="Pusher key, public.")
    realtime_secret: str | None = Field(None, description="Pusher secret; signs channel access and server events.")
    realtime_url: str | None = Field(
        None,
        description="Base URL of the relay's HTTP API; when unset, hosted Pusher's if a cluster is set, "
        "else this server.",
    )
    realtime_socket_url: str | None = Field(
        None, description="Base URL at which browsers reach the relay; the URL above, else the public URL, when unset."
    )
    realtime_cluster: str | None = Field(
        None, pattern="^[a-z0-9-]+$", description="Cluster of hosted Pusher, such as eu; our own relay has none."
    )
    realtime_quota: int = Field(0, description="Realtime connections over all relay processes, 0 for any number.")
    realtime_capacity: int = Field(10_000, description="Realtime connections of one relay process.")
    realtime_per_address: int = Field(1_000, description="Realtime connections from one address, 0 for any number.")
    realtime_authorize_within_s: float = Field(
        0, description="Seconds a realtime connection has to join a private channel, 0 for any time."
    )
    realtime_calls_per_s: float = Field(1_000, description="Calls a second of the relay's HTTP API, 0 for any number.")
    realtime_client_events: bool = Field(False, description="Whether browsers may send events to each other.")
    default_language: str = Field(
        "is-IS", description="Language of an upload for which none is chosen, where the model cannot detect it."
    )
    uploads_endpoint: str = Field(
        "/tus/", description="Where browsers send uploads: a path here, or the URL of an upload host."
    )
    max_upload_bytes: int = Field(20_000_000_000, description="Largest accepted upload.")
    max_speech_bytes: int = Field(100_000_000, description="Largest file in a call of the speech API.")
    live_recordings: int = Field(16, ge=0, description="Live recordings at once; 0 for none at all.")
    live_recordings_per_person: int = Field(4, ge=1, description="Live recordings of one person at once.")
    live_recordings_per_team: int = Field(8, ge=1, description="Live recordings of one team at once.")
    live_hours: int = Field(12, ge=1, le=36, description="Hours that a live recording may take.")
    live_silence_minutes: int = Field(
        10, ge=1, le=1440, description="Minutes without any sound from its source after which a live recording ends."
    )
    smtp_url: str | None = Field(
        None,
        description="Server that takes our mail, such as smtp://user@mail.example.com:587, or smtps:// for TLS from "
        "the start; without it mails are files in `mail` in the data folder.",
    )
    smtp_password: str | None = Field(
        None, description="Password of the user in that URL; only the dispatcher gets it."
    )
    mail_from: str | None = Field(
        None,
        description="Sender of our mail, such as Sagascript <no-reply@example.com>; "
        "made from the public URL when unset.",
    )
    dispatcher_host: str = Field(
        "127.0.0.1", description="Address at which the dispatcher answers /healthz, /readyz and /metrics."
    )
    dispatcher_port: int = Field(
        0, description="Port of these; when 0 a free one, which `sagascript up` and the dispatcher's log name."
    )
    drain_s: float = Field(
        2.0,
        ge=0,
        le=20,
        description="Seconds that a dispatcher which stops waits for what models work on, so that nobody repeats it.",
    )
    metrics_token: str | None = Field(
        None, description="Token that /metrics wants as bearer; without it only this machine may read the figures."
    )
    webhooks_private: bool = Field(
        False,
        description="Whether webhooks may go to private addresses and by plain http, as in development.",
    )
    ui_dir: Path | None = Field(
        None,
        description="Folder of the built front end; found beside the package when unset.",
    )
    billing: bool = Field(False, description="Whether people need a plan. When false, nobody sees a billing page.")
    free_minutes: int = Field(
        0, ge=0, le=10_000, description="Minutes of sound that a new account may use before it needs a plan."
    )
    free_days: int = Field(30, ge=1, le=365, description="Days that free minutes last.")
    stripe_secret_key: str | None = Field(None, description="Stripe's secret key; only the web process receives it.")
    stripe_publishable_key: str | None = Field(None, description="Stripe's publishable key, for pages.")
    stripe_webhook_secret: str | None = Field(None, description="Secret with which Stripe signs its webhooks.")
    stripe_api_url: str = Field("https://api.stripe.com", description="Address of Stripe's API.")
    stripe_js_url: str = Field("https://js.stripe.com/endive/stripe.js", description="Address of Stripe.js.")
    invoice_seller: str | None = Field(
        None, description="Name and address on our own invoices, its lines separated by semicolons."
    )
    serve_uploads: bool = Field(True, description="Whether the web process also hosts uploads.")
    serve_relay: bool = Field(True, description="Whether the web process also hosts the relay.")
    end_suspended: bool = Field(
        True,
        description="Whether a suspended process that holds a lock on the SQLite database is killed after 6 s.",
    )

    @field_validator("smtp_url")
    @classmethod
    def _is_mail_server(cls, url: str | None) -> str | None:
        parts = urlsplit(url or "")
        if url is None or (parts.scheme in ("smtp", "smtps") and parts.hostname and parts.password is None):
            return url
        # The sentence leaves the URL out, because it may hold a password.
        raise ValueError(
            "This is no address of a mail server. Write smtp://user@mail.example.com:587 and put the password into "
            "SAGASCRIPT_SMTP_PASSWORD."
        )

    @property
    def sends_mail(self) -> bool:
        """Whether mail leaves this installation."""
        return self.smtp_url is not None

    @property
    def mail_dir(self) -> Path:
        """Where mails become files."""
        return self.data_dir / "mail"

    @property
    def base_url(self) -> str:
        return (self.public_url or f"http://{self.host}:{self.port}").rstrip("/")

    @property
    def is_private(self) -> bool:
        """Whether only this machine can reach the installation: its host and its public URL are loopback addresses."""
        return self.host in LOOPBACK and (self.public_url is None or _host_of(self.public_url) in LOOPBACK)

    @property
    def makes_demo(self) -> bool:
        """Whether a new installation gets the demo account."""
        return self.is_private and self.database_url is None

    @property
    def host_names(self) -> frozenset[str]:
        """The host names whose requests we answer, besides IP addresses."""
        own = {
            self.host,
            *(_host_of(url) for url in (self.public_url, self.uploads_endpoint, self.realtime_url) if url),
        }
        more = (name.strip() for name in (self.allowed_hosts or "").split(","))
        return frozenset(name.lower() for name in {*LOOPBACK, *own, *more} if name)

    @property
    def forwarded_allow_ips(self) -> str:
        """The proxies to trust, in uvicorn's form."""
        if self.trusted_proxies is not None:
            return self.trusted_proxies
        is_proxied = self.public_url is not None and _host_of(self.public_url) not in LOOPBACK
        return "127.0.0.1,::1" if is_proxied else ""

    @property
    def page_origins(self) -> frozenset[str]:
        """The allowed origins of pages. On a private installation people type any name of this machine."""
        if self.public_url is None and self.host in LOOPBACK:
            return frozenset(f"http://{name}:{self.port}" for name in ("127.0.0.1", "localhost", "[::1]"))
        return frozenset({self.base_url})

    @property
    def is_https(self) -> bool:
        return urlsplit(self.base_url).scheme == "https"

    @property
    def relay_url(self) -> str:
        """Base URL of the HTTP API that receives events."""
        if self.realtime_url is None and self.realtime_cluster is not None:
            return f"https://api-{self.realtime_cluster}.pusher.com"
        return (self.realtime_url or f"http://{self.host}:{self.port}").rstrip("/")

    @property
    def db_url(self) -> str:
        if self.database_url:
            return _with_async_driver(self.database_url)
        return f"sqlite+aiosqlite:///{(self.data_dir / 'sagascript.db').resolve()}"

    @property
    def ui_root(self) -> Path:
        if self.ui_dir is not None:
            return self.ui_dir
        # A wheel holds the pages that were built when it was made.
        package = Path(__file__).resolve().parents[1]
        return package / "ui" if (package / "ui").is_dir() else package.parent / "ui" / "dist"

    @cached_property
    def signing_key(self) -> str:
        return self.session_secret or self._local_secret("session_secret")

    @cached_property
    def relay_secret(self) -> str:
        return self.realtime_secret or self._local_secret("realtime_secret")

    @cached_property
    def sealing_key(self) -> str:
        return self.data_key or self._local_secret("data_key")

    def _local_secret(self, name: str) -> str:
        """A secret generated on first use. All processes of this installation read it from `secrets.json`, mode 600."""
        path = self.data_dir / "secrets.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path.with_name("secrets.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            # Earlier versions made fewer secrets, and several processes may start at once.
            fcntl.flock(lock, fcntl.LOCK_EX)
            held: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
            if name not in held:
                held |= {key: secrets.token_urlsafe(48) for key in SECRETS if key not in held}
                draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
                draft.touch(mode=0o600)
                draft.write_text(json.dumps(held))
                draft.replace(path)
        finally:
            os.close(lock)
        return held[name]


def _host_of(url: str) -> str:
    return urlsplit(url).hostname or ""


def _with_async_driver(url: str) -> str:
    """Put the asynchronous driver that we ship into `postgresql://` and `sqlite:///` URLs."""
    if url.startswith(("postgres://", "postgresql://")):
        return "postgresql+psycopg://" + url.split("://", 1)[1]
    if url.startswith("sqlite:///"):
        return "sqlite+aiosqlite:///" + url.removeprefix("sqlite:///")
    return url


@lru_cache
def get_settings() -> ApiSettings:
    return ApiSettings()
