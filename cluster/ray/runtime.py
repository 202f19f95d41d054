"""Join a Ray cluster from a process that submits work."""

from __future__ import annotations

import os
import time

from cluster.ports import is_listening
from cluster.privacy import keep_private
from cluster.ray.head import ADDRESS_FILE, node_environment, ray_environment
from cluster.settings import ClusterSettings, get_cluster_settings
from cluster.signals import keep_signal_handlers

NAMESPACE = "sagascript"
"""All our processes share named actors and Serve handles in it."""


class RayUnreachable(RuntimeError):
    """No Ray cluster answers. The text is a sentence."""


def announced_address(settings: ClusterSettings) -> str | None:
    """The address of this installation's own running head, or None if it is not running."""
    path = settings.data_dir / "run" / ADDRESS_FILE
    try:
        address = path.read_text().strip()
    except OSError:
        return None
    return address if is_reachable(address) else None


def connect(settings: ClusterSettings | None = None, *, wait_s: float = 0.0) -> str:
    """Join the cluster named in the settings, else this installation's own head; return its address.

    Safe to call twice. Raises `RayUnreachable` if there is none within `wait_s`. A process whose cluster died must call
    `disconnect` first.
    """
    settings = settings or get_cluster_settings()
    address = _find(settings, wait_s)
    run_dir = settings.data_dir.resolve() / "run"
    if settings.ray_address is None:
        os.environ.update(ray_environment(run_dir))
    keep_private()
    # Without this, Ray requires a token as soon as it finds a token file in the home folder.
    os.environ.setdefault("RAY_AUTH_MODE", "disabled")
    # Importing Ray takes most of a second.
    import ray

    if ray.is_initialized():
        return address
    _read_environment_again()
    # Nodes of a cluster elsewhere have no environment of ours; the local head's processes inherit theirs.
    runtime_env = {"env_vars": node_environment(settings)} if settings.ray_address else None
    try:
        with keep_signal_handlers():
            ray.init(
                address=address,
                namespace=NAMESPACE,
                runtime_env=runtime_env,
                configure_logging=False,
                log_to_driver=False,
            )
    except ConnectionError as error:
        raise RayUnreachable(f"The Ray cluster at {address} refused this process: {error}") from error
    return address


def _find(settings: ClusterSettings, wait_s: float) -> str:
    deadline = time.monotonic() + wait_s
    while True:
        address = settings.ray_address or announced_address(settings)
        if address is not None and is_reachable(address):
            return address
        if time.monotonic() >= deadline:
            break
        time.sleep(0.1)
    if address is None:
        raise RayUnreachable("Ray is not running for this data folder. Start it with `sagascript up`.")
    raise RayUnreachable(f"No Ray cluster answers at {address}. Is it running, and SAGASCRIPT_RAY_ADDRESS right?")


def _read_environment_again() -> None:
    """Ray reads its variables once, on import, which may have been before we set them."""
    from ray._raylet import AuthenticationTokenLoader, Config  # type: ignore[attr-defined]

    Config.initialize("")
    AuthenticationTokenLoader.instance().reset_cache()


def disconnect() -> None:
    import ray

    ray.shutdown()


def is_reachable(address: str) -> bool:
    """Whether something listens there. True for addresses other than `host:port` (`ray://`, `auto`), left to Ray."""
    host, separator, port = address.rpartition(":")
    if not separator or not port.isdigit() or "/" in host:
        return True
    return is_listening(host, int(port), timeout_s=3.0)
