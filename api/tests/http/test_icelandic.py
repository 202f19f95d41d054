"""Every sentence that a page's call can be refused with exists in Icelandic."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest
from pydantic import TypeAdapter

import api
import pipelines
from api.platform.http.errors import ApiError, NotFound
from api.testing.browser import Browser
from cluster.sentences import paragraph
from cluster.stored_sentences import SentenceText
from cluster.wording.catalogue import catalogue_files, read_catalogue
from cluster.wording.message import Message, in_language, replaced
from serve.core.capability import MODELS_FOLDER
from serve.core.sentences import NOT_STARTED, TRIED_AGAIN
from serve.download import supply
from serve.tasks.transcription.task import SPEECH

HOLE = re.compile(r"(\{[^{}]*\})+")
SENTENCE = re.compile(r"[A-Z][^\n]* [^\n]*[a-z][^\n]*")
PROGRAMMERS = (RuntimeError, LookupError, AssertionError, TypeError, NotImplementedError, OSError)

FOR_PROGRAMS = (
    *(
        "api.edges.rest",
        "api.edges.speech",
        "api.edges.cli",
        "api.platform.operations",
        "api.platform.realtime",
        "api.platform.server",
        "api.platform.db",
    ),
    *(
        "api.platform.mail",
        "api.platform.jobs",
        "api.people.providers.settings_entries",
        "api.people.provisioning",
        "api.people.webhooks.delivery",
        "api.platform.settings",
        "api.dispatcher",
        "api.process_commands",
    ),
    *("api.openapi", "api.platform.http.pages.front_end"),
)
"""What these say goes to programs, to a terminal or into a mail."""
READ_IN_CALLS = ("pipelines.captions", "pipelines.pictures", "pipelines.translation")
"""Of the pipelines, these run inside calls of pages."""


def modules() -> Iterator[ModuleType]:
    for package in (api, pipelines):
        root = Path(package.__path__[0])
        for file in sorted(root.rglob("*.py")):
            name = ".".join(file.relative_to(root.parent).with_suffix("").parts)
            is_ours = name.startswith(READ_IN_CALLS if package is pipelines else "api.")
            if is_ours and not name.startswith(FOR_PROGRAMS) and not {"tests", "testing"} & set(file.parts):
                yield importlib.import_module(name.removesuffix(".__init__"))


def text_of(node: ast.AST) -> str | None:
    """A string, or an f-string with its values as `{}`."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in node.values]
        return "".join(str(part) for part in parts)
    return None


def texts_in(node: ast.AST, module: ModuleType, depth: int = 2) -> Iterator[str]:
    """The strings in an expression, also in the constants and the functions of ours that it names."""
    text = text_of(node)
    if text is not None:
        yield text
        return
    value = resolved(node, module)
    if isinstance(value, Message):
        return
    if isinstance(value, str):
        yield value
    elif isinstance(value, FunctionType) and depth and value.__module__.startswith(("api.", "pipelines.")):
        home = importlib.import_module(value.__module__)
        body = ast.parse(textwrap.dedent(inspect.getsource(value)))
        for each in ast.walk(body):
            if isinstance(each, ast.Return) and each.value is not None:
                yield from texts_in(each.value, home, depth - 1)
    for child in ast.iter_child_nodes(node):
        yield from texts_in(child, module, depth)


def resolved(node: ast.AST, module: ModuleType) -> Any:
    if isinstance(node, ast.Name):
        return getattr(module, node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute):
        owner = resolved(node.value, module)
        return inspect.getattr_static(owner, node.attr, None) if isinstance(owner, ModuleType | type) else None
    return None


