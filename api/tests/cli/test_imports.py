"""What a process of the product loads at its start, which on a busy machine is most of the wait for it."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LATER = {
    "api.commands": ("fastapi", "sqlalchemy", "structlog", "ray", "numpy", "httpx2"),
    "api.app": (
        "ray",
        "numpy",
        "alembic",
        "boto3",
        "stripe",
        "openai",
        "fpdf",
        "docx",
        "fontTools",
        "markdown_it",
        "zxcvbn",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("module", LATER)
def test_a_process_loads_what_few_need_when_it_needs_it(module: str) -> None:
    program = f"import {module}, json, sys; print(json.dumps(list(sys.modules)))"
    loaded = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert not {*LATER[module]} & {*json.loads(loaded)}


def test_what_the_product_has_loaded_is_no_garbage_to_look_through() -> None:
    program = (
        "import gc, sys; sys.argv = ['sagascript', 'cluster', '--help']\n"
        "from api.main import run\n"
        "try: run()\n"
        "finally: print(gc.isenabled(), gc.get_freeze_count() > 10_000, file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert ended.stderr.split() == ["True", "True"]
