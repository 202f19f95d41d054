"""The flow `translate` over a translator whose every word can be followed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from cluster.testing.patience import PATIENCE_S
from pipelines.captions.texts.text import without_space
from pipelines.flows.translate.flow import translate
from pipelines.messages.attempt import LANGUAGE_UNSUPPORTED, Progress, StageFailed
from pipelines.messages.translate import (
    Formality,
    GlossaryTerm,
    LineFlag,
    SourceLine,
    TargetLine,
    TranslatedGroup,
)
from pipelines.testing.translate_flow import ATTEMPT, STORY, parts, request, run, shown
from pipelines.testing.wordwise import WORDWISE, WordwiseClient, accented, source_lines
from serve.tasks.translation.messages import CHAT_TRANSLATION, Hypothesis, Passage, Translated


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


def test_closing_the_flow_cancels_what_is_in_flight(start: Callable[..., WordwiseClient]) -> None:
    gate = threading.Event()

    def waits(_: Passage, translated: Translated) -> Translated:
        gate.wait(PATIENCE_S)
        return translated

    client = start(waits)
    values = translate(request(source_lines(*(f"Line {number} ends." for number in range(60)))), ATTEMPT, client=client)
    assert isinstance(next(values), Progress)
    assert isinstance(next(values), Progress)
    values.close()
    gate.set()
    assert client.most_at_once == 16
    assert len(client.passages) == 16
