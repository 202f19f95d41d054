"""Languages by their English names, as speech services answer them."""

from __future__ import annotations

from functools import lru_cache

from serve.core.text.language_codes import canonical


def code_of(name: str) -> str:
    """The code of a language by its code or English name (`is`, `is-IS`, `Icelandic` -> `is`); empty if unknown."""
    wanted = name.strip().casefold()
    codes = _codes()
    if wanted in codes:
        return codes[wanted]
    code = canonical(wanted) if wanted else ""
    return code if code in codes.values() else ""


@lru_cache
def _codes() -> dict[str, str]:
    # Imported here: Babel's data takes 0.1 s, and most engines know the code.
    from babel import Locale

    # Variants of languages ("American English") have codes with a region.
    names = {code: name.casefold() for code, name in Locale("en").languages.items() if "_" not in code}
    return {name: canonical(code) for code, name in names.items()}
