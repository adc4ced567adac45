"""Hostile bodies: right ones with something wrong in them, text that is nearly JSON, and forbidden moves."""

import copy
import json
import zlib
from random import Random
from typing import Any

from tests.hostile.shots import Call, Shot, call_with_body, change, harmless_call, message, secrets_of
from tests.hostile.stage import Stage

NAMES = (
    "__proto__", "constructor", "prototype", "toString", "__class__", "__init__", "_schema", "self", "cls", "data",
    "", " ", "type", "game", "card", "code", "status", "$where", "$ref", "a.b", "a/b~c", "\x00", "é", "\u202e", "0",
    "x" * 300,
)  # fmt: skip
STRINGS = (
    "", " ", "\x00", "\u202egnp", "\u200b", "\ufeff", "\u0000\u001b[31m", "a\r\nSet-Cookie: x=1",
    "\n{\"at\":\"forged\"}", "' OR 1=1 --", "\"; DROP TABLE games; --", "'; redis.call('FLUSHALL') --",
    "*3\r\n$3\r\nSET\r\n", "${jndi:ldap://x}", "{{7*7}}", "%s%n%x", "../../etc/passwd", "<script>alert(1)</script>",
    "us_", "uk_", "AS", "1S", "ASS", "S", "A♠", "🂡", "e\u0301" * 40, "ﷺ" * 40, "x" * 41, "x" * 5000, "null", "true",
    "NaN", "-0", "1e9", "standard", "easy",
)  # fmt: skip
NUMBERS = (
    -1,
    0,
    1,
    2,
    7,
    52,
    2**31,
    -(2**31) - 1,
    2**53 + 1,
    999999999999999,
    10**15,
    10**400,
    0.5,
    -0.0,
    1e308,
    1e-320,
)
OTHERS = (None, True, False, [], {}, [[]], [{}], {"": {}}, [None], [1, "2", None], {"__proto__": {"admin": True}})
BROKEN_TEXTS = (
    b" ", b"\x00", b"null", b"true", b"0", b'"text"', b"[]", b"[{}]", b"{", b"}", b"{}{}", b"{},", b"{'type':'deal'}",
    b"{type:1}", b"<game/>", b"game=gin", b"\xff\xfe", b"\xef\xbb\xbf{}", b"{}\x00", b"\x1f\x8b\x08\x00", b"NaN",
    b"-", b"{\"a\":01}", b"{\"a\":.5}", b"{\"a\":0x1}", b"{\"a\":+1}", b"{\"a\":1,}", b"{\"a\":1/**/}",
    b"{\"a\":\"\n\"}", b"{\"a\":\"\\u12\"}", b"{\"a\":\"\\x41\"}", b"{\"a\":nul}", b"{\"\\ud800\":1}",
    b"\x80\x80\x80",
)  # fmt: skip
VALUES = (
    b"NaN", b"Infinity", b"-Infinity", b"1e999", b"-1e999", b"1" * 16, b"1" * 5000, b"0." + b"1" * 40,
    b"1E" + b"9" * 300, b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u0000"', b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"',
    b'"\xf4\x90\x80\x80"', b"-0", b"1.0", b"tru", b"[" * 17 + b"]" * 17, b"[" * 1000 + b"]" * 1000, b"[" * 8000,
    b'{"a":' * 16 + b"1" + b"}" * 16,
)  # fmt: skip
SIZES = (16_383, 16_384, 16_385, 16_386, 20_000, 65_536, 1_100_000)
CODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp037", "utf-8-sig")


def mutated(dice: Random, stage: Stage) -> Shot:
    """A right body of any operation with up to three things wrong in it, so that the document allows it no more."""
    call = call_with_body(dice, stage)
    body: Any = copy.deepcopy(call.body)
    for _ in range(dice.randint(1, 3)):
        body = _mutated(dice, body)
    if call.fits(body):
        body = body | {dice.choice(NAMES[:12]) + "?": _nasty(dice)}
    return _sent("mutated", call, json.dumps(body, ensure_ascii=dice.random() < 0.5).encode("utf-8", "surrogatepass"))


