"""Voices known across the files of a team: learned from accepted names alone, suggested, and forgotten."""

from __future__ import annotations

import base64
import uuid
from typing import Any

import numpy as np
import pytest
from sqlalchemy import func, select, update

from api.content.captions.actions import CaptionAction
from api.content.files.models import File
from api.content.speakers.voices import service
from api.content.speakers.voices.models import SpeakerVoice
from api.people.teams.models import TeamRole
from api.platform.capabilities.service import store
from api.platform.http.state import AppState
from api.testing.browser import Browser
from api.testing.editor import Editor
from api.testing.files.transcribed import captioned_file
from api.testing.teams import join, new_team
from api.tests.speakers.test_speakers import ENGINE, INSTALLED, TURNS, finish_with, job_of, speakers
from pipelines.messages.speakers import SpeakersResult, VoiceSample
from pipelines.messages.speakers import SpeakerVoice as Voice

ANNA, BEN, CARL = range(3)
"""People, each with a direction of their own in the space of voices."""


def voice(label: str, person: int, *, seed: int = 0, model: str = "sherpa tiny", spoken_ms: int = 9_000) -> Voice:
    vector = np.eye(16)[person] + np.random.default_rng(seed).normal(0, 0.08, 16)
    half = (vector / np.linalg.norm(vector)).astype("<f2")
    text = base64.b64encode(half.tobytes()).decode("ascii")
    return Voice(speaker=label, model=model, embedding=text, spoken_ms=spoken_ms)


@pytest.fixture
async def team(ada: Browser, state: AppState) -> str:
    """A team that knows voices."""
    async with state.database.write() as session:
        await store(session, INSTALLED)
    made = await new_team(ada)
    assert (await ada.put(f"/api/teams/{made}/voices", json={"is_on": True})).status_code == 200
    return made


async def team_file(state: AppState, browser: Browser, team: str | None) -> File:
    file = await captioned_file(state, browser.user_id)
    async with state.database.write() as session:
        team_id = None if team is None else uuid.UUID(team)
        await session.execute(update(File).where(File.id == file.id).values(team_id=team_id))
    return file


async def detect(state: AppState, browser: Browser, file: File, *voices: Voice, sample_ms: int = 1_000) -> None:
    """Detect two speakers who sound so."""
    answer = await browser.post(f"/api/files/speakers/{file.slug}", json={})
    assert answer.status_code == 202, answer.text
    samples = tuple(VoiceSample(speaker=label, start_ms=sample_ms, end_ms=sample_ms + 2_000) for label in ("S1", "S2"))
    kept = voices if (await job_of(state, file)).request["keeps_voices"] else ()
    await finish_with(state, file, SpeakersResult(engine=ENGINE, turns=TURNS, samples=samples, voices=kept))


async def name(browser: Browser, file: File, label: str, called: str) -> None:
    answer = await browser.put(f"/api/files/speakers/{file.slug}/{label}", json={"name": called})
    assert answer.status_code == 200, answer.text


async def suggested(browser: Browser, file: File) -> dict[str, str | None]:
    found = (await speakers(browser, file))["speakers"]
    return {each["label"]: each["suggestion"] and each["suggestion"]["name"] for each in found}


async def known(browser: Browser, team: str) -> dict[str, Any]:
    answer = await browser.get(f"/api/teams/{team}/voices")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


async def kept(state: AppState) -> int:
    async with state.database.read() as session:
        return await session.scalar(select(func.count()).select_from(SpeakerVoice)) or 0


async def named_file(state: AppState, browser: Browser, team: str) -> File:
    """A file in which Anna and Ben were named."""
    file = await team_file(state, browser, team)
    await detect(state, browser, file, voice("S1", ANNA), voice("S2", BEN))
    await name(browser, file, "S1", "Anna")
    await name(browser, file, "S2", "Ben")
    return file


