"""Names of the profiles that come with the product, as people read them. Makers' names alone stay as they are."""

from __future__ import annotations

from cluster.wording.message import Wording
from pipelines.language_names import language_name

_NAMES = {
    wording.english: wording()
    for wording in (
        Wording("quality.profile.bbc_broadcast", "BBC broadcast"),
        Wording("quality.profile.bbc_online_16_9", "BBC online, 16:9"),
        Wording("quality.profile.arte_german_and_english", "Arte, German and English"),
        Wording("quality.profile.sdi_dutch", "SDI, Dutch"),
        Wording("quality.profile.danish_professional", "Danish professional"),
        Wording("quality.profile.french_cinema_ataa", "French cinema (ATAA)"),
        Wording("quality.profile.ebu_teletext", "EBU teletext"),
        Wording("quality.profile.netflix_english", "Netflix English"),
        Wording("quality.profile.netflix_english_children", "Netflix English, children"),
        Wording("quality.profile.netflix_english_sdh", "Netflix English SDH"),
        Wording("quality.profile.netflix_other_latin_scripts", "Netflix, other Latin scripts"),
        Wording("quality.profile.netflix_other_latin_scripts_children", "Netflix, other Latin scripts, children"),
        Wording("quality.profile.netflix_sdh_other_latin_scripts", "Netflix SDH, other Latin scripts"),
        Wording(
            "quality.profile.netflix_sdh_other_latin_scripts_children", "Netflix SDH, other Latin scripts, children"
        ),
        Wording(
            "quality.profile.netflix_languages_with_a_space_after_the_dash",
            "Netflix, languages with a space after the dash",
        ),
        Wording("quality.profile.amazon_prime_video_arabic", "Amazon Prime Video Arabic"),
        Wording("quality.profile.shorts_9_16", "Shorts 9:16"),
    )
}
_OF_LANGUAGE = {
    "Netflix": Wording("quality.profile.netflix", "Netflix {language}"),
    "Sagascript": Wording("quality.profile.sagascript", "Sagascript {language}"),
}


def shown_profile_name(name: str) -> str:
    """The name of a built-in profile as a message, where a part of it is translated."""
    if name in _NAMES:
        return _NAMES[name]
    maker, _, language = name.partition(" ")
    wording = _OF_LANGUAGE.get(maker)
    return name if wording is None or not language else wording(language=language_name(language))
