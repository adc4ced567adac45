"""A test of the test: leaks planted one at a time into what readers fetch are found by the law of secrets."""

import pytest
from msgspec.structs import replace

from service.cards.cardset import cards_in, names
from service.cards.deadwood import deadwood
from service.rulebooks import gin, rummy
from service.rulebooks.gin.moves import Spread
from service.rulebooks.gin.round import legal_moves
from service.rulebooks.rummy.melds import rummy_melds_in
from service.rulebooks.rummy.scoring import count
from tests.unit.play.leaks import ANY_GAME, Talkative, dry_runs, events, refusals, shows
from tests.unit.rulebooks.gin.player import GinPlayer
from tests.unit.rulebooks.gin.secrets import GinSecrets
from tests.unit.rulebooks.permuted import Leak, play_and_compare
from tests.unit.rulebooks.rummy.player import RummyPlayer
from tests.unit.rulebooks.rummy.secrets import RummySecrets


@shows(gin)
def the_defenders_cards_in_the_spread(round, seat, shown):
    if round.phase == "spread":
        shown["round"]["hands"][round.turn]["cards"] = names(round.hands[round.turn])


@shows(gin)
def the_top_of_the_stock(round, seat, shown):
    shown["round"]["stock_top"] = round.stock[0]


@shows(gin)
def the_last_card_of_the_stock_at_its_end(round, seat, shown):
    if round.phase == "fiftieth":
        shown["round"]["stock_last"] = round.stock[-1]


@shows(gin)
def the_deadwood_of_every_hand(round, seat, shown):
    for hand, cards in zip(shown["round"]["hands"], round.hands, strict=True):
        hand["deadwood"] = deadwood(cards)


@shows(gin)
def the_legal_moves_of_the_other_seat(round, seat, shown):
    if seat is not None and seat != round.turn:
        shown["legal_moves"] = list(map(str, legal_moves(round)))


@shows(gin)
def whether_the_opponent_could_use_the_upcard(round, seat, shown):
    if round.phase == "opening" and seat == round.turn:
        other = round.hands[1 - seat]
        shown["round"]["hint"] = deadwood(other | 1 << round.discards[-1]) - deadwood(other)


@refusals(gin)
def a_refusal_that_names_a_card_of_the_opponent(round, seat, refused):
    return Talkative(cards_in(round.hands[1 - seat])[0])


@refusals(gin)
def a_refusal_whose_reason_depends_on_the_other_hand(round, seat, refused):
    return Talkative(0) if deadwood(round.hands[1 - seat]) > 20 else refused


@events(gin)
def the_card_drawn_from_the_stock_in_its_event(round, seat, move, step):
    return {"card": round.stock[0]} if round.phase == "draw" else {}


@events(gin)
def a_knock_that_looks_at_the_defenders_hand(round, seat, move, step):
    return {"fits": round.hands[1 - seat] % 1000} if step.state.round.phase == "spread" else {}


def the_result_of_a_knock_before_it_is_answered(monkeypatch):
    """What it comes to if the defender plays the best answer, which is for the defender alone to know."""
    honest = gin.apply

    def leaky(match, seat, move):
        step = honest(match, seat, move)
        if step.state.round.phase != "spread":
            return step
        answered = honest(step.state, step.state.round.turn, Spread(None, None))
        return replace(step, event=replace(step.event, result=answered.event.result))

    monkeypatch.setattr(gin, "apply", leaky)


@shows(rummy)
def the_hands_of_seats_that_have_resigned(round, seat, shown):
    for hand in shown["round"]["hands"]:
        if hand["seat"] in round.gone:
            hand["cards"] = names(round.hands[hand["seat"]])


@shows(rummy)
def the_bottom_of_the_stock(round, seat, shown):
    shown["round"]["stock_last"] = round.stock[-1] if round.stock else None


@shows(rummy)
def what_every_hand_counts(round, seat, shown):
    for hand in shown["round"]["hands"]:
        hand["deadwood"] = count(round.hands[hand["seat"]], round.rules)


@shows(rummy)
def whether_the_next_seat_could_meld_with_the_top_of_the_pile(round, seat, shown):
    if seat == round.turn and round.discards:
        following = round.in_play[(round.in_play.index(seat) + 1) % len(round.in_play)]
        shown["round"]["hint"] = bool(rummy_melds_in(round.hands[following] | 1 << round.discards[-1], round.high_ace))


