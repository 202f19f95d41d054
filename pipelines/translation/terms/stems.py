"""Recognise inflected forms of a word by its stem, well enough to find glossary terms in captions.

Endings are stripped by language (case, number, definite article, common verb and adjective endings), and the vowels
that Icelandic and German change inside words are folded. This finds `hestinum` for `hestur`, `Verträge` for `Vertrag`,
`contratos` for `contrato`. It misses stems that change otherwise (`bækur` for `bók`, `men` for `man`) and may take two
short related words for one: a false match hides a miss, never changes text.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pipelines.captions.texts.text import same_word
from pipelines.translation.texts.scripts import base_language

_STEM_MIN = 3

ENDINGS = {
    "is": "unnar unni isins sins anna inum unum inni arinnar innar arnir irnir urnar arnar irnar rnir rnar nnar num "
    "ina inn ins ið inu ann ans an nna nni nar nir ir ar ur um ri ra rar a i u s n ð in",
    "de": "ern erns ens en er em es e n s st t",
    "en": "'s ies es s ed ing",
    "es": "ciones ces es s os as o a e",
    "pt": "ções ões es s os as o a e",
    "fr": "aux eaux es s x e",
    "it": "i e o a",
    "da": "ernes erne ens ets en et er es e s ne",
    "sv": "ornas arnas ernas orna arna erna ens ets en et or ar er as an a n s",
    "nb": "enes ene ens ets en et er es e s a",
    "nl": "en s e",
    "pl": "ami ach owi ów em ie ą ę y i a u o e",
    "fi": "ssa ssä sta stä lla llä lta ltä lle ksi iin aan n t a ä",
}
ENDINGS["no"] = ENDINGS["nn"] = ENDINGS["nb"]
ENDINGS["fo"] = ENDINGS["is"]
# U-umlaut: gata, götu.
_FOLDED = {"is": str.maketrans("ö", "a"), "fo": str.maketrans("ø", "a")}


@lru_cache(maxsize=65_536)
def stems(word: str, language: str) -> frozenset[str]:
    """What may be left of a word without its ending, without case, accents and punctuation; at least three letters."""
    code = base_language(language)
    bare = same_word(word).translate(_FOLDED.get(code, {}))
    short = (bare.removesuffix(ending) for ending in ENDINGS.get(code, "").split() if bare.endswith(ending))
    return frozenset(_without_marks(each) for each in (bare, *short) if each == bare or len(each) >= _STEM_MIN)


def same_stem(word: str, other: str, language: str) -> bool:
    """Whether two words may be forms of one."""
    return not stems(word, language).isdisjoint(stems(other, language))


def _without_marks(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
