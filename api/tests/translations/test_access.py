"""Others reach no translation, and viewers of a team change none."""

from __future__ import annotations

from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser, SignUp
from api.testing.files.transcribed import captioned_file
from api.testing.files.translated import load_model, translate
from api.testing.files.translation_calls import TranslationCalls
from api.testing.newsroom import make_newsroom


async def test_nobody_else_reaches_a_translation(
    page: TranslationCalls, state: AppState, file: File, ada: Browser, bob: Browser
) -> None:
    await translate(state, ada, file)
    track = (await page.listed())["es"]["id"]
    for key in (file.slug, str(file.id), track):
        theirs = TranslationCalls(bob, key)
        answers = [
            await bob.get(f"{theirs.path}/translations"),
            await bob.get(f"{theirs.path}?language=es"),
            await theirs.translate(language="is"),
            await theirs.refresh(),
            await theirs.cancel(),
            await theirs.delete(),
            await theirs.restore(),
        ]
        assert [answer.status_code for answer in answers] == [404] * 7
    assert set(await page.listed()) == {"es"}


async def test_viewers_of_a_team_look_and_change_nothing(state: AppState, sign_up: SignUp) -> None:
    room = await make_newsroom(state, *[await sign_up(name) for name in ("ada", "bob", "vera", "eve")])
    await load_model(state)
    shared = await captioned_file(state, room.ada.user_id)
    async with state.database.write() as session:
        (await session.get_one(File, shared.id)).team_id = room.team_id
    vera, bob = TranslationCalls(room.vera, shared.slug), TranslationCalls(room.bob, shared.slug)
    assert (await vera.translate(language="es")).status_code == 403
    assert (await bob.translate(language="es")).status_code == 202
    assert set(await vera.listed()) == {"es"}
    assert (await vera.cancel()).status_code == 403
    assert (await vera.delete()).status_code == 403
