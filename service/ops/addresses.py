"""The address of a caller, however a socket or a proxy writes it."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address


def read_address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, which may be in brackets or have a port after it; None if it cannot be read.

    A socket for both versions writes an address of version 4 inside one of version 6: it comes out as what it is.

    >>> read_address("[2001:db8::1]:4711"), read_address("::ffff:192.0.2.1")
    (IPv6Address('2001:db8::1'), IPv4Address('192.0.2.1'))
    """
    for each in (text, text.strip("[]"), text.rpartition(":")[0].strip("[]")):
        with suppress(ValueError):
            address = ip_address(each)
            return getattr(address, "ipv4_mapped", None) or address
    return None
