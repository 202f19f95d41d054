"""A bench is silent, also where the product's logging was set up before it."""

from __future__ import annotations

from typing import Any

import pytest
import structlog

from benchmarks.quiet import silence_logs
from cluster.logs.logging import configure_logging

log = structlog.get_logger()


@pytest.fixture(scope="module")
def before() -> dict[str, Any]:
    """The configuration with which these tests begin."""
    return structlog.get_config()


@pytest.mark.usefixtures("before")
def test_no_line_is_left(capfd: pytest.CaptureFixture[str]) -> None:
    configure_logging("task")
    log.warning("before.bench")
    assert "before.bench" in capfd.readouterr().err
    silence_logs()
    log.info("engine.loaded", engine="ct2")
    log.bind(model="small").warning("engine.slow")
    written = capfd.readouterr()
    assert (written.out, written.err) == ("", "")


def test_what_one_test_configures_the_next_does_not_meet(before: dict[str, Any]) -> None:
    assert structlog.get_config() == before
