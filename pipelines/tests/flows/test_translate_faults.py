"""The flow `translate` over a translator with the faults that engines really have."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.flows.translate.flow import translate
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, OVERLOADED, StageFailed
from pipelines.messages.translate import LineFlag, SourceLine
from pipelines.testing.translate_flow import ATTEMPT, request, run, shown
from pipelines.testing.wordwise import WORDWISE, WordwiseClient, accented, answer, source_lines
from serve.core.messages import EngineProblem, EngineRefused
from serve.tasks.translation.messages import CHAT_TRANSLATION, Hypothesis, Passage, Translated


def test_a_chat_model_corrects_its_draft_once(start: Callable[..., WordwiseClient]) -> None:
    def stubborn(passage: Passage, translated: Translated) -> Translated:
        if passage.draft and "48" in passage.text:
            return translated
        return replace(translated, hypotheses=(Hypothesis("Engin tala hér."),))

    client = start(stubborn, info=replace(WORDWISE, engine=CHAT_TRANSLATION))
    result = run(request(source_lines("We sold 48.", "We sold 7.")), client)
    assert [line.text for line in result.lines] == ["Wé sóld 48.", "Engin tala hér."]
    assert [line.flags for line in result.lines] == [(), (LineFlag.NUMBER_CHANGED,)]
    assert sorted(passage.draft for passage in client.passages) == ["", "", "Engin tala hér.", "Engin tala hér."]
    client = start(stubborn)
    run(request(source_lines("We sold 7.")), client)
    assert len(client.passages) == 1


def test_unusable_answers_leave_the_source_and_stop_nothing(start: Callable[..., WordwiseClient]) -> None:
    def broken(passage: Passage, translated: Translated) -> Translated | EngineRefused:
        if "refused" in passage.text:
            return EngineRefused(EngineProblem.TOO_LONG, "Too long.")
        if "garbage" in passage.text:
            return replace(translated, hypotheses=(Hypothesis("la " * 60), Hypothesis("")))
        return replace(translated, is_fallback="rough" in passage.text)

    lines = source_lines("This is refused,", "really.", "This is garbage.", "This is rough.", "This is fine.")
    result = run(request(lines), start(broken))
    assert shown(result) == [
        ("a", "This is refused,"),
        ("b", "really."),
        ("c", "This is garbage."),
        ("d", "Thís ís róúgh."),
        ("e", "Thís ís fíné."),
    ]
    untranslated = (LineFlag.UNTRANSLATED,)
    assert [line.flags for line in result.lines] == [untranslated, untranslated, untranslated, (LineFlag.FALLBACK,), ()]
    assert result.notes == ("3 lines could not be translated and show the original text.",)


def test_a_merged_line_shifts_no_later_one(start: Callable[..., WordwiseClient]) -> None:
    def short(passage: Passage, translated: Translated) -> Translated:
        return answer(passage, ["Já."], [0]) if "mean" in passage.text else translated

    lines = source_lines("What I mean", "is this, really,", "as I said.", "The end.", "Good night.")
    result = run(request(lines), start(short))
    assert shown(result) == [("abc", "Já."), ("d", "Thé énd."), ("e", "Góód níght.")]
    assert (result.lines[0].start_ms, result.lines[0].end_ms) == (lines[0].start_ms, lines[2].end_ms)
    assert result.notes[0].startswith("1 line of the translation covers several lines")


GONE = "The model is gone."


@pytest.mark.parametrize(
    ("refusal", "retryable", "code"),
    [
        (EngineRefused(EngineProblem.MODEL_FAILED, GONE), True, ""),
        (EngineRefused(EngineProblem.RESTARTING, GONE, 1.0), True, ""),
        (EngineRefused(EngineProblem.OVERLOADED, GONE), True, ""),
        (EngineRefused(EngineProblem.OVERLOADED, GONE, 1.0), True, OVERLOADED),
        (EngineRefused(EngineProblem.UNKNOWN_LANGUAGE, GONE), False, LANGUAGE_UNSUPPORTED),
    ],
)
def test_a_failing_model_ends_the_attempt_after_what_is_finished(
    refusal: EngineRefused, retryable: bool, code: str, start: Callable[..., WordwiseClient]
) -> None:
    def fails(passage: Passage, translated: Translated) -> Translated | EngineRefused:
        return refusal if "open" in passage.text else translated

    values: list[Any] = []
    with pytest.raises(StageFailed) as failed:
        values.extend(translate(request(source_lines("Fine.", "The door is open.")), ATTEMPT, client=start(fails)))
    assert (failed.value.retryable, failed.value.code) == (retryable, code)
    assert failed.value.reason == GONE


WORDS = st.text("abcdeios,.?!15", min_size=1, max_size=8)
CUE = st.one_of(
    st.lists(WORDS, min_size=0, max_size=9).map(" ".join),
    st.sampled_from(
        [
            "",
            "♪",
            "[music]",
            "- One.\n- Two.",
            "<i>three</i>",
            "It is 12,500.",
            "We saw Jane Austen.",
            "four\nfive",
            "...",
        ]
    ),
)


@pytest.mark.long
@settings(max_examples=60)
@given(
    cues=st.lists(st.tuples(CUE, st.integers(100, 6_000), st.integers(0, 2_000)), min_size=1, max_size=12),
    noise=st.randoms(use_true_random=False),
    wanted=st.sets(st.integers(0, 11)),
)
def test_whatever_an_engine_does_no_row_is_empty_shifted_or_lost(
    cues: list[tuple[str, int, int]], noise: Any, wanted: set[int]
) -> None:
    lock = threading.Lock()

    def noisy(passage: Passage, translated: Translated) -> Translated | EngineRefused:
        """Drop, repeat and reorder words, lose the attention, return nothing or refuse."""
        words = passage.text.split()
        with lock:
            kind = noise.choice(["as it is", "drop", "grow", "reorder", "empty", "refuse", "blind"])
            order = list(range(len(words)))
            if kind == "drop":
                order = order[: max(1, len(order) // 4)]
            elif kind == "grow":
                order = [index for index in order for _ in range(2)]
            elif kind == "reorder":
                noise.shuffle(order)
        if kind == "refuse":
            return EngineRefused(EngineProblem.BAD_INPUT, "No.")
        if kind == "empty":
            return replace(translated, hypotheses=(Hypothesis(" "),))
        made = answer(passage, [accented(words[index]) for index in order], order)
        return made if kind != "blind" else replace(made, hypotheses=(replace(made.hypotheses[0], attention=()),))

    lines, start_ms = [], 0
    for index, (text, ms, gap) in enumerate(cues):
        lines.append(SourceLine(id=str(index), start_ms=start_ms, end_ms=start_ms + ms, text=text))
        start_ms += ms + gap
    chosen = tuple(str(index) for index in sorted(wanted) if index < len(cues))
    client = WordwiseClient(noisy)
    result = run(request(tuple(lines), wanted=chosen), client)
    client.close()
    covered = [source_id for line in result.lines for source_id in line.source_ids]
    assert covered == ([line.id for line in lines if not chosen or line.id in chosen])
    by_id = {line.id: line for line in lines}
    for line in result.lines:
        sources = [by_id[source_id] for source_id in line.source_ids]
        assert line.source_texts == tuple(source.text for source in sources)
        assert (line.start_ms, line.end_ms) == (sources[0].start_ms, sources[-1].end_ms)
        assert bool(line.text.strip()) == any(source.text.strip() for source in sources)
        assert all(row.strip() for row in line.text.split("\n")) or not line.text
    kept = " ".join(line.text for line in result.lines)
    flags = {flag for line in result.lines for flag in line.flags}
    if "12,500" in " ".join(by_id[each].text for each in covered) and "12,500" not in kept:
        assert flags & {LineFlag.NUMBER_CHANGED, LineFlag.UNTRANSLATED}
    if any("Jane Austen" in by_id[each].text for each in covered) and accented("Austen") not in kept:
        assert flags & {LineFlag.NAME_CHANGED, LineFlag.UNTRANSLATED}
    if "<i>three</i>" in [by_id[each].text for each in covered] and "<i>" not in kept:
        assert LineFlag.TAG_CHANGED in flags
