"""Hostile methods, paths and query strings, around calls that change nothing."""

from random import Random
from urllib.parse import quote

from tests.hostile.shots import Shot, Text, any_call, change, harmless_call, message, secrets_of
from tests.hostile.stage import Stage

METHODS = (
    "OPTIONS", "TRACE", "CONNECT", "PUT", "PATCH", "HEAD", "PROPFIND", "PURGE", "PRI", "SEARCH", "LOCK", "DEBUG",
    "GETX", "get", "Post", "G", "GE", "X" * 20, "X" * 21, "X" * 5000, "GET\x00", "G@T", "", "GET POST", "_", "*", "-",
    "HTTP/1.1",
)  # fmt: skip
INSERTS = (
    "/", "//", "/./", "/../", "/..", "/%2e%2e/", "/%2E%2e%2F", "%2f", "%5c..%5c", "%00", "%0d%0a", "%0a%0d", "%09",
    "%20", "%c0%ae%c0%ae/", "%c0%af", "%e0%80%af", "%ff", "%ed%a0%80", "%f0%9f%82%a1", "%25%32%65", "%252e%252e/",
    "%", "%z", "%u002e", ";", ";a=b", ":", "@", "&", "=", "+", "~", "$", "'", "(", "*", "!", ",", "[", "]", "{", "}",
    "|", "\\", "^", "`", "<", ">", '"', "#", "#x", "?", ".", "..", "...", ".json", "%3f", "%23", "\u00e9", "\u202e",
    "\u2025", "%u2215", "-1", "0x1", "1e3", "\u0661",
)  # fmt: skip
WHOLE = (
    "*", "/", "", "//", "///", "/.", "/..", "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/v1",
    "/v2/games", "/V1/GAMES", "/docs", "/docs/", "/docs/../server.py", "/docs/%2e%2e/app.py", "/docs/%00",
    "/docs/index.html", "/docs/..%5c", "/docs//etc/passwd", "/docs/" + "a" * 300, "/static/x", "/.git/config",
    "/.env", "/metrics", "/server-status", "/console", "/openapi.yaml/", "/openapi.json",
    "http://evil.example/v1/rulesets", "http://", "http://[::1", "http://[::1]:99999/", "http://a:b@c/v1/rulesets",
    "https:///v1/rulesets", "ftp://x/y", "//evil.example/v1/rulesets", "evil.example:443", "v1/rulesets", "?", "#",
    "?x", "\\v1\\rulesets", "/v1/rulesets/gin", "/v1/rulesets/gin/standard/", "/v1/rulesets/%00/%00",
    "/v1/rulesets/__proto__/constructor", "javascript:alert(1)", "/" + "%41" * 2000, "/" + "a/" * 2000,
    "/" + "a" * 8000, "/" + "a" * 9000, "/" + "a" * 70_000, "/v1/games/" + "0" * 24 + "/rounds/" + "9" * 4000,
)  # fmt: skip
QUERIES = (
    "dry_run=true&dry_run=false", "dry_run=TRUE", "dry_run=1", "dry_run", "dry_run=", "dry_run[]=true",
    "dry_run=true%00", "preview=yes", "preview=true&preview=x", "after=-1", "after=1e3", "after=%00",
    "after=" + "9" * 10, "after=" + "9" * 5000, "after=%d9%a1", "after=1;2", "after=0x1", "after=1&after=2",
    "erase=maybe", "erase=", "erase=True", "%", "%zz=%", "%ff=%fe", "=", "&", "&&&=&", "a=b;c=d", "?a", "#",
    "\u00e9=\u202e", "__proto__[x]=1", "a[b][c]=1", "callback=alert(1)", "_method=DELETE", "x=" + "y" * 7000,
    "x=" + "y" * 9000, "&".join(f"p{number}=1" for number in range(900)), "a=%0d%0aX:%20y", "token=", "%00", "+",
    "a=\x7f",
)  # fmt: skip
NEAR_IDS = (
    "{0}0",
    "0{0}",
    "{1}",
    "{2}",
    "{3}",
    " {0}",
    "{0} ",
    "{0}%00",
    "{0}%0a",
    "{0}.json",
    "{0}..",
    "{4}",
    "-{0}",
    "{0},{0}",
    "{5}",
)


def method(dice: Random, stage: Stage) -> Shot:
    """A call by a method that its path does not have, or that is none."""
    call = any_call(dice, stage)
    name = dice.choice(METHODS)
    headers = call.headers
    if dice.random() < 0.3:
        headers += ((dice.choice(("X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method")), "DELETE"),)
    return Shot("method", message(name, call.path, headers, call.raw))


def path(dice: Random, stage: Stage) -> Shot:
    """A path with something in it that leads elsewhere, or that nothing is at."""
    call = harmless_call(dice, stage)
    target: Text
    match dice.randrange(5):
        case 0:
            target = dice.choice(WHOLE)
        case 1:
            secret = secrets_of(dice, stage)
            shown = dice.choice(
                (
                    secret,
                    quote(secret, safe=""),
                    f"x{secret}x",
                    "%" + "%".join(f"{each:02x}" for each in secret.encode()),
                )
            )
            target = dice.choice(
                (
                    f"/v1/games/{shown}",
                    f"{call.path}/{shown}",
                    f"/{shown}",
                    f"http://{shown}/",
                    shown,
                    f"/v1/join/{shown}?{shown}",
                )
            )
        case 2:
            target = _inserted(dice, call.path).encode("latin-1", "replace")
        case _:
            target = _inserted(dice, call.path)
    method = call.method if "?" not in call.path and dice.random() < 0.3 else "GET"  # a lost query would make a move
    return Shot("path", message(method, target, call.headers, call.raw))


def _inserted(dice: Random, text: str) -> str:
    for _ in range(dice.randint(1, 3)):
        at = dice.choice(
            [place for place, each in enumerate(text) if each == "/"] + [len(text), dice.randrange(len(text))]
        )
        text = text[:at] + dice.choice(INSERTS) + text[at:]
    return text


def near_id(dice: Random, stage: Stage) -> Shot:
    """The id of a game, but not quite, by the owner of a token of it."""
    call, game = change(dice, stage)
    changed = dice.choice([each for each in "0123456789abcdef" if each != game.id[5]])
    near = dice.choice(NEAR_IDS).format(
        game.id, game.id[:-1], game.id.upper() + "0", game.id[:5] + changed + game.id[6:], game.id[::-1] + "f", "0" * 24
    )
    target = call.path.replace(game.id, near) if game.id in call.path else f"/v1/games/{near}"
    return Shot(
        "near id", message(call.method if game.id in call.path else "GET", target.encode(), call.headers, call.raw)
    )


def query(dice: Random, stage: Stage) -> Shot:
    """A query string that is odd, doubled, or holds what does not belong there."""
    call = harmless_call(dice, stage)
    text = dice.choice((*QUERIES, *QUERIES, f"token={secrets_of(dice, stage)}", f"{secrets_of(dice, stage)}"))
    target = call.path + ("&" if "?" in call.path else "?") + text
    return Shot("query", message(call.method, target, call.headers, call.raw))
