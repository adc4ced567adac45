"""Many callers at the same time: one of them is served, and the others are told why they were not."""

from collections import Counter

from service.storage.keys import log_key
from tests.api.playing import at_once, choose, create, join, on_turn, table_of_two
from tests.conftest import new_game


def test_fifty_equal_moves_at_once_are_one_move(http, store):
    players = new_game(http)
    players[0].play({"type": "deal"})
    for _ in range(4):
        mover = on_turn(players)
        before = mover.view()
        move = choose(before)
        answers = at_once(50, lambda _, mover=mover, move=move: mover.post(move))
        assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 49}
        assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {
            "wrong_phase",
            "not_your_turn",
        }
        assert mover.view()["version"] == before["version"] + 1 == store.client.llen(log_key(mover.game))


def test_two_deals_at_once_deal_one_round(http):
    for _ in range(10):
        players = new_game(http)
        answers = at_once(2, lambda seat, players=players: players[seat].post({"type": "deal"}))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert players[0].view()["version"] == 2


def test_two_joins_at_once_for_one_seat_seat_one_of_them(http, store):
    for _ in range(25):
        made = create(http, seats=[{"name": "Ann"}, {}])
        answers = at_once(2, lambda number, made=made: join(http, made["invite"], f"Guest {number}"))
        assert sorted(answer.status_code for answer in answers) == [201, 409]
        winner = next(answer.json() for answer in answers if answer.status_code == 201)
        loser = next(answer.json() for answer in answers if answer.status_code == 409)
        assert loser["code"] == "no_open_seat"
        view = http.get(
            f"/v1/games/{made['game']['id']}", headers={"Authorization": f"Bearer {winner['token']}"}
        ).json()
        assert view["seats"][1]["name"] == winner["game"]["seats"][1]["name"]
        assert view["version"] == 2 == store.client.llen(log_key(view["id"]))


def test_a_move_and_a_resignation_at_once_are_both_made_or_the_move_is_refused(http):
    """Whoever comes second plays on what the first left: no change is lost."""
    for _ in range(15):
        ann, ben = table_of_two(http)
        ann.play({"type": "deal"})
        mover = on_turn((ann, ben))
        other = ben if mover is ann else ann
        calls = (
            lambda mover=mover: mover.post({"type": "pass"}),
            lambda other=other: other.http.post(f"/v1/games/{other.game}/resign", headers=other.headers),
        )
        moved, resigned = at_once(2, lambda number, calls=calls: calls[number]())
        assert resigned.status_code == 200
        assert moved.status_code in (200, 409)
        view = ann.view()
        assert view["status"] == "finished"
        assert view["version"] == (5 if moved.status_code == 200 else 4) + 1
