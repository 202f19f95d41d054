"""TTML: rules of TTML2 and IMSC beside ttconv, by what is on screen, and beside pycaption, caption by caption."""

from __future__ import annotations

import pycaption
import pytest

from pipelines.testing.reference_readers import alike, our_cues, our_screens, pycaption_cues, ttconv_ttml

WITHIN_MS = 1

NS = (
    'xmlns="http://www.w3.org/ns/ttml" xmlns:tts="http://www.w3.org/ns/ttml#styling" '
    'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:ttm="http://www.w3.org/ns/ttml#metadata" xml:lang="en"'
)
TEXT = '<p begin="00:00:01.000" end="00:00:02.000">text</p>'
TOP = '<region xml:id="t" tts:origin="10% 10%" tts:extent="80% 20%" tts:displayAlign="before"/>'
BOTTOM = '<region xml:id="b" tts:origin="10% 70%" tts:extent="80% 20%" tts:displayAlign="after"/>'
LATER = '<p begin="00:00:05.000" end="00:00:06.000">text</p>'


def doc(body: str, attributes: str = "", head: str = "") -> str:
    return f"<tt {NS} {attributes}><head>{head}</head><body><div>{body}</div></body></tt>"


def tt(inner: str) -> str:
    return f"<tt {NS}>{inner}</tt>"


def in_body(*divisions: str) -> str:
    """Each division with its own start tag."""
    return tt(f"<body>{''.join(each + '</div>' for each in divisions)}</body>")


