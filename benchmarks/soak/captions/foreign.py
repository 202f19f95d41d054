"""Subtitle files as other programs write them, from a chance: what they say is known, though not written by us."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipelines.captions.texts.text import clean_text

_ALPHABETS = {
    "is-IS": ("cp1252", ["Þetta", "æðislegt", "ölduna", "hafnir", "á", "kvöld", "Jón"]),
    "en-GB": ("cp1252", ["the", "harbour", "is", "closed", "naïve", "café", "“so”"]),
    "pl-PL": ("cp1250", ["łódź", "ślimak", "żółw", "jest", "Gdańsk"]),
    "ru-RU": ("cp1251", ["Привет", "мир", "это", "субтитры", "ёлка"]),
    "el-GR": ("cp1253", ["Καλημέρα", "κόσμε", "ήλιος"]),
    "he-IL": ("cp1255", ["שלום", "עולם", "כתוביות"]),
    "ar-SA": ("cp1256", ["مرحبا", "بالعالم", "ترجمة"]),
    "ja-JP": ("cp932", ["今日は", "いい天気", "ですね", "東京"]),
    "ko-KR": ("cp949", ["안녕하세요", "자막", "한국어"]),
    "zh-CN": ("gb18030", ["你好", "世界", "字幕文件"]),
    "th-TH": ("cp874", ["สวัสดี", "ชาวโลก", "คำบรรยาย"]),
}
LANGUAGES = tuple(_ALPHABETS)


@dataclass(frozen=True, slots=True)
class Said:
    """One cue of a foreign file: its time, and the rows that a reader must find."""

    start_ms: int
    end_ms: int
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        return clean_text("\n".join(self.rows))


@dataclass(frozen=True, slots=True)
class ForeignFile:
    name: str
    raw: bytes
    language: str
    said: Sequence[Said]


def foreign(chance: random.Random, form: str | None = None) -> ForeignFile:
    """A file of another program, with codes, comments and encodings that we do not write ourselves."""
    name = form or chance.choice(list(_MAKERS))
    language = "en-US" if name == "scc" else chance.choice(LANGUAGES)
    words = ["Row", "after", "row", "OK"] if name == "scc" else _ALPHABETS[language][1]
    said, now = [], chance.randint(1, 50) * 40
    for _ in range(chance.choice([1, 2, 3, 5, 8, 15])):
        end = now + chance.randint(25, 100) * 40
        rows = tuple(" ".join(chance.choices(words, k=chance.randint(1, 4)))[:30].strip() for _ in range(2))
        said.append(Said(now, end, rows[: chance.randint(1, 2)]))
        now = end + chance.randint(2, 50) * 40
    codec = "utf-8" if name != "srt" else chance.choice(["utf-8", "utf-8-sig", "utf-16", _ALPHABETS[language][0]])
    text = _MAKERS[name](said, chance)
    return ForeignFile(name, text.encode(codec), language, said)


def _clock(moment_ms: int, separator: str, *, hours: str = "02", digits: int = 3) -> str:
    seconds, fraction = divmod(moment_ms, 1000)
    shown = f"{fraction:03}"[:digits]
    return f"{seconds // 3600:{hours}}:{seconds // 60 % 60:02}:{seconds % 60:02}{separator}{shown}"


def _srt(said: Sequence[Said], chance: random.Random) -> str:
    end = chance.choice(["\n", "\r\n", "\r"])
    separator = chance.choice([",", "."])
    dressed = chance.choice([
        "{}", "<i>{}</i>", '<font color="#ffff00">{}</font>', "{{\\an8}}{}", "<B>{}</B>", "{{\\i1}}{}{{\\i0}}",
        '<font face="Arial" size=12>{}', "<u>{}", "{}</i>", "{{\\fad(200,200)\\c&H00FFFF&}}{}",
    ])  # fmt: skip
    numbered = chance.random() < 0.8
    blocks = []
    for number, cue in enumerate(said, 1):
        head = [str(number)] if numbered else []
        times = f"{_clock(cue.start_ms, separator)} --> {_clock(cue.end_ms, separator)}"
        blocks.append(end.join([*head, times, *(dressed.format(row) for row in cue.rows)]))
    return (end * chance.choice([2, 2, 3])).join(blocks) + end * chance.choice([0, 1, 3])


def _vtt(said: Sequence[Said], chance: random.Random) -> str:
    head = "WEBVTT - a title\nKind: captions\n\nSTYLE\n::cue(.x) { color: red }\n\nNOTE\nnot a caption\n\n"
    dressed = chance.choice(
        ["{}", "<c.yellow.bg_black>{}</c>", "<v.loud Ada>{}</v>", "<i.x>{}</i>", "<lang en>{}</lang>"]
    )
    settings = chance.choice(["", " align:start position:10%", " line:0 size:80%", " vertical:rl", " region:a"])
    blocks = []
    for number, cue in enumerate(said, 1):
        times = f"{_clock(cue.start_ms, '.')} --> {_clock(cue.end_ms, '.')}{settings}"
        rows = (dressed.format(row.replace(" ", f" <{_clock(cue.start_ms, '.')}>")) for row in cue.rows)
        note = chance.choice(["", "", "NOTE between\n\n"])
        blocks.append(f"{note}cue-{number}\n{times}\n" + "\n".join(rows) + "\n")
    return head + "\n".join(blocks)


def _ass(said: Sequence[Said], chance: random.Random) -> str:
    dressed = chance.choice([
        "{}", "{{\\k20}}{}", "{{\\an8\\fad(100,100)}}{}", "{{a comment}}{}", "{{\\i1}}{}{{\\i0}}", "{{\\rDefault}}{}",
        "{{\\pos(960,40)\\bord3}}{}", "{{\\t(0,500,\\fscx120)}}{}", "{{\\c&HFF&\\b700}}{}",
    ])  # fmt: skip
    rows = []
    for cue in said:
        times = f"{_clock(cue.start_ms, '.', hours='', digits=2)},{_clock(cue.end_ms, '.', hours='', digits=2)}"
        text = chance.choice(["\\N", "\\n"]).join(dressed.format(row) for row in cue.rows)
        rows.append(f"Dialogue: 0,{times},Default,,0000,0000,0000,,{text}")
        if chance.random() < 0.2:
            rows.append(f"Comment: 0,{times},Default,,0,0,0,,left out")
            rows.append(f"Dialogue: 1,{times},Default,,0,0,0,,{{\\p1}}m 0 0 l 9 9{{\\p0}}")
    chance.shuffle(rows)
    styles = "[V4+ Styles]\nFormat: Name, Fontname, Fontsize, Bold, Italic, Alignment\nStyle: Default,Arial,20,0,-1,8\n"
    events = "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    return f"[Script Info]\n; comment\nPlayResX: 1280\nPlayResY: 720\n\n{styles}\n{events}" + "\n".join(rows) + "\n"


def _ttml(said: Sequence[Said], chance: random.Random) -> str:
    prefix = chance.choice(["", "tt:"])
    xmlns = f'xmlns{":tt" if prefix else ""}="http://www.w3.org/ns/ttml"'
    parameter = 'xmlns:ttp="http://www.w3.org/ns/ttml#parameter" xmlns:tts="http://www.w3.org/ns/ttml#styling"'
    unit = chance.choice(["clock", "ms", "ticks", "frames"])
    rates = 'ttp:frameRate="25" ttp:tickRate="10000000"'
    paragraphs = []
    for cue in said:
        begin, end = (_ttml_time(moment, unit) for moment in (cue.start_ms, cue.end_ms))
        rows = f"<{prefix}br/>".join(f'<{prefix}span tts:color="yellow">\n {row}\n</{prefix}span>' for row in cue.rows)
        timed = f'begin="{begin}" end="{end}"'
        paragraphs.append(
            f"<{prefix}p {timed}>{rows}</{prefix}p>"
            if chance.random() < 0.7
            else f"<{prefix}div {timed}><{prefix}p>{rows}</{prefix}p></{prefix}div>"
        )
    body = "".join(paragraphs)
    inner = f"<{prefix}head/><{prefix}body><{prefix}div>{body}</{prefix}div></{prefix}body>"
    return f'<?xml version="1.0"?>\n<{prefix}tt {xmlns} {parameter} {rates} xml:lang="">{inner}</{prefix}tt>'


def _ttml_time(moment_ms: int, unit: str) -> str:
    if unit == "clock":
        return _clock(moment_ms, ".")
    if unit == "frames":
        return f"{_clock(moment_ms // 1000 * 1000, ':', digits=0)}{moment_ms % 1000 // 40:02}"
    return f"{moment_ms * 10_000}t" if unit == "ticks" else f"{moment_ms}ms"


def _sbv(said: Sequence[Said], chance: random.Random) -> str:
    end = chance.choice(["\n", "\r\n"])
    join = chance.choice([end, "[br]"])
    return end.join(
        f"{_clock(cue.start_ms, '.', hours='')},{_clock(cue.end_ms, '.', hours='')}{end}{join.join(cue.rows)}{end}"
        for cue in said
    )


def _scc(said: Sequence[Said], chance: random.Random) -> str:
    """Pop-on captions with every code sent twice, each shown at its time and cleared at its end."""
    rows = ["Scenarist_SCC V1.0"]
    for cue in said:
        pairs = [*[(0x14, 0x20)] * 2, *[(0x14, 0x2E)] * 2]
        for number, row in enumerate(cue.rows):
            pairs += [(0x14, 0x60 if number == len(cue.rows) - 1 else 0x40)] * 2
            padded = row + "\0" * (len(row) % 2)
            pairs += [(ord(padded[at]), ord(padded[at + 1])) for at in range(0, len(padded), 2)]
        load = max(0, cue.start_ms * 30 // 1000 - len(pairs))
        rows.append(f"{_frames(load)}\t{' '.join(_pair(*pair) for pair in [*pairs, (0x14, 0x2F), (0x14, 0x2F)])}")
        rows.append(f"{_frames(cue.end_ms * 30 // 1000)}\t{_pair(0x14, 0x2C)} {_pair(0x14, 0x2C)}")
    return (chance.choice(["\n\n", "\r\n\r\n", "\n"])).join(rows) + "\n"


def _sami(said: Sequence[Said], chance: random.Random) -> str:
    dressed = chance.choice(["{}", "<i>{}</i>", '<font color="#ffff00">{}</font>', "<span class=a>{}</span>"])
    shows = "".join(
        f"<SYNC Start={cue.start_ms}><P Class=A>{'<br>'.join(dressed.format(row) for row in cue.rows)}\n"
        f"<SYNC Start={cue.end_ms}><P Class=A>&nbsp;\n"
        for cue in said
    )
    head = '<HEAD><STYLE TYPE="text/css"><!-- .A { lang: en; } --></STYLE></HEAD>'
    return f"<SAMI>\n{head}\n<BODY>\n{shows}</BODY></SAMI>"


def _micro_dvd(said: Sequence[Said], chance: random.Random) -> str:
    """Frames of 40 ms."""
    dressed = chance.choice(["{}", "{{y:i}}{}", "/{}", "{{c:$0000ff}}{}", "<i>{}</i>"])
    rows = (
        f"{{{cue.start_ms // 40}}}{{{cue.end_ms // 40}}}{'|'.join(dressed.format(row) for row in cue.rows)}"
        for cue in said
    )
    return "\n".join(["{1}{1}25.000", *rows])


def _mpl2(said: Sequence[Said], chance: random.Random) -> str:
    slash = chance.choice(["", "/"])
    return "\r\n".join(
        f"[{cue.start_ms // 100}][{cue.end_ms // 100}]{'|'.join(slash + row for row in cue.rows)}" for cue in said
    )


def _frames(frame: int) -> str:
    seconds, frames = divmod(frame, 30)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}:{frames:02}"


def _pair(first: int, second: int) -> str:
    return "".join(f"{code | (0x80 if code.bit_count() % 2 == 0 else 0):02x}" for code in (first, second))


_MAKERS: dict[str, Callable[[Sequence[Said], random.Random], str]] = {
    "srt": _srt, "vtt": _vtt, "ass": _ass, "ttml": _ttml, "sbv": _sbv, "scc": _scc,
    "sami": _sami, "microdvd": _micro_dvd, "mpl2": _mpl2,
}  # fmt: skip
