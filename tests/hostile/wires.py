"""What is no HTTP, or HTTP that two readers could frame in two ways; and callers who break off, or never end."""

from collections.abc import Callable
from random import Random

from tests.hostile.shots import Call, Shot, change, harmless_call, message, secrets_of
from tests.hostile.stage import Stage

JUNK = (
    b"", b"\r\n", b"\n", b"\x00", b"GET", b"GET /", b"GET /\r\n", b"GET /\r\n\r\n", b"GET / HTTP/1.1",
    b"GET / HTTP/1.1\n\n", b"GET  /healthz HTTP/1.1\r\n\r\n", b"GET /healthz  HTTP/1.1\r\n\r\n",
    b"GET\t/healthz\tHTTP/1.1\r\n\r\n", b" GET / HTTP/1.1\r\n\r\n", b"GET /healthz HTTP/0.9\r\n\r\n",
    b"GET /healthz HTTP/2.0\r\n\r\n", b"GET /healthz HTTP/1.2\r\n\r\n", b"GET /healthz HTTP/1.10\r\n\r\n",
    b"GET /healthz http/1.1\r\n\r\n", b"GET /healthz HTTP/1.1x\r\n\r\n", b"GET /healthz HTTPS/1.1\r\n\r\n",
    b"GET /healthz {0}\r\n\r\n", b"GET /{0} {0} HTTP/1.1\r\n\r\n", b"{0} / HTTP/1.1\r\n\r\n",
    b"GET {0} HTTP/9.9\r\n\r\n", b"\r\n\r\nGET / HTTP/1.1\r\n\r\n", b"{0}", b"{0}\r\n\r\n",
    b"GET /\x00{0} HTTP/1.1\r\n\r\n", b"GET /\xff{0} HTTP/1.1\r\n\r\n", b"GET /a\rb{0} HTTP/1.1\r\n\r\n",
    b"GET /healthz HTTP/1.0\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", b"\x80.\x01\x00\x02",
    b"PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET /healthz HTTP/1.1\r\n\r\n", b"\r\n\r\n\x00\r\nQUIT\n",
    b"*1\r\n$4\r\nPING\r\n", b"HELO x\r\n", b"HTTP/1.1 200 OK\r\n\r\n", b"GET /healthz HTTP/1.1\r\n" + b"a" * 20_000,
    b"A" * 100_000, b"GET /" + b"a" * 20_000, b"\xff" * 3000, b"GET / HTTP/1.1\r\n: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\x00\r\n\r\n", b"GET / HTTP/1.1\r\r\n\r\n", b"GET / HTTP/1.1\r\n\n\r\n\r\n",
)  # fmt: skip


def junk(dice: Random, stage: Stage) -> Shot:
    """Bytes that begin no request, or a broken one."""
    return Shot("junk", dice.choice(JUNK).replace(b"{0}", secrets_of(dice, stage).encode()))


# --- Two ways to frame ---------------------------------------------------------

Framing = tuple[tuple[str, str], ...]


def _both(dice: Random, size: int) -> Framing:
    return dice.choice((
        (("Content-Length", str(size)), ("Transfer-Encoding", "chunked")),
        (("Transfer-Encoding", "chunked"), ("Content-Length", "0")),
        (("Content-Length", "0"), ("Content-Length", str(size))), (("Content-Length", f"0, {size}"),),
        (("Content-Length", f"{size}"), ("Content-Length", f"{size}")),
    ))  # fmt: skip


def _bad_length(dice: Random, size: int) -> Framing:
    lengths = ("-1", "+0", "0x0", "1e1", "0.0", "", " ", "\u00b2", "0,", "NaN", "9" * 5000, "0 0", "0;x", "\u0660")
    return (("Content-Length", dice.choice(lengths)),)


def _bad_coding(dice: Random, size: int) -> Framing:
    codings = (
        "xchunked", "chunked, chunked", "identity", "gzip", "gzip, identity", "chunked, identity", "cow", "", ",",
        "chunked;q=1", "'chunked'", "chunked, gzip", "\u00a0chunked", "chunk", "trailers", "deflate, cow, chunked",
    )  # fmt: skip
    return (("Transfer-Encoding", dice.choice(codings)),)


FRAMINGS: tuple[Callable[[Random, int], Framing], ...] = (_both, _bad_length, _bad_coding)


