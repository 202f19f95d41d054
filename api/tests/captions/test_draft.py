"""A page that watches a transcription fetches only new lines."""

from __future__ import annotations

from typing import Any

from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.files.transcribed import SENTENCES, chunk, finish, keep_chunk, result, transcribing_file


async def look(browser: Browser, slug: str, since: str | None = None) -> dict[str, Any]:
    answer = await browser.get(f"/api/files/captions/{slug}", params={} if since is None else {"since": since})
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def joined(shown: dict[str, Any], fresh: dict[str, Any]) -> list[dict[str, Any]]:
    """The lines of a page after it adds the newer lines to the ones it has."""
    lines: list[dict[str, Any]] = shown["lines"][: fresh["first_line"]] + fresh["lines"]
    return lines


async def test_a_later_draft_holds_only_new_lines(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    shown = await look(ada, file.slug)
    assert (shown["lines"], shown["first_line"], shown["is_live"]) == ([], 0, True)
    for number in range(12):
        await keep_chunk(state, job, chunk(number, SENTENCES[number % 3]))
        fresh = await look(ada, file.slug, shown["draft"])
        whole = await look(ada, file.slug)
        assert joined(shown, fresh) == whole["lines"]
        # The new line, and the one before it, whose end may have moved.
        assert len(fresh["lines"]) == min(2, number + 1)
        shown = whole
    again = await look(ada, file.slug, shown["draft"])
    assert (joined(shown, again), len(again["lines"])) == (shown["lines"], 1)


async def test_a_window_out_of_order_sends_all_lines(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    for number in (0, 1, 3):
        await keep_chunk(state, job, chunk(number, SENTENCES[0]))
    shown = await look(ada, file.slug)
    await keep_chunk(state, job, chunk(2, SENTENCES[1]))
    fresh = await look(ada, file.slug, shown["draft"])
    assert (fresh["first_line"], len(fresh["lines"])) == (0, 4)


async def test_a_language_that_is_detected_meanwhile_cuts_by_its_own_rules(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await keep_chunk(state, job, chunk(0, " ".join(SENTENCES)))
    rows = {}
    for language in ("en-US", "ja-JP"):
        async with state.database.write() as session:
            (await session.get_one(File, file.id)).language = language
        rows[language] = [line["text"] for line in (await look(ada, file.slug))["lines"]]
    assert rows["en-US"] != rows["ja-JP"]


async def test_an_unknown_token_sends_all_lines(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    for number in (0, 1):
        await keep_chunk(state, job, chunk(number, SENTENCES[number]))
    for token in ("", "2-0123456789abcdef", "99-x", "-1-x", "²-x", "1" * 40):
        fresh = await look(ada, file.slug, token)
        assert (fresh["first_line"], len(fresh["lines"])) == (0, 2), token


async def test_finished_captions_are_sent_whole(ada: Browser, state: AppState) -> None:
    file, job = await transcribing_file(state, ada.user_id)
    await keep_chunk(state, job, chunk(0, SENTENCES[0]))
    shown = await look(ada, file.slug)
    await finish(state, job, result(*SENTENCES))
    fresh = await look(ada, file.slug, shown["draft"])
    assert (fresh["is_live"], fresh["draft"], fresh["first_line"]) == (False, None, 0)
    assert [line["text"] for line in fresh["lines"]] == list(SENTENCES)