async def test_a_named_voice_is_suggested_in_the_next_file_and_names_nobody_by_itself(
    ada: Browser, state: AppState, team: str
) -> None:
    first = await team_file(state, ada, team)
    await detect(state, ada, first, voice("S1", ANNA), voice("S2", BEN))
    second = await team_file(state, ada, team)
    await detect(state, ada, second, voice("S1", CARL, seed=1), voice("S2", ANNA, seed=2))
    assert await suggested(ada, second) == {"S1": None, "S2": None}, "nobody was named yet"
    await name(ada, first, "S1", "Anna")
    assert await suggested(ada, second) == {"S1": None, "S2": "Anna"}
    found = (await speakers(ada, second))["speakers"][1]
    assert (found["name"], found["shown"]) == (None, "Speaker 2")
    assert 60 <= found["suggestion"]["similarity"] <= 100
    await name(ada, second, "S2", "Anna")
    assert await suggested(ada, second) == {"S1": None, "S2": None}
    (anna,) = (await known(ada, team))["voices"]
    assert (anna["name"], anna["files"], anna["spoken_ms"]) == ("Anna", 2, 18_000)
    await name(ada, second, "S2", "")
    await name(ada, first, "S1", "Annika")
    assert await suggested(ada, second) == {"S1": None, "S2": "Annika"}, "the name that a person gave last counts"


@pytest.mark.long
async def test_what_undo_takes_back_was_never_learned(ada: Browser, state: AppState, team: str) -> None:
    first = await named_file(state, ada, team)
    second = await team_file(state, ada, team)
    await detect(state, ada, second, voice("S1", ANNA, seed=3), voice("S2", CARL, seed=4))
    editor = await Editor(ada, first.slug).look()
    await editor.save(CaptionAction.UNDO)
    await editor.look()
    await editor.save(CaptionAction.UNDO)
    assert await suggested(ada, second) == {"S1": None, "S2": None}
    # Another detection hears other people under the same labels; undo brings the old labels back.
    await name(ada, first, "S1", "Anna")
    await detect(state, ada, first, voice("S1", CARL), voice("S2", BEN), sample_ms=4_000)
    await (await editor.look()).save(CaptionAction.UNDO)
    assert [each["name"] for each in (await speakers(ada, first))["speakers"]] == ["Anna", None]
    assert await suggested(ada, second) == {"S1": None, "S2": None}, "Carl's voice is not Anna's"


@pytest.mark.long
async def test_a_dismissed_suggestion_stays_away_until_the_next_detection(
    ada: Browser, state: AppState, team: str
) -> None:
    await named_file(state, ada, team)
    second = await team_file(state, ada, team)
    await detect(state, ada, second, voice("S1", ANNA, seed=1), voice("S2", BEN, seed=1))
    assert await suggested(ada, second) == {"S1": "Anna", "S2": "Ben"}
    answer = await ada.post(f"/api/files/speakers/{second.slug}/S1/voice/dismiss")
    assert answer.json()["data"]["speakers"][0]["suggestion"] is None
    assert await suggested(ada, second) == {"S1": None, "S2": "Ben"}
    await name(ada, second, "S1", "Ben")
    assert await suggested(ada, second) == {"S1": None, "S2": None}, "a file has one Ben"
    gone = await ada.post(f"/api/files/speakers/{second.slug}/S9/voice/dismiss")
    assert gone.status_code == 404


@pytest.mark.long
async def test_voices_too_short_of_another_model_or_between_two_people_are_nobodys(
    ada: Browser, state: AppState, team: str
) -> None:
    await named_file(state, ada, team)
    file = await team_file(state, ada, team)
    short = voice("S1", ANNA, spoken_ms=2_000)
    await detect(state, ada, file, short, voice("S2", BEN, seed=1))
    assert await suggested(ada, file) == {"S1": None, "S2": "Ben"}
    await detect(state, ada, file, voice("S1", ANNA, model="pyannote other"))
    assert await suggested(ada, file) == {"S1": None, "S2": None}
    half = np.zeros(16)
    half[[ANNA, BEN]] = 0.5**0.5
    between = Voice(
        speaker="S1", model="sherpa tiny", embedding=base64.b64encode(half.astype("<f2").tobytes()).decode(),
        spoken_ms=9_000,
    )  # fmt: skip
    await detect(state, ada, file, between)
    assert await suggested(ada, file) == {"S1": None, "S2": None}


