"""Icelandic for names and descriptions: AI texts, caption forms, engines, kinds of work, events of webhooks."""

from __future__ import annotations

LABELS = {
    # AI texts.
    # Languages that cannot be chosen.
    # Forms of captions.
    # Engines.
    # Kinds of work.
    # Events of webhooks and their ends.
    # Built-in quality profiles.
    "BBC broadcast": "BBC, útsending",
    "BBC online, 16:9": "BBC á vefnum, 16:9",
    "Arte, German and English": "Arte, þýska og enska",
    "SDI, Dutch": "SDI, hollenska",
    "Danish professional": "Danskir fagmenn",
    "French cinema (ATAA)": "Frönsk bíó (ATAA)",
    "EBU teletext": "EBU-textavarp",
    "Netflix English": "Netflix, enska",
    "Netflix English, children": "Netflix, enska, börn",
    "Netflix English SDH": "Netflix SDH, enska",
    "Netflix, other Latin scripts": "Netflix, annað latneskt letur",
    "Netflix, other Latin scripts, children": "Netflix, annað latneskt letur, börn",
    "Netflix SDH, other Latin scripts": "Netflix SDH, annað latneskt letur",
    "Netflix SDH, other Latin scripts, children": "Netflix SDH, annað latneskt letur, börn",
    "Netflix, languages with a space after the dash": "Netflix, tungumál með bili á eftir striki",
    "Netflix {language}": "Netflix, {language}",
    "Amazon Prime Video Arabic": "Amazon Prime Video, arabíska",
    "Shorts 9:16": "Stuttmyndir 9:16",
    "Sagascript {language}": "Sagascript, {language}",
    # Who acted, in account logs.
    # Coupons.
    # Kinds of mails, as the admin pages list them.
}
