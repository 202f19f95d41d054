"""The catalogues of the server's sentences: extracted from the code, and complete. Part of `make check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_python
from babel.messages.plurals import get_plural
from babel.messages.pofile import write_po

from cluster.wording.catalogue import PACKAGES, ROOT, catalogue_files, read_catalogue
from serve.catalogue.entry import catalogue

EVERYWHERE = "is"
"""The language that every domain speaks beside English. Others are complete in the domains that have their file."""
DECLARED_BY: Mapping[str, None] = {"Message": None, "Wording": None}
"""The calls that declare: first the code, then the English form, and for a wording perhaps its plural."""

English = str | tuple[str, ...]


@dataclass(frozen=True)
class Declared:
    code: str
    english: English
    file: Path
    line: int


@cache
def declared() -> tuple[Declared, ...]:
    return (*(each for file in _sources() for each in _declared_in(file)), *_summaries())


def _summaries() -> Iterator[Declared]:
    """What the models of the catalogue are, which stands in their YAML."""
    for entry in catalogue():
        listed = ROOT / f"serve/tasks/{entry.task}/models.yaml"
        if entry.about is not None and listed.exists():
            yield Declared(entry.about.code, entry.about.english, listed, 0)


def _sources() -> Iterator[Path]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            if not {"tests", "testing"} & set(file.parts) and file.parent != ROOT / "cluster/wording":
                yield file


def _declared_in(file: Path) -> Iterator[Declared]:
    text = file.read_bytes()
    if not any(f"{call}(".encode() in text for call in DECLARED_BY):
        return
    for line, call, arguments, _ in extract_python(BytesIO(text), DECLARED_BY, [], {}):
        texts = [text for text in arguments if text is not None]
        if len(texts) < 2:
            # Makes a message again, of a code that it got.
            continue
        code, *forms = texts
        english = tuple(forms) if call == "Wording" and len(forms) > 1 else forms[0]
        yield Declared(code, english, file, line)


def catalogue_of(file: Path) -> Path:
    """The folder of the catalogues of a module's domain: a room of `api/`, or a folder of another package."""
    folder = file.relative_to(ROOT).parent.parts
    return ROOT.joinpath(*folder[: 3 if folder[0] == "api" else 2], "locale")


def message_problems() -> Iterator[str]:
    by_code: dict[str, Declared] = {}
    for each in declared():
        other = by_code.setdefault(each.code, each)
        if other is not each:
            yield f"{_place(each)}: the code {each.code} is declared in {_place(other)} already"
    expected = updated()
    for file in {*catalogue_files(), *expected}:
        name = file.relative_to(ROOT)
        if file not in expected:
            yield f"{name} belongs to no declared wording. Run: python -m benchmarks.manifests messages"
        elif not file.exists() or file.read_bytes() != expected[file]:
            yield f"{name} is older than the declared wordings. Run: python -m benchmarks.manifests messages"
        else:
            yield from (f"{name}: {code} is not translated" for code in untranslated(read_catalogue(file)))


def untranslated(catalog: Catalog) -> list[str]:
    return [str(each.context) for each in catalog if each.id and (each.fuzzy or not _is_whole(each.string))]


def write_messages() -> None:
    for file, content in updated().items():
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)


def updated() -> dict[Path, bytes]:
    """The catalogues as they should be, by file. What is translated stays; a changed English form makes it fuzzy."""
    by_folder: dict[Path, list[Declared]] = {}
    for each in declared():
        by_folder.setdefault(catalogue_of(each.file), []).append(each)
    return {
        file: _written(entries, file)
        for folder, entries in by_folder.items()
        for file in {folder / f"{EVERYWHERE}.po", *folder.glob("*.po")}
    }


def _written(entries: list[Declared], file: Path) -> bytes:
    """Weblate reads it: by code, the English form as id, without places in the source, which change too often."""
    before = {str(each.context): each for each in read_catalogue(file) if each.id} if file.exists() else {}
    catalog = Catalog(locale=file.stem, fuzzy=False)
    for each in sorted(entries, key=lambda entry: entry.code):
        old = before.get(each.code)
        is_changed = old is not None and old.id != each.english and _is_whole(old.string)
        catalog.add(
            each.english,
            old.string if old is not None and isinstance(old.id, str) == isinstance(each.english, str) else None,
            context=each.code,
            flags={"fuzzy"} if old is not None and (old.fuzzy or is_changed) else set(),
        )
    target = BytesIO()
    target.write(_header(file.stem).encode())
    write_po(target, catalog, width=0, omit_header=True)
    return target.getvalue()


def _header(language: str) -> str:
    count, rule = get_plural(language)
    return (
        'msgid ""\nmsgstr ""\n"MIME-Version: 1.0\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
        f'"Content-Transfer-Encoding: 8bit\\n"\n"Language: {language}\\n"\n'
        f'"Plural-Forms: nplurals={count}; plural={rule};\\n"\n\n'
    )


def _is_whole(text: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(text and (isinstance(text, str) or all(text)))


def _place(each: Declared) -> str:
    return f"{each.file.relative_to(ROOT)}:{each.line}"
