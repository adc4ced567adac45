"""The names of the keys. The first two digits of a game's id are the hash tag of its keys: they lie in one slot."""


def game_key(game_id: str) -> str:
    """The hash: `v` version, `x` stamp, `g` generations of the seats' tokens, `s` snapshot.

    `b` bytes of the log, `r` names of the receipts of rotations.
    """
    return f"{{{game_id[:2]}}}:game:{game_id}"


def log_key(game_id: str) -> str:
    """The list with one entry a version."""
    return f"{{{game_id[:2]}}}:log:{game_id}"


def news_channel(game_id: str) -> str:
    """The channel on which each change of a game is told."""
    return f"{{{game_id[:2]}}}:news:{game_id}"


def receipt_key(game_id: str, name: str) -> str:
    """The receipt of an answered request. name: a hash of the caller, method, path and idempotency key."""
    return f"{{{game_id[:2]}}}:once:{game_id}:{name}"


def open_games_key(holder: str) -> str:
    """The sorted set of the games that a holder has open, in a slot of its own."""
    return f"open:{holder}"
