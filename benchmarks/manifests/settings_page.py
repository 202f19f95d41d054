"""`docs/settings.md`: every setting of the product, written from the classes that read them."""

from __future__ import annotations

from pathlib import PurePath

from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from pydantic_settings import BaseSettings

from api.platform.settings import ApiSettings
from benchmarks.manifests.build_report import ROOT
from serve.tasks.settings import MODEL_SETTINGS

PAGE = ROOT / "docs" / "settings.md"
CLASSES: tuple[type[BaseSettings], ...] = (ApiSettings, *MODEL_SETTINGS)
_HEAD = """# Settings

All settings are environment variables. `python -m benchmarks.manifests settings` writes this page from the code.

| setting | default | what it is |
|---|---|---|
"""


def settings_page() -> str:
    """The page as it must be."""
    rows = [_row(name, field) for each in CLASSES for name, field in each.model_fields.items()]
    return _HEAD + "".join(rows)


def _row(name: str, field: FieldInfo) -> str:
    default = field.get_default(call_default_factory=True)
    return f"| `SAGASCRIPT_{name.upper()}` | {_value(default)} | {field.description} |\n"


def _value(default: object) -> str:
    match default:
        case None | "":
            return ""
        case bool():
            return f"`{str(default).lower()}`"
        case int() | float() | str() | PurePath():
            return f"`{default}`"
        case _ if default is PydanticUndefined or not default:
            return ""
    raise TypeError(f"How is this default written? {default!r}")
