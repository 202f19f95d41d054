from __future__ import annotations

import pytest

from api.content.files.models import File
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from api.testing.files.translated import load_model, translate
from api.testing.files.translation_calls import TranslationCalls


@pytest.fixture
async def file(ada: Browser, state: AppState) -> File:
    return await captioned_file(state, ada.user_id)


@pytest.fixture
async def source(ada: Browser, file: File) -> Editor:
    return await Editor(ada, file.slug).look()


@pytest.fixture
async def spanish(ada: Browser, state: AppState, file: File) -> Editor:
    """The captions translated to Spanish: each line in brackets."""
    await translate(state, ada, file)
    return await Editor(ada, file.slug, language="es").look()


@pytest.fixture
async def page(ada: Browser, state: AppState, file: File) -> TranslationCalls:
    await load_model(state)
    return TranslationCalls(ada, file.slug)