@shows(rummy)
def a_legal_move_of_the_seat_on_turn_to_onlookers(round, seat, shown):
    if seat is None and round.phase == "play":
        shown["legal_moves"] = [cards_in(round.hands[round.turn])[0]]


@shows(rummy)
def the_hands_once_the_pile_is_turned_over(round, seat, shown):
    if round.turned:
        shown["round"]["hands"][0]["cards"] = names(round.hands[shown["round"]["hands"][0]["seat"]])


@refusals(rummy)
def a_refusal_that_tells_who_holds_the_card(round, seat, refused):
    return Talkative(next((each for each in cards_in(round.hands[(seat + 1) % 2])), 0))


@refusals(rummy)
def a_refusal_whose_reason_depends_on_the_top_of_the_stock(round, seat, refused):
    return Talkative(0) if round.stock and round.stock[0] % 2 else refused


@events(rummy)
def the_card_drawn_in_its_event(round, seat, move, step):
    return {"card": round.stock[0]} if round.phase == "draw" and not round.turned else {}


@events(rummy)
def a_throw_that_tells_what_is_left(round, seat, move, step):
    return {"left": step.state.round.hands[round.turn] % 1000}


@dry_runs(gin)
def the_deadwood_with_the_card_that_a_dry_run_would_draw(match, seat, move, doc):
    after = gin.apply(match, seat, move).state
    doc["deadwood"] = deadwood(after.round.hands[seat])


@dry_runs(gin)
def the_result_of_a_knock_that_is_only_tried(match, seat, move, doc):
    after = gin.apply(match, seat, move).state
    doc["won"] = after.last is not None and after.last is not match.last and after.last.result.deadwood


@dry_runs(rummy)
def what_the_hand_would_count_with_the_card_that_a_dry_run_draws(match, seat, move, doc):
    after = rummy.apply(match, seat, move).state
    doc["deadwood"] = count(after.round.hands[seat], after.rules)


GIN = [
    the_defenders_cards_in_the_spread,
    the_top_of_the_stock,
    the_last_card_of_the_stock_at_its_end,
    the_deadwood_of_every_hand,
    the_legal_moves_of_the_other_seat,
    whether_the_opponent_could_use_the_upcard,
    a_refusal_that_names_a_card_of_the_opponent,
    a_refusal_whose_reason_depends_on_the_other_hand,
    the_card_drawn_from_the_stock_in_its_event,
    a_knock_that_looks_at_the_defenders_hand,
    the_result_of_a_knock_before_it_is_answered,
    the_deadwood_with_the_card_that_a_dry_run_would_draw,
    the_result_of_a_knock_that_is_only_tried,
]
RUMMY = [
    the_hands_of_seats_that_have_resigned,
    the_bottom_of_the_stock,
    what_every_hand_counts,
    whether_the_next_seat_could_meld_with_the_top_of_the_pile,
    a_legal_move_of_the_seat_on_turn_to_onlookers,
    the_hands_once_the_pile_is_turned_over,
    a_refusal_that_tells_who_holds_the_card,
    a_refusal_whose_reason_depends_on_the_top_of_the_stock,
    the_card_drawn_in_its_event,
    a_throw_that_tells_what_is_left,
    what_the_hand_would_count_with_the_card_that_a_dry_run_draws,
]


def compare_gin() -> int:
    kinds = ("named melds and layoffs", "fiftieth card", "keen", "Hollywood")
    return sum(play_and_compare(GinPlayer(), GinSecrets(), "rubl", kind).total() for kind in kinds)


def compare_rummy() -> int:
    kinds = ("giving up later", "keen", "named melds")
    return sum(play_and_compare(RummyPlayer(), RummySecrets(), "pagat", kind).total() for kind in kinds)


LEAKS = [(compare, leak) for compare, own in ((compare_gin, GIN), (compare_rummy, RUMMY)) for leak in own + ANY_GAME]


@pytest.mark.parametrize(("compare", "plant"), LEAKS)
def test_a_planted_leak_is_found(compare, plant, monkeypatch):
    plant(monkeypatch)
    with pytest.raises(Leak):
        compare()


@pytest.mark.parametrize("compare", [compare_gin, compare_rummy])
def test_nothing_is_found_where_nothing_was_planted(compare):
    """At least a hundred states in which hidden cards really differ are compared."""
    assert compare() > 100
