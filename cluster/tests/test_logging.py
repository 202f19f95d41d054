"""Log lines of every source have one format and contain no secrets."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from cluster.logs.logging import HIDDEN, hide_secrets

WRITE = """
import logging, structlog
from cluster.logs.logging import configure_logging
from cluster.settings import ClusterSettings
configure_logging("api", ClusterSettings(log_format={format!r}, log_level={level!r}))
structlog.get_logger("ours").info("job.completed", job_id="7", upload_token="abc")
logging.getLogger("uvicorn.access").info('"GET /api/files?token=abc HTTP/1.1" 200')
logging.getLogger("uvicorn.access").info('"GET /api/health HTTP/1.1" 200')
logging.getLogger("httpx2").info("chatter")
try:
    1 / 0
except ZeroDivisionError:
    structlog.get_logger().exception("job.crashed", database="postgresql://user:hunter2@db/x")
"""


def written(format: str, level: str = "info") -> str:
    source = WRITE.format(format=format, level=level)
    return subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=True).stderr


def test_json_lines_of_ours_and_of_libraries() -> None:
    ours, access, crashed = (json.loads(line) for line in written("json").splitlines())
    assert (ours["event"], ours["job_id"], ours["level"], ours["process"]) == ("job.completed", "7", "info", "api")
    assert ours["upload_token"] == HIDDEN
    assert access["event"] == f'"GET /api/files?token={HIDDEN} HTTP/1.1" 200'
    assert "ZeroDivisionError" in crashed["exception"]
    assert crashed["database"] == f"postgresql://user:{HIDDEN}@db/x"


@pytest.mark.long
def test_the_level_is_kept_and_the_console_form_is_for_people() -> None:
    text = written("console", "warning")
    assert "job.completed" not in text
    assert "job.crashed" in text
    assert not text.lstrip().startswith("{")


@pytest.mark.parametrize("name", ["password", "session_secret", "Authorization", "X-XSRF-TOKEN", "stripe_api_key"])
def test_values_with_secret_names_are_hidden_at_any_depth(name: str) -> None:
    assert hide_secrets(None, "info", {"event": "x", "headers": {name: "value"}}) == {
        "event": "x",
        "headers": {name: HIDDEN},
    }
