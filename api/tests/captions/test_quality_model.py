"""The editor finds by itself while a person types. On generated lines it finds what the server finds."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cluster.testing.patience import PATIENCE_S
from pipelines.captions.json_form import line_to_json
from pipelines.captions.quality.findings import Rule
from pipelines.captions.quality.rules import find_all
from pipelines.captions.texts.function_words import leaning_in
from pipelines.testing.captions_to_judge import judged_lines, judged_under

UI = Path(__file__).parents[3] / "ui"
CASES = 1_500


def generated(seed: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Lines with their circumstances, and what the server finds."""
    chance = random.Random(seed)
    lines, about = judged_lines(chance), judged_under(chance)
    case = {
        "lines": [line_to_json(line) for line in lines],
        "limits": about.profile.model_dump(mode="json"),
        "code": about.code,
        "cuts": list(about.cuts_ms),
        "fps": about.fps,
        "undrawable": sorted(about.undrawable),
        "leaning": sorted(leaning_in(about.code)),
    }
    found = [
        {
            "rule": str(each.rule),
            "severity": str(each.severity),
            "lines": list(each.line_ids),
            "values": dict(each.values),
        }
        for each in find_all(lines, about)
    ]
    return case, found


@pytest.mark.long
def test_the_editor_finds_what_the_server_finds(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (UI / "node_modules" / "vite").is_dir():
        pytest.skip("The front end's packages are not installed: run `make test`.")
    source = "src/domain/captions/quality/compare.testing.ts"
    build = [node, "node_modules/vite/bin/vite.js", "build", "--ssr", source, "--outDir", str(tmp_path)]
    subprocess.run([*build, "--logLevel", "error"], cwd=UI, check=True, timeout=PATIENCE_S)
    cases = [generated(seed) for seed in range(CASES)]
    program = next(tmp_path.glob("compare.testing.*"))
    told = json.dumps([case for case, _ in cases])
    ran = subprocess.run(
        [node, str(program)], input=told, capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    rules = Counter(found["rule"] for _, findings in cases for found in findings)
    for seed, (got, (_, expected)) in enumerate(zip(json.loads(ran.stdout), cases, strict=True)):
        assert got == expected, seed
    # Each rule was broken often enough to be compared.
    assert set(rules) == {str(rule) for rule in Rule}
    assert min(rules.values()) >= 3, rules
