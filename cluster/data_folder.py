"""Where an installation keeps its data until somebody says where."""

from __future__ import annotations

from pathlib import Path

import platformdirs

_CHECKOUT = Path(__file__).parents[1] / "pyproject.toml"
_HERE = Path(".sagascript")


def usual_data_dir() -> Path:
    """`.sagascript` in the working folder, where there is one or the code runs from a checkout; else the person's own.

    A command that was installed is run from anywhere, and must find the same films each time.
    """
    if _CHECKOUT.is_file() or _HERE.is_dir():
        return _HERE
    return platformdirs.user_data_path("sagascript", appauthor=False)
