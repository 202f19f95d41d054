"""Icelandic for notes on results: imports, downloads, translations, AI texts, proofreading and speakers."""

from __future__ import annotations

SENTENCES = {
    # AI texts and proofreading.
    "A word stands here twice.": "Hér er orð tvítekið.",
    "Two spaces or commas follow each other.": "Hér eru tvö orðabil eða tvær kommur í röð.",
    "A sentence begins with a capital letter.": "Setning byrjar á hástaf.",
    "No space stands before this sign.": "Ekkert orðabil er á undan þessu merki.",
    "The glossary writes it this way.": "Svona er þetta skrifað í orðasafninu.",
    "Without words that only fill a pause.": "Án hikorða.",
}