RULES: dict[str, str] = {
    "clock times": doc(TEXT),
    "clock times without a fraction": doc('<p begin="00:00:01" end="00:00:02">text</p>'),
    "one digit of fraction": doc('<p begin="00:00:01.5" end="00:00:02.5">text</p>'),
    "six digits of fraction": doc('<p begin="00:00:01.500000" end="00:00:02.999999">text</p>'),
    "more than 99 hours": doc('<p begin="100:00:01" end="100:00:02">text</p>'),
    "frames": doc('<p begin="00:00:01:12" end="00:00:02:00">text</p>', 'ttp:frameRate="25"'),
    "frames without a rate": doc('<p begin="00:00:01:15" end="00:00:02:00">text</p>'),
    "frames and a multiplier": doc(
        '<p begin="00:00:01:12" end="00:00:02:00">text</p>', 'ttp:frameRate="24" ttp:frameRateMultiplier="1000 1001"'
    ),
    "offset in seconds": doc('<p begin="1.5s" end="2.5s">text</p>'),
    "offset in milliseconds": doc('<p begin="1500ms" end="2500ms">text</p>'),
    "offset in minutes": doc('<p begin="1.5m" end="2m">text</p>'),
    "offset in hours": doc('<p begin="0.5h" end="1h">text</p>'),
    "offset in frames": doc('<p begin="25f" end="50f">text</p>', 'ttp:frameRate="25"'),
    "offset in ticks": doc('<p begin="10000000t" end="20000000t">text</p>', 'ttp:tickRate="10000000"'),
    "ticks without a rate": doc('<p begin="1t" end="2t">text</p>'),
    "ticks with a frame rate alone": doc('<p begin="25t" end="50t">text</p>', 'ttp:frameRate="25"'),
    "duration": doc('<p begin="1s" dur="1.5s">text</p>'),
    "end before the duration": doc('<p begin="1s" dur="5s" end="2s">text</p>'),
    "duration before the end": doc('<p begin="1s" dur="1s" end="5s">text</p>'),
    "times of the division": in_body('<div begin="10s"><p begin="1s" end="2s">text</p>'),
    "times of the body": tt('<body begin="10s"><div><p begin="1s" end="2s">text</p></div></body>'),
    "end of the division": in_body('<div end="3s"><p begin="1s" end="9s">text</p>'),
    "times of the division alone": in_body('<div begin="1s" end="2s"><p>text</p>'),
    "times of a span alone": doc('<p><span begin="1s" end="2s">text</span></p>'),
    "times of a span inside the paragraph's": doc('<p begin="1s" end="5s"><span begin="1s" end="2s">text</span></p>'),
    "spans one after the other": doc(
        '<p begin="0s" end="5s"><span begin="1s" end="2s">one</span><span begin="2s" end="3s">two</span></p>'
    ),
    "spans that add up": doc('<p begin="1s" end="5s"><span>one </span><span begin="1s">two</span></p>'),
    "a division that is a sequence": in_body('<div timeContainer="seq"><p dur="1s">one</p><p dur="1s">two</p>'),
    "a paragraph without an end": doc('<p begin="1s">text</p><p begin="3s" end="4s">next</p>'),
    "a paragraph without a time": doc("<p>text</p>"),
    "an end before the beginning": doc('<p begin="2s" end="1s">text</p>' + LATER),
    "two at once": doc('<p begin="1s" end="3s">one</p><p begin="2s" end="4s">two</p>'),
    "two at once, in different regions": doc(
        '<p begin="1s" end="3s" region="t">SIGN</p><p begin="2s" end="4s" region="b">talk</p>',
        "",
        f"<layout>{TOP}{BOTTOM}</layout>",
    ),
    "not in time order": doc('<p begin="3s" end="4s">two</p><p begin="1s" end="2s">one</p>'),
    "a row break": doc('<p begin="1s" end="2s">one<br/>two</p>'),
    "row breaks at the ends": doc('<p begin="1s" end="2s"><br/>one<br/></p>'),
    "two row breaks": doc('<p begin="1s" end="2s">one<br/><br/>two</p>'),
    "white space": doc('<p begin="1s" end="2s">\n   one\n   two  \n</p>'),
    "white space around a break": doc('<p begin="1s" end="2s">one  <br/>\n   two</p>'),
    "white space that is preserved": doc('<p begin="1s" end="2s" xml:space="preserve">one   two</p>'),
    "row ends that are preserved": doc('<p begin="1s" end="2s" xml:space="preserve">one\ntwo</p>'),
    "spans": doc('<p begin="1s" end="2s">one <span>two</span> three</p>'),
    "spans within spans": doc('<p begin="1s" end="2s"><span>one <span>two</span></span> three</p>'),
    "a style": doc('<p begin="1s" end="2s"><span tts:fontStyle="italic">one</span> two</p>'),
    "entities": doc('<p begin="1s" end="2s">&amp;&lt;&gt;&quot;&apos; &#233;&#x4e2d;</p>'),
    "CDATA": doc('<p begin="1s" end="2s"><![CDATA[a < b]]></p>'),
    "a comment inside": doc('<p begin="1s" end="2s">one<!-- no --> two</p>'),
    "a processing instruction": doc('<p begin="1s" end="2s">one<?x y?> two</p>'),
    "metadata in a paragraph": doc('<p begin="1s" end="2s"><metadata><ttm:desc>no</ttm:desc></metadata>text</p>'),
    "a set element": doc('<p begin="1s" end="2s"><set tts:color="red" dur="1s"/>text</p>'),
    "an empty paragraph": doc('<p begin="0s" end="1s"/>' + TEXT),
    "a paragraph of white space": doc('<p begin="0s" end="1s">  </p>' + TEXT),
    "display none": doc('<p begin="1s" end="2s" tts:display="none">hidden</p>' + LATER),
    "visibility hidden": doc('<p begin="1s" end="2s" tts:visibility="hidden">hidden</p>' + LATER),
    "opacity of nothing": doc('<p begin="1s" end="2s" tts:opacity="0">hidden</p>' + LATER),
    "ruby": doc(
        '<p begin="1s" end="2s"><span tts:ruby="container"><span tts:ruby="base">漢</span>'
        '<span tts:ruby="text">kan</span></span></p>'
    ),
    "several divisions": in_body('<div><p begin="1s" end="2s">one</p>', '<div><p begin="3s" end="4s">two</p>'),
    "a division within a division": in_body('<div><div begin="1s"><p begin="1s" end="2s">text</p>'),
    "divisions in two languages": in_body(
        '<div xml:lang="en"><p begin="1s" end="2s">one</p>', '<div xml:lang="de"><p begin="1s" end="2s">eins</p>'
    ),
    "a region with a time": doc(
        '<p region="r" begin="1s" end="5s">text</p>',
        "",
        '<layout><region xml:id="r" begin="2s" end="3s" tts:origin="10% 70%" tts:extent="80% 20%"/></layout>',
    ),
    "a region that does not exist": doc('<p region="none" begin="1s" end="2s">text</p>'),
    "the 2006 name space": doc(TEXT).replace("http://www.w3.org/ns/ttml", "http://www.w3.org/2006/10/ttaf1"),
    "no name space": '<tt xml:lang="en"><body><div><p begin="1s" end="2s">text</p></div></body></tt>',
    "a prefix": '<x:tt xmlns:x="http://www.w3.org/ns/ttml" xml:lang="en"><x:body><x:div>'
    '<x:p begin="1s" end="2s">text</x:p></x:div></x:body></x:tt>',
    "a declaration": '<?xml version="1.0" encoding="UTF-8"?>\n' + doc(TEXT),
    "a byte order mark": "\ufeff" + doc(TEXT),
    "no body": f"<tt {NS}><head/></tt>",
    "no paragraphs": f"<tt {NS}><body><div/></body></tt>",
    "not XML": doc('<p begin="1s" end="2s">text'),
    "a letter in a time": doc('<p begin="0a:00:01" end="2s">lost</p>' + LATER),
    "a comma in a time": doc('<p begin="00:00:01,000" end="00:00:02,000">text</p>'),
    "SMPTE times": doc(
        '<p begin="00:00:01:12" end="00:00:02:00">text</p>',
        'ttp:timeBase="smpte" ttp:frameRate="25" ttp:dropMode="nonDrop"',
    ),
    "SMPTE drop frame": doc(
        '<p begin="00:01:00:02" end="00:01:02:00">text</p>',
        'ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:dropMode="dropNTSC"',
    ),
    "SMPTE times of NTSC without drops": doc(
        '<p begin="00:10:00:00" end="00:10:02:00">text</p>',
        'ttp:timeBase="smpte" ttp:frameRate="30" ttp:frameRateMultiplier="1000 1001" ttp:dropMode="nonDrop"',
    ),
    "paragraphs in the body": tt('<body><p begin="1s" end="2s">text</p></body>'),
}

