"""What every mail says around its own text, by language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Words:
    """`greeting` for a named person, `hello` where we know no name, `footer` with `{url}` of the installation."""

    greeting: str
    hello: str
    footer: str
    fallback: str
    """Introduces the address under a button, for mail programs that show none."""


WORDS = {
    "en": Words(
        greeting="Hello {name},",
        hello="Hello,",
        footer="Sagascript at {url} sent this mail. Nobody reads answers to it.",
        fallback="If the button does not work, open this address:",
    ),
    "is": Words(
        greeting="Hæ, {name}.",
        hello="Góðan dag.",
        footer="Sagascript á {url} sendi þennan póst. Svör við honum eru ekki lesin.",
        fallback="Ef hnappurinn virkar ekki skaltu opna þessa slóð:",
    ),
}

DEFAULT = "en"


def language_of(locale: str) -> str:
    """The language we write in for a locale such as `is-IS`."""
    code = locale.replace("_", "-").split("-")[0].lower()
    return code if code in WORDS else DEFAULT
