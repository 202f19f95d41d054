"""Language codes of lists, models and files brought to one form."""

from __future__ import annotations

import re

_ISO_639_2_CODES = (
    "af:afr sq:sqi am:amh ar:ara hy:hye az:aze eu:eus be:bel bn:ben bs:bos bg:bul ca:cat zh:zho hr:hrv cs:ces "
    "da:dan nl:nld en:eng et:est fa:fas tl:tgl fi:fin fr:fra gl:glg ka:kat de:deu el:ell gu:guj ht:hat ha:hau "
    "he:heb hi:hin hu:hun is:isl id:ind ga:gle it:ita ja:jpn kn:kan kk:kaz km:khm ko:kor lv:lav lt:lit mk:mkd "
    "ms:msa ml:mal mt:mlt mr:mar mn:mon ne:nep no:nor nb:nob nn:nno ps:pus pl:pol pt:por pa:pan ro:ron ru:rus "
    "sr:srp si:sin sk:slk sl:slv so:som es:spa sw:swa sv:swe ta:tam te:tel th:tha tr:tur uk:ukr ur:urd uz:uzb "
    "vi:vie cy:cym"
)
ISO_639_2: dict[str, str] = dict(re.findall(r"(\S+):(\S+)", _ISO_639_2_CODES))
"""Two-letter codes and their terminology codes (`is` -> `isl`)."""

_OTHER_SPELLINGS = (
    "nb:no nob:no iw:he in:id fil:tl jw:jv arb:ar pes:fa prs:fa-AF uzn:uz azj:az lvs:lv zsm:ms khk:mn als:sq swh:sw "
    "pbt:ps npi:ne ydd:yi cmn:zh ekk:et ory:or plt:mg gaz:om quy:qu nob:no"
)
_CANONICAL = {
    **{long: "no" if short == "nb" else short for short, long in ISO_639_2.items()},
    **dict(re.findall(r"(\S+):(\S+)", _OTHER_SPELLINGS)),
}
_TRADITIONAL = frozenset({"tw", "hk", "mo", "hant"})
TRADITIONAL_CHINESE = "zh-TW"


def canonical(code: str) -> str:
    """The language of a code, without its region: `is-IS`, `isl` and `isl_Latn` -> `is`, `zho_Hant` -> `zh-TW`."""
    base, *rest = code.replace("_", "-").lower().split("-")
    language = _CANONICAL.get(base, base)
    if language == "zh" and _TRADITIONAL.intersection(rest):
        return TRADITIONAL_CHINESE
    return "fa-AF" if language == "fa" and "af" in rest else language


def spellings(code: str) -> tuple[str, ...]:
    """The canonical language of a code, then the one to use where a model does not know that one."""
    language = canonical(code)
    base = language.split("-")[0]
    return (language,) if base == language else (language, base)
