"""Every change of the source changes its translations in the same step, and undo restores both exactly."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest

from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES
from api.testing.files.translated import translate


def shown(editor: Editor) -> list[tuple[Any, ...]]:
    """What a reader sees of each line, and what it is linked to."""
    return [
        (line["id"], line["start_ms"], line["end_ms"], line["text"], line["source"] and line["source"]["ids"])
        for line in editor.lines
    ]


def stale(editor: Editor) -> list[bool]:
    return [line["source"]["stale"] for line in editor.lines]


async def test_a_translation_has_one_linked_line_for_each_source_line(source: Editor, spanish: Editor) -> None:
    assert spanish.texts == [f"({text})" for text in SENTENCES]
    assert [line["source"]["ids"] for line in spanish.lines] == [[line["id"]] for line in source.lines]
    assert [(line["start_ms"], line["end_ms"]) for line in spanish.lines] == [
        (line["start_ms"], line["end_ms"]) for line in source.lines
    ]
    first = spanish.lines[0]["source"]
    assert (first["text"], first["now"], first["stale"], first["by"]) == (SENTENCES[0], SENTENCES[0], False, "model")
    assert spanish.data["source_language"] == "en-US"
    assert all(line["source"] is None for line in source.lines)


async def test_a_new_source_text_makes_the_line_stale_until_undo(source: Editor, spanish: Editor) -> None:
    saved = await source.save("Edit", 1, content="Everybody knows when it opens.")
    assert saved["followed"] == ["es"]
    await spanish.look()
    assert stale(spanish) == [False, True, False]
    assert spanish.lines[1]["source"]["text"] == SENTENCES[1]
    assert spanish.lines[1]["source"]["now"] == "Everybody knows when it opens."
    assert spanish.texts[1] == f"({SENTENCES[1]})"
    await source.save("Undo")
    assert stale(await spanish.look()) == [False, False, False]


async def test_a_line_break_makes_nothing_stale(source: Editor, spanish: Editor) -> None:
    await source.save("Edit", 0, content="The harbour is\nclosed today.")
    assert stale(await spanish.look()) == [False, False, False]


@pytest.mark.long
async def test_split(source: Editor, spanish: Editor) -> None:
    before, before_source = shown(spanish), shown(source)
    await source.save("Split", 0, at=len("The harbour "))
    await spanish.look()
    assert spanish.texts[:2] == ["(The harbour", "is closed today.)"]
    assert [line["source"]["ids"] for line in spanish.lines[:2]] == [[line["id"]] for line in source.lines[:2]]
    assert stale(spanish) == [True, True, False, False]
    assert spanish.lines[1]["start_ms"] == source.lines[1]["start_ms"]
    await source.save("Undo")
    assert shown(await source.look()) == before_source
    assert shown(await spanish.look()) == before
    await source.save("Redo")
    assert (await spanish.look()).texts[:2] == ["(The harbour", "is closed today.)"]


@pytest.mark.long
async def test_merge(source: Editor, spanish: Editor) -> None:
    before = shown(spanish)
    await source.save("Merge", 0)
    await spanish.look()
    assert spanish.texts == [f"({SENTENCES[0]}) ({SENTENCES[1]})", f"({SENTENCES[2]})"]
    assert stale(spanish) == [False, False]
    assert (spanish.lines[0]["start_ms"], spanish.lines[0]["end_ms"]) == (
        source.lines[0]["start_ms"],
        source.lines[0]["end_ms"],
    )
    await source.save("Undo")
    assert shown(await spanish.look()) == before


@pytest.mark.long
async def test_delete_and_add(source: Editor, spanish: Editor, ada: Browser, file: File) -> None:
    before = shown(spanish)
    await source.save("Delete", 1)
    assert (await spanish.look()).texts == [f"({SENTENCES[0]})", f"({SENTENCES[2]})"]
    await source.save("Undo")
    assert shown(await spanish.look()) == before
    await source.save("Add", start=40_000, end=42_000, content="One more.")
    assert shown(await spanish.look()) == before
    listed = (await ada.get(f"/api/files/captions/{file.slug}/translations")).json()["data"]
    assert (listed[0]["missing"], listed[0]["stale"], listed[0]["lines"]) == (1, 0, 3)


@pytest.mark.long
async def test_times(source: Editor, spanish: Editor) -> None:
    before = shown(spanish)
    line = source.lines[0]
    await source.save("Edit", 0, start=line["start_ms"] + 100, end=line["end_ms"] - 100)
    await spanish.look()
    assert (spanish.lines[0]["start_ms"], spanish.lines[0]["end_ms"]) == (line["start_ms"] + 100, line["end_ms"] - 100)
    assert stale(spanish) == [False, False, False]
    await source.save("Undo")
    assert shown(await spanish.look()) == before


@pytest.mark.long
@pytest.mark.parametrize("action", ["Shift", "Extend"])
async def test_moves_of_all_lines(source: Editor, spanish: Editor, action: str) -> None:
    before = shown(spanish)
    await source.save(action, offset=200)
    moved = [(line["start_ms"], line["end_ms"]) for line in (await source.look()).lines]
    assert [(line["start_ms"], line["end_ms"]) for line in (await spanish.look()).lines] == moved
    await source.save("Undo")
    assert shown(await spanish.look()) == before
    await source.save("Redo")
    assert [(line["start_ms"], line["end_ms"]) for line in (await spanish.look()).lines] == moved


@pytest.mark.long
async def test_undo_on_the_source_leaves_what_a_person_wrote_in_between(source: Editor, spanish: Editor) -> None:
    await source.save("Split", 0, at=len("The harbour "))
    await spanish.look()
    await spanish.save("Edit", 1, content="está cerrado hoy.")
    await source.save("Undo")
    await spanish.look()
    assert spanish.texts == ["(The harbour está cerrado hoy.", f"({SENTENCES[1]})", f"({SENTENCES[2]})"]
    assert spanish.lines[0]["source"]["by"] == "person"
    assert spanish.lines[0]["source"]["ids"] == [source.lines[0]["id"]]


@pytest.mark.long
async def test_undo_on_the_translation_after_the_source_moved(source: Editor, spanish: Editor) -> None:
    await spanish.save("Edit", 0, content="El puerto está cerrado.")
    assert spanish.lines[0]["source"]["by"] == "person"
    line = source.lines[0]
    await source.save("Edit", 0, start=line["start_ms"] + 100)
    await spanish.look()
    await spanish.save("Undo")
    await spanish.look()
    assert (spanish.texts[0], spanish.lines[0]["start_ms"]) == (f"({SENTENCES[0]})", line["start_ms"] + 100)
    assert spanish.lines[0]["source"]["by"] == "model"
    await spanish.save("Redo")
    assert (await spanish.look()).texts[0] == "El puerto está cerrado."


@pytest.mark.long
async def test_undo_that_no_longer_fits_is_refused_and_loses_nothing(source: Editor, spanish: Editor) -> None:
    await spanish.save("Merge", 0)
    await source.save("Delete", 0)
    await spanish.look()
    before = shown(spanish)
    refused = await spanish.post("Undo")
    assert (refused.status_code, refused.json()["status"]) == (422, "Failed")
    assert shown(await spanish.look()) == before


async def test_merge_and_split_on_the_translation_keep_the_links(source: Editor, spanish: Editor) -> None:
    ids = [line["id"] for line in source.lines]
    await spanish.save("Merge", 0)
    assert (await spanish.look()).lines[0]["source"]["ids"] == ids[:2]
    await spanish.save("Split", 0, at=len(f"({SENTENCES[0]}) "))
    assert [line["source"]["ids"] for line in (await spanish.look()).lines] == [[each] for each in ids]


async def test_a_person_confirms_a_stale_line(source: Editor, spanish: Editor) -> None:
    await source.save("Edit", 0, content="The harbour is shut today.")
    await spanish.look()
    await spanish.save("Edit", 0, content=spanish.texts[0])
    line = (await spanish.look()).lines[0]["source"]
    assert (line["stale"], line["by"], line["text"]) == (False, "person", "The harbour is shut today.")


@pytest.mark.long
async def test_two_translations_and_one_made_from_a_translation(
    ada: Browser, state: AppState, file: File, source: Editor, spanish: Editor
) -> None:
    await translate(state, ada, file, "is")
    icelandic = await Editor(ada, file.slug, language="is").look()
    saved = await source.save("Split", 2, at=len("Ask again "))
    assert saved["followed"] == ["es", "is"]
    assert len((await spanish.look()).lines) == len((await icelandic.look()).lines) == 4
    await source.save("Undo")
    assert len((await spanish.look()).lines) == len((await icelandic.look()).lines) == 3


@pytest.mark.long
async def test_an_import_into_the_source_and_its_undo(
    ada: Browser, file: File, source: Editor, spanish: Editor
) -> None:
    before = shown(spanish)
    srt = (
        "1\n00:00:01,000 --> 00:00:02,900\nThe harbour is open today.\n\n"
        "2\n00:00:06,500 --> 00:00:08,000\nNobody knows.\n"
    )
    answer = await ada.post(f"/api/files/captions/{file.slug}/import", files={"file": ("a.srt", srt.encode())})
    assert answer.status_code == 200, answer.text
    await source.look()
    await spanish.look()
    assert spanish.texts == [f"({SENTENCES[0]})", f"({SENTENCES[1]})"]
    assert [line["source"]["ids"] for line in spanish.lines] == [[line["id"]] for line in source.lines]
    assert stale(spanish) == [True, True]
    await source.save("Undo")
    assert shown(await spanish.look()) == before


async def test_an_import_into_the_translation(ada: Browser, file: File, source: Editor, spanish: Editor) -> None:
    srt = "1\n00:00:01,200 --> 00:00:02,900\nEl puerto.\n\n2\n00:00:06,000 --> 00:00:13,000\nNadie sabe. Pregunta.\n"
    answer = await ada.post(
        f"/api/files/captions/{file.slug}/import", params={"language": "es"}, files={"file": ("a.srt", srt.encode())}
    )
    assert answer.status_code == 200, answer.text
    await spanish.look()
    ids = [line["id"] for line in source.lines]
    assert [line["source"]["ids"] for line in spanish.lines] == [ids[:1], ids[1:]]
    assert {line["source"]["by"] for line in spanish.lines} == {"person"}
    assert stale(spanish) == [False, False]


@pytest.mark.long
async def test_an_import_into_the_translation_keeps_its_speakers(
    ada: Browser, file: File, source: Editor, spanish: Editor
) -> None:
    path = f"/api/files/captions/{file.slug}/import"
    said = "WEBVTT\n\n00:01.000 --> 00:02.900\n<v Eva>El puerto.\n\n00:06.000 --> 00:13.000\n<v Jon>Nadie sabe.\n"
    answer = await ada.post(path, params={"language": "es"}, files={"file": ("a.vtt", said.encode())})
    assert answer.status_code == 200, answer.text
    assert [line["speaker"] for line in (await spanish.look()).lines] == ["S1", "S2"]
    query = {"ids": str(file.id), "format": "vtt", "translations": "true", "speakers": "labels"}
    with ZipFile(BytesIO((await ada.get("/api/files/captions.zip", params=query)).content)) as packed:
        (name,) = [name for name in packed.namelist() if ".es." in name]
        assert "<v Eva>El puerto." in packed.read(name).decode()
    # Whoever speaks the source line speaks its translation too, whatever the translation said.
    named = "WEBVTT\n\n" + "\n".join(
        f"00:{line['start_ms'] / 1000:06.3f} --> 00:{line['end_ms'] / 1000:06.3f}\n<v Jon>{line['text']}\n"
        for line in source.lines
    )
    assert (await ada.post(path, files={"file": ("b.vtt", named.encode())})).status_code == 200
    assert {line["speaker"] for line in (await spanish.look()).lines} == {"S2"}
    await ada.post(path, params={"language": "es"}, files={"file": ("a.vtt", said.encode())})
    assert {line["speaker"] for line in (await spanish.look()).lines} == {"S2"}


@pytest.mark.long
async def test_a_sign_and_its_translation_stand_in_one_place(source: Editor, spanish: Editor) -> None:
    top = {"align": 8, "x": None, "y": None}
    first = source.lines[0]["id"]
    await source.save("Change", label="Up", changes=[{"line": first, "place": top}])
    assert [line["place"] for line in (await spanish.look()).lines] == [top, None, None]
    end = source.lines[-1]["end_ms"]
    await source.look()
    await source.save("Edit", 0, end=end)
    assert (await spanish.look()).lines[0]["end_ms"] == end
    for _ in range(2):
        await source.save("Undo")
    assert spanish.lines[0]["place"] == top
    assert [line["place"] for line in (await spanish.look()).lines] == [None, None, None]


async def test_a_new_translation_has_signs_where_they_are(
    ada: Browser, state: AppState, file: File, source: Editor
) -> None:
    top = {"align": 8, "x": None, "y": None}
    await source.save("Add", start=0, end=source.lines[-1]["end_ms"], content="CLOSED", place=top)
    await translate(state, ada, file)
    spanish = await Editor(ada, file.slug, language="es").look()
    await source.look()
    assert sorted(spanish.texts) == sorted(f"({text})" for text in source.texts)
    assert {line["text"]: (line["place"], line["start_ms"], line["end_ms"]) for line in spanish.lines} == {
        f"({line['text']})": (line["place"], line["start_ms"], line["end_ms"]) for line in source.lines
    }
