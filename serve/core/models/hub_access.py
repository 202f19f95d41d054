"""Whether the model hub can be reached from here."""

from __future__ import annotations

import threading

import httpx2
from huggingface_hub import constants

from cluster.wording.message import Message, Wording

SWITCHED_OFF = Message("hub.switched_off", "the hub is switched off (HF_HUB_OFFLINE)")
NO_ANSWER = Wording("hub.no_answer", "the hub did not answer within {seconds} seconds")
AWAY = Wording("hub.away", "the hub at {host} cannot be reached ({failure})")


def hub_host() -> str:
    return str(constants.ENDPOINT).split("//")[-1]


def why_unreachable(timeout_s: float) -> str | None:
    """Why the hub cannot be used now, as a clause, or None when it answers. Takes at most `timeout_s` seconds."""
    if constants.is_offline_mode():
        return SWITCHED_OFF
    answer: list[str | None] = []
    # A thread, because looking up a host name has no timeout of its own.
    probe = threading.Thread(target=lambda: answer.append(_probe(timeout_s)), daemon=True)
    probe.start()
    probe.join(timeout_s)
    return answer[0] if answer else NO_ANSWER(seconds=f"{timeout_s:g}")


def _probe(timeout_s: float) -> str | None:
    try:
        # Any answer will do: it shows that the network and the proxy, if there is one, let us through.
        httpx2.head(constants.ENDPOINT, timeout=timeout_s, follow_redirects=False, trust_env=True)
    except (httpx2.HTTPError, OSError) as failure:
        return AWAY(host=hub_host(), failure=type(failure).__name__)
    return None
