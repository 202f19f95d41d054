"""`sagascript models profile` prints a profile that, written to a file, says the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from api.commands import app
from serve.profile import BUNDLED, load_profile


@pytest.mark.parametrize("name", BUNDLED)
def test_the_printed_profile_is_the_one_in_use(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_PROFILE", name)
    result = CliRunner().invoke(app, ["models", "profile"])
    assert result.exit_code == 0, result.output
    path = tmp_path / f"{name}.yaml"
    path.write_text(result.stdout)
    assert load_profile(str(path)) == load_profile(name)


def test_a_profile_that_cannot_be_read_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SAGASCRIPT_PROFILE", "huge")
    result = CliRunner().invoke(app, ["models", "profile"])
    assert result.exit_code == 1
    assert "There is no profile “huge”." in " ".join(result.output.split())
