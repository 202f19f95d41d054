"""The XML of a TTML file, also where it is not well-formed. Whatever is repaired or lost is reported."""

from __future__ import annotations

import html
import re
from html.entities import html5

from lxml import etree

from cluster.wording.message import Message
from pipelines.captions.forms.form import Source
from pipelines.captions.reading.cues import UnreadableSubtitles
from pipelines.captions.reading.import_report import ImportReport
from pipelines.captions.reading.markup import cut_out
from pipelines.captions.texts.text import shown_length

METADATA = frozenset({"metadata", "title", "desc", "copyright", "agent", "name", "actor"})
UNSEEN = METADATA | {"head"}
"""Elements whose text nobody sees."""

_DECLARATION = re.compile(r"^\s*<\?xml[^>]{0,300}\?>")
_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}encoding=["']([\w.-]{1,40})["']""")
_NO_XML = re.compile(
    r"<!\[CDATA\[|\]\]>|<!--|-->"
    r"|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)(?:([a-zA-Z][a-zA-Z0-9]{1,30});)?"
    r"|<(?![A-Za-z_:/!?])"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]"
)
_NUMBER = re.compile(r"&#(?:([0-9]{1,7})|x([0-9a-fA-F]{1,6}));")
_TAG = re.compile(r"<(/?)(?:[\w.-]{1,40}:)?([\w-]{0,40})[^<>]*?(/?)>")


def root_of(source: Source, report: ImportReport) -> etree._Element:
    """The root of the document. Raises `UnreadableSubtitles` for text that is not XML at all."""
    text = _DECLARATION.sub("", _text(source, report), count=1)
    root, _ = _parsed(text)
    if root is not None and not any(each.tag is etree.Entity for each in root.iter()):
        return root
    text, report.not_xml = _repaired(text)
    root, error = _parsed(text)
    if root is not None:
        return root
    if error is not None:
        report.broken_rows.append(error.lineno or 1)
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), _parser(recover=True))
    except (etree.XMLSyntaxError, ValueError):
        root = None
    if root is None:
        raise UnreadableSubtitles(
            Message(
                "pipelines.captions.ttml.not_xml",
                "This file begins as TTML but is not XML. Save it again in the program that made it.",
            )
        )
    report.left_out += max(0, _letters_of(text) - letters_in(root))
    return root


def local_name(element: etree._Element) -> str:
    return without_prefix(element.tag) if isinstance(element.tag, str) else ""


def without_prefix(name: str) -> str:
    """The local name, also of a name whose prefix a broken document does not declare."""
    return name.rpartition("}")[2].rpartition(":")[2]


def letters_in(root: etree._Element) -> int:
    """Characters outside the head that are not white space, without metadata."""
    count = 0
    pending = [root]
    while pending:
        element = pending.pop()
        count += shown_length(element.tail or "")
        if local_name(element) and local_name(element) not in UNSEEN:
            count += shown_length(element.text or "")
            pending.extend(element)
    return count


def _text(source: Source, report: ImportReport) -> str:
    """The text in the encoding that the document declares, where that is not Unicode and fits."""
    declared = _ENCODING.match(source.raw[:400])
    name = declared[1].decode() if declared else "utf-8"
    if not name.lower().startswith(("utf", "ucs", "unicode")):
        try:
            text = source.raw.decode(name)
        except (LookupError, UnicodeError):
            return source.text
        report.foreign_bytes = 0
        return text
    return source.text


def _parser(*, recover: bool) -> etree.XMLParser:
    # External entities are never read. The limits of libxml2 end entities that multiply.
    return etree.XMLParser(
        resolve_entities="internal", no_network=True, load_dtd=False, recover=recover, huge_tree=False
    )


def _parsed(text: str) -> tuple[etree._Element | None, etree.XMLSyntaxError | None]:
    try:
        return etree.fromstring(text.encode("utf-8", "replace"), _parser(recover=False)), None
    except etree.XMLSyntaxError as error:
        return None, error
    except ValueError:
        return None, None


def _repaired(text: str) -> tuple[str, int]:
    """The text with references of HTML as letters and bare signs escaped, and how many. CDATA and comments stay."""
    count = 0
    inside = ""

    def mended(found: re.Match[str]) -> str:
        nonlocal count, inside
        sign = found[0]
        if sign in ("<![CDATA[", "<!--"):
            inside = inside or sign
            return sign
        if sign in ("]]>", "-->"):
            inside = "" if inside == {"]]>": "<![CDATA[", "-->": "<!--"}[sign] else inside
            return sign
        if sign[0] not in "&<":
            count += 1
            return " "
        if inside:
            return sign
        count += 1
        letter = html5.get(f"{found[1]};") if found[1] else None
        return html.escape(letter if letter is not None else sign, quote=False)

    text = _NO_XML.sub(mended, text)

    def allowed(found: re.Match[str]) -> str:
        nonlocal count
        code = int(found[1]) if found[1] else int(found[2], 16)
        if code in (9, 10, 13) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
            return found[0]
        count += 1
        return "&amp;" + found[0][1:]

    return _NUMBER.sub(allowed, text), count


def _letters_of(text: str) -> int:
    """Characters between the tags of a broken document that are not white space, by a count that needs no tree."""
    _, _, after_head = text.partition("</head>")
    count = end = hidden = 0
    body = cut_out(after_head or text, "<!--", "-->").replace("<![CDATA[", "").replace("]]>", "")
    for tag in _TAG.finditer(body):
        if not hidden:
            count += shown_length(html.unescape(body[end : tag.start()]))
        end = tag.end()
        if tag[2] in METADATA and not tag[3]:
            hidden = max(0, hidden - 1) if tag[1] else hidden + 1
    return count + shown_length(html.unescape(body[end:]))