def sentences() -> dict[str, str]:
    """What refusals say, with the module that says it."""
    found: dict[str, str] = {}
    for module in modules():
        for node in ast.walk(ast.parse(Path(module.__file__ or "").read_text())):
            parts: list[ast.AST] = []
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                error = resolved(node.exc.func, module)
                if not (isinstance(error, type) and issubclass(error, PROGRAMMERS)):
                    parts = [*node.exc.args, *(word.value for word in node.exc.keywords)]
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
                parts = list(node.args)
            elif isinstance(node, ast.ClassDef):
                value = getattr(module, node.name, None)
                if isinstance(value, type) and issubclass(value, ApiError) and "message" in vars(value):
                    found.setdefault(value.message, module.__name__)
            for part in parts:
                for text in texts_in(part, module):
                    if SENTENCE.fullmatch(HOLE.sub("X", text)):
                        found.setdefault(text, module.__name__)
    return found


def test_every_refusal_of_a_page_is_in_the_catalogue() -> None:
    declared = {str(entry.id) for file in catalogue_files("is") for entry in read_catalogue(file)}
    catalogue = {HOLE.sub("{}", english) for english in declared}
    all_sentences = sentences()
    missing = {text: module for text, module in all_sentences.items() if HOLE.sub("{}", text) not in catalogue}
    assert len(all_sentences) > 100
    assert missing == {}


async def test_a_page_gets_errors_in_its_language(ada: Browser) -> None:
    icelandic_page = {"Accept-Language": "is"}
    missing = await ada.get("/api/files/none", headers=icelandic_page)
    assert missing.json()["message"] == "Skráin fannst ekki"
    invalid = await ada.post("/register", json={"name": ""}, headers=icelandic_page)
    assert invalid.status_code == 422
    assert invalid.json()["errors"]["name"] == ["Fylla þarf út reitinn „nafn“."]


async def test_another_language_needs_its_catalogues_alone(visitor: Browser) -> None:
    """Before somebody is signed in there is German. Elsewhere its pages read English."""
    german_page = {"Accept-Language": "de"}
    invalid = await visitor.post("/register", json={"name": "", "password": "short"}, headers=german_page)
    assert invalid.json()["errors"]["name"] == ["Das Feld „Name“ muss ausgefüllt werden."]
    wrong = await visitor.post(
        "/login", json={"email": "nobody@example.org", "password": "not the right one"}, headers=german_page
    )
    assert wrong.json()["message"] == "E-Mail-Adresse oder Passwort ist nicht richtig."
    signed_out = await visitor.get("/api/files/none", headers=german_page)
    assert (
        signed_out.json()["message"]
        == "Sie sind nicht angemeldet. Melden Sie sich an und versuchen Sie es noch einmal."
    )


@pytest.mark.parametrize("headers", [{}, {"Accept-Language": "en"}])
async def test_errors_are_english_otherwise(ada: Browser, headers: dict[str, str]) -> None:
    answer = await ada.get("/api/files/none", headers=headers)
    assert answer.json()["message"] == "File not found"


@pytest.mark.parametrize("path", ["/api/v1/files/none", "/v1/models/none"])
async def test_programs_always_get_english(ada: Browser, path: str) -> None:
    answer = await ada.get(path, headers={"Accept-Language": "is"})
    assert answer.status_code in (401, 404)
    assert "þ" not in answer.text
    assert "API key" in answer.text or NotFound.message in answer.text


@pytest.mark.parametrize(
    "sentence",
    [
        *(
            each(root=supply.ROOT, count=3)
            for each in (supply.UNREACHABLE, supply.OFF, supply.DISK_FULL, supply.DAMAGED)
        ),
        paragraph(supply.NOT_DOWNLOADED(name="small"), supply.BY_HAND(root=supply.ROOT)),
        supply.NOT_WRITTEN(root=supply.ROOT, problem="Permission denied"),
        paragraph(NOT_STARTED(model=SPEECH.model, message="It holds no model."), TRIED_AGAIN),
    ],
)
def test_what_is_said_of_models_is_icelandic_and_names_no_folder(sentence: str) -> None:
    stored = TypeAdapter(SentenceText).dump_json(replaced(sentence, supply.ROOT, MODELS_FOLDER))
    shown = in_language(TypeAdapter(SentenceText).validate_json(stored), "is")
    assert supply.ROOT not in shown
    assert MODELS_FOLDER not in shown
    assert not re.search(r"\b(the|model|It is)\b", shown.replace("It holds no model.", ""))
