"""The flow `translate` over a translator whose every word can be followed, with the faults that engines really have."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipelines.captions.text import without_space
from pipelines.flows.messages import LANGUAGE_UNSUPPORTED, Attempt, Chunk, Progress, Result, StageFailed
from pipelines.flows.passages import TranslationClient
from pipelines.flows.translate import translate
from pipelines.flows.translate_messages import (
    Formality,
    GlossaryTerm,
    LineFlag,
    SourceLine,
    TargetLine,
    TranslatedGroup,
    TranslateRequest,
    TranslateResult,
)
from pipelines.testing.source_lines import source_lines
from pipelines.testing.wordwise import WORDWISE, WordwiseClient, accented, answer
from serve.capability import CHAT_TRANSLATION
from serve.messages import EngineProblem, EngineRefused
from serve.translation_messages import Hypothesis, Passage, Translated

ATTEMPT = Attempt("job", 1, Path("/nowhere"), "files/one/work")


def request(lines: tuple[SourceLine, ...], target: str = "is", **more: Any) -> TranslateRequest:
    return TranslateRequest(
        file_id="one", track_id="two", source_language="en-US", target_language=target, lines=lines, **more
    )


def run(wanted: TranslateRequest, client: TranslationClient, attempt: Attempt = ATTEMPT) -> TranslateResult:
    return parts(list(translate(wanted, attempt, client=client)))[2]


def parts(values: list[Any]) -> tuple[list[Progress], list[Chunk], TranslateResult]:
    assert isinstance(values[-1], Result)
    assert isinstance(values[-1].payload, TranslateResult)
    return (
        [value for value in values if isinstance(value, Progress)],
        [value for value in values if isinstance(value, Chunk)],
        values[-1].payload,
    )


def shown(result: TranslateResult) -> list[tuple[str, str]]:
    return [("".join(line.source_ids), line.text) for line in result.lines]


@pytest.fixture
def start() -> Iterator[Callable[..., WordwiseClient]]:
    clients: list[WordwiseClient] = []

    def make(*arguments: Any, **named: Any) -> WordwiseClient:
        clients.append(WordwiseClient(*arguments, **named))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


STORY = source_lines(
    "When I came home,",
    "the door was\nopen.",
    "[applause]",
    "- Who is there?\n- Nobody.",
    "",
    "♪",
    "Good night.",
)


def test_lines_come_back_in_order_with_their_marks_rows_and_times(start: Callable[..., WordwiseClient]) -> None:
    progress, chunks, result = parts(list(translate(request(STORY), ATTEMPT, client=start())))
    assert shown(result) == [
        ("a", "Whén Í cámé hómé,"),
        ("b", "thé dóór wás ópén."),
        ("c", "[ápplaúsé]".replace("ápplaúsé", accented("applause"))),
        ("d", "- Whó ís théré?\n- Nóbódy."),
        ("e", ""),
        ("f", "♪"),
        ("g", "Góód níght."),
    ]
    assert [(line.start_ms, line.end_ms) for line in result.lines] == [(line.start_ms, line.end_ms) for line in STORY]
    assert [line.source_texts for line in result.lines] == [(line.text,) for line in STORY]
    assert not any(line.flags for line in result.lines)
    assert {chunk.key for chunk in chunks} == {f"group-{index:06}" for index in range(6)}
    assert (progress[0].done, progress[-1].done, progress[0].total, progress[0].unit) == (0, 7, 7, "lines")
    assert result.language == "is"


def test_a_later_attempt_skips_finished_groups(start: Callable[..., WordwiseClient]) -> None:
    _, chunks, first = parts(list(translate(request(STORY), ATTEMPT, client=start())))
    client = start()
    again = replace(ATTEMPT, chunks={chunk.key: chunk.payload.to_json() for chunk in chunks[:-1]})
    _, fresh, second = parts(list(translate(request(STORY), again, client=client)))
    assert shown(second) == shown(first)
    assert [chunk.key for chunk in fresh] == [chunks[-1].key]
    assert len(client.passages) <= 2


def test_a_chunk_of_other_lines_is_not_used(start: Callable[..., WordwiseClient]) -> None:
    stale = TranslatedGroup(
        index=0,
        lines=(TargetLine(source_ids=("a",), source_texts=("Other",), start_ms=0, end_ms=1, text="Annað"),),
    )
    again = replace(ATTEMPT, chunks={"group-000000": stale.to_json(), "group-000001": {"odd": 1}})
    assert shown(run(request(STORY), start(), again))[0] == ("a", "Whén Í cámé hómé,")


def test_equal_texts_are_translated_once(start: Callable[..., WordwiseClient]) -> None:
    client = start()
    result = run(request(source_lines("Yes.", "No.", "Yes.", "Yes.")), client)
    assert sorted(passage.text for passage in client.passages) == ["No.", "Yes."]
    assert [text for _, text in shown(result)] == ["Yés.", "Nó.", "Yés.", "Yés."]


def test_only_wanted_lines_are_translated_and_existing_ones_are_context(start: Callable[..., WordwiseClient]) -> None:
    client = start(info=replace(WORDWISE, engine=CHAT_TRANSLATION))
    lines = source_lines("Anna| Hello.", "Anna| I am here.", "Jón| Good.", "Jón| Bye now.", "Anna| Yes.")
    existing = tuple(
        TargetLine(source_ids=(id,), source_texts=(text,), start_ms=0, end_ms=1, text=target)
        for id, text, target in (("a", "Hello.", "Halló."), ("c", "Good.", "Gamalt."))
    )
    wanted = request(lines, wanted=("c",), existing=existing, synopsis="Two people meet.", formality=Formality.INFORMAL)
    assert shown(run(wanted, client)) == [("c", "Góód.")]
    (passage,) = client.passages
    assert passage.context.before == (("Hello.", "Halló."),)
    assert passage.context.after == ("Bye now.", "Yes.")
    assert (passage.context.synopsis, passage.context.formality) == ("Two people meet.", "informal")
    assert passage.context.speakers == ("Anna", "Jón")


def test_only_terms_that_occur_are_sent_and_misses_are_flagged(start: Callable[..., WordwiseClient]) -> None:
    client = start()
    terms = (
        GlossaryTerm(source="horse", target="hestur"),
        GlossaryTerm(source="Cluster", target="Clústér"),
        GlossaryTerm(source="boat", target="bátur"),
    )
    lines = source_lines("The horses run.", "Our cluster works.")
    result = run(request(lines, glossary=terms), client)
    assert [[term.source for term in passage.glossary] for passage in client.passages] == [["horse"], ["Cluster"]]
    assert [line.flags for line in result.lines] == [(LineFlag.GLOSSARY_MISS,), ()]


def test_a_term_that_stays_is_put_back_where_the_model_translated_it(start: Callable[..., WordwiseClient]) -> None:
    terms = (GlossaryTerm(source="Ray Serve", target="Ray Serve"), GlossaryTerm(source="boat", target="boat"))
    result = run(request(source_lines("We use (Ray Serve), today.", "A boat!"), glossary=terms), start())
    assert [line.text for line in result.lines] == ["Wé úsé (Ray Serve), tódáy.", "Á boat!"]
    assert not any(line.flags for line in result.lines)


def test_the_hypothesis_that_fits_is_taken_and_what_never_fits_is_kept_whole(
    start: Callable[..., WordwiseClient],
) -> None:
    def longer(passage: Passage, translated: Translated) -> Translated:
        (plain,) = translated.hypotheses
        long = " ".join(word + "xxxxxx" for word in plain.text.split())
        choices = (Hypothesis(long, -0.1), replace(plain, log_probability=-0.2))
        return replace(translated, hypotheses=choices[:1] if "never" in passage.text else choices)

    lines = source_lines("This is a line", "This one never fits, I fear.", ms=1_400)
    result = run(request((replace_text(lines[0], "This is a line."), lines[1])), start(longer))
    assert result.lines[0].text == "Thís ís á líné."
    assert result.lines[0].flags == ()
    assert result.lines[1].flags == (LineFlag.TOO_FAST,)
    assert without_space(result.lines[1].text) == "".join(accented(word) + "xxxxxx" for word in lines[1].text.split())
    assert any("too long" in note for note in result.notes)


def replace_text(line: SourceLine, text: str) -> SourceLine:
    return line.model_copy(update={"text": text})


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


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("de", "From English (US) it translates into Icelandic and Spanish."),
        ("en-US", "These captions are in English (US) already."),
    ],
)
def test_an_unknown_pair_is_refused_with_what_works(
    target: str, sentence: str, start: Callable[..., WordwiseClient]
) -> None:
    client = start()
    with pytest.raises(StageFailed) as failed:
        run(request(STORY, target), client)
    assert sentence in failed.value.reason
    assert (failed.value.code, failed.value.retryable) == (LANGUAGE_UNSUPPORTED, False)
    assert not client.passages


@pytest.mark.parametrize(
    ("problem", "retryable", "code"),
    [
        (EngineProblem.MODEL_FAILED, True, ""),
        (EngineProblem.OVERLOADED, True, ""),
        (EngineProblem.UNKNOWN_LANGUAGE, False, LANGUAGE_UNSUPPORTED),
    ],
)
def test_a_failing_model_ends_the_attempt_after_what_is_finished(
    problem: EngineProblem, retryable: bool, code: str, start: Callable[..., WordwiseClient]
) -> None:
    def fails(passage: Passage, translated: Translated) -> Translated | EngineRefused:
        return EngineRefused(problem, "The model is gone.") if "open" in passage.text else translated

    values: list[Any] = []
    with pytest.raises(StageFailed) as failed:
        values.extend(translate(request(source_lines("Fine.", "The door is open.")), ATTEMPT, client=start(fails)))
    assert (failed.value.retryable, failed.value.code) == (retryable, code)
    assert failed.value.reason == "The model is gone."


def test_closing_the_flow_cancels_what_is_in_flight(start: Callable[..., WordwiseClient]) -> None:
    gate = threading.Event()

    def waits(_: Passage, translated: Translated) -> Translated:
        gate.wait(60)
        return translated

    client = start(waits)
    values = translate(request(source_lines(*(f"Line {number} ends." for number in range(60)))), ATTEMPT, client=client)
    assert isinstance(next(values), Progress)
    assert isinstance(next(values), Progress)
    values.close()
    gate.set()
    assert client.most_at_once == 16
    assert len(client.passages) == 16


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


@settings(max_examples=60, deadline=None)
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
