"""Hostile headers: odd ones, ones that are none, too many, and too long."""

import re
from random import Random

from tests.hostile.shots import Call, Shot, change, harmless_call, message, secrets_of
from tests.hostile.stage import SHOP, Stage

ODD: dict[str, tuple[str, ...]] = {
    "Range": (
        "bytes=0-", "bytes=999999999-", "bytes=-0", "bytes=9-1", "bytes=0-0,2-2,", "lines=1", "bytes=x",
        "bytes=" + "0-1," * 900, "bytes=-" + "9" * 400,
    ),
    "If-Range": ('"x"', "W/", "Wed, 21 Oct 2099 07:28:00 GMT", "junk"),
    "If-None-Match": ("*", "", ",", '"', "W/", '"' * 99, "junk", '"a",' * 900, "\xff", '"0-1-\x01"'),
    "If-Modified-Since": (
        "junk", "Wed, 99 Foo 9999 99:99:99 GMT", "0", "\xff", "-1", "Thu, 01 Jan 1970 00:00:00 +9999",
    ),
    "If-Unmodified-Since": ("junk", "Thu, 01 Jan 1970 00:00:00 GMT"),
    "Accept": (
        "", "*", "*/*;q=", "text/event-stream", "a/b;q=1e999", "," * 900, "application/json;q=-1", "\xff",
        "x" * 4000,
    ),
    "Accept-Encoding": ("gzip;q=0, *;q=0", "identity;q=0", "\xff"),
    "Accept-Language": ("*", "x" * 3000),
    "Accept-Charset": ("utf-99",),
    "Prefer": ("wait=-1", "wait=" + "9" * 500, "wait=x", "wait=", "wait=1;wait=2", "respond-async", "\xff", ",,,="),
    "Expect": ("100-continue", "100-Continue", "200-ok", "", "100-continue, x"),
    "Host": (
        "", "a b", "evil.example", "[::1", "[::1]:x", "x" * 300, "a:99999", "a@b", "\xff", "a/b", "xn--\x80", "..",
        "-",
    ),
    "Connection": ("close, keep-alive", "Upgrade", "Authorization", "x" * 1000, "\xff", "keep-alive, Host"),
    "Upgrade": ("h2c", "websocket", "TLS/1.0", "HTTP/0.9"),
    "HTTP2-Settings": ("AAMAAABkAAQAAP__", "!"),
    "Cookie": ("a=b; " * 900, "session=\xff", ";;;===", "a=\x01", '$Version=1; a="'),
    "X-Forwarded-For": ("127.0.0.1", "junk", "1.1.1.1, " * 400, "\xff", "[::1]:1"),
    "X-Forwarded-Proto": ("https", "junk", "https,http"),
    "X-Forwarded-Host": ("evil.example",),
    "X-Forwarded-Prefix": ("/x", "//evil.example"),
    "Forwarded": ("for=_x;proto=gopher",),
    "SCRIPT_NAME": ("/x", "/v1", ""),
    "PATH_INFO": ("/healthz",),
    "REMOTE_USER": ("root",),
    "Script-Name": ("/x",),
    "Content_Length": ("5",),
    "Idempotency-Key": ("", "x" * 256, "\xff", "\x01", "\u00e9", '"', "x" * 8000),
    "Last-Event-ID": ("x", "-1", "9" * 999),
    "Origin": ("null", "https://evil.example", "\xff"),
    "Access-Control-Request-Method": ("DELETE",),
    "Content-Encoding": ("gzip",),
    "Content-Range": ("bytes 0-1/2",),
    "Content-MD5": ("x",),
    "TE": ("trailers, deflate;q=0.5",),
    "Trailer": ("Authorization",),
    "Max-Forwards": ("0",),
    "Via": ("1.1 x",),
    "Date": ("junk",),
    "Proxy": ("http://evil.example",),
    "Age": ("-1",),
}  # fmt: skip
LINES = (
    b"Authorization Bearer {0}", b"Authorization : Bearer {0}", b" Authorization: Bearer {0}", b"{0}", b"{0}:",
    b": {0}", b"X: a\x00{0}", b"X: a\r{0}", b"X: a\n{0}: b", b"X: a\r\n {0}", b"X: a\r\n\t{0}", b"X\x00{0}: b",
    b"X {0}: b", b"Expect: {0}", b"Host: {0}\r\nHost: {0}", b"Content-Type: {0}\r\nContent-Type: {0}", b"X-{0}: \x7f",
    b"Content-Length: {0}", b"Transfer-Encoding: {0}", b"Connection: {0}", b"Referer: /{0}", b"User-Agent: {0}",
    b"\xff\xfe: {0}", b"Cookie: \x08{0}", b"X: \x1b]0;{0}\x07", b"(x): {0}", b"If-Match: {0}\x01",
)  # fmt: skip


def odd_header(dice: Random, stage: Stage) -> Shot:
    """A harmless call with headers that say odd things, or the same thing twice."""
    call = harmless_call(dice, stage)
    if dice.random() < 0.1:
        call = Call(
            "docs", "GET", "/docs/" + dice.choice(("swagger-ui.css", "index.html", "")), None, None, harmless=True
        )
    headers = call.headers
    for _ in range(dice.choice((1, 1, 1, 2, 5))):
        name = dice.choice(list(ODD))
        headers = tuple(each for each in headers if each[0] != name or dice.random() < 0.3)
        headers += ((name, dice.choice(ODD[name]).encode("latin-1", "replace")),)
    return Shot("odd header", message(call.method, call.path, headers, call.raw))


def broken_header(dice: Random, stage: Stage) -> Shot:
    """A change by the right caller, in a head with a line that is no header, and often quotes a secret."""
    call, _ = change(dice, stage)
    line = dice.choice(LINES).replace(b"{0}", secrets_of(dice, stage).encode())
    head, _, body = message(call.method, call.path, call.headers, call.raw).partition(b"\r\n\r\n")
    if re.match(rb"Referer|User-Agent|Connection|[\w.,-]+:$", line):  # a header after all
        head = head.replace(SHOP.encode(), b"x").replace(b"Bearer us_", b"Bearer ux_")
    return Shot("broken header", head + b"\r\n" + line + b"\r\n\r\n" + body)


def many_headers(dice: Random, stage: Stage) -> Shot:
    """A harmless call with too many headers, or too long ones."""
    call = harmless_call(dice, stage)
    secret = secrets_of(dice, stage)
    count, size = dice.choice(
        ((99, 10), (101, 10), (1, 8_150), (1, 8_300), (1, 100_000), (90, 8_000), (3_000, 1), (1, 900_000))
    )
    extra = tuple((f"X-{number}", secret + "x" * size) for number in range(count))
    return Shot("many headers", message(call.method, call.path, (*call.headers, *extra), call.raw))
