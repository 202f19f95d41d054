"""Where webhooks may go: to public addresses by https, so that nobody reaches our own network through us.

The host name is looked up for each attempt, and the connection goes to the address that was checked: a name that leads
elsewhere a moment later changes nothing.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence

import httpx2

from api.platform.http.errors import Invalid
from api.platform.webhooks.limits import URL_MAX
from cluster.wording.message import Message

NO_URL = Message("webhooks.no_url", "This is no web address. Write one such as https://example.com/webhooks.")
NO_HTTPS = Message("webhooks.no_https", "Webhooks go to addresses with https:// only.")
NO_PASSWORD = Message(
    "webhooks.no_password",
    "The address must not hold a user name or a password. Check the signature of the messages instead.",
)
PRIVATE = Message(
    "webhooks.private", "This address leads into a private network, and webhooks go to public addresses only."
)
UNKNOWN_HOST = Message("webhooks.unknown_host", "The host name could not be found.")

_NAT64 = ipaddress.ip_network("64:ff9b::/96")

Ip = ipaddress.IPv4Address | ipaddress.IPv6Address


class CannotSend(Exception):
    """No attempt can be made; the text says why."""


def checked_url(url: str, *, allow_private: bool) -> str:
    """The URL as we request it. Raises `Invalid` for one that surely is not allowed; its host is not looked up."""
    try:
        parsed = httpx2.URL(url)
        port = parsed.port
    except (httpx2.InvalidURL, ValueError):
        raise Invalid.field("url", NO_URL) from None
    is_port = port is None or 0 < port < 65_536
    if parsed.scheme not in ("http", "https") or not parsed.host or not is_port or len(url) > URL_MAX:
        raise Invalid.field("url", NO_URL)
    if parsed.userinfo:
        raise Invalid.field("url", NO_PASSWORD)
    if allow_private:
        return str(parsed.copy_with(fragment=None))
    if parsed.scheme != "https":
        raise Invalid.field("url", NO_HTTPS)
    address = _as_address(parsed.host)
    if parsed.host == "localhost" or (address is not None and not is_public(address)):
        raise Invalid.field("url", PRIVATE)
    return str(parsed.copy_with(fragment=None))


async def addresses_of(url: httpx2.URL, *, allow_private: bool) -> Sequence[str]:
    """The addresses of the URL's host, the best first. Raises `CannotSend` when one of them is not public."""
    if not allow_private and url.scheme != "https":
        raise CannotSend(NO_HTTPS)
    host = url.raw_host.decode("ascii")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise CannotSend(UNKNOWN_HOST) from None
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    # One private address among public ones is no accident.
    if not allow_private and not all(is_public(ipaddress.ip_address(each)) for each in addresses):
        raise CannotSend(PRIVATE)
    return addresses


def is_public(address: Ip) -> bool:
    """Whether an address belongs to the internet, also as the one inside an IPv6 address that stands for IPv4."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None:
            return False
        if address in _NAT64:
            # Reserved, but it is how networks without IPv4 reach the internet.
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF))
        inner = _inside(address)
        if inner is not None and not is_public(inner):
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.teredo is not None:
        return address.teredo[1]
    return address.ipv4_mapped or address.sixtofour


def _as_address(host: str) -> Ip | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
