"""Stock parsers, ffmpeg, Word and spreadsheets read the files that we write."""

from __future__ import annotations

import csv
import io
import json
import subprocess
from pathlib import Path

import docx
import pycaption
import pysubs2
import pytest
import ttconv.imsc.reader
import ttconv.stl.reader
from lxml import etree

from cluster.testing.patience import PATIENCE_S
from pipelines.captions.forms.form import CaptionFormat
from pipelines.captions.forms.registry import write
from pipelines.captions.texts.speaker_names import SpeakerStyle
from pipelines.testing.captions import LINES, NAMES, document, typed


@pytest.mark.parametrize("form", [CaptionFormat.SRT, CaptionFormat.VTT, CaptionFormat.ASS])
def test_pysubs2_reads_what_we_write(form: CaptionFormat) -> None:
    script = pysubs2.SSAFile.from_string(write(form, document(LINES)).decode("utf-8-sig"))
    assert [event.start for event in script] == [each.start_ms for each in LINES]
    if form is CaptionFormat.ASS:
        assert [event.plaintext for event in script] == [each.text for each in LINES]
        assert [event.name for event in script] == [NAMES.get(each.speaker or "", "") for each in LINES]
        assert "{\\i1}skáletrað {\\i0}" in script[0].text
        assert script[1].text.startswith("{\\an8}")


@pytest.mark.parametrize(
    ("form", "reader"),
    [
        (CaptionFormat.SRT, pycaption.SRTReader),
        (CaptionFormat.VTT, pycaption.WebVTTReader),
        (CaptionFormat.TTML, pycaption.DFXPReader),
    ],
)
def test_pycaption_reads_what_we_write(form: CaptionFormat, reader: type) -> None:
    read = reader().read(write(form, document(LINES, SpeakerStyle.NONE)).decode())
    captions = read.get_captions(read.get_languages()[0])
    assert [each.start // 1_000 for each in captions] == [each.start_ms for each in LINES]
    assert captions[0].get_text().replace("<i>", "").replace("</i>", "") == LINES[0].text


@pytest.mark.parametrize("form", [CaptionFormat.SRT, CaptionFormat.VTT, CaptionFormat.ASS, CaptionFormat.TTML])
def test_ffmpeg_reads_what_we_write(form: CaptionFormat, tmp_path: Path) -> None:
    source = tmp_path / f"talk.{form}"
    source.write_bytes(write(form, document(LINES)))
    if form is CaptionFormat.TTML:
        assert etree.parse(str(source)).getroot().tag.endswith("}tt")
        return
    probe = ["ffprobe", "-v", "error", "-show_packets", "-of", "json", str(source)]
    packets = json.loads(subprocess.run(probe, capture_output=True, check=True, timeout=PATIENCE_S).stdout)["packets"]
    assert len(packets) == len(LINES)
    assert [round(float(packet["pts_time"]) * 1_000) for packet in packets] == [each.start_ms for each in LINES]


def test_ttconv_reads_our_ttml_and_ebu_stl() -> None:
    tree = etree.ElementTree(etree.fromstring(write(CaptionFormat.TTML, document(LINES))))
    model = ttconv.imsc.reader.to_model(tree)
    text = "".join(each.get_text() for each in model.get_body().dfs_iterator() if hasattr(each, "get_text"))
    assert "skáletrað" in text
    model = ttconv.stl.reader.to_model(io.BytesIO(write(CaptionFormat.STL, document(LINES, SpeakerStyle.NONE))))
    assert model is not None
    paragraphs = [each for each in model.get_body().dfs_iterator() if type(each).__name__ == "P"]
    assert [float(each.get_begin()) for each in paragraphs] == [each.start_ms / 1_000 for each in LINES]
    text = "".join(each.get_text() for each in model.get_body().dfs_iterator() if hasattr(each, "get_text"))
    # ttconv drops the spaces beside a change of style.
    assert "Þettaerskáletraðorð" in text.replace(" ", "")


def test_word_and_spreadsheets_read_what_we_write() -> None:
    (table,) = docx.Document(io.BytesIO(write(CaptionFormat.DOCX, document(LINES)))).tables
    assert [cell.text for cell in table.rows[0].cells] == ["Start", "End", "Speaker", "Text"]
    assert table.rows[2].cells[3].text == "Both rows\nare italic"
    assert table.rows[1].cells[2].text == "Ada Björk"
    assert [run.italic for run in table.rows[1].cells[3].paragraphs[0].runs] == [None, True, None]
    text = write(CaptionFormat.CSV, document([*LINES, typed("=1+1")])).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["text"] for row in rows] == [*(each.text for each in LINES), "'=1+1"]
    assert rows[0]["speaker"] == "Ada Björk"
    assert int(rows[0]["end_ms"]) == LINES[0].end_ms
