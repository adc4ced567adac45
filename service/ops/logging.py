"""The access log: one line of JSON for each request, in which nothing is secret and no home is named."""

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from ipaddress import ip_network
from typing import Any

import orjson

from service.ops.addresses import read_address

PLAIN = re.compile(r"(?:v[0-9]|[a-z]{1,16}([._-][a-z]{1,16}){0,3}|[0-9]{1,9}|[0-9a-f]{24}|)")
"""The parts of a path that the log shows: words, numbers, game ids. No token, key, invite or card is one of them."""
PLAIN_PATH = re.compile(f"{PLAIN.pattern}(/{PLAIN.pattern})*")
REMEMBERED = 4096
"""How many addresses are remembered as they are shown: most requests come from one that was seen just now."""


def access_line(status: str, sent: int, environ: Mapping[str, Any], took: timedelta) -> str:
    """The access log's line for one request. status: as in "201 CREATED"."""
    line = {
        "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        "pid": os.getpid(),
        "request": environ.get("upcard.request_id", ""),
        "trace": environ.get("upcard.trace_id", ""),
        "remote": shortened(environ.get("REMOTE_ADDR", "")),
        "method": environ.get("REQUEST_METHOD", ""),
        "path": shown_path(environ.get("PATH_INFO", "")),
        "status": int(status.split(maxsplit=1)[0]),
        "bytes": sent,
        "ms": round(took.total_seconds() * 1000, 1),
    }
    return orjson.dumps(line).decode()


def shown_path(path: str) -> str:
    """A path as the log shows it: what does not look like a part of ours is `*`, since it may be a token."""
    if PLAIN_PATH.fullmatch(path):
        return path
    return "/".join(part if PLAIN.fullmatch(part) else "*" for part in path.split("/"))


@lru_cache(maxsize=REMEMBERED)
def shortened(address: str) -> str:
    """A caller's address as the log shows it: the network of a company or town, not the home. Empty if it is none."""
    found = read_address(address)
    if found is None:
        return ""
    return str(ip_network((found, 24 if found.version == 4 else 48), strict=False).network_address)
