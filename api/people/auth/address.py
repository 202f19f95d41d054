"""The address of a request, as limits count it."""

from __future__ import annotations

import ipaddress

from starlette.requests import HTTPConnection

from api.people.auth.sessions import Device
from api.platform.http.limits import USER_AGENT_MAX
from api.platform.http.text import clean_line
from api.platform.settings import ApiSettings

SHOWN_PREFIXES = {4: 24, 6: 48}
"""What pages show of an address: enough to recognise a network, too little to name a household."""

IPV6_PREFIX = 64
"""A provider gives one customer at least a whole /64 to choose addresses from (RFC 6177)."""


def client_network(connection: HTTPConnection) -> str:
    """The IPv4 address, the /64 network of an IPv6 address, or `unknown` where the transport has none."""
    host = connection.client.host if connection.client else ""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host or "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))


def device_of(connection: HTTPConnection) -> Device:
    """The browser and the shortened network of a request."""
    agent = clean_line(connection.headers.get("user-agent", ""))
    return Device(user_agent=agent[:USER_AGENT_MAX], network=_shown_network(client_network(connection)))


def page_origin(request: HTTPConnection, settings: ApiSettings) -> str:
    """The address under which the browser has our pages: cookies belong to it, so identity providers send it there and
    passkeys are made for it."""
    # Browsers send no `Origin` with a GET of the page itself.
    own = f"{request.url.scheme}://{request.url.netloc}"
    origin = request.headers.get("origin", own)
    return origin if origin in settings.page_origins else settings.base_url


def _shown_network(network: str) -> str:
    try:
        address = ipaddress.ip_network(network, strict=False).network_address
    except ValueError:
        return network
    return str(ipaddress.ip_network((address, SHOWN_PREFIXES[address.version]), strict=False))
