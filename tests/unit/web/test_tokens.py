"""Signatures: what one of our secrets signed is known again, and nothing else is."""

import pytest

from service.play.callers import Caller
from service.play.ports import UnknownSecret
from service.web.tokens import LONGEST, Bearer, Signer

OLD, NEW = "the old secret, which is long enough to sign", "the new secret, which is long enough to sign"
GAME, OTHER = "7f" * 12, "80" * 12


@pytest.fixture
def signer():
    return Signer((OLD,))


def token(signer, game=GAME, seat=0, generation=1):
    return signer.seat_token(game, seat, generation, signer.secret_id())


def test_who_shows_a_token_is_the_seat_that_it_speaks_for(signer):
    shown = signer.bearer(token(signer, seat=1, generation=3))
    assert shown == Bearer(GAME, Caller(seat=1, generation=3), genuine=True)


def test_who_changes_a_token_shows_one_that_nobody_signed(signer):
    shown = signer.bearer(token(signer, seat=1, generation=3).replace(".1.3.", ".0.3."))
    assert shown == Bearer(GAME, Caller(seat=0, generation=3), genuine=False)


def test_who_shows_something_else_shows_no_seat(signer):
    assert signer.bearer("uk_0123456789") is None


@pytest.mark.parametrize("part", range(4))
def test_a_token_that_was_changed_is_not_ours(signer, part):
    """Game, seat, generation, signature: none can be exchanged for another."""
    parts = token(signer).split(".")
    parts[part] = [f"us_{OTHER}", "1", "2", "A" * 22][part]
    assert not signer.bearer(".".join(parts)).genuine


@pytest.mark.parametrize(("seat", "generation"), [("00", "1"), ("0", "01"), ("000000000", "000000001")])
def test_a_token_is_ours_in_one_spelling_only(signer, seat, generation):
    """Each spelling would be counted as a caller of its own."""
    assert signer.bearer(token(signer)).genuine
    spelled = token(signer).replace(".0.1.", f".{seat}.{generation}.")
    assert signer.bearer(spelled) == Bearer(GAME, Caller(0, 1), genuine=False)


def test_tokens_as_long_as_ours_are_remembered_and_longer_texts_are_not(signer):
    """What anybody may send must not fill the memory of a worker."""
    longest = token(signer, seat=999_999_999, generation=999_999_999)
    assert len(longest) <= LONGEST
    assert signer.bearer(longest) is signer.bearer(longest)
    long = f"us_{GAME}.0.1." + "A" * LONGEST
    assert signer.bearer(long) == Bearer(GAME, Caller(0, 1), genuine=False)
    assert signer.bearer(long) is not signer.bearer(long)


def test_every_listed_secret_vouches_and_the_first_signs(signer):
    both, new = Signer((NEW, OLD)), Signer((NEW,))
    assert both.bearer(token(signer)).genuine
    assert new.bearer(token(both)).genuine
    assert not new.bearer(token(signer)).genuine
    assert both.vouches_for_invite(GAME, signer.invite(GAME, signer.secret_id()).partition(".")[2])
    assert both.secret_id() == new.secret_id() != signer.secret_id()


def test_what_an_older_secret_signed_is_signed_alike_again(signer):
    both = Signer((NEW, OLD))
    assert both.seat_token(GAME, 0, 1, signer.secret_id()) == token(signer)
    assert both.invite(GAME, signer.secret_id()) == signer.invite(GAME, signer.secret_id())
    for sign in (lambda at: at.seat_token(GAME, 0, 1, "gone"), lambda at: at.invite(GAME, "gone")):
        with pytest.raises(UnknownSecret):
            sign(both)


def test_an_invite_is_for_one_game_and_is_no_token(signer):
    mac = signer.invite(GAME, signer.secret_id()).partition(".")[2]
    assert signer.vouches_for_invite(GAME, mac)
    assert not signer.vouches_for_invite(OTHER, mac)
    assert not signer.vouches_for_invite(GAME, token(signer).rpartition(".")[2])
    assert not signer.vouches_for_invite(GAME, mac + "é")
    assert not signer.bearer(f"us_{GAME}.0.1.{mac}").genuine


@pytest.mark.parametrize(
    "text",
    [
        *("", "us_", "uk_a.0.1.x", "us_a.0.1", "us_a.0.1.x.y", "us_a.-1.1.x", "us_a.0.x.y", "us_a.².1.x", "us_a..1.x"),
        *("us_a.0.1.é", "us_a.1234567890.1.x"),
    ],
)
def test_what_has_another_form_is_no_token(signer, text):
    assert signer.bearer(text) is None


def test_secrets_are_named_without_being_told(signer):
    assert len(signer.secret_id()) == 8
    assert OLD not in signer.secret_id() + token(signer) + signer.invite(GAME, signer.secret_id())


def test_the_id_of_a_game_follows_from_the_key_or_from_chance():
    signer, both = Signer((OLD,)), Signer((NEW, OLD))
    assert signer.game_ids("", "key") == signer.game_ids("", "key")
    assert signer.game_ids("", "key") != signer.game_ids("", "yek")
    assert signer.game_ids("tenant", "key") != signer.game_ids("", "key")
    assert both.game_ids("", "key")[1:] == signer.game_ids("", "key")
    assert len({signer.game_ids("", None) for _ in range(100)}) == 100
    assert all(len(game) == 24 and int(game, 16) >= 0 for game in both.game_ids("", "key") + both.game_ids("", None))


def test_roots_and_stamps_are_random(signer):
    assert len({signer.root() for _ in range(100)}) == len({signer.stamp() for _ in range(100)}) == 100
    assert (len(signer.root()), len(signer.stamp())) == (32, 8)
