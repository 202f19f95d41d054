"""A mail's subject, text and HTML, all from one template per kind and language.

A template is plain text: `Subject: …`, an empty line, then paragraphs. `{{ button("Label", link) }}` is a paragraph of
its own. For HTML the same template is rendered once more with escaping, and each paragraph is wrapped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, TemplateError, TemplateNotFound
from markupsafe import Markup, escape

from api.platform.http.text import clean_line
from api.platform.mail.words import WORDS, Words, language_of
from cluster.wording.message import Wording

_SUBJECT = "Subject: "
_BUTTON = Markup('<a class="button" href="{link}">{label}</a><br><small>{fallback}<br>{link}</small>')

NO_TEMPLATE = Wording("mail.no_template", "There is no template {name}.")
NOT_RENDERED = Wording("mail.not_rendered", "The mail “{kind}” cannot be written: {failure}")


class CannotRender(Exception):
    """There is no such template, or a value that it names is missing. Another version may have written the mail."""


@dataclass(frozen=True, slots=True)
class RenderedMail:
    language: str
    subject: str
    text: str
    html: str


def _environment(*, escapes: bool) -> Environment:
    loader = PackageLoader("api.platform.mail", "templates")
    return Environment(loader=loader, autoescape=escapes, undefined=StrictUndefined, keep_trailing_newline=False)


_TEXT = _environment(escapes=False)
_HTML = _environment(escapes=True)


def render(kind: str, locale: str, values: Mapping[str, Any], base_url: str) -> RenderedMail:
    """Render one mail. Control characters and line breaks in `values` become spaces. Raises `CannotRender`."""
    language = language_of(locale)
    words = WORDS[language]
    clean = {name: clean_line(value) if isinstance(value, str) else value for name, value in values.items()}
    name = clean.get("name")
    greeting = words.greeting.format(name=name) if name else words.hello
    footer = words.footer.format(url=base_url)
    try:
        source = f"{kind}.{language}.txt"
        subject, *paragraphs = _paragraphs(_TEXT.get_template(source).render(clean, button=_text_button))
        body = _HTML.get_template(source).render(clean, button=lambda label, link: _html_button(words, label, link))
        html = _HTML.get_template("layout.html").render(
            language=language,
            subject=subject.removeprefix(_SUBJECT),
            # Every value in it is escaped already.
            paragraphs=[escape(greeting), *(Markup(each) for each in _paragraphs(body)[1:])],
            footer=footer,
            base_url=base_url,
        )
    except TemplateNotFound as error:
        raise CannotRender(NO_TEMPLATE(name=str(error.name))) from error
    except TemplateError as error:
        raise CannotRender(NOT_RENDERED(kind=kind, failure=str(error))) from error
    text = "\n\n".join([greeting, *paragraphs, f"-- \n{footer}"]) + "\n"
    return RenderedMail(language, subject.removeprefix(_SUBJECT), text, html)


def _paragraphs(text: str) -> list[str]:
    return [part.strip() for part in text.split("\n\n") if part.strip()]


def _text_button(label: str, link: str) -> str:
    return f"{label}:\n{link}"


def _html_button(words: Words, label: str, link: str) -> Markup:
    return _BUTTON.format(label=label, link=link, fallback=words.fallback)
