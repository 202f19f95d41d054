"""Decode a subtitle file, whatever program wrote it."""

from __future__ import annotations

import codecs
from functools import partial

from pipelines.captions.reading.code_pages import latin_page
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.script_pages import script_page

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

_CODE_PAGES = {
    "cp1252": "is en de fr es pt it nl da sv no nb fi ga",
    "cp1250": "pl cs sk hu sl hr bs ro sq",
    "cp1251": "ru uk be bg mk sr",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar fa ur",
    "cp1257": "et lv lt",
    "cp1258": "vi",
    "cp932": "ja",
    "cp949": "ko",
    "cp874": "th",
    "gb18030": "zh",
}
_LATIN_PAGES = frozenset({"cp1250", "cp1252", "cp1254", "cp1257", "cp1258"})
_CODE_PAGE_OF = {language: page for page, languages in _CODE_PAGES.items() for language in languages.split()}


_SAMPLE_BYTES = 200_000
_GOOD_FOR_EACH_BAD = 4
"""Valid continuation bytes required for each invalid byte. Legacy code pages hardly ever form valid UTF-8."""


def decode(raw: bytes, language: str | None = None, report: ImportReport | None = None) -> str:
    """The text of `raw`: by its byte order mark, as UTF-8 or UTF-16 without one, else by its language or its letters.

    `language` is a locale (`is-IS`): its Windows code page is tried before guessing, unless the letters are those of
    another language in another page, which `report` then names. UTF-8 with a few invalid bytes stays UTF-8; those
    bytes are read by the code page and counted in `report`. Never fails: in the last resort every byte becomes one
    letter, so that nothing is lost.
    """
    for mark, encoding in _MARKS:
        if raw.startswith(mark) and encoding != "utf-8-sig":
            return raw.decode(encoding, errors="replace")
    raw = raw.removeprefix(codecs.BOM_UTF8)
    page = "big5" if language in ("zh-TW", "zh-HK") else _CODE_PAGE_OF.get((language or "").split("-")[0])
    text = _utf8(raw, page, report or ImportReport())
    if text is not None and "\0" not in text:
        return text
    wide = _wide(raw)
    if wide is not None:
        return wide
    if text is not None:
        return text
    if page is not None:
        sample = raw[:_SAMPLE_BYTES]
        other = script_page(sample) if page in _LATIN_PAGES else None
        fits = other or latin_page(sample, (language or "").split("-")[0]) or page
        try:
            text = raw.decode(fits)
            if report is not None and fits != page:
                report.page = fits.replace("cp", "Windows-")
            return text
        except UnicodeDecodeError:
            pass
    # End with a whole row, so that no multi-byte character is cut.
    sample = raw if len(raw) <= _SAMPLE_BYTES else raw[: raw.rfind(b"\n", 0, _SAMPLE_BYTES) + 1 or _SAMPLE_BYTES]
    # Hardly any file comes here, and each is read in a process of its own.
    from charset_normalizer import from_bytes

    guess = from_bytes(sample).best()
    return raw.decode(guess.encoding if guess is not None else "latin-1", errors="replace")


def _utf8(raw: bytes, page: str | None, report: ImportReport) -> str | None:
    """The text if it is UTF-8 with at most a few invalid bytes, else None."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        pass
    valid = raw.decode("utf-8", "ignore")
    valid_bytes = len(valid.encode())
    bad, continuations = len(raw) - valid_bytes, valid_bytes - len(valid)
    if continuations < _GOOD_FOR_EACH_BAD * bad:
        return None
    # A double-byte code page would swallow a valid neighbour.
    single = page if page is not None and page.startswith("cp125") else "cp1252"
    report.foreign_bytes, report.foreign_page = bad, single.replace("cp", "Windows-")
    return raw.decode("utf-8", errors=_INVALID_AS + single)


def _as_page(page: str, error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode(page, errors="replace"), error.end


_INVALID_AS = "sagascript-invalid-as-"
for _page in _CODE_PAGES:
    codecs.register_error(_INVALID_AS + _page, partial(_as_page, _page))


def _wide(raw: bytes) -> str | None:
    """Detect UTF-16 without a byte order mark: the digits of caption times make every other byte zero."""
    odd, even = raw[1::2].count(0), raw[::2].count(0)
    if max(odd, even) * 8 < len(raw):
        return None
    try:
        return raw.decode("utf-16-le" if odd > even else "utf-16-be")
    except UnicodeDecodeError:
        return None
