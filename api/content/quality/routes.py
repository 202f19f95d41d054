"""The quality of a file's captions: findings, report, profile, and cutting the lines again."""

from __future__ import annotations

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response

from api.content.captions.saved_answer import saved
from api.content.captions.schemas import SaveAnswer
from api.content.quality import tracks
from api.content.quality.checks import JudgedTrack, judged
from api.content.quality.judging import in_turn
from api.content.quality.report import report_csv
from api.content.quality.schemas import (
    PROFILE_ID_MAX,
    ChosenProfile,
    ProfileChoice,
    QualityReport,
    Recut,
    SafeChange,
    finding_out,
)
from api.people.auth.viewer import SignedIn
from api.platform.http.downloads.names import attachment
from api.platform.http.envelope import Data
from api.platform.http.errors import error_responses
from api.platform.http.limits import LANGUAGE_CODE_MAX
from api.platform.http.state import ReadSession, State, WriteSession
from pipelines.captions.quality.find import count_by_severity, with_fixes
from pipelines.captions.quality.findings import Rule
from pipelines.captions.quality.fixes import fix_all
from pipelines.captions.quality.sentences import ENGLISH, shown_in

router = APIRouter(prefix="/api/files/captions", tags=["quality"])

Language = Annotated[str | None, Query(max_length=LANGUAGE_CODE_MAX)]
ProfileName = Annotated[str | None, Query(max_length=PROFILE_ID_MAX)]


@router.get("/{key}/quality", response_model=Data[QualityReport], responses=error_responses(401, 404, 422))
async def get_quality(
    key: str,
    viewer: SignedIn,
    state: State,
    language: Language = None,
    profile: ProfileName = None,
    rule: Annotated[Rule | None, Query(description="`changes` and `removed` are the safe fixes of this rule.")] = None,
) -> Response:
    """What is wrong with the captions by their profile, or by another `profile`, with safe fixes."""
    async with state.database.read() as session:
        mine = await judged(session, viewer, key, language, profile)
    body = await in_turn(viewer.user_id, lambda: Data(data=_report(mine, rule)).model_dump_json())
    return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/{key}/quality.csv", response_class=Response, responses=error_responses(401, 404, 422))
async def download_report(
    key: str,
    viewer: SignedIn,
    state: State,
    language: Language = None,
    profile: ProfileName = None,
    words: Annotated[str, Query(alias="in", max_length=LANGUAGE_CODE_MAX)] = ENGLISH,
) -> Response:
    """The same as a table for spreadsheets. `in` is the language of its sentences: `en` or `is`."""
    async with state.database.read() as session:
        mine = await judged(session, viewer, key, language, profile)
    text = await in_turn(
        viewer.user_id, lambda: report_csv(mine.lines, with_fixes(mine.lines, mine.about), shown_in(words))
    )
    name = f"{mine.file.name}.{mine.language}.quality.csv"
    headers = {"Content-Disposition": attachment(name), "Cache-Control": "no-store"}
    return Response(text, media_type="text/csv; charset=utf-8", headers=headers)


@router.get("/{key}/profile", responses=error_responses(401, 404, 422))
async def get_profile(
    key: str, viewer: SignedIn, session: ReadSession, language: Language = None
) -> Data[ChosenProfile]:
    """The profile that the captions are judged by."""
    return Data(data=await tracks.chosen_profile(session, viewer, key, language))


@router.put("/{key}/profile", responses=error_responses(401, 404, 409, 419, 422))
async def choose_profile(key: str, body: ProfileChoice, viewer: SignedIn, session: WriteSession) -> Data[ChosenProfile]:
    return Data(data=await tracks.choose_profile(session, viewer, key, body))


@router.post("/{key}/recut", response_model=SaveAnswer, responses=error_responses(401, 404, 409, 419, 422, 429))
async def recut_captions(key: str, body: Recut, viewer: SignedIn, state: State) -> Response:
    """Cut all lines again by the profile, as one change. Words keep their times."""
    change = await tracks.recut_track(state.database, viewer, key, body)
    return await asyncio.to_thread(saved, change)


def _report(mine: JudgedTrack, only: Rule | None) -> QualityReport:
    findings = with_fixes(mine.lines, mine.about)
    fixed = {line.id: line for line in fix_all(mine.lines, mine.about, only)}
    counts = count_by_severity(findings)
    changes = []
    for line in mine.lines:
        new = fixed.get(line.id)
        if new is None or (new.text, new.start_ms, new.end_ms) == (line.text, line.start_ms, line.end_ms):
            continue
        changes.append(
            SafeChange(
                line=line.id,
                content=new.text if new.text != line.text else None,
                start=new.start_ms if new.start_ms != line.start_ms else None,
                end=new.end_ms if new.end_ms != line.end_ms else None,
            )
        )
    return QualityReport(
        profile=mine.profile_id,
        revision=mine.revision,
        clean=not any(finding.is_open for finding in findings),
        counts=counts,
        findings=[finding_out(finding) for finding in findings],
        changes=changes,
        removed=[line.id for line in mine.lines if line.id not in fixed],
        cuts_ms=list(mine.about.cuts_ms),
        undrawable=sorted(mine.about.undrawable),
    )
