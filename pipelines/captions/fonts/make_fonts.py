"""Makes the bundled fonts: smaller files with the characters that captions need, from published fonts.

Sources: the packages `@expo-google-fonts/<family>` of the npm registry (static TrueType files of Google Fonts) and
`NotoSansCJK-Regular.ttc` of Debian's `fonts-noto-cjk`. All are under the SIL Open Font License 1.1.

    python -m pipelines.captions.fonts.make_fonts UNPACKED_PACKAGES NotoSansCJK-Regular.ttc TARGET EMOJI_TARGET

EMOJI_TARGET is the folder `pipelines/captions/emoji`, for the one font that libass does not read.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTCollection, TTFont

_EUROPEAN = (
    (0x0020, 0x02FF),
    (0x0300, 0x036F),
    (0x0370, 0x052F),
    (0x1E00, 0x1FFF),
    (0x2000, 0x214F),
    (0x2190, 0x21FF),
    (0x2200, 0x22FF),
    (0x25A0, 0x266F),
    (0xFB00, 0xFB06),
)
_CHOSEN = (
    "inter/400Regular/Inter_400Regular",
    "inter/700Bold/Inter_700Bold",
    "atkinson-hyperlegible/400Regular/AtkinsonHyperlegible_400Regular",
    "atkinson-hyperlegible/700Bold/AtkinsonHyperlegible_700Bold",
    "noto-serif/400Regular/NotoSerif_400Regular",
    "noto-serif/700Bold/NotoSerif_700Bold",
    "montserrat/400Regular/Montserrat_400Regular",
    "montserrat/700Bold/Montserrat_700Bold",
    "anton/400Regular/Anton_400Regular",
)
"""Fonts that people choose, with the letters of European languages."""
_SCRIPTS = (
    *("Arabic", "Hebrew", "Thai", "Devanagari", "Bengali", "Tamil", "Telugu", "Kannada", "Malayalam", "Gujarati"),
    *("Gurmukhi", "Sinhala", "Khmer", "Lao", "Myanmar", "Ethiopic"),
)
_ENCODINGS = ("gb2312", "big5", "shift_jis", "euc_kr")
"""Their characters are those that newspapers in China, Taiwan, Japan and Korea write with."""


def make(packages: Path, collection: Path, target: Path, emoji_target: Path) -> None:
    for name in _CHOSEN:
        _write(TTFont(_source(packages, name)), target, characters={c for a, b in _EUROPEAN for c in range(a, b + 1)})
    for script in _SCRIPTS:
        family = f"NotoSans{script}"
        _write(TTFont(_source(packages, f"noto-sans-{script.lower()}/400Regular/{family}_400Regular")), target)
    _write(TTFont(_source(packages, "noto-emoji/400Regular/NotoEmoji_400Regular")), target)
    _write(TTCollection(str(collection)).fonts[0], target, characters=_east_asian(), features=["vert", "liga", "ccmp"])
    emoji = TTFont(_source(packages, "noto-color-emoji/400Regular/NotoColorEmoji_400Regular"))
    # The same pictures again, for browsers that do not draw the layers.
    del emoji["SVG "], emoji["vhea"], emoji["vmtx"]
    emoji.save(emoji_target / "NotoColorEmoji-Regular.ttf")


def _source(packages: Path, name: str) -> Path:
    family, rest = name.split("/", 1)
    (folder,) = packages.glob(f"expo-google-fonts-{family}-[0-9]*")
    return folder / "package" / f"{rest}.ttf"


def _east_asian() -> set[int]:
    characters = {*range(0x2E80, 0x3100), *range(0x3100, 0x3130), *range(0x31F0, 0x3200), *range(0xFF00, 0xFFF0)}
    for encoding in _ENCODINGS:
        for code in range(0x80, 0x10000):
            try:
                character = code.to_bytes(2, "big").decode(encoding)
            except UnicodeDecodeError:
                continue
            if len(character) == 1 and ord(character) >= 0x2000:
                characters.add(ord(character))
    return characters


def _write(
    font: TTFont, target: Path, *, characters: set[int] | None = None, features: list[str] | None = None
) -> None:
    options = Options()
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = ["*"]
    options.layout_features = features or ["*"]
    options.drop_tables += ["DSIG", "BASE", "VORG"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters if characters is not None else set(font.getBestCmap()))
    subsetter.subset(font)
    _keep_whole_unicode(font)
    family = font["name"].getBestFamilyName().replace(" ", "")
    style = font["name"].getBestSubFamilyName()
    suffix = "otf" if "CFF " in font else "ttf"
    path = target / f"{family}-{style}.{suffix}"
    font.save(path)


def _keep_whole_unicode(font: TTFont) -> None:
    """Drop the map of the first 65,536 characters where there is a whole one: libass 0.17.1 would take the first."""
    tables = font["cmap"].tables
    if any((one.platformID, one.platEncID) == (3, 10) for one in tables):
        font["cmap"].tables = [one for one in tables if (one.platformID, one.platEncID) == (3, 10)]


if __name__ == "__main__":
    make(*(Path(argument) for argument in sys.argv[1:5]))
