"""Errors of pages in the server's log: one line each, with enough to find the fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from api.platform.http.limits import ERROR_REPORT_MAX
from api.testing.processes.web_process import csrf, running_web

STACK = (
    "TypeError: x is undefined\n    at draw (http://h/assets/page.js:1:20)\n    at run (http://h/assets/page.js:1:90)"
)


@pytest.mark.long
def test_a_report_is_one_line_of_the_log(tmp_path: Path) -> None:
    report = {"error": STACK, "class": "/captions/abc", "method": "draw", "line": "http://h/assets/page.js:1:20"}
    hostile = {"error": 'a\r\n{"level": "fake"}\x1b[31m\u202e\0' + "x" * 50_000, "class": "\n", "method": None}
    with running_web(tmp_path) as web, web.client() as page:
        for body in (report, hostile):
            assert page.post("/api/error/log", json=body, headers=csrf(page)).status_code == 204
        log = web.log
    lines = [json.loads(line) for line in log.read_text().splitlines() if "browser.error" in line]
    assert len(lines) == 2
    assert lines[0]["error"] == " ".join(STACK.split("\n"))
    assert (lines[0]["where"], lines[0]["method"]) == ("/captions/abc", "draw")
    assert lines[0]["line"] == "http://h/assets/page.js:1:20"
    assert lines[1]["error"].startswith('a  {"level": "fake"} [31m')
    assert len(lines[1]["error"]) <= ERROR_REPORT_MAX
    assert lines[1]["error"].isprintable()
