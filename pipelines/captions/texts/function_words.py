"""Words a row or line should not end with, because they lean on the word after them.

Articles, prepositions, conjunctions, possessives, auxiliaries and negations of the languages most used here. Where the
language is not known, all share one set: a wrong hit only moves a break by a word.
"""

from __future__ import annotations

from functools import lru_cache

_LEANING = {
    "en": "a an the of to in on at by for from with without into onto over under about after before between through "
    "during and or but nor so if that than as because while when my your his her its our their this these those no "
    "not very mr mrs ms dr is are was were be been am will would can could should must has have had do does did",
    "is": "að af á í um frá til með án við hjá úr eftir fyrir yfir undir milli gegnum og en eða því ef sem þegar er "
    "var ekki minn mín mitt þinn þín þitt hans hennar þeirra okkar þessi þetta",
    "de": "der die das den dem des ein eine einen einem einer eines im am vom zum zur von zu mit nach bei aus auf für "
    "über unter vor und oder aber dass wenn weil nicht kein keine mein meine sein seine ihr ihre",
    "da no sv": "et ei ett det de til fra från av om på med uden utan och men att at som når när ikke inte min mitt",
    "nl": "het een van voor naar bij uit op tot met en maar omdat als niet geen mijn zijn haar",
    "es pt": "el la los las un una unos unas y e o u de del al con sin por para en que si no mi tu su lo os as um uma "
    "do da dos das na nos nas com sem pelo pela ao",
    "fr it": "le les des à au aux du et ou mais dans par pour sur sous chez ne il gli i uno di con tra fra che non se "
    "ed ma della dei delle alla nel nella",
}
_SUBJECTS = {
    "en": "i you he she it we they i'm you're he's she's it's we're they're who",
    "is": "ég þú hann hún það við þið þeir þær þau",
    "de": "ich du er sie es wir ihr",
    "da no sv": "jeg du han hun vi jag hon ni vi de",
}
"""Pronouns that the verb follows."""
_LINKS = {
    "en": "and but or nor so because that which who whom whose when where while if although though unless until "
    "since in "
    "on at by for from with without into onto over under about after before between through during to of as than",
    "is": "og en eða því að sem þegar ef þótt þó hvort hvar hvernig af á í um frá til með án við hjá úr eftir fyrir "
    "yfir "
    "undir milli gegnum enda nema meðan svo",
    "de": "und oder aber dass weil wenn als ob denn sondern in im an am auf aus bei mit nach von vom zu zum zur für "
    "über "
    "unter vor durch gegen ohne um während",
    "da": "og men eller at fordi hvis når som der i på af til med for om fra uden over under efter før mellem",
    "no": "og men eller at fordi hvis når som i på av til med for om fra uten over under etter før mellom",
    "sv": "och men eller att för om när som i på av till med från utan över under efter före mellan",
    "nl": "en maar of omdat dat als toen in op aan met van voor door uit over onder na bij naar tot",
    "fr": "et mais ou donc car que qui quand si parce dans sur sous avec sans pour par de chez entre vers",
    "es": "y e o u pero que porque cuando si como en de con sin por para sobre entre hasta desde",
    "it": "e o ma che perché quando se come in di a da con su per tra fra",
    "pt": "e ou mas que porque quando se como em de com sem por para sobre entre até desde",
}
"""Conjunctions and prepositions, before which a break is good."""
_ABBREVIATIONS = {
    "en": "mr mrs ms dr prof st sr jr vs etc e.g i.e no a.m p.m ph.d capt col gen lt sgt gov sen rep rev hon mt ft inc "
    "ltd co corp dept est approx jan feb aug sept oct nov dec",
    "is": "nr bls sbr t.d þ.e o.s.frv m.a u.þ.b hr kl frk sr a.m.k f.h e.h skv þ.á.m",
    "de": "z.b d.h usw bzw ca",
    "fr da": "p.ex f.eks",
}

LEANING = frozenset(word for words in _LEANING.values() for word in words.split())

ABBREVIATIONS = frozenset(word for words in _ABBREVIATIONS.values() for word in words.split())
"""Words that end with a full stop without ending a sentence, written without their last stop."""


def languages() -> list[str]:
    """The codes of the languages that have a list of leaning words."""
    return sorted({code for codes in (*_LEANING, *_SUBJECTS) for code in codes.split()})


@lru_cache(maxsize=256)
def leaning_in(language: str) -> frozenset[str]:
    """Words of a language, given as a code without a region, that lean on the next word; those of all where it has "
    "no list."""
    return _of(language, _LEANING, _SUBJECTS) or LEANING


@lru_cache(maxsize=256)
def links_in(language: str) -> frozenset[str]:
    """Conjunctions and prepositions of a language, in small letters; none for languages without a list."""
    return _of(language, _LINKS)


def _of(language: str, *tables: dict[str, str]) -> frozenset[str]:
    return frozenset(
        word
        for table in tables
        for codes, words in table.items()
        if language in codes.split()
        for word in words.split()
    )
