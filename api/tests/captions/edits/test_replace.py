"""Find and replace over many files, what people found right, and words that they correct."""

from __future__ import annotations

import uuid
from typing import Any

from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.editor import Editor
from api.testing.files.transcribed import SENTENCES, captioned_file

REPLACE = "/api/captions/replace"
TERMS = {"query": "harbour", "replacement": "port"}


async def post(browser: Browser, path: str, body: dict[str, Any], status: int = 200) -> Any:
    answer = await browser.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_replaces_in_the_chosen_files_and_undo_takes_it_back(
    ada: Browser, state: AppState, sign_up: SignUp
) -> None:
    files = [await captioned_file(state, ada.user_id) for _ in range(2)]
    eve = await sign_up("Eve")
    foreign = await captioned_file(state, eve.user_id)
    found = (await post(ada, f"{REPLACE}/preview", TERMS))["data"]
    assert {each["slug"] for each in found["tracks"]} == {file.slug for file in files}
    assert found["tracks"][0]["examples"][0]["after"] == SENTENCES[0].replace("harbour", "port")
    target = {"slug": files[0].slug, "language": files[0].language}
    targets = [target, {"slug": foreign.slug, "language": "en-US"}]
    done = (await post(ada, REPLACE, {**TERMS, "targets": targets}))["data"]
    assert [each["matches"] for each in done] == [1, 0]
    assert done[0]["error"] is None
    assert "not" in done[1]["error"]
    page = await Editor(ada, files[0].slug).look()
    assert page.texts[0] == SENTENCES[0].replace("harbour", "port")
    assert (await Editor(ada, files[1].slug).look()).texts[0] == SENTENCES[0]
    await page.save("Undo")
    assert (await page.look()).texts == list(SENTENCES)


async def test_a_wrong_pattern_is_explained(ada: Browser) -> None:
    answer = await post(ada, f"{REPLACE}/preview", {"query": "(", "is_pattern": True}, 422)
    assert answer["errors"]["query"][0].startswith("This pattern cannot be used because of “")


async def test_reviewed_spots_are_kept_until_they_are_taken_back(ada: Browser, state: AppState) -> None:
    file = await captioned_file(state, ada.user_id)
    page = await Editor(ada, file.slug).look()
    path = f"/api/files/captions/{file.slug}/review"
    spots = [{"line": page.lines[0]["id"], "key": "doubtful|harbour|1"}]
    for _ in range(2):
        await post(ada, path, {"spots": spots, "kept": True})
    assert (await ada.get(path)).json()["data"]["kept"] == spots
    assert (await post(ada, path, {"spots": spots, "kept": False}))["data"]["kept"] == []


async def test_repeated_corrections_become_a_suggestion_and_a_term(ada: Browser, state: AppState) -> None:
    pages = [await Editor(ada, (await captioned_file(state, ada.user_id)).slug).look() for _ in range(3)]
    right = SENTENCES[0].replace("harbour", "Harbourside")
    for page in pages:
        # A pause in typing saves half a word, which is no correction of its own.
        await page.save("Edit", 0, content=SENTENCES[0].replace("harbour", "Harboursi"))
        await page.save("Edit", 0, content=right)
    await pages[2].save("Undo")
    await pages[2].save("Undo")
    (suggestion,) = (await ada.get("/api/glossary/suggestions")).json()["data"]
    pair = {"wrong": "harbour", "right": "Harbourside", "language": "en-US"}
    assert suggestion | {**pair, "times": 2} == suggestion
    term = (await post(ada, "/api/glossary/suggestions", {**pair, "accept": True}))["data"]
    assert (await ada.get("/api/glossary/suggestions")).json()["data"] == []
    await pages[2].look()
    await pages[2].save("Edit", 0, content=right)
    (use,) = (await ada.get("/api/glossary/uses")).json()["data"]
    assert use == {"id": term["id"], "used": 3, "corrected": 1, "is_whole": True}
    unlisted = {"wrong": "hr", "right": "herra", "language": "x-unlisted", "accept": True}
    assert (await post(ada, "/api/glossary/suggestions", unlisted))["data"]["from"] is None


async def test_known_words_are_ones_own(ada: Browser, sign_up: SignUp) -> None:
    word = (await post(ada, "/api/glossary/words", {"word": " Húsavík ", "language": "is"}, 201))["data"]
    assert (word["word"], word["scope"]) == ("Húsavík", "user")
    assert (await post(ada, "/api/glossary/words", {"word": "Húsavík", "language": "is"}, 201))["data"] == word
    eve = await sign_up("Eve")
    assert (await eve.get("/api/glossary/words")).json()["data"] == []
    assert (await eve.delete(f"/api/glossary/words/{word['id']}")).status_code == 404
    assert (await ada.delete(f"/api/glossary/words/{uuid.uuid4()}")).status_code == 404
    assert (await ada.delete(f"/api/glossary/words/{word['id']}")).status_code == 204
