"""The catalogues: `<domain>/locale/<language>.po`, with the code as context and the English form as message id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog

ENGLISH = "en"
"""The language of the declarations. It has no catalogue."""
ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("api", "pipelines", "serve", "cluster")
"""The packages whose domains have catalogues. They lie beside this one, in a checkout and where they are installed."""

Forms = str | tuple[str, ...]
"""A form, or one for each plural of the language in the order of CLDR: zero, one, two, few, many, other."""


def catalogue_files(language: str = "*") -> list[Path]:
    return sorted(file for package in PACKAGES for file in (ROOT / package).rglob(f"locale/{language}.po"))


def read_catalogue(file: Path) -> Catalog:
    # Importing it takes 0.1 s of the start of a process, which may never speak another language.
    from babel.messages.pofile import read_po

    with file.open("rb") as source:
        return read_po(source, locale=file.stem)


@cache
def languages() -> frozenset[str]:
    """The languages that some domain speaks besides English."""
    return frozenset(file.stem for file in catalogue_files())


@cache
def catalogue(language: str) -> Mapping[str, Forms]:
    """The forms by code. What is not translated yet, or whose English changed since, is left out."""
    return {
        str(entry.context): entry.string if isinstance(entry.string, str) else tuple(entry.string)
        for file in catalogue_files(language)
        for entry in read_catalogue(file)
        if entry.id and entry.string and not entry.fuzzy and all(entry.string)
    }


@cache
def english_forms() -> Mapping[str, Forms]:
    """The English forms by code."""
    return {
        str(entry.context): entry.id if isinstance(entry.id, str) else tuple(entry.id)
        for language in sorted(languages(), reverse=True)
        for file in catalogue_files(language)
        for entry in read_catalogue(file)
        if entry.id
    }


def english_of(code: str, count: object = None) -> str | None:
    """The English form of a code that was stored, by the catalogues: not every process declares every wording."""
    forms = english_forms().get(code)
    if forms is None or isinstance(forms, str):
        return forms
    return forms[0] if count == 1 else forms[-1]