_TIMED_PARTS = "Pycaption knows the times of paragraphs only."
_OUTER_TIMES = "Times count from the beginning of what they are in (TTML2 12.2); {}."
_ALWAYS_SHOWN = "What a document hides is not shown. The import counts it."
_NOT_SHOWN = "Comments, instructions and metadata are no text."
_NOTHING_LOST = "It can be read, so it is, and the import says what is wrong with it."
_ONE_LANE = "Two captions in one place never overlap here: the first ends when the next begins, and the import says so."
_SMPTE = "Addresses of NTSC name frames of 1001/30000 s (SMPTE ST 12-1)."
PYCAPTION: dict[str, str] = {
    "six digits of fraction": "Digits after the third are parts of a millisecond; pycaption makes minutes of them.",
    "more than 99 hours": "The clock of the product, and of SRT, has two digits of hours.",
    "ticks without a rate": "A document without rates has one tick a second (TTML2 7.2.12).",
    "duration before the end": "The earlier of both ends holds (TTML2 12.3.1).",
    "times of the division": _OUTER_TIMES.format("pycaption knows the times of paragraphs only"),
    "times of the body": _OUTER_TIMES.format("pycaption knows the times of paragraphs only"),
    "end of the division": _TIMED_PARTS,
    "times of the division alone": _TIMED_PARTS,
    "times of a span alone": _TIMED_PARTS,
    "times of a span inside the paragraph's": _TIMED_PARTS,
    "spans one after the other": _TIMED_PARTS,
    "a division that is a sequence": _TIMED_PARTS,
    "a paragraph without an end": "It ends when the next one begins; pycaption refuses the file.",
    "a paragraph without a time": _NOTHING_LOST,
    "an end before the beginning": _NOTHING_LOST,
    "two at once": _ONE_LANE,
    "not in time order": "Captions are in time order.",
    "white space": "Pycaption loses the rows after the first.",
    "row ends that are preserved": "Pycaption loses the rows after the first.",
    "a comment inside": _NOT_SHOWN,
    "a processing instruction": _NOT_SHOWN,
    "metadata in a paragraph": _NOT_SHOWN,
    "display none": _ALWAYS_SHOWN,
    "visibility hidden": _ALWAYS_SHOWN,
    "several divisions": "Pycaption keeps the last division of a language.",
    "a division within a division": _OUTER_TIMES.format("pycaption knows the times of paragraphs only"),
    "divisions in two languages": "The wanted language is read, else that with most text, and the import says so.",
    "a prefix": "Names count by what their prefix stands for.",
    "a letter in a time": _NOTHING_LOST,
    "a comma in a time": _NOTHING_LOST,
    "SMPTE drop frame": _SMPTE,
    "SMPTE times of NTSC without drops": _SMPTE,
    "paragraphs in the body": _NOTHING_LOST,
}
TTCONV: dict[str, str] = {
    "more than 99 hours": PYCAPTION["more than 99 hours"],
    "ticks with a frame rate alone": "Without a tick rate, a tick is a frame (TTML2 7.2.12).",
    "times of the division": _OUTER_TIMES.format("ttconv shows nothing"),
    "times of the body": _OUTER_TIMES.format("ttconv shows nothing"),
    "a division within a division": _OUTER_TIMES.format("ttconv shows nothing"),
    "spans that add up": "Text that only grows is one caption from its beginning, and the import says so.",
    "a paragraph without an end": PYCAPTION["a paragraph without an end"].partition(";")[0] + ".",
    "an end before the beginning": _NOTHING_LOST,
    "two at once": _ONE_LANE,
    "visibility hidden": _ALWAYS_SHOWN,
    "divisions in two languages": PYCAPTION["divisions in two languages"],
    "a region with a time": "Times of regions are not read: what stands in them has its own.",
    "the 2006 name space": _NOTHING_LOST,
    "no name space": _NOTHING_LOST,
    "not XML": _NOTHING_LOST,
    "a comma in a time": _NOTHING_LOST,
    "paragraphs in the body": _NOTHING_LOST,
}


@pytest.mark.parametrize("rule", RULES)
def test_captions_as_pycaption_reads_them(rule: str) -> None:
    raw = RULES[rule].encode()
    theirs = pycaption_cues(pycaption.DFXPReader, raw)
    assert alike(our_cues(raw), theirs, WITHIN_MS) is (rule not in PYCAPTION), (our_cues(raw), theirs)


@pytest.mark.parametrize("rule", RULES)
def test_the_screen_as_ttconv_shows_it(rule: str) -> None:
    raw = RULES[rule].encode()
    ours, theirs = our_screens(raw), ttconv_ttml(raw)
    assert alike(ours, theirs, WITHIN_MS) is (rule not in TTCONV), (ours, theirs)
