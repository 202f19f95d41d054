"""Finds the characters that the fonts of this machine can draw, with fontconfig, which libass uses as well."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from collections.abc import Set
from functools import lru_cache

_MATCH = 0
_FILE = b"file"
_SYSTEM, _APPLICATION = 0, 1


class _FontSet(ctypes.Structure):
    _fields_ = (("nfont", ctypes.c_int), ("sfont", ctypes.c_int), ("fonts", ctypes.POINTER(ctypes.c_void_p)))


def drawable(characters: Set[str]) -> set[str]:
    """The characters for which some scalable font has a glyph; none where fontconfig is not installed.

    Bitmap fonts, such as most emoji fonts, do not count: libass draws only outlines.
    """
    library = _library()
    if library is None:
        return set()
    config = library.FcInitLoadConfigAndFonts()
    if not config:
        return set()
    covered = library.FcCharSetCreate()
    try:
        for group in (_SYSTEM, _APPLICATION):
            fonts = library.FcConfigGetFonts(config, group)
            for index in range(fonts.contents.nfont if fonts else 0):
                _merge(library, covered, fonts.contents.fonts[index])
        return {character for character in characters if library.FcCharSetHasChar(covered, ord(character))}
    finally:
        library.FcCharSetDestroy(covered)
        library.FcConfigDestroy(config)


def installed_fonts() -> list[str]:
    """The font files of this machine with their sizes, in order; none where fontconfig is not installed."""
    library = _library()
    config = library.FcInitLoadConfigAndFonts() if library is not None else None
    if library is None or not config:
        return []
    files: set[bytes] = set()
    try:
        for group in (_SYSTEM, _APPLICATION):
            fonts = library.FcConfigGetFonts(config, group)
            for index in range(fonts.contents.nfont if fonts else 0):
                path = ctypes.c_char_p()
                found = library.FcPatternGetString(fonts.contents.fonts[index], _FILE, 0, ctypes.byref(path))
                if found == _MATCH and path.value:
                    files.add(path.value)
    finally:
        library.FcConfigDestroy(config)
    return sorted(f"{os.fsdecode(path)} {os.stat(path).st_size}" for path in files if os.path.exists(path))


def _merge(library: ctypes.CDLL, covered: int, font: int) -> None:
    outline = ctypes.c_int(0)
    charset = ctypes.c_void_p()
    if library.FcPatternGetBool(font, b"outline", 0, ctypes.byref(outline)) != _MATCH or not outline.value:
        return
    if library.FcPatternGetCharSet(font, b"charset", 0, ctypes.byref(charset)) == _MATCH:
        library.FcCharSetMerge(covered, charset, None)


@lru_cache
def _library() -> ctypes.CDLL | None:
    name = ctypes.util.find_library("fontconfig")
    try:
        library = ctypes.CDLL(name or "libfontconfig.so.1")
    except OSError:
        return None
    pointer, text, number = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int
    for function, result, arguments in (
        ("FcInitLoadConfigAndFonts", pointer, ()),
        ("FcConfigGetFonts", ctypes.POINTER(_FontSet), (pointer, number)),
        ("FcConfigDestroy", None, (pointer,)),
        ("FcPatternGetBool", number, (pointer, text, number, pointer)),
        ("FcPatternGetString", number, (pointer, text, number, pointer)),
        ("FcPatternGetCharSet", number, (pointer, text, number, pointer)),
        ("FcCharSetCreate", pointer, ()),
        ("FcCharSetMerge", number, (pointer, pointer, pointer)),
        ("FcCharSetHasChar", number, (pointer, ctypes.c_uint32)),
        ("FcCharSetDestroy", None, (pointer,)),
    ):
        declared = getattr(library, function)
        declared.restype, declared.argtypes = result, arguments
    return library
