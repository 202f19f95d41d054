"""What a program can check of the documents: lengths, links, paths, settings and commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from typer.main import get_command

from api.commands import app
from benchmarks.commands import COMMANDS as BENCHMARKS
from benchmarks.goals import figures_page
from benchmarks.manifests.build_report import ROOT
from benchmarks.manifests.settings_page import CLASSES, PAGE, settings_page
from benchmarks.soak.commands import COMMANDS as CAMPAIGNS

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
CURRENT = [page for page in PAGES if page.name != "CHANGELOG.md"]
"""The change log also names what is gone."""

each_page = pytest.mark.parametrize("page", CURRENT, ids=lambda page: page.name)


@pytest.mark.parametrize(("name", "most"), [("README.md", 120), ("ARCHITECTURE.md", 150)])
def test_the_first_documents_are_short(name: str, most: int) -> None:
    assert len((ROOT / name).read_text().splitlines()) <= most


def test_the_page_of_settings_is_written_from_the_code() -> None:
    assert PAGE.read_text() == settings_page(), "Run: python -m benchmarks.manifests settings"


def test_the_figures_are_those_on_record() -> None:
    assert figures_page.PAGE.read_text() == figures_page.figures_page(), "Run: python -m benchmarks.manifests figures"


def _stored(command: str, **more: object) -> str:
    machine = {"cores": 2, "processor": "x"}
    return json.dumps({"command": command, "finished_at": "2026-11-21T16:27:25+00:00", "machine": machine, **more})


def test_results_and_benches_go_together(tmp_path: Path) -> None:
    """A result without a bench is named, and a bench without a result."""
    row = {"goal": "none", "value": 1.0}
    (tmp_path / "gone.json").write_text(_stored("python -m benchmarks gone --fast", results=[row]))
    (tmp_path / "relay.unfinished.json").write_text("{}")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "asr.json").write_text(_stored("python -m benchmarks asr --made"))
    (tmp_path / "models" / "batching.curves.json").write_text("{}")
    # What people measure for themselves stays out of the page.
    (tmp_path / "models" / "text-20261128-120000.json").write_text(_stored("python -m benchmarks text folder"))
    problems = list(figures_page.figures_problems(tmp_path))
    assert problems[0] == "benchmarks/results/gone.json belongs to no bench. Remove it"
    assert problems[1] == "benchmarks/results/gone.json: none is no goal any more. Measure again"
    without = {problem.split()[2] for problem in problems[2:]}
    assert without >= {"relay", "text", "batching"}
    assert not without & {"asr", "gone", "compare", "report"}


@each_page
def test_settings_exist(page: Path) -> None:
    known = {f"SAGASCRIPT_{field.upper()}" for each in CLASSES for field in each.model_fields}
    assert set(re.findall(r"SAGASCRIPT_[A-Z0-9_]+[A-Z0-9]", page.read_text())) <= known


@each_page
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@each_page
def test_anchors_exist(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]*)#([^)]+)\)", page.read_text())
    missing = [(path, anchor) for path, anchor in links if anchor not in _anchors(page.parent / path if path else page)]
    assert missing == []


def test_the_manual_shows_every_document() -> None:
    listed = re.findall(r'named\(\s*"([^"]+)"', (ROOT / "ui" / "manual" / "documents.ts").read_text())
    assert sorted(listed) == [str(page.relative_to(ROOT)) for page in PAGES]


@each_page
def test_paths_exist(page: Path) -> None:
    named = re.findall(r"`((?:api|benchmarks|cluster|docker|docs|pipelines|serve|ui)/[\w./-]+)[`:]", page.read_text())
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.long
@each_page
def test_commands_exist(page: Path) -> None:
    text = page.read_text()
    assert set(_commands(text, "sagascript")) <= set(get_command(app).commands)  # type: ignore[attr-defined]
    assert set(_commands(text, "python -m benchmarks")) <= set(BENCHMARKS)
    assert set(_commands(text, "python -m benchmarks.soak")) <= set(CAMPAIGNS)
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(_commands(text, "make")) <= targets


@pytest.mark.long
@each_page
def test_options_of_commands_exist(page: Path) -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    shown = re.findall(r"sagascript ([a-z-]+)((?: [^`\n#|]*)?)", page.read_text())
    wrong = [
        f"{name} {option}"
        for name, rest in shown
        if name in commands
        for option in re.findall(r"(?<!\S)--[a-z-]+", rest)
        if option not in _options(commands[name])
    ]
    assert wrong == []


def _options(command: click.Command) -> set[str]:
    """Of a command and of those below it."""
    own = {name for each in command.params for name in (*each.opts, *each.secondary_opts)} | {"--help"}
    return own.union(*map(_options, getattr(command, "commands", {}).values()))


def _anchors(page: Path) -> set[str]:
    """As GitHub and the manual make them from headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\s-]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def _commands(text: str, program: str) -> Iterator[str]:
    """The words after a program where a document shows it as code."""
    for code in re.findall(r"`([^`\n]+)`|^ {4}(.+)$", text, re.MULTILINE) + [(each, "") for each in _blocks(text)]:
        for line in "".join(code).splitlines():
            if match := re.match(rf"(?:\S*/)?{re.escape(program)} ([a-z][a-z-]*)", line.strip()):
                yield match[1]


def _blocks(text: str) -> list[str]:
    return re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
