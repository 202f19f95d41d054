"""Folders of audio with references in each form, and clear sentences on what is missing or doubtful."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.measure.datasets.folder import BadDataset, Dataset, speaker_dataset, speech_dataset
from benchmarks.measure.datasets.references import read_stm
from benchmarks.measure.datasets.sound import decode_all
from serve.testing.sound import write

SRT = "1\n00:00:00,200 --> 00:00:00,900\nGóðan\ndaginn\n\n2\n00:00:01,000 --> 00:00:01,900\nég heiti Jón\n"
STM = """;; a comment
talk A anna 0.10 0.90 <o,f0,lang=is> góðan { daginn / dag } (uh)
talk A inter 0.90 1.20 ignore_time_segment_in_scoring
talk A jon 1.20 1.80 <o,f0> ég heiti Jón
"""
RTTM = """SPEAKER talk 1 0.10 0.80 <NA> <NA> anna <NA> <NA>
SPEAKER talk 1 0.70 0.90 <NA> <NA> jon <NA> <NA>
SPEAKER gone 1 0.00 1.00 <NA> <NA> anna <NA> <NA>
"""


def _audio(folder: Path, *names: str, seconds: float = 2.0) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write(path, np.zeros(int(seconds * 16_000), np.int16))


def _notes(dataset: Dataset) -> str:
    return " ".join(dataset.notes)


def test_texts_and_subtitles_beside_the_audio(tmp_path: Path) -> None:
    _audio(tmp_path, "is/clean/one.wav", "en/two.wav", "three.wav", "alone.wav")
    (tmp_path / "is/clean/one.txt").write_text("Góðan daginn,\nég heiti Jón.\n", encoding="utf-8")
    (tmp_path / "en/two.txt").write_bytes("Caf\xe9 society".encode("cp1252"))
    (tmp_path / "three.is.srt").write_text(SRT, encoding="utf-8")
    one, three, two = sorted(speech_dataset(tmp_path).items, key=lambda item: item.audio.stem)
    assert (one.text, one.language, one.condition) == ("Góðan daginn, ég heiti Jón.", "is", "clean")
    assert (two.text, two.language, two.condition) == ("Café society", "en", "")
    assert (three.text, three.language) == ("Góðan daginn ég heiti Jón", "is")
    assert [(line.start_ms, line.end_ms) for line in three.lines] == [(200, 900), (1000, 1900)]
    assert "alone.wav has no reference and was left out." in _notes(speech_dataset(tmp_path))


def test_a_manifest_cuts_and_describes(tmp_path: Path) -> None:
    _audio(tmp_path, "audio/a.wav", "audio/b.wav")
    (tmp_path / "manifest.csv").write_text(
        'audio,text,language,condition,start,end\naudio/a.wav,"Hello, world",en-US,studio,0.5,1.25\n'
        "audio/a.wav,again,en,,1.25,\naudio/b.wav,halló,xx,street,,\naudio/gone.wav,x,en,,,\n"
    )
    first, second, third = (dataset := speech_dataset(tmp_path)).items
    assert (first.id, first.text, first.language, first.condition) == ("audio/a.wav#1250-end", "again", "en", "audio")
    assert (second.start_ms, second.end_ms, second.text, second.condition) == (500, 1250, "Hello, world", "studio")
    assert third.language == ""
    assert "“xx” is no language code" in _notes(dataset)
    assert "audio/gone.wav of manifest.csv is not there." in _notes(dataset)
    assert "The language of 1 of 3 items is not known" in _notes(dataset)


def test_the_columns_of_common_corpora_are_known(tmp_path: Path) -> None:
    _audio(tmp_path, "clips/a.wav")
    (tmp_path / "validated.tsv").write_text(
        'client_id\tpath\tsentence\tlocale\nx\tclips/a.wav\tHe said "no" today\tis\n'
    )
    (item,) = speech_dataset(tmp_path).items
    assert (item.text, item.language) == ('He said "no" today', "is")


def test_stm_with_alternatives_and_times_that_do_not_count(tmp_path: Path) -> None:
    _audio(tmp_path, "talk.wav")
    (tmp_path / "all.stm").write_text(STM, encoding="utf-8")
    (item,) = speech_dataset(tmp_path).items
    assert item.text == "góðan daginn ég heiti Jón"
    assert item.language == "is"
    assert item.ignored == ((900, 1200),)
    assert [line.start_ms for line in item.lines] == [100, 1200]
    assert read_stm(tmp_path / "all.stm")["talk"].language == "is"


def test_speakers_with_limits(tmp_path: Path) -> None:
    _audio(tmp_path, "talk.wav", "other.wav")
    (tmp_path / "all.rttm").write_text(RTTM)
    (tmp_path / "all.uem").write_text("talk 1 0.00 1.50\n")
    dataset = speaker_dataset(tmp_path)
    (item,) = dataset.items
    assert [(turn.start_ms, turn.end_ms, turn.speaker) for turn in item.turns] == [
        (100, 900, "anna"),
        (700, 1600, "jon"),
    ]
    assert item.scored == ((0, 1500),)
    assert "other.wav is in no .rttm file" in _notes(dataset)
    assert "gone is in an .rttm file, and there is no audio" in _notes(dataset)


@pytest.mark.parametrize(
    ("files", "sentence"),
    [
        ({}, "holds no audio"),
        ({"a.csv": "name,words\nx,y\n"}, "It needs the columns audio and text; it has name, words."),
        ({"a.csv": "audio,text,start,end\na.wav,x,2,1\n"}, "Row 2 ends before it starts."),
        ({"a.csv": "audio,text,start,end\na.wav,x,1:30,\n"}, "start must be seconds such as 12.5, not “1:30”."),
        ({"a.stm": "a A anna zero 1.0 x\n"}, "“zero” is no time in seconds."),
        ({"a.srt": "no times in here\n"}, "No caption times were found"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path: Path, files: dict[str, str], sentence: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    if files:
        _audio(tmp_path, "a.wav")
    with pytest.raises(BadDataset, match="Expected is audio with a reference") as refused:
        speech_dataset(tmp_path)
    assert sentence in str(refused.value)


@pytest.mark.long
def test_every_audio_file_is_decoded_and_doubtful_references_are_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _audio(data, "a.wav", "much.wav", "late.wav")
    (data / "broken.wav").write_bytes(b"RIFF of nothing")
    for name, text in (("a", "short"), ("broken", "x"), ("much", "word " * 100)):
        (data / f"{name}.txt").write_text(text)
    (data / "late.srt").write_text("1\n00:00:00,000 --> 00:00:09,000\nlong after the end\n")
    sounds = decode_all(speech_dataset(data, language="en"), tmp_path / "work")
    assert {sound.item.id: sound.duration_ms for sound in sounds.sounds} == {
        "a.wav": 2000,
        "late.wav": 2000,
        "much.wav": 2000,
    }
    notes = " ".join(sounds.notes)
    assert "broken.wav was left out with 1 references: This" in notes
    assert "Doubtful: much.wav: more text than anybody can say" in notes
    assert "Doubtful: late.wav: the reference goes on after the end" in notes


def test_pieces_are_cut_out_of_their_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    _audio(data, "a.wav")
    (data / "m.csv").write_text("audio,text,start,end\na.wav,one,0.5,1.25\na.wav,two,1.25,\na.wav,three,5,6\n")
    sounds = decode_all(speech_dataset(data, language="en"), tmp_path / "work")
    assert [sound.duration_ms for sound in sounds.sounds] == [750, 750]
    assert "three" not in {sound.item.text for sound in sounds.sounds}
    assert any("the audio ends at 2.0 s, before it" in note for note in sounds.notes)
