"""What is said of a platform that lacks a wheel, and of an index that cannot be asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.manifests import platforms
from benchmarks.manifests.platforms import PLATFORMS, resolve_platforms

# Both ask, or try to ask, the package index.
pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _two_platforms(monkeypatch: pytest.MonkeyPatch) -> None:
    """`make check` asks for all of them."""
    monkeypatch.setattr(platforms, "PLATFORMS", PLATFORMS[::5])


def project(folder: Path, requirement: str) -> Path:
    path = folder / "pyproject.toml"
    path.write_text(f'[project]\nname = "made-up"\nversion = "1"\ndependencies = ["{requirement}"]\n')
    return path


def test_a_package_without_wheels_is_named_with_each_platform(tmp_path: Path) -> None:
    # Published as sources alone.
    outcome = resolve_platforms(project(tmp_path, "docopt==0.6.2"))
    assert outcome.index_away == ""
    assert len(outcome.problems) == len(PLATFORMS[::5])
    assert all("docopt==0.6.2 has no usable wheels" in problem for problem in outcome.problems)
    assert resolve_platforms(project(tmp_path, "structlog==26.1.0")).problems == ()


def test_an_index_out_of_reach_is_no_problem_of_the_product(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("UV_OFFLINE", "1")
    outcome = resolve_platforms(project(tmp_path, "structlog==26.1.0"))
    assert (outcome.problems, bool(outcome.index_away)) == ((), True)
