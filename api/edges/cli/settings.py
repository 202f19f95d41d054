"""The settings of a command: the environment, overridden by the command's options."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from api.edges.cli.console import fail
from api.platform.settings import ApiSettings, get_settings
from cluster.privacy import keep_private
from cluster.private_folder import close_to_others
from cluster.settings import get_cluster_settings


def settings_with(**options: object) -> ApiSettings:
    """Load the settings. Options that are given replace their variables here and in every child process."""
    for name, value in options.items():
        if value is not None:
            os.environ[f"SAGASCRIPT_{name.upper()}"] = str(value)
    keep_private()
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    try:
        settings = get_settings()
        if settings.data_dir.is_dir():
            close_to_others(settings.data_dir)
    except ValidationError as wrong:
        problems = "; ".join(
            f"SAGASCRIPT_{'_'.join(map(str, error['loc'])).upper()}: {error['msg']}" for error in wrong.errors()
        )
        raise fail(f"The settings cannot be used. {problems}.") from None
    if settings.identity_providers:
        from api.people.providers.settings_entries import entries_of_settings

        try:
            entries_of_settings(settings)
        except ValueError as wrong:
            raise fail(f"The settings cannot be used. {wrong}") from None
    return settings


_PLACES = ("SAGASCRIPT_DATA_DIR", "SAGASCRIPT_STORAGE_URL", "SAGASCRIPT_STORAGE_DIR", "SAGASCRIPT_WORK_DIR")


@contextmanager
def writing_into(folder: Path) -> Iterator[None]:
    """Meanwhile this process stores objects and works in `folder`, whatever the settings name."""
    before = {name: os.environ.pop(name) for name in _PLACES if name in os.environ}
    os.environ["SAGASCRIPT_DATA_DIR"] = str(folder)
    get_settings.cache_clear()
    get_cluster_settings.cache_clear()
    try:
        yield
    finally:
        del os.environ["SAGASCRIPT_DATA_DIR"]
        os.environ.update(before)
        get_settings.cache_clear()
        get_cluster_settings.cache_clear()
