"""The Ray head of one machine, in its own process: how to start it, where it keeps files, how to clean up after it.

It listens on the node's address, not only on loopback (Ray resolves `127.0.0.1` to the node). So it requires a token;
otherwise anybody on the network could run code here.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from cluster.ports import free_ports
from cluster.privacy import NO_REPORTS
from cluster.private_folder import make_private
from cluster.processes import MARK
from cluster.resources import OBJECT_STORE_BYTES, node_slots
from cluster.settings import ClusterSettings

READY_LINE = "ray.head.ready"
"""Printed by `cluster.ray.head_main` once the head answers."""

_TIMEOUTS = {
    "RAY_agent_register_timeout_ms": "3600000",
    "RAY_gcs_server_request_timeout_seconds": "3600",
    "RAY_health_check_failure_threshold": "100",
}
"""By default Ray ends a node whose parts do not answer each other within 30 to 60 s, which happened on machines with a
load of 9 to 15. The head detects a process that ended, and the supervisor one that hangs."""

_HUNG = {"RAY_SERVE_FORCE_STOP_UNHEALTHY_REPLICAS": "1", "RAY_kill_worker_timeout_milliseconds": "2000"}
"""A replica that fails its health checks is killed at once. By default Serve first asks it to finish its requests,
which a process that hangs never does, and Ray kills a suspended one after 5 s. Callers would wait for both."""

_CALM = {"RAY_SERVE_CONTROL_LOOP_INTERVAL_S": "0.25"}
"""Serve's controller looks for changes four times a second instead of ten, which takes half the processor time where
nothing changes."""

ADDRESS_FILE = "ray-address"
TOKEN_FILE = "ray-token"
ROOT_CHARS_MAX = 20
"""Longest usable path of the temporary folder. With a longer one Ray's socket paths do not fit, so we use /tmp."""


@dataclass(slots=True)
class RayHead:
    """A head to start with `argv` and `env`. It alone uses `temp_dir`, which may be deleted after it stopped."""

    env: dict[str, str]
    temp_dir: Path
    run_dir: Path
    slots: int
    address: str = field(init=False)
    argv: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.choose_ports()

    def choose_ports(self) -> None:
        """Set new `address` and `argv` with ports that are free now. A running head keeps the ports it started with."""
        gcs, runtime_env = free_ports(2)
        fields = {
            "gcs_server_port": gcs,
            "runtime_env_agent_port": runtime_env,
            "num_cpus": self.slots,
            "object_store_memory": OBJECT_STORE_BYTES,
            "temp_dir": str(self.temp_dir),
            "include_dashboard": False,
            "include_log_monitor": False,
            "no_monitor": True,
        }
        self.address = f"127.0.0.1:{gcs}"
        self.argv = (sys.executable, "-P", "-m", "cluster.ray.head_main", json.dumps(fields))

    def announce(self) -> None:
        """Write the address to where other commands of the installation look for it."""
        (self.run_dir / ADDRESS_FILE).write_text(self.address)

    def withdraw(self) -> None:
        (self.run_dir / ADDRESS_FILE).unlink(missing_ok=True)

    def keep_logs(self, folder: Path) -> None:
        """Copy Ray's own logs to `folder` and delete everything else it wrote. Call it once the head has stopped."""
        logs = self.temp_dir / "session_latest" / "logs"
        if logs.is_dir():
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(logs, folder, symlinks=True, ignore_dangling_symlinks=True)
        shutil.rmtree(self.temp_dir, ignore_errors=True)


def plan_head(settings: ClusterSettings, mark: str, *, slots: int | None = None) -> RayHead:
    """Choose folder, token and ports. `mark` identifies the installation in the environment of every descendant.

    `slots` is what the head itself offers, by default what suits this machine.
    """
    run_dir = settings.data_dir.resolve() / "run"
    run_dir.mkdir(parents=True, exist_ok=True)
    temp_dir = _temp_dir(run_dir)
    # Files of a killed head would make Ray join that one instead of starting.
    shutil.rmtree(temp_dir, ignore_errors=True)
    return RayHead(_environment(settings, run_dir, mark), temp_dir, run_dir, node_slots() if slots is None else slots)


def ray_environment(run_dir: Path) -> dict[str, str]:
    """Variables that let a process on this machine join the head that `run_dir` describes."""
    return {
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN_PATH": str(_token(run_dir)),
        **NO_REPORTS,
    }


def _environment(settings: ClusterSettings, run_dir: Path, mark: str) -> dict[str, str]:
    """The environment of the head and so of every task and replica: ours without what a node must not know."""
    return {
        **{name: value for name, value in os.environ.items() if not _is_private(name)},
        **node_environment(settings),
        **ray_environment(run_dir),
        "PYTHONUNBUFFERED": "1",
        **_TIMEOUTS,
        **_HUNG,
        **_CALM,
        # The whole machine stops with us, so no node could take over requests.
        "RAY_GRACEFUL_SHUTDOWN_DRAIN_TIMEOUT_S": "0",
        # We don't read Ray's metrics.
        "RAY_enable_metrics_collection": "false",
        # One thread per library: slots already share the cores.
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", "1"),
        MARK: mark,
    }


def node_environment(settings: ClusterSettings) -> dict[str, str]:
    """The shared settings as variables, with absolute paths because tasks run in another folder."""
    found = {"SAGASCRIPT_DATA_DIR": str(settings.data_dir.resolve()), **NO_REPORTS}
    for name in type(settings).model_fields.keys() & ClusterSettings.model_fields.keys():
        value = getattr(settings, name)
        if value is not None and name not in ("data_dir", "ray_address"):
            found[f"SAGASCRIPT_{name.upper()}"] = str(value.resolve() if isinstance(value, Path) else value)
    return found


def _is_private(name: str) -> bool:
    """Whether a variable belongs to the control plane: database, sessions, payment and mail stay off the nodes.

    Amazon's variables are passed on, because nodes need them to reach storage.
    """
    if name.startswith("SAGASCRIPT_"):
        return not name.startswith("SAGASCRIPT_SERVE_")
    return name.startswith(("STRIPE_", "SMTP_", "PG", "DATABASE_", "REDIS_"))


def _temp_dir(run_dir: Path) -> Path:
    """A short path, always the same for one data folder: Ray puts its sockets below it, with at most 107 characters.

    Ray's folder is writable by everybody, so we put it in a folder that only this user can access.
    """
    name = hashlib.sha256(str(run_dir).encode()).hexdigest()[:10]
    root = Path(tempfile.gettempdir())
    return make_private((root if len(str(root)) <= ROOT_CHARS_MAX else Path("/tmp")) / f"saga-{os.geteuid()}") / name


def _token(run_dir: Path) -> Path:
    path = run_dir / TOKEN_FILE
    if not path.exists():
        draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        draft.touch(mode=0o600)
        draft.write_text(secrets.token_hex(32))
        draft.replace(path)
    return path
