"""Passwords that are too easy to guess, found by zxcvbn's lists and patterns."""

from __future__ import annotations

GUESSES_MIN = 1_000_000
"""Below it zxcvbn's authors call a password very guessable even where attempts are limited; it is their score of 2."""
EXAMINED_CHARS = 72
"""zxcvbn examines no more: its time grows with the square of the length."""

WEAK = "This password is easy to guess. Choose a longer one, for example several unrelated words."


def is_weak(password: str, *, name: str, email: str) -> bool:
    """Whether it is blank, common, a simple pattern, or made of the person's own name or e-mail."""
    # The lists take 30 ms to load and are needed at registrations only.
    from zxcvbn import zxcvbn

    if not password.strip():
        return True
    own = [email, *email.replace("@", ".").split("."), name, *name.split(), "sagascript"]
    found = zxcvbn(password[:EXAMINED_CHARS], user_inputs=[word.lower() for word in own if word])
    return bool(found["guesses"] < GUESSES_MIN)
