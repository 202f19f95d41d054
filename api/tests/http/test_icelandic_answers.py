"""Whatever pages show of our sentences besides errors exists in Icelandic: why work failed, notes, reasons, labels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest

import api
import pipelines
import serve
from api.content.ai_texts.schemas import TYPE_DESCRIPTIONS, TYPE_LABELS
from api.content.files.models import File, FileStatus
from api.edges.admin.audit import routes as audit_routes
from api.edges.admin.companies import routes as company_routes
from api.edges.admin.contents import routes as content_routes
from api.edges.admin.dashboard.schemas import (
    EngineFigures,
    FailureFigures,
    Point,
    QueueFigures,
    RevenueMonth,
    StorageFigures,
)
from api.edges.admin.invoices import routes as invoice_routes
from api.edges.admin.users import routes as user_routes
from api.job_types import JOB_TYPES
from api.people.ledger.amounts import minutes
from api.people.webhooks.schemas import OFF_SENTENCES
from api.platform.http.downloads.csv_export import BYTE_ORDER_MARK
from api.platform.http.downloads.headings import HEADINGS
from api.platform.http.hosts import SENTENCE as OTHER_HOST
from api.platform.http.state import AppState
from api.platform.realtime.messages import Action, Topic
from api.platform.realtime.sentences import OF_SOUND, QUESTIONS, SENTENCES, sentence_of
from api.platform.webhooks.events import DESCRIPTIONS
from api.testing.browser import PASSWORD, Browser
from cluster.wording.catalogue import catalogue_files, read_catalogue
from cluster.wording.message import Message, in_language
from pipelines.captions.forms import registry
from pipelines.captions.forms.form import CaptionFormat, Document
from pipelines.captions.imports.notes import notes_of
from pipelines.captions.reading.import_report import ImportReport
from pipelines.languages import language_label
from pipelines.media.sniff import EMPTY
from pipelines.messages.caption_style import DEFAULT_STYLE
from pipelines.messages.lines import CaptionLine, CaptionWord, LinePlace, WordStyle
from pipelines.messages.minutes import TextType
from serve.tasks.registry import TASKS

HOLE = re.compile(r"\{[^{}]*\}")
SENTENCE = re.compile(r"[A-Z“{][^\n]* [^\n]*[a-z][^\n]*[.!?]")

ROOMS = (
    *(
        "api.content.ai_texts",
        "api.content.exports",
        "api.content.arrivals",
        "api.content.files",
        "api.content.library",
        "api.content.preparation",
        "api.content.glossary",
        "api.people.ledger.sentences",
        "api.content.quality",
        "api.content.speakers",
    ),
    *(
        "api.content.captions",
        "api.platform.realtime.sentences",
        "api.content.translations",
        "api.content.uploads",
        "api.platform.webhooks",
        "api.content.styles",
    ),
    *("pipelines.flows", "pipelines.media", "pipelines.messages", "pipelines.language_choice"),
    "pipelines.translation.pairs",
    *(
        "serve.tasks.diarization",
        "serve.tasks.text.choice",
        "serve.tasks.transcription.pocketsphinx.engine",
        "serve.tasks.transcription.sherpa.families",
    ),
    *(
        "serve.tasks.text.proofreading_rules",
        "serve.tasks.translation.apertium.engine",
        "serve.tasks.translation.choice",
        "serve.chat.openai_chat",
    ),
)
"""The modules whose sentences reach pages in answers or in events."""
CSV_ROUTES = (audit_routes, company_routes, content_routes, invoice_routes, user_routes)
ELSEWHERE = (
    *(
        "api.content.ai_texts.rendering",
        "api.content.captions.subtitle_files.archive",
        "api.platform.webhooks.events",
        "api.content.uploads.sweep",
        "api.content.quality.report",
    ),
    *("pipelines.media.doctor", "pipelines.media.sample", "serve.tasks.diarization.windows"),
    *("serve.tasks.diarization.sherpa", "serve.tasks.diarization.pyannote"),
)
"""What these say goes into files, to a terminal, or has its own test here."""
PROGRAMMERS = {"RuntimeError", "TypeError", "AssertionError", "LookupError", "NotImplementedError", "ValueError"}


def icelandic(text: str) -> str:
    return in_language(text, "is")


def modules() -> Iterator[tuple[str, Path]]:
    for package in (api, pipelines, serve):
        root = Path(package.__path__[0])
        for file in sorted(root.rglob("*.py")):
            name = ".".join(file.relative_to(root.parent).with_suffix("").parts)
            if name.startswith(ROOMS) and not name.startswith(ELSEWHERE) and not {"tests", "testing"} & set(file.parts):
                yield name, file


def sentences_of(file: Path) -> Iterator[str]:
    """The sentences in a module: constants, and f-strings without choices in them. No docstrings."""
    tree = ast.parse(file.read_text())
    aside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            aside.add(id(node.value))
        elif isinstance(node, ast.JoinedStr):
            aside |= {id(part) for part in ast.walk(node) if isinstance(part, ast.Constant)}
        elif _is_for_programmers(node):
            aside |= {id(part) for part in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in aside:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            values = [part.value for part in node.values if isinstance(part, ast.FormattedValue)]
            if not any(isinstance(inner, ast.IfExp | ast.Call) for value in values for inner in ast.walk(value)):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{v}" for part in node.values)


def _is_for_programmers(node: ast.AST) -> bool:
    if isinstance(node, ast.keyword):
        return node.arg in ("description", "help")
    function = node.exc.func if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) else None
    return isinstance(function, ast.Name) and function.id in PROGRAMMERS


def test_every_sentence_of_an_answer_is_in_the_catalogue() -> None:
    said = {text: name for name, file in modules() for text in sentences_of(file)}
    filled = {HOLE.sub("7", text): name for text, name in said.items() if SENTENCE.fullmatch(HOLE.sub("X", text))}
    assert len(filled) > 250
    declared = {HOLE.sub("7", english) for english in _declared()}
    unknown = {text: name for text, name in filled.items() if text not in declared}
    assert unknown == {}


def _declared() -> Iterator[str]:
    """What has a code, in English. The check of the catalogues says whether it is translated."""
    for file in catalogue_files("is"):
        for entry in read_catalogue(file):
            yield from [entry.id] if isinstance(entry.id, str) else entry.id


def test_every_label_of_ours_is_in_the_catalogue() -> None:
    labels = [
        *TYPE_LABELS.values(),
        *TYPE_DESCRIPTIONS.values(),
        *DESCRIPTIONS.values(),
        *OFF_SENTENCES.values(),
        *(job.title for job in JOB_TYPES.values()),
        *(task.title for task in TASKS),
        OTHER_HOST(name="evil.example", url="https://sagascript.example"),
    ]
    assert [label for label in labels if icelandic(label) == label] == []


def work_of(topic: Topic) -> str:
    """A kind of text, or who wrote a note."""
    return "Anna" if topic is Topic.NOTE else TYPE_LABELS[TextType.MINUTES]


@pytest.mark.parametrize("reason", [None, EMPTY])
def test_every_event_is_icelandic_with_its_reason(reason: str | None) -> None:
    said = [
        sentence_of(
            topic, action, name="Fundur. Annar", language=language_label("da-DK"), what=work_of(topic), reason=reason
        )
        for topic, action in SENTENCES
    ]
    said += [sentence_of(topic, action, name="x", reason=reason, is_sound=True) for topic, action in OF_SOUND]
    assert not any("video" in str(sentence) for sentence in said[-len(OF_SOUND) :])
    # Before an upload is read nobody knows what it holds.
    kinds_unknown = {(Topic.TUS, Action.FAILED)}
    assert {key for key, wording in SENTENCES.items() if "video" in wording.english} - kinds_unknown == OF_SOUND.keys()
    said += [sentence_of(Topic.TRANSCRIBE, Action.FAILED, name="x", code=code) for code in QUESTIONS]
    for sentence in said:
        translated = icelandic(sentence or "")
        assert translated != sentence
        assert not re.search(r"\b(the|your|Danish|Minutes|Check)\b", translated), translated


@pytest.mark.parametrize("count", [1, 2, 21, 1_234])
def test_every_note_of_an_import_is_icelandic(count: int) -> None:
    report = ImportReport(
        shortened=count,
        joined=count,
        parts=[2] * count,
        before_zero=count,
        cut_end=count,
        formatted=count,
        untimed=count,
        untimed_paragraphs=count,
        programme_start_ms=36_000_000,
        unnumbered={str(number) for number in range(count)},
        foreign_bytes=count,
        foreign_page="Windows-1252",
        bad_rows=[(number, "0:0:x --> 1") for number in range(count)],
        left_out=count,
        broken_rows=[count],
        not_xml=count,
        unread_rows=[(number, "b { color: red }") for number in range(count)],
        page="Windows-1250",
        unknown_letters=count,
        has_no_scc_head=True,
        wrong_check_bits=count,
        never_shown=["HALLO"] * count,
        overwritten=count,
        other_channels=count,
        rolled_rows=count,
        keeps_screen=count > 2,
        other_languages=count,
        has_no_rate=True,
        has_preamble=True,
        displaced=count,
        built_up=count,
        changing=[3] * count,
        without_end=count,
        part_styles=count,
    )
    notes = notes_of(report)
    assert len(notes) == len(fields(report)) - len(("foreign_page", "keeps_screen", "speakers"))
    for note in notes:
        translated = icelandic(note)
        assert translated != note
        assert not re.search(r"\b(the|and|caption|captions)\b", translated), translated


def test_what_a_form_loses_is_icelandic() -> None:
    words = (
        CaptionWord(0, 500, "bold", styles=frozenset({WordStyle.BOLD})),
        CaptionWord(500, 900, "語", styles=frozenset({WordStyle.ITALIC})),
        CaptionWord(900, 1_000, "w" * 50),
    )
    line = CaptionLine("1", 0, 1_000, " ".join(word.text for word in words), words, speaker="S1", place=LinePlace())
    style = DEFAULT_STYLE.model_copy(update={"uppercase": True})
    for count in (1, 3):
        document = Document([replace(line, id=str(number)) for number in range(count)], "is", style=style)
        said = [sentence for form in CaptionFormat for sentence in registry.losses(form, document)]
        assert len(said) > 10
        assert [sentence for sentence in said if icelandic(sentence) == sentence] == []


def test_amounts_and_names_of_languages_are_in_the_language_of_the_sentence_too() -> None:
    sentence = Message("ledger.plan_no_limit", "{amount}. Your plan has no limit.", amount=minutes(63_600))
    assert icelandic(sentence) == "1.060 mín.: leiðin þín er án takmarka."
    through = Message(
        "translations.through", "{engine}, through {language}", engine="Apertium", language=language_label("da-DK")
    )
    assert icelandic(through) == "Apertium, í gegnum málið danska"
    assert icelandic("Anna left home") == "Anna left home"


async def test_a_page_reads_in_its_language_why_a_file_failed(ada: Browser, state: AppState) -> None:
    async with state.database.write() as session:
        session.add(
            File(
                user_id=ada.user_id,
                name=EMPTY,
                filename="a.mp4",
                original_key="a",
                language="is-IS",
                status=FileStatus.FAILED,
                error=EMPTY,
            )
        )
    for language, sentence in (("is", icelandic(EMPTY)), ("en", EMPTY), ("is", icelandic(EMPTY))):
        answer = await ada.get("/api/files", headers={"Accept-Language": language})
        (file,) = answer.json()["data"]
        assert file["error"] == sentence
        assert file["name"] == EMPTY, "what people write stays as it is"


async def test_the_account_log_is_in_the_language_of_the_page(ada: Browser) -> None:
    await ada.post("/login", json={"email": ada.user["email"], "password": PASSWORD})
    answer = await ada.get("/api/user/log", headers={"Accept-Language": "is"})
    assert ("Skráði sig inn", "Þú") in [(entry["sentence"], entry["by"]) for entry in answer.json()["data"]]


async def test_a_download_has_headings_in_the_language_that_its_address_names(ada: Browser) -> None:
    answer = await ada.get("/api/ledger", params={"format": "csv", "in": "is"}, headers={"Accept-Language": "en"})
    assert answer.text.lstrip(BYTE_ORDER_MARK).startswith("Tími,Hvað,Vinna,Skrá")
    headers = {header for module in CSV_ROUTES for header in module.HEADER}
    # The figures of the dashboard are columns as they are named in its answer.
    rows = (Point, EngineFigures, QueueFigures, FailureFigures, StorageFigures, RevenueMonth)
    headers |= {name for row in rows for name in row.model_fields}
    assert headers - HEADINGS.keys() == set()
