"""What the links of translated lines say: whether a line is stale, and what becomes of links when lines change."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pipelines.messages.lines import CaptionLine, LineLink, SourceText, Writer


def one_row(text: str) -> str:
    """The text without line breaks. A break that moved makes no translation stale."""
    return text.replace("\n", " ")


def is_stale(link: LineLink, now: Mapping[str, str]) -> bool:
    """Whether a source line says something else than what was translated. `now` has their texts by id."""
    return any(one_row(source.text) != one_row(now.get(source.id, "")) for source in link.sources)


def confirmed(link: LineLink, now: Mapping[str, str]) -> LineLink:
    """The link after a person wrote the translation, with the newest source texts before their eyes."""
    return LineLink(tuple(SourceText(each.id, now.get(each.id, each.text)) for each in link.sources), Writer.PERSON)


def joined_links(lines: Sequence[CaptionLine]) -> LineLink | None:
    """The link of lines that are joined to one. None for lines that are not linked."""
    links = [line.link for line in lines if line.link is not None]
    if not links:
        return None
    known = [link.log_probability for link in links if link.log_probability is not None]
    return LineLink(
        tuple(unique(source for link in links for source in link.sources)),
        Writer.PERSON if any(link.by is Writer.PERSON for link in links) else Writer.MODEL,
        tuple(dict.fromkeys(flag for link in links for flag in link.flags)),
        min(known, default=None),
    )


def divided(link: LineLink | None, share: float) -> tuple[LineLink | None, LineLink | None]:
    """The links of two parts of a line. Several source lines are divided by the share of the first part, 0 to 1."""
    if link is None or len(link.sources) < 2:
        return link, link
    count = min(max(1, round(share * len(link.sources))), len(link.sources) - 1)
    head, tail = link.sources[:count], link.sources[count:]
    rest = (link.by, link.flags, link.log_probability)
    return LineLink(head, *rest), LineLink(tail, *rest)


def unique(sources: Iterable[SourceText]) -> list[SourceText]:
    """Each source line once, with its first text."""
    found: dict[str, SourceText] = {}
    for source in sources:
        found.setdefault(source.id, source)
    return list(found.values())


def sources_of(line: CaptionLine) -> tuple[SourceText, ...]:
    assert line.link is not None
    return line.link.sources


def with_sources(line: CaptionLine, sources: Iterable[SourceText]) -> CaptionLine:
    assert line.link is not None
    return replace(line, link=replace(line.link, sources=tuple(sources)))
