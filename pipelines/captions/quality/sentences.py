"""What findings, reasons and refusals say, in the languages of the page. They stand here once, for server and page.

Templates take values in braces. The page gets the templates with the profiles and fills them itself, because it finds
while a person types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from cluster.wording.message import Message
from pipelines.captions.quality.findings import Finding, Fix, Rule, Severity, Value

_PLACE = re.compile(r"\{([a-z]+)\}")
ENGLISH = "en"
ICELANDIC = "is"

TITLES: Mapping[str, Mapping[Rule, str]] = {
    ENGLISH: {
        Rule.EMPTY: "Empty line",
        Rule.ROW_TOO_LONG: "Row too long",
        Rule.TOO_MANY_ROWS: "Too many rows",
        Rule.TOO_FAST: "Too fast to read",
        Rule.TOO_SHORT: "Too short",
        Rule.TOO_LONG: "Too long on screen",
        Rule.OVERLAP: "Overlap",
        Rule.SMALL_GAP: "Gap too small",
        Rule.OPEN_GAP: "Gap to close",
        Rule.SPACES: "Spaces",
        Rule.TAG: "Unclosed tag",
        Rule.UNSPOKEN: "Unspoken character",
        Rule.GLYPH: "No font for a character",
        Rule.ROW_BREAK: "Row break",
        Rule.FORBIDDEN_BREAK: "Forbidden row break",
        Rule.DASH: "Dash of a dialogue",
        Rule.LABEL: "Speaker label",
        Rule.NUMBER: "Number in digits",
        Rule.AFTER_CUT: "Starts after a cut",
        Rule.BEFORE_CUT: "Ends near a cut",
        Rule.EARLY: "Early",
        Rule.LATE: "Late",
        Rule.LINGERS: "Stays too long",
    },
    ICELANDIC: {
        Rule.EMPTY: "Tómur texti",
        Rule.ROW_TOO_LONG: "Of löng lína",
        Rule.TOO_MANY_ROWS: "Of margar línur",
        Rule.TOO_FAST: "Of hraður lestur",
        Rule.TOO_SHORT: "Of stuttur tími",
        Rule.TOO_LONG: "Of lengi á skjá",
        Rule.OVERLAP: "Skörun",
        Rule.SMALL_GAP: "Of lítið bil",
        Rule.OPEN_GAP: "Bil sem ætti að loka",
        Rule.SPACES: "Orðabil",
        Rule.TAG: "Ólokað merki",
        Rule.UNSPOKEN: "Tákn sem enginn segir",
        Rule.GLYPH: "Tákn vantar í letur",
        Rule.ROW_BREAK: "Línuskipting",
        Rule.FORBIDDEN_BREAK: "Óleyfileg línuskipting",
        Rule.DASH: "Strik í samtali",
        Rule.LABEL: "Nafn þess sem talar",
        Rule.NUMBER: "Tala í tölustöfum",
        Rule.AFTER_CUT: "Byrjar eftir klipp",
        Rule.BEFORE_CUT: "Endar við klipp",
        Rule.EARLY: "Of snemma",
        Rule.LATE: "Of seint",
        Rule.LINGERS: "Of lengi uppi",
    },
}

SENTENCES: Mapping[str, Mapping[Rule, str]] = {
    ENGLISH: {
        Rule.EMPTY: "This line has no text.",
        Rule.ROW_TOO_LONG: "A row has {length} characters. The profile allows {limit}.",
        Rule.TOO_MANY_ROWS: "This line has {rows} rows. The profile allows {limit}.",
        Rule.TOO_FAST: "{speed} characters a second. The profile allows {limit}.",
        Rule.TOO_SHORT: "On screen for {seconds} s. The profile asks for {limit} s.",
        Rule.TOO_LONG: "On screen for {seconds} s. The profile allows {limit} s.",
        Rule.OVERLAP: "Still on screen for {ms} ms when the next line begins.",
        Rule.SMALL_GAP: "{ms} ms to the next line. The profile asks for {limit} ms.",
        Rule.OPEN_GAP: "{ms} ms to the next line. A gap this short flickers and should be {limit} ms.",
        Rule.SPACES: "There are spaces too many: doubled, at an edge or before a full stop or comma.",
        Rule.TAG: "{tag} has no counterpart, so players would show it or format the rest.",
        Rule.UNSPOKEN: "“{character}” is not spoken.",
        Rule.GLYPH: "No font on this server can draw “{character}”. It would show as a box.",
        Rule.ROW_BREAK: "A row ends with “{word}”, which belongs to the next word.",
        Rule.FORBIDDEN_BREAK: "A row breaks between “{before}” and “{after}”, where this script allows no break.",
        Rule.DASH: "The rows of a dialogue should begin with “{mark}” in one way.",
        Rule.LABEL: "“{label}” is not how the profile names speakers.",
        Rule.NUMBER: "“{number}” should be written as a word.",
        Rule.AFTER_CUT: "Starts {ms} ms after a cut. It should start with the cut.",
        Rule.BEFORE_CUT: "Ends {ms} ms from a cut. It should end just before the cut.",
        Rule.EARLY: "Starts {ms} ms before the speech. The profile allows {limit} ms.",
        Rule.LATE: "Starts {ms} ms after the speech began. The profile allows {limit} ms.",
        Rule.LINGERS: "Stays {ms} ms after the last word. The profile allows {limit} ms.",
    },
    ICELANDIC: {
        Rule.EMPTY: "Hér er enginn texti.",
        Rule.ROW_TOO_LONG: "Lína er {length} stafir. Reglurnar leyfa {limit}.",
        Rule.TOO_MANY_ROWS: "Hér eru {rows} línur. Reglurnar leyfa {limit}.",
        Rule.TOO_FAST: "{speed} stafir á sekúndu. Reglurnar leyfa {limit}.",
        Rule.TOO_SHORT: "Á skjánum í {seconds} sek. Reglurnar krefjast {limit} sek.",
        Rule.TOO_LONG: "Á skjánum í {seconds} sek. Reglurnar leyfa {limit} sek.",
        Rule.OVERLAP: "Enn á skjánum í {ms} ms eftir að næsti texti byrjar.",
        Rule.SMALL_GAP: "{ms} ms í næsta texta. Reglurnar krefjast {limit} ms.",
        Rule.OPEN_GAP: "{ms} ms í næsta texta. Svo stutt bil flöktir og ætti að vera {limit} ms.",
        Rule.SPACES: "Hér eru of mörg orðabil: tvöföld, á jaðri eða á undan punkti eða kommu.",
        Rule.TAG: "{tag} vantar mótstykki, svo spilarar myndu sýna það eða móta allt sem á eftir kemur.",
        Rule.UNSPOKEN: "Enginn segir „{character}“.",
        Rule.GLYPH: "Ekkert letur á þessum þjóni á táknið „{character}“. Það birtist sem kassi.",
        Rule.ROW_BREAK: "Lína endar á „{word}“ sem á heima með næsta orði.",
        Rule.FORBIDDEN_BREAK: "Línu er skipt milli „{before}“ og „{after}“ þar sem letrið leyfir það ekki.",
        Rule.DASH: "Línur í samtali ættu allar að byrja eins, á „{mark}“.",
        Rule.LABEL: "„{label}“ er ekki eins og reglurnar merkja þann sem talar.",
        Rule.NUMBER: "„{number}“ ætti að skrifa með bókstöfum.",
        Rule.AFTER_CUT: "Byrjar {ms} ms eftir klipp. Textinn ætti að byrja með klippinu.",
        Rule.BEFORE_CUT: "Endar {ms} ms frá klippi. Textinn ætti að enda rétt á undan klippinu.",
        Rule.EARLY: "Byrjar {ms} ms á undan talinu. Reglurnar leyfa {limit} ms.",
        Rule.LATE: "Byrjar {ms} ms eftir að talið hefst. Reglurnar leyfa {limit} ms.",
        Rule.LINGERS: "Helst uppi í {ms} ms eftir síðasta orð. Reglurnar leyfa {limit} ms.",
    },
}

REASONS: Mapping[str, Mapping[str, str]] = {
    ENGLISH: {
        "empty": "Removed, because it has no text.",
        "wrapped": "Broken into balanced rows of at most {limit} characters, at a good place.",
        "spaces": "Spaces that nobody needs removed.",
        "untagged": "{tag} removed, because it has no counterpart.",
        "dash": "Every row of the dialogue begins with “{mark}”.",
        "label": "The speaker's label follows the profile.",
        "longer": "End moved {ms} ms later, so that it can be read.",
        "too_long": "End moved {ms} ms earlier, to the longest duration of the profile. The speech is over by then.",
        "gap": "End moved, so that {limit} ms are left before the next line.",
        "open_gap": "End moved next to the following line, with a gap of {limit} ms.",
        "after_cut": "Start moved {ms} ms earlier, to the cut.",
        "before_cut": "End moved by {ms} ms, to just before the cut.",
        "sound": "Start moved by {ms} ms, to the first word.",
        "lingers": "End moved {ms} ms earlier, nearer to the last word.",
    },
    ICELANDIC: {
        "empty": "Fjarlægt, því hér er enginn texti.",
        "wrapped": "Skipt á góðum stað í jafnar línur, mest {limit} stafir hver.",
        "spaces": "Óþörf orðabil fjarlægð.",
        "untagged": "{tag} fjarlægt, því mótstykkið vantar.",
        "dash": "Allar línur samtalsins byrja á „{mark}“.",
        "label": "Nafn þess sem talar er merkt eftir reglunum.",
        "longer": "Endir færður {ms} ms aftar svo að hægt sé að lesa textann.",
        "too_long": "Endir færður {ms} ms framar, að lengsta leyfilega tíma. Talinu er þá lokið.",
        "gap": "Endir færður svo að {limit} ms séu í næsta texta.",
        "open_gap": "Endir færður að næsta texta, með {limit} ms bili.",
        "after_cut": "Byrjun færð {ms} ms framar, að klippinu.",
        "before_cut": "Endir færður um {ms} ms, rétt fram fyrir klippið.",
        "sound": "Byrjun færð um {ms} ms, að fyrsta orði.",
        "lingers": "Endir færður {ms} ms framar, nær síðasta orði.",
    },
}

SEVERITIES: Mapping[str, Mapping[Severity, str]] = {
    ENGLISH: {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.INFO: "Hint"},
    ICELANDIC: {Severity.ERROR: "Villa", Severity.WARNING: "Viðvörun", Severity.INFO: "Ábending"},
}


def sentence_of(finding: Finding, language: str = ENGLISH) -> str:
    """What is wrong, for a person."""
    return _filled(SENTENCES[shown_in(language)][finding.rule], finding.values, language)


def reason_of(fix: Fix, language: str = ENGLISH) -> str:
    """What a fix does and why, for a person."""
    return _filled(REASONS[shown_in(language)][fix.reason], fix.values, language)


def refusal(count: int) -> str:
    """Why an export that asks for clean captions does not start."""
    some = "1 finding is" if count == 1 else f"{count:,} findings are"
    return Message(
        "pipelines.captions.quality_open",
        "{some} still open in these captions. Fix them in the quality panel, or export without asking for a check.",
        some=some,
    )


def shown_in(language: str) -> str:
    """The language, of those that sentences are written in, for a code such as `is-IS`."""
    code = language.partition("-")[0].lower()
    return code if code in SENTENCES else ENGLISH


def _filled(template: str, values: Mapping[str, Value], language: str) -> str:
    # In one pass: a value may look like a place for another one.
    return _PLACE.sub(lambda found: _value_text(values[found[1]], language), template)


def _value_text(value: Value, language: str) -> str:
    if isinstance(value, str):
        return value
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text.replace(".", ",") if shown_in(language) == ICELANDIC else text
