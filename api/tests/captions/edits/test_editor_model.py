"""The editor applies commands by itself. After 10,000 generated commands its lines equal the server's."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from api.testing.editor_commands import generated
from cluster.testing.patience import PATIENCE_S

UI = Path(__file__).parents[4] / "ui"
CASES = 250
LINE_KEYS = ("id", "start_ms", "end_ms", "text", "words", "doubts", "speaker", "place")


@pytest.fixture(scope="module")
def editor_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The editor's own code, built for Node."""
    node = shutil.which("node")
    if node is None or not (UI / "node_modules" / "vite").is_dir():
        pytest.skip("The front end's packages are not installed: run `make test`.")
    folder = tmp_path_factory.mktemp("model")
    source = "src/domain/captions/model/compare.testing.ts"
    build = [node, "node_modules/vite/bin/vite.js", "build", "--ssr", source, "--outDir", str(folder)]
    subprocess.run([*build, "--logLevel", "error"], cwd=UI, check=True, timeout=PATIENCE_S)
    return next(folder.glob("compare.testing.*"))


def _line_of(shown: dict[str, Any]) -> dict[str, Any]:
    """A line of the editor with what the server's form of it holds."""
    flags = {name: True for name in ("locked", "forced") if shown.get(name)}
    return {key: shown[key] for key in LINE_KEYS} | flags


@pytest.mark.long
def test_the_editor_shows_what_the_server_will_answer(editor_model: Path) -> None:
    cases = [generated(seed) for seed in range(CASES)]
    commands = json.dumps([case for case, _ in cases])
    ran = subprocess.run(
        ["node", str(editor_model)], input=commands, capture_output=True, text=True, check=True, timeout=120
    )
    kinds = set()
    for seed, (got, (case, expected)) in enumerate(zip(json.loads(ran.stdout), cases, strict=True)):
        for number, (shown, meant) in enumerate(zip(got, expected, strict=True)):
            kinds.add((case["commands"][number]["action"], meant["kind"]))
            shown["lines"] = [_line_of(line) for line in shown["lines"]]
            assert shown == meant, (seed, number, case["commands"][number])
    # Each command was applied and refused at least once, so both sides of the rules are tested.
    assert kinds == {(action, kind) for action, _ in kinds for kind in ("done", "refused")}
    assert len(kinds) == 16
