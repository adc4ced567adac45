"""A turn: draw, at most one meld, any number of layoffs, discard; and `melds_per_turn: any`."""

import pytest

from service.cards.card import card
from service.cards.cardset import names
from service.rulebooks import rummy
from service.rulebooks.errors import CardNotInHand, InvalidMeld, LayoffDoesNotFit, NotYourTurn, WrongPhase
from service.rulebooks.rummy.errors import AlreadyMelded, MeldBeforeLayoffs, OwnMeldFirst
from tests.unit.rulebooks.rummy.tables import dealt, legal, phase, play, rules, table, throw_every_draw

LAID = ("1 KS KH KD", "2 5C 6C 7C")


def melding(**others):
    """Seat 0 has drawn 9D: it can meld 2S 3S 4S or 9S 9H 9D, and lay off KC, 4C, 8C and 9C."""
    held = "2S 3S 4S 9S 9H KC 4C 8C 9C JD"
    return play(table(held, "AH", "AD", pile="2C", stock="9D", laid=LAID, **others), "0 draw stock")


def shown(match):
    return [f"{each['seat']} {' '.join(each['cards'])}" for each in rummy.view(match, None)["round"]["table"]]


def test_a_card_drawn_from_the_stock_is_held_and_the_turn_goes_on():
    match = melding()
    assert phase(match) == (0, "play")
    assert "9D" in names(match.round.hands[0])
    assert match.round.taken is None


def test_a_card_taken_from_the_discard_pile_is_held_and_gone_from_the_pile():
    match = play(table("QH", "AH", pile="2C 3C"), "0 draw discard")
    assert names(match.round.hands[0]) == ["QH", "3C"]
    assert (match.round.taken, match.round.discards) == (card("3C"), (card("2C"),))


def test_a_card_drawn_from_the_stock_may_be_thrown_at_once():
    match = play(melding(), "0 discard 9D")
    assert match.round.discards[-1] == card("9D")
    assert phase(match) == (1, "draw")


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_the_turn_passes_clockwise_that_is_to_the_next_higher_seat(seats):
    match = dealt(seats, dealer=seats - 1)
    turns = [phase(throw_every_draw(match, turn)) for turn in range(2 * seats)]
    assert turns == [(seat, "draw") for seat in (*range(seats), *range(seats))]


def test_a_meld_is_laid_face_up_in_the_order_of_laying():
    match = play(melding(), "0 meld 4S2S3S")
    assert shown(match) == ["1 KS KH KD", "2 5C 6C 7C", "0 2S 3S 4S"]
    assert [each["meld"] for each in rummy.view(match, 2)["round"]["table"]] == [0, 1, 2]
    assert names(match.round.hands[0]) == ["9S", "9H", "9D", "JD", "4C", "8C", "9C", "KC"]


def test_any_number_of_cards_is_laid_off_on_anybodys_melds():
    """KC to the kings; 4C below the run and 8C, 9C above it; each card makes room for the next."""
    match = play(melding(), "0 lay KC>0", "0 lay 4C>1", "0 lay 8C>1", "0 lay 9C>1")
    assert shown(match) == ["1 KS KH KD KC", "2 4C 5C 6C 7C 8C 9C"]
    assert names(match.round.hands[0]) == ["2S", "3S", "4S", "9S", "9H", "9D", "JD"]


def test_a_card_can_be_laid_off_on_the_meld_just_laid():
    match = play(table("2S 3S 4S 5S KC", "AH", pile="2C", stock="QD"), "0 draw stock", "0 meld 2S3S4S", "0 lay 5S>0")
    assert shown(match) == ["0 2S 3S 4S 5S"]


def test_the_layoffs_come_after_the_meld_and_there_is_one_meld_a_turn():
    match = play(melding(), "0 meld 2S3S4S", "0 lay KC>0")
    with pytest.raises(AlreadyMelded):
        play(match, "0 meld 9S9H9D")
    assert not [each for each in legal(match, 0) if each.startswith("meld")]


def test_a_meld_after_a_layoff_is_refused():
    match = play(melding(), "0 lay KC>0")
    with pytest.raises(MeldBeforeLayoffs):
        play(match, "0 meld 2S3S4S")
    assert not [each for each in legal(match, 0) if each.startswith("meld")]


def test_the_next_turn_may_have_a_meld_again():
    match = play(melding(), "0 meld 2S3S4S", "0 discard JD", "1 draw stock")
    thrown = names(match.round.hands[1])[0]
    match = play(match, f"1 discard {thrown}", "2 draw stock", "2 discard AD", "0 draw stock", "0 meld 9S9H9D")
    assert shown(match)[-1] == "0 9S 9H 9D"


def test_any_number_of_melds_and_layoffs_in_any_order_where_the_ruleset_says_so():
    match = play(melding(ruleset=rules(melds_per_turn="any")), "0 lay KC>0", "0 meld 2S3S4S", "0 lay 4C>1")
    match = play(match, "0 meld 9S9H9D", "0 lay 8C>1")
    assert shown(match) == ["1 KS KH KD KC", "2 4C 5C 6C 7C 8C", "0 2S 3S 4S", "0 9S 9H 9D"]


