"""`python -m benchmarks.soak`: a module for every campaign, and a list after a typing error."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

import pytest

from benchmarks.soak.commands import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_module(name: str) -> None:
    assert find_spec(COMMANDS[name].module) is not None


def test_an_unknown_command_is_refused_with_the_list() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.soak", "nonsense"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert all(name in run.stdout for name in COMMANDS)
