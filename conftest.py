"""The order of all tests: the two longest, then most, then those in a browser."""

from __future__ import annotations

import gc
import os
import signal
import ssl
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Any

import httpx2
import pytest
import structlog

for package in ("api", "cluster", "pipelines", "serve"):
    pytest.register_assert_rewrite(f"{package}.testing")

# A shell's background job ignores it, and so would every program that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# Several installations may start at once on two cores. Ray's own limit of 30 s is too short on a loaded machine.
os.environ.setdefault("RAY_raylet_start_wait_time_s", "120")
# Ray's own niceness of 15 leaves its workers about a twentieth of the processor time that a test gets. Beside four
# processes that compute, a measurement of 37 s did not end in 500 s; with 0 it takes 86 s.
os.environ.setdefault("RAY_worker_niceness", "0")
# Four processes share two cores: threads of one operation would wait for each other.
for threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(threads, "1")
# No test downloads a real model; tests of the download run their own hub and override this.
os.environ.setdefault("SAGASCRIPT_ALLOW_HUB", "false")

# As the product's logs (`cluster/logs/`). structlog's own default draws each traceback with sources and all local
# variables: 1 s of processor time, in which the test's web server answers nobody.
structlog.dev.ConsoleRenderer.get_active().exception_formatter = structlog.dev.plain_traceback


@cache
def _tls_of_strangers() -> ssl.SSLContext:
    return httpx2.create_ssl_context(trust_env=False)


def _tls(verify: Any = True, cert: Any = None, trust_env: bool = True) -> ssl.SSLContext:
    is_usual = verify is True and cert is None and not {"SSL_CERT_FILE", "SSL_CERT_DIR"} & os.environ.keys()
    return _tls_of_strangers() if is_usual else httpx2.create_ssl_context(verify, cert, trust_env)


# Each client of httpx2 reads 140 certificates for https, which takes 25 ms. Tests make thousands and use http.
httpx2._transports.default.create_ssl_context = _tls

PRODUCT = "api/tests/e2e/product/"
SERVE = "serve/tests/on_ray/"
ONE_PROCESS = (PRODUCT, "api/tests/e2e/first_start/", SERVE, "pipelines/tests/on_serve/", "api/tests/jobs/")
"""Tests that share an installation or a cluster. In several processes they would start one each, of 15 to 40
core-seconds."""
LONGEST_FIRST = (PRODUCT, SERVE)
"""They mostly wait, so the cheap tests beside them lose nothing, and nothing is left to wait for at the end."""
BROWSER_LAST = "api/tests/e2e"
LONGEST_IN_BROWSER = "api/tests/e2e/test_routes.py"
"""Last by name, it ran alone for 80 s while three processes had nothing left to do."""
_API = "api/tests/"
BOTH_DATABASES = tuple(
    _API + each
    for each in (
        "access/test_offered_changes.py",
        "admin/test_dashboard.py",
        "admin/test_users.py",
        "auth/test_sign_in_limits.py",
        "billing/",
        "capabilities/test_two_dispatchers.py",
        "captions/edits/test_edits.py",
        "captions/edits/test_locks.py",
        "db/",
        "files/test_at_once.py",
        "files/test_lists.py",
        "http/test_strange_input.py",
        "jobs/",
        "ledger/",
        "mail/",
        "operations/",
        "retention/",
        "search/",
        "tags/",
        "teams/test_roles.py",
        "uploads/",
        "webhooks/",
    )
)
"""Where SQLite and PostgreSQL differ: locks and people at once, search, sorting, sums, migrations. Everything else
meets PostgreSQL in the long tests."""


def _logging_as_before() -> Iterator[None]:
    """A task, a command or a bench that runs inside a test sets up its own log lines; the next test has its own."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


logging_after_test = pytest.fixture(autouse=True)(_logging_as_before)
logging_after_file = pytest.fixture(autouse=True, scope="module")(_logging_as_before)
"""For what the fixtures of a whole file configure."""


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Let a campaign draw other examples than those of every run."""
    if "soak" in config.getoption("markexpr"):
        from hypothesis import settings

        settings.register_profile("ci", settings.get_profile("ci"), derandomize=False)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Whole files to each process, and to one process all files that share an installation."""
    # The environment with torch has no xdist.
    from xdist.scheduler import LoadFileScheduling

    class ByInstallation(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            shared = next((folder for folder in ONE_PROCESS if nodeid.startswith(folder)), None)
            return shared or super()._split_scope(nodeid)

    return ByInstallation(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Keep the garbage collector away from what stays to the end: modules, routes and 5,000 tests.

    Looking through them again and again took a quarter of the collection and of a test of the API.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        # The apps that tests leave behind are cycles: looked for less often, a process grew to 3 GB.
        gc.set_threshold(50_000, 10, 8)
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and _is_on_postgresql(item) and not item.nodeid.startswith(BOTH_DATABASES):
            item.add_marker("long")
    if find_spec("torch") is None:
        _leave_out("gpu_env", config, items)
    for campaign in ("long", "soak"):
        if campaign not in config.getoption("markexpr"):
            _leave_out(campaign, config, items)
    items.sort(key=_cost)
    if "hypothesis" in sys.modules and "soak" not in config.getoption("markexpr"):
        _keep_constants_from_hypothesis()


def _keep_constants_from_hypothesis() -> None:
    """Its own hook, which comes after ours, reads those of all our modules: 3 core-seconds in each process.

    What it made of them also depended on the modules that other tests had loaded. Campaigns keep them.
    """
    from hypothesis.internal.conjecture import providers

    providers.is_local_module_file = lambda _path: False  # pyrefly: ignore[bad-assignment]


def _is_on_postgresql(item: pytest.Function) -> bool:
    """Whether it is the second form of a test that SQLite runs too."""
    made = getattr(item, "callspec", None)
    wanted = {} if made is None else made.params
    is_second = not any(each.args[0] == "database_url" for each in item.iter_markers("parametrize"))
    return is_second and "postgresql" in (wanted.get("database_url"), wanted.get("bare_database_url"))


def _leave_out(marker: str, config: pytest.Config, items: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker(marker)])
    items[:] = [item for item in items if item.get_closest_marker(marker) is None]


def _cost(item: pytest.Item) -> int:
    if item.nodeid.startswith(LONGEST_FIRST):
        return 0
    if not item.nodeid.startswith(BROWSER_LAST):
        return 1
    return 2 if item.nodeid.startswith(LONGEST_IN_BROWSER) else 3
