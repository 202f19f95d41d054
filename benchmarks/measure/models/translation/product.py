"""The product's translation of a document, as a side: its flow, or every line on its own as most programs do."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure.models.child import Json, Loaded, Unanswered
from pipelines.flows.translate.flow import translate
from pipelines.flows.translate.passages import TranslationClient
from pipelines.messages.attempt import Attempt, Result, StageFailed
from pipelines.messages.caption_rules import rules_for
from pipelines.messages.translate import SourceLine, TargetLine, TranslateRequest, TranslateResult
from pipelines.translation.rows import break_rows
from serve.core.messages import EngineRefused
from serve.core.settings import ModelSettings
from serve.tasks.translation.apertium.engine import PROGRAM
from serve.tasks.translation.in_process import InProcessTranslator
from serve.tasks.translation.messages import Passage
from serve.tasks.translation.profile import TranslationProfile

CLUSTER = "cluster"
FLOW, LINES = "flow", "lines"


def load(configuration: Json) -> Loaded:
    """`configuration` holds `through`, `profile` (the section, with its models), `models_root` and `way`."""
    way = configuration["way"]
    if configuration["through"] == CLUSTER:
        from cluster.ray.runtime import connect, disconnect
        from serve.core.client import ModelClient
        from serve.tasks.translation.task import TRANSLATION_TASK

        connect()
        client = ModelClient(TRANSLATION_TASK)

        def leave() -> None:
            client.close()
            disconnect()

        return Loaded(lambda request: _answer(client, request, way), _about(client), leave)
    profile = TranslationProfile.model_validate(configuration["profile"])
    translator = InProcessTranslator(
        profile, ModelSettings(allow_hub=False, allow_noncommercial_models=True), Path(configuration["models_root"])
    )
    info = translator.describe()
    if profile.models and info.engine == PROGRAM != profile.engine:
        raise Unanswered(f"The model {', '.join(profile.models.values())} cannot be used. {info.reason}")
    return Loaded(lambda request: _answer(translator, request, way), _about(translator), translator.close)


def _about(client: TranslationClient) -> Json:
    info = client.describe()
    return {"engine": info.engine, "model": info.model, "device": info.device, "reason": info.reason}


def _answer(client: TranslationClient, request: Json, way: str) -> Json:
    """`request` is a TranslateRequest; the answer holds `lines`, each a TargetLine."""
    wanted = TranslateRequest.model_validate(request)
    try:
        lines = _by_flow(client, wanted) if way == FLOW else _line_by_line(client, wanted)
    except (StageFailed, EngineRefused) as failure:
        sentence = failure.reason if isinstance(failure, StageFailed) else failure.sentence
        raise Unanswered(sentence) from failure
    return {"lines": [line.model_dump(mode="json") for line in lines]}


def _by_flow(client: TranslationClient, wanted: TranslateRequest) -> list[TargetLine]:
    """Sentence groups, choice of hypotheses, checks and re-cut."""
    *_, last = translate(wanted, Attempt("bench", 1, Path("/nowhere"), "bench"), client=client)
    assert isinstance(last, Result)
    assert isinstance(last.payload, TranslateResult)
    return list(last.payload.lines)


def _line_by_line(client: TranslationClient, wanted: TranslateRequest) -> list[TargetLine]:
    """The best hypothesis of every line."""
    rules = rules_for(wanted.target_language)
    answers = [
        client.submit(Passage("bench", index, wanted.source_language, wanted.target_language, line.text))
        for index, line in enumerate(wanted.lines)
    ]
    return [
        _target(line, break_rows(answer.result().hypotheses[0].text, rules))
        for line, answer in zip(wanted.lines, answers, strict=True)
    ]


def _target(line: SourceLine, text: str) -> TargetLine:
    return TargetLine(
        source_ids=(line.id,), source_texts=(line.text,), start_ms=line.start_ms, end_ms=line.end_ms, text=text
    )
