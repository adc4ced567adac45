"""A move as it was sent: read once, judged for the game that it turns out to be for."""

import pytest

from service.web.body import InvalidRequest, MalformedJson
from service.web.schemas.registry import SHORT, sent_move

DRAW = b'{"type": "draw", "source": "stock"}'
LONG = b'{"type":"knock","discard":"KH","melds":[["AS","2S","3S"],["4C","5C","6C"]]}'


def test_a_short_move_is_read_once_however_often_it_is_sent():
    assert sent_move(DRAW) is sent_move(bytes(bytearray(DRAW)))
    assert sent_move(DRAW).of("gin") == {"type": "draw", "source": "stock"}


def test_a_long_move_is_not_remembered():
    assert len(LONG) > SHORT
    assert sent_move(LONG) is not sent_move(LONG)
    assert sent_move(LONG).of("gin")["melds"] == [["AS", "2S", "3S"], ["4C", "5C", "6C"]]


def test_a_move_has_the_shape_of_the_game_that_it_is_for():
    knock = sent_move(b'{"type":"knock","discard":"KH"}')
    assert knock.of("gin") == {"type": "knock", "discard": "KH"}
    with pytest.raises(InvalidRequest):
        knock.of("rummy")


def test_a_refused_move_is_refused_each_time():
    for _ in range(2):
        with pytest.raises(MalformedJson):
            sent_move(b"{")
        with pytest.raises(InvalidRequest):
            sent_move(b'{"type":"discard","card":"1X"}').of("gin")
