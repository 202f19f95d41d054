"""The address at which browsers reach the realtime service: our relay, or hosted Pusher when a cluster is set."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from api.platform.settings import ApiSettings

TLS_SCHEMES = frozenset({"https", "wss"})


@dataclass(frozen=True, slots=True)
class BrowserAddress:
    """`host`, `port` and `path` are None where the client library derives them from the `cluster`."""

    tls: bool
    host: str | None = None
    port: int | None = None
    path: str | None = None
    cluster: str | None = None

    @property
    def origins(self) -> tuple[str, ...]:
        """The origins a page connects to: by websocket, or by XMLHttpRequest where websockets are blocked."""
        secure = "s" if self.tls else ""
        if self.host is None:
            # The names that pusher-js 8 builds.
            return f"wss://ws-{self.cluster}.pusher.com", f"https://sockjs-{self.cluster}.pusher.com"
        name = f"[{self.host}]" if ":" in self.host else self.host
        return f"ws{secure}://{name}:{self.port}", f"http{secure}://{name}:{self.port}"


def browser_address(settings: ApiSettings) -> BrowserAddress:
    """TLS is forced when pages are served by https, because browsers allow nothing else there."""
    if settings.realtime_cluster is not None and settings.realtime_socket_url is None:
        return BrowserAddress(tls=True, cluster=settings.realtime_cluster)
    url = urlsplit(settings.realtime_socket_url or settings.realtime_url or settings.base_url)
    tls = url.scheme in TLS_SCHEMES or settings.is_https
    return BrowserAddress(
        tls=tls,
        host=url.hostname or settings.host,
        port=url.port or (443 if tls else 80),
        path=url.path.rstrip("/"),
        cluster=settings.realtime_cluster,
    )
