"""Every mail there is, in both languages: complete, safe and with its link."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from api.platform.mail.letter import letter
from api.platform.mail.messages import Mail
from api.platform.mail.outgoing import stamped
from api.platform.mail.rendering import render
from api.platform.settings import ApiSettings
from api.testing.mailbox import Letter, read_letter

KINDS = list({kind.kind: kind for kind in Mail.__subclasses__()}.values())
"""Dataclasses with slots appear twice among the subclasses."""
LINK = "https://captions.example.com/somewhere/abc?x=1&y=2"


def values_of(kind: type[Mail], **given: Any) -> dict[str, Any]:
    sample: dict[str, Any] = {"to": "anna@example.com", "locale": "en", "name": "Anna", "link": LINK, "role": "editor"}
    typed = {field.name: 7 if field.type in (int, "int") else f"a {field.name}" for field in fields(kind)}
    return {name: ({**typed, **sample, **given})[name] for name in typed}


def letter_of(kind: type[Mail], **given: Any) -> Letter:
    settings = ApiSettings(public_url="https://captions.example.com")
    return read_letter(letter(stamped(kind(**values_of(kind, **given))), settings).as_bytes())


@pytest.mark.parametrize("locale", ["en", "is"])
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_every_mail_exists_in_both_languages(kind: type[Mail], locale: str) -> None:
    mail = letter_of(kind, locale=locale)
    assert mail.subject
    assert not mail.subject.startswith("Subject")
    assert mail.message["Content-Language"] == locale
    assert "Anna" in mail.text
    assert "https://captions.example.com" in mail.text
    assert "{" not in mail.text
    has_link = any(field.name == "link" for field in fields(kind))
    assert mail.links == ((LINK,) if has_link else ())
    assert ('href="https://captions.example.com/somewhere/abc?x=1&amp;y=2"' in mail.html) is has_link
    assert f'<html lang="{locale}">' in mail.html


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_icelandic_is_no_copy_of_english(kind: type[Mail]) -> None:
    assert letter_of(kind, locale="is").subject != letter_of(kind, locale="en").subject


def test_what_people_typed_can_be_neither_a_header_nor_html() -> None:
    kind = next(each for each in KINDS if each.kind == "team_invitation")
    mail = letter_of(
        kind, inviter="Eve\r\nBcc: all@example.com\r\n\r\nHello", team="<script>alert(1)</script>", name="A\nB"
    )
    assert mail.message["Bcc"] is None
    assert mail.message.keys().count("To") == 1
    assert "\n" not in mail.subject
    assert "<script>" not in mail.html
    assert "&lt;script&gt;" in mail.html
    assert mail.text.startswith("Hello A B,")


def test_a_person_without_a_name_and_a_language_without_mails_are_greeted_in_english() -> None:
    rendered = render("trial", "de-DE", {"name": ""}, "http://localhost")
    assert rendered.language == "en"
    assert rendered.text.startswith("Hello,\n")


def test_international_addresses_stay_what_they_are() -> None:
    mail = letter_of(KINDS[0], to="þór@bókasafn.is", name="Þór Æsir")
    assert mail.to == "þór@xn--bkasafn-l0a.is"
    assert mail.message["To"].addresses[0].display_name == "Þór Æsir"
