"""Icelandic for the sentences about captions, speakers, styles and profiles."""

SENTENCES = {
    "This version is no longer kept. Choose a newer one, or one that has a name.": "Þessi útgáfa er ekki lengur geymd. Veldu nýrri eða eina sem hefur nafn.",
    "There are no captions to keep yet.": "Engir skjátextar eru til að geyma.",
    "This version has no name that could be removed.": "Þessi útgáfa hefur ekkert nafn til að fjarlægja.",
    "This installation has no engine that detects speakers.": "Í þessari uppsetningu er engin vél sem greinir talendur.",
}