@pytest.mark.long
async def test_forgetting_leaves_no_voice_anywhere(ada: Browser, state: AppState, team: str) -> None:
    await named_file(state, ada, team)
    second = await team_file(state, ada, team)
    await detect(state, ada, second, voice("S1", ANNA, seed=1), voice("S2", CARL))
    assert await kept(state) == 4
    answer = await ada.post(f"/api/teams/{team}/voices/forget", json={"name": "anna"})
    assert [each["name"] for each in answer.json()["data"]["voices"]] == ["Ben"]
    log = (await ada.get(f"/api/teams/{team}/log")).json()["data"]
    assert "known voices" in log[0]["sentence"]
    assert await kept(state) == 2, "also where it was detected and nobody named it"
    assert await suggested(ada, second) == {"S1": None, "S2": None}
    again = await ada.post(f"/api/teams/{team}/voices/forget", json={"name": "Anna"})
    assert (again.status_code, "forgotten" in again.json()["message"]) == (404, True)
    off = await ada.put(f"/api/teams/{team}/voices", json={"is_on": False})
    assert off.json()["data"] == {"is_on": False, "may_switch": True, "may_forget": True, "voices": []}
    assert await kept(state) == 0
    third = await team_file(state, ada, team)
    await detect(state, ada, third, voice("S1", BEN), voice("S2", ANNA))
    assert await kept(state) == 0


@pytest.mark.long
async def test_old_voices_are_listed_and_forgotten_however_many_there_are(
    ada: Browser, state: AppState, team: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "KNOWN_MAX", 1)
    await named_file(state, ada, team)
    second = await team_file(state, ada, team)
    await detect(state, ada, second, voice("S1", ANNA, seed=1), voice("S2", CARL))
    await name(ada, second, "S1", "ANNA")
    found = (await known(ada, team))["voices"]
    assert [(each["name"], each["files"], each["spoken_ms"]) for each in found] == [
        ("ANNA", 2, 18_000),
        ("Ben", 1, 9_000),
    ]
    await ada.post(f"/api/teams/{team}/voices/forget", json={"name": "anna"})
    assert await kept(state) == 2


async def test_a_detection_that_ends_after_the_switch_keeps_nothing(ada: Browser, state: AppState, team: str) -> None:
    file = await team_file(state, ada, team)
    await ada.post(f"/api/files/speakers/{file.slug}", json={})
    await ada.put(f"/api/teams/{team}/voices", json={"is_on": False})
    await finish_with(
        state, file, SpeakersResult(engine=ENGINE, turns=TURNS, voices=(voice("S1", ANNA), voice("S2", BEN)))
    )
    assert await kept(state) == 0


@pytest.mark.long
async def test_own_files_and_other_teams_know_nothing(ada: Browser, state: AppState, team: str) -> None:
    first = await named_file(state, ada, team)
    own = await team_file(state, ada, None)
    await detect(state, ada, own, voice("S1", ANNA, seed=1), voice("S2", BEN, seed=1))
    other = await new_team(ada, "Others")
    await ada.put(f"/api/teams/{other}/voices", json={"is_on": True})
    theirs = await team_file(state, ada, other)
    await detect(state, ada, theirs, voice("S1", ANNA, seed=1), voice("S2", BEN, seed=1))
    assert await suggested(ada, own) == await suggested(ada, theirs) == {"S1": None, "S2": None}
    assert await kept(state) == 4
    moved = await ada.post(f"/api/teams/{other}/files", json={"ids": [str(first.id)]})
    assert moved.status_code == 200, moved.text
    assert await kept(state) == 2, "a file that moves leaves its voices behind"
    assert (await known(ada, team))["voices"] == (await known(ada, other))["voices"] == []


@pytest.mark.long
async def test_owners_switch_editors_forget_and_others_see_nothing(
    ada: Browser, bob: Browser, state: AppState, team: str
) -> None:
    await named_file(state, ada, team)
    assert (await bob.get(f"/api/teams/{team}/voices")).status_code == 404
    assert (await bob.put(f"/api/teams/{team}/voices", json={"is_on": False})).status_code == 404
    assert (await bob.post(f"/api/teams/{team}/voices/forget", json={"name": "Anna"})).status_code == 404
    await join(state, ada, team, bob, TeamRole.VIEWER)
    seen = await known(bob, team)
    assert (seen["is_on"], seen["may_switch"], seen["may_forget"], len(seen["voices"])) == (True, False, False, 2)
    assert (await bob.post(f"/api/teams/{team}/voices/forget", json={"name": "Anna"})).status_code == 403
    await ada.put(f"/api/teams/{team}/members/{bob.user_id}", json={"role": "editor"})
    assert (await bob.put(f"/api/teams/{team}/voices", json={"is_on": False})).status_code == 403
    assert (await bob.post(f"/api/teams/{team}/voices/forget", json={"name": "Anna"})).status_code == 200
    assert await kept(state) == 1