def _mutated(dice: Random, body: Any) -> Any:
    """The body with one part dropped, replaced, doubled, swapped for another, or added."""
    places = list(_places(body))
    if not places or dice.random() < 0.15:
        return body | {dice.choice(NAMES): _nasty(dice)} if isinstance(body, dict) else body
    holder, key = dice.choice(places)
    match dice.randrange(6):
        case 0:
            del holder[key]
        case 1 | 2:
            holder[key] = _nasty(dice)
        case 3:
            holder[key] = [holder[key]] * dice.choice((1, 2, 60, 600))
        case 4:
            other, place = dice.choice(places)
            try:
                holder[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(holder[key])
            except (IndexError, KeyError):  # one of them is inside the other
                holder[key] = None
        case _:
            holder[key] = {dice.choice(NAMES): holder[key]}
    return body


def _places(value: Any) -> Any:
    """Every part of a document, as what holds it and the key or index under which it is there."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _nasty(dice: Random) -> Any:
    return copy.deepcopy(dice.choice(dice.choice((STRINGS, NUMBERS, OTHERS))))


def nearly_json(dice: Random, stage: Stage) -> Shot:
    """A right body as text that two readers could take differently, or none could read, or that is too large."""
    call = call_with_body(dice, stage)
    raw = call.raw
    match dice.randrange(8):
        case 0:
            text = raw[: dice.randint(1, max(1, len(raw) - 1))]
        case 1:
            text = dice.choice(BROKEN_TEXTS)
        case 2 | 3:
            text = _with_member(raw, b'"x":' + dice.choice(VALUES))
        case 4:
            text = _with_member(raw, b'"x":1,"x":1')
        case 5:
            text = raw.decode().encode(dice.choice(CODINGS))
            text = b"x" if text == raw else text
        case 6:
            text = _with_member(raw, b'"x":"' + b"y" * max(1, dice.choice(SIZES) - len(raw) - 8) + b'"')
        case _:
            text = raw + dice.choice((b"\x00", b"}", b"{}", b",", b"\xff", b"//", secrets_of(dice, stage).encode()))
    return _sent("nearly json", call, text)


def _with_member(raw: bytes, member: bytes) -> bytes:
    """An object with one more member, in front of the others."""
    return b"{" + member + (b"," if len(raw) > 2 else b"") + raw[1:]


def forbidden(dice: Random, stage: Stage) -> Shot:
    """A move of the right shape, by the right seat, that the rules do not allow it now."""
    game = dice.choice(stage.games)
    seat = dice.choice(list(game.tokens))
    legal = game.legal(seat)
    moves = [move for other in stage.games for view in other.views.values() for move in _listed(view)]
    kinds = {move["type"] for move in legal}
    body = dice.choice([move for move in [*moves, *NEVER] if move not in legal and move["type"] not in kinds & OPEN])
    path = f"/v1/games/{game.id}/moves" + dice.choice(("", "?dry_run=true", "?dry_run=false"))
    return Call("submitMove", "POST", path, game.tokens[seat], body, harmless=False).sent("forbidden move")


NEVER = (
    {"type": "spread", "melds": [["AS", "2S", "3S"]], "layoffs": [{"card": "AS", "meld": 11}]},
    {"type": "big_gin", "melds": [[]] * 11},
    {"type": "knock", "discard": "KC", "melds": [["KC"] * 11] * 11},
    {"type": "meld", "cards": ["KC"] * 13},
    {"type": "meld", "cards": []},
    {"type": "lay_off", "card": "KC", "meld": 17},
    {"type": "discard", "card": "AC"},
)
OPEN = {"deal", "spread"}
"""Moves whose optional fields a legal one may have in another form."""


def _listed(view: Any) -> list[Any]:
    return [each["move"] for each in view["legal_moves"]]


def stale(dice: Random, stage: Stage) -> Shot:
    """A change that would be right, on a condition that is not met or cannot be read."""
    call, _ = change(dice, stage)
    while call.operation in ("createGame", "rotateToken") or "erase" in call.path:
        call, _ = change(dice, stage)
    tag = dice.choice(('"1-1-x"', 'W/"0-1-"', "junk", '"', '""', "", ",", "W/", '"a", "b', "\xff", '"*"', "'*'"))
    headers = (*call.headers, ("If-Match", tag.encode("latin-1")))
    return Shot("stale", message(call.method, call.path, headers, call.raw))


def compressed(dice: Random, stage: Stage) -> Shot:
    """A body that is small on the way and large when it is unpacked, or is said to be packed and is not."""
    call = _harmless_with_body(dice, stage)
    packer = zlib.compressobj(9, zlib.DEFLATED, dice.choice((31, 15, -15)))
    packed = packer.compress(b" " * dice.choice((100, 10**6, 10**7)) + call.raw) + packer.flush()
    coding = dice.choice(("gzip", "deflate", "br", "zstd", "identity", "gzip, gzip", "x", ""))
    body = dice.choice((packed, packed[:-4], call.raw))
    headers = (*call.headers, ("Content-Encoding", coding))
    return Shot("compressed", message(call.method, call.path, headers, body))


def mistyped(dice: Random, stage: Stage) -> Shot:
    """A right body that is declared as something else, or as nothing."""
    call = _harmless_with_body(dice, stage)
    kind = dice.choice((
        "", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data",
        "multipart/form-data; boundary=x", "application/json; charset=utf-16", "application/json; charset=\xff",
        "application/json;charset*=utf-99''x", "application/json; a*=x''%ff", "application/json; a*0*=q''%;a*1=x",
        "application/json, application/json", "application/json/x", "application/jsonx", "APPLICATION/JSON",
        "application/vnd.api+json", ";", "/", "*/*", 'application/json; x="', "application/json;" * 300,
    ))  # fmt: skip
    headers = (*call.headers[:2], ("Content-Type", kind.encode("latin-1")))
    return Shot("mistyped", message(call.method, call.path, headers, call.raw))


def _harmless_with_body(dice: Random, stage: Stage) -> Call:
    while (call := harmless_call(dice, stage)).body is None:
        pass
    return call


def _sent(kind: str, call: Call, body: bytes) -> Shot:
    return Shot(kind, message(call.method, call.path, call.headers, body))
