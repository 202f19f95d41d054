"""Runs the flow `translate` for the lines of one local file in this process."""

from __future__ import annotations

from collections.abc import Sequence

from api.edges.cli.local.flow_bar import FlowBar
from cluster.settings import get_cluster_settings
from pipelines.flows.translate.flow import translate
from pipelines.flows.translate.passages import TranslationClient
from pipelines.messages.attempt import Attempt
from pipelines.messages.lines import CaptionLine
from pipelines.messages.translate import GlossaryTerm, SourceLine, TranslateRequest, TranslateResult

LOCAL = "local"


def translate_lines(
    lines: Sequence[CaptionLine],
    source: str,
    target: str,
    *,
    glossary: tuple[GlossaryTerm, ...],
    client: TranslationClient,
) -> TranslateResult:
    """The lines in another language. Raises `StageFailed`."""
    request = TranslateRequest(
        file_id=LOCAL,
        track_id=LOCAL,
        source_language=source,
        target_language=target,
        lines=tuple(
            SourceLine(id=line.id, start_ms=line.start_ms, end_ms=line.end_ms, text=line.text) for line in lines
        ),
        glossary=glossary,
    )
    attempt = Attempt("translate", 1, get_cluster_settings().work_root, "jobs/translate/1")
    with FlowBar(["translate"]) as bar:
        return bar.follow("translate", translate(request, attempt, client=client), TranslateResult)
