"""The names of the keys of a game. The first two digits of its id are the hash tag: one game lies in one slot."""


def game_key(game_id: str) -> str:
    """The hash: `v` version, `x` stamp, `g` generations of the seats' tokens, `s` snapshot, `r` rotations' receipts."""
    return f"{{{game_id[:2]}}}:game:{game_id}"


def log_key(game_id: str) -> str:
    """The list with one entry a version."""
    return f"{{{game_id[:2]}}}:log:{game_id}"


def receipt_key(game_id: str, name: str) -> str:
    """The receipt of an answered request. name: a hash of the caller, method, path and idempotency key."""
    return f"{{{game_id[:2]}}}:once:{game_id}:{name}"
