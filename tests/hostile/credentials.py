"""Changes that would be right, sent by somebody who may not make them."""

from base64 import b64encode
from random import Random
from urllib.parse import quote

from tests.hostile.shots import Call, Headers, Shot, change, message
from tests.hostile.stage import CLUB, SHOP, Game, Stage

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def stranger(dice: Random, stage: Stage) -> Shot:
    """A change under a token or key that is forged, foreign, damaged, or not where it belongs."""
    call, game = change(dice, stage)
    right = str(call.credential)
    headers = tuple(header for header in call.headers if header[0] != "Authorization")
    path = call.path
    match dice.randrange(8):
        case 0:
            headers += _elsewhere(dice, right)
        case 1:
            path += (
                ("&" if "?" in path else "?") + dice.choice(("token", "access_token", "key", "a")) + "=" + quote(right)
            )
        case 2:
            path = path.replace(game.id, game.id + dice.choice((f";{right}", f"%3Ftoken={right}", f"@{right}")))
        case 3:
            headers += (("Authorization", dice.choice(_badly_put(right))),)
        case 4:
            headers += (("Authorization", f"Bearer {_foreign(dice, stage, call, game)}"),)
        case _:
            headers += (("Authorization", f"Bearer {_damaged(dice, right)}"),)
    return Shot("stranger", message(call.method, path, headers, call.raw))


def _elsewhere(dice: Random, right: str) -> Headers:
    name = dice.choice((
        "Cookie", "X-Api-Key", "X-Authorization", "Proxy-Authorization", "Referer", "User-Agent", "X-Auth-Token",
        "From",
    ))  # fmt: skip
    return ((name, dice.choice((right, f"Bearer {right}", f"token={right}"))),)


def _badly_put(right: str) -> list[bytes]:
    """The right credential, but not as a bearer's."""
    basic = b64encode(f"{right}:".encode()).decode()
    texts = [
        right, f"Token {right}", f"Basic {basic}", f"Basic {right}", f'Digest username="{right}", x*=utf-8', "Bearer",
        f"Bearer Bearer {right}", f"Bearer\t{right}", f"Bearer:{right}", f"Bearer {right},", f"Bearer {right}, {right}",
        f"Bearer {right} x", f'Bearer "{right}"', f"Bearer token={right}", f"Bearer {quote(right, safe='')}%20",
        "Basic", "Basic !!!!", "Basic //////8=", 'Digest a="', "Digest a*=utf-99''x", "Digest =,=,=", "Digest ",
        f"Negotiate {right}",
    ]  # fmt: skip
    return [text.encode() for text in texts] + [
        b"Bearer \xff\xfe",
        b"Bearer " + right.encode() + b"\xa0x",
        b"\xe2\x80\x8b",
    ]


def _foreign(dice: Random, stage: Stage, call: Call, game: Game) -> str:
    """A credential that is good for something else."""
    other = dice.choice([each for each in stage.games if each is not game])
    found = [
        *other.tokens.values(),
        str(game.invite),
        str(other.invite),
        CLUB if call.operation != "createGame" else "",
    ]
    if call.credential == SHOP:
        found += game.tokens.values()
    else:
        found.append(SHOP)
    if call.operation == "submitMove":
        found += [token for seat, token in game.tokens.items() if call.body not in game.legal(seat)]
    return dice.choice(found)


def _damaged(dice: Random, right: str) -> str:
    """A credential with something about it changed."""
    at = dice.randrange(len(right))
    match dice.randrange(8):
        case 0 | 1:
            return right[:at] + dice.choice([each for each in LETTERS if each != right[at]]) + right[at + 1 :]
        case 2:
            return right[:at] + right[at + 1 :]
        case 3:
            return right[:at]
        case 4:
            return right + dice.choice(("A", ".", "=", "==", "\u00e9", ",", right, "\\u0000", "%00"))
        case 5:
            return dice.choice((right.upper(), right.swapcase(), right[::-1], right.replace("_", "-", 1)))
        case 6:
            return right[:at] + dice.choice((" ", ".", "\u0661", "_")) + right[at + 1 :] + "x"
        case _:
            parts = right.split(".")
            place = dice.randrange(len(parts))
            parts[place] = dice.choice(
                ("", "0", "1", "-1", "00", "999999999", "9" * 5000, "²", "None", parts[place] * 2)
            )
            return ".".join(parts) + "x"
