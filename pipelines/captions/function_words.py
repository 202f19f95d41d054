"""Words a row or line should not end with, because they lean on the word after them.

Articles, prepositions, conjunctions, possessives and negations of the languages most used here. All languages share
one set: a wrong hit only moves a break by a word.
"""

from __future__ import annotations

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
