"""The README's configuration table names every setting there is, and no other."""

from __future__ import annotations

import re
from pathlib import Path

from api.platform.settings import ApiSettings
from serve.chat.settings import ChatSettings
from serve.core.settings import ModelSettings

README = Path(__file__).parents[2] / "README.md"


def test_the_configuration_table_is_the_settings() -> None:
    named = set(re.findall(r"^\| `(SAGASCRIPT_\w+)` \|", README.read_text(), flags=re.MULTILINE))
    fields = [*ApiSettings.model_fields, *ModelSettings.model_fields, *ChatSettings.model_fields]
    assert named == {f"SAGASCRIPT_{field.upper()}" for field in fields}