def smuggled(dice: Random, stage: Stage) -> Shot:
    """Two requests in one, where the second would change a game if a reader took the end of the first otherwise."""
    outer = harmless_call(dice, stage)
    inner, _ = change(dice, stage)
    hidden = message(inner.method, inner.path, inner.headers, inner.raw)
    if dice.random() < 0.2:
        return Shot("smuggled", message("POST", outer.path, outer.headers, hidden))
    framing = dice.choice(FRAMINGS)(dice, len(hidden) + 5)
    body = dice.choice((b"0\r\n\r\n", b"", b"5\r\nhello\r\n0\r\n\r\n")) + hidden
    head = message("POST", outer.path, (*outer.headers, *framing)).replace(b"\xc2", b"")
    return Shot("smuggled", head + body)


def chunked(dice: Random, stage: Stage) -> Shot:
    """A change whose body comes in chunks that are broken."""
    call = _with_body(dice, stage)
    size, raw = b"%x" % len(call.raw), call.raw
    whole = size + b"\r\n" + raw + b"\r\n"
    secret = secrets_of(dice, stage).encode()
    broken = dice.choice((
        b"zz\r\n" + raw + b"\r\n0\r\n\r\n", b"-1\r\n" + raw, secret + b"\r\n" + raw, b"\r\n" + raw,
        b" " + whole + b"0\r\n\r\n", size + b"\r\n" + raw + b"7D0\r\n\r\n", size + b"\r\n" + raw + secret,
        size + b"\n" + raw + b"\n0\n\n", whole + b"0\r\nbad\r\n\r\n",
        whole + b"0\r\nAuthorization: Bearer " + secret + b"\r\n\r\n", whole + b"0\r\n" + secret + b"\r\n\r\n",
        whole + b"0\r\n\x00: x\r\n\r\n", size + b";" + secret + b"=\r\n" + raw + b"\r\n0\r\n\r\n",
        size + b";\r\n" + raw + b"\r\n0\r\n\r\n", size + b";a=\x00\r\n" + raw, b"f" * 20, b"f" * 9000,
        b"0x" + whole + b"0\r\n\r\n", whole + b"0\r\n" + b"x: y\r\n" * 9000, whole, whole + b"0", whole + b"0\r\n",
        whole + b"1", b"7fffffffffffffff\r\n" + raw, b"ffffffff\r\n" + raw, b"1\r\n{\r\n" * 9000 + b"0\r\n\r\n",
        b"1\r\n \r\n" * 20_000 + b"0\r\n\r\n",
    ))  # fmt: skip
    return Shot("chunked", message(call.method, call.path, (*call.headers, ("Transfer-Encoding", "chunked"))) + broken)


def cut(dice: Random, stage: Stage) -> Shot:
    """A change that breaks off before its end, in its head or in its body, by an end or by a hang-up."""
    call, _ = change(dice, stage)
    if dice.random() < 0.5 and call.method == "POST":
        length = len(call.raw) + dice.choice((1, 2, 1000))
        data = message(call.method, call.path, (*call.headers, ("Content-Length", str(length))), call.raw)
    else:
        data = message(call.method, call.path, call.headers, call.raw)
        end = data.index(b"\r\n\r\n") + 4 + len(call.raw)
        data = data[: dice.randrange(1, end if call.raw else end - 2)]
    return Shot("cut", data, dice.choice(("finish", "finish", "reset")))


def stalled(dice: Random, stage: Stage) -> Shot:
    """A change that stops in the middle, with the connection held open."""
    call = _with_body(dice, stage)
    data = message(call.method, call.path, (*call.headers, ("Expect", "100-continue")), call.raw)
    return Shot("stalled", data[: dice.choice((1, 20, len(data) - len(call.raw), len(data) - 1))], "hold")


def pipelined(dice: Random, stage: Stage) -> Shot:
    """Many harmless requests at once, of which one is broken."""
    parts = [harmless_call(dice, stage).sent("").data for _ in range(dice.choice((2, 5, 40)))]
    parts.insert(dice.randrange(len(parts)), dice.choice(JUNK).replace(b"{0}", secrets_of(dice, stage).encode()))
    return Shot("pipelined", b"".join(parts), dice.choice(("finish", "finish", "finish", "reset")))


def old(dice: Random, stage: Stage) -> Shot:
    """A harmless call in an old version of HTTP, or one that is none."""
    call = harmless_call(dice, stage)
    version = dice.choice(
        ("HTTP/1.0", "HTTP/1.0", "HTTP/0.9", "HTTP/1.9", "HTTP/3", "HTTP/11", "HTTP/1.1 x", "", "HTTP/-1.0")
    )
    headers = call.headers if dice.random() < 0.5 else call.headers[1:]
    return Shot("old", message(call.method, call.path, headers, call.raw, version=version))


def _with_body(dice: Random, stage: Stage) -> Call:
    """A change with a body."""
    while not (call := change(dice, stage)[0]).raw:
        pass
    return call
