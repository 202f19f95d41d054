"""The address of a request, as limits count it."""

from __future__ import annotations

import ipaddress

from starlette.requests import HTTPConnection

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
