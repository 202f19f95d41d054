"""Icelandic for the sentences about files, uploads and exports."""

SENTENCES = {
    "We could not prepare this file for playback. Try again.": "Ekki tókst að búa þessa skrá undir spilun. Reyndu aftur.",
    "No font on this server can draw these characters: {characters}. They would show as boxes in the picture. Export with a subtitle track instead, or export anyway. An administrator can install a font that has them, such as the Debian packages fonts-noto-core and fonts-noto-extra.": "Ekkert letur á þessum þjóni getur teiknað þessi tákn: {characters}. Þau birtust sem kassar í myndinni. Flyttu heldur út með textarás eða flyttu samt út. Umsjónarmaður getur sett upp letur sem hefur þau, svo sem Debian-pakkana fonts-noto-core og fonts-noto-extra.",
}