def test_a_card_can_be_laid_off_before_any_meld_of_ones_own():
    assert phase(play(melding(), "0 lay KC>0", "0 discard JD")) == (1, "draw")


def test_where_an_own_meld_is_needed_first_a_layoff_waits_for_it():
    match = melding(ruleset=rules(layoff_after_meld=True))
    with pytest.raises(OwnMeldFirst):
        play(match, "0 lay KC>0")
    assert not [each for each in legal(match, 0) if each.startswith("lay")]
    match = play(match, "0 meld 2S3S4S", "0 lay KC>0", "0 discard JD")
    assert shown(match)[0] == "1 KS KH KD KC"


def test_an_own_meld_of_an_earlier_turn_is_enough():
    own = (LAID[0], "0 2S 3S 4S")
    match = table("KC JD", "AH", pile="2C", stock="9D", laid=own, ruleset=rules(layoff_after_meld=True))
    assert "lay KC>0" in legal(play(match, "0 draw stock"), 0)


@pytest.mark.parametrize("meld", ["2S3S", "2S3S9S", "2S3S4S4S", "2S2S2S", "9S9H9D9C2S", "KCJD", ""])
def test_what_is_neither_a_set_nor_a_run_is_no_meld(meld):
    with pytest.raises(InvalidMeld) as refusal:
        play(melding(), f"0 meld {meld}")
    assert "".join(refusal.value.cards) == meld


@pytest.mark.parametrize("text", ["meld 2S3S5S", "lay KS>0", "discard AH", "lay 5S>0"])
def test_a_card_that_is_not_held_cannot_be_melded_laid_off_or_thrown(text):
    with pytest.raises(CardNotInHand) as refusal:
        play(melding(), f"0 {text}")
    assert refusal.value.card in text


@pytest.mark.parametrize(("text", "laid"), [("JD>0", 0), ("9C>1", 1), ("KC>1", 1), ("KC>2", 2), ("KC>17", 17)])
def test_a_card_that_does_not_fit_or_a_meld_that_is_not_there_is_refused(text, laid):
    with pytest.raises(LayoffDoesNotFit) as refusal:
        play(melding(), f"0 lay {text}")
    assert (refusal.value.card, refusal.value.meld) == (text[:2], laid)


def test_melds_are_never_rearranged():
    """5C could leave its run for a set of fives; only whole melds take cards, and none gives any."""
    match = play(table("5S 5H JD", "AH", pile="2C", stock="9D", laid=("1 5C 6C 7C 8C",)), "0 draw stock")
    with pytest.raises(CardNotInHand):
        play(match, "0 meld 5S5H5C")
    with pytest.raises(LayoffDoesNotFit):
        play(match, "0 lay 5S>0")


@pytest.mark.parametrize("text", ["draw stock", "draw discard"])
def test_a_second_draw_in_one_turn_is_refused(text):
    with pytest.raises(WrongPhase) as refusal:
        play(melding(), f"0 {text}")
    assert (refusal.value.move, refusal.value.phase) == ("draw", "play")


@pytest.mark.parametrize(
    ("text", "kind"), [("meld 2S3S4S", "meld"), ("lay KC>0", "lay_off"), ("discard JD", "discard")]
)
def test_nothing_is_laid_or_thrown_before_the_draw(text, kind):
    match = table("2S 3S 4S KC JD", "AH", pile="2C", laid=LAID[:1])
    with pytest.raises(WrongPhase) as refusal:
        play(match, f"0 {text}")
    assert (refusal.value.move, refusal.value.phase) == (kind, "draw")


@pytest.mark.parametrize("text", ["draw stock", "meld 2S3S4S", "lay KC>0", "discard JD"])
def test_the_seat_that_is_not_on_turn_cannot_move(text):
    for match in (dealt(3, dealer=2), melding()):
        for seat in (1, 2):
            with pytest.raises(NotYourTurn) as refusal:
                play(match, f"{seat} {text}")
            assert refusal.value.turn == 0


def test_the_moves_listed_are_every_meld_layoff_and_discard_there_is():
    assert legal(table("KC JD", "AH", pile="2C"), 0) == ["draw stock", "draw discard"]
    assert legal(melding(), 1) == []
    held = ["2S", "3S", "4S", "9S", "9H", "9D", "JD", "4C", "8C", "9C", "KC"]
    melds = ["2S3S4S", "9S9H9D", "9S9H9C", "9S9D9C", "9S9H9D9C", "9H9D9C"]
    listed = legal(melding(), 0)
    assert sorted(each[5:] for each in listed if each.startswith("meld")) == sorted(melds)
    assert [each for each in listed if each.startswith("lay")] == ["lay 4C>1", "lay 8C>1", "lay KC>0"]
    assert [each[8:] for each in listed if each.startswith("discard")] == held


def test_an_event_tells_the_seat_and_the_move():
    event = rummy.apply(melding(), 0, rummy.read_move({"type": "lay_off", "card": "KC", "meld": 0})).event
    assert (event.seat, event.move, event.result) == (0, {"type": "lay_off", "card": "KC", "meld": 0}, None)
