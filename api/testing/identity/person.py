"""A person in front of a provider's own pages, as its HTML forms see them."""

from __future__ import annotations

from urllib.parse import parse_qs, urljoin, urlsplit

import httpx2
from lxml import html

from cluster.testing.patience import PATIENCE_S

STEPS_MAX = 12


def walk_through(url: str, *, until: str, **typed: str) -> dict[str, str]:
    """Follow redirects and fill in forms until the provider sends the browser to `until`; the query it brings."""
    with httpx2.Client(trust_env=False, follow_redirects=False, timeout=PATIENCE_S) as browser:
        answer = browser.get(url)
        for _ in range(STEPS_MAX):
            if answer.has_redirect_location:
                target = urljoin(str(answer.url), answer.headers["location"])
                if target.startswith(until):
                    return {name: values[0] for name, values in parse_qs(urlsplit(target).query).items()}
                answer = browser.get(target)
                continue
            assert answer.status_code == 200, answer.text
            page = html.fromstring(answer.text, base_url=str(answer.url))
            form = page.forms[0]
            fields = {name: value or "" for name, value in form.form_values()} | {
                name: value for name, value in typed.items() if name in form.fields
            }
            answer = browser.post(urljoin(str(answer.url), form.action or str(answer.url)), data=fields)
    raise AssertionError(f"The provider never sent the browser to {until}: {answer.text[:500]}")
