"""Showdown: what a round comes to once both hands are spread. Facts only; `scoring` prices them."""

from collections.abc import Iterator

from msgspec import Struct

from service.cards.arrangement import Arrangement, arrange, best_arrangement, extending_cards
from service.cards.card import Card, name
from service.cards.cardset import EMPTY, CardSet, cards_in, cardset, holds
from service.cards.deadwood import deadwood
from service.cards.melds import is_meld, is_set
from service.rulebooks.errors import CardNotInHand, InvalidMeld, LayoffDoesNotFit, MeldsOverlap
from service.rulebooks.gin.errors import DeadwoodOverLimit
from service.rulebooks.gin.moves import Layoff, NamedMelds


class Answer(Struct, frozen=True):
    """How the defender meets a knock: cards laid off on the knocker's melds, and the rest laid out."""

    laid: Arrangement
    layoffs: tuple[Layoff, ...]


class RoundResult(Struct, frozen=True):
    """What happened in a round, before anything is priced.

    kind: `knock`, `gin`, `big_gin`, `undercut`, `tie`, `void` or `resigned`. winner and knocker: seats, or None.
    spreads: each seat's hand as laid out, layoffs taken away. layoffs: the defender's, in order.
    """

    kind: str
    winner: int | None
    knocker: int | None
    spreads: tuple[Arrangement, Arrangement]
    layoffs: tuple[Layoff, ...] = ()

    @property
    def deadwood(self) -> tuple[int, int]:
        """The deadwood of each seat, after layoffs."""
        return self.spreads[0].deadwood, self.spreads[1].deadwood


def settle(knocker: int, laid: Arrangement, answer: Answer, undercut_on_tie: bool) -> RoundResult:
    """The result of a knock with deadwood, once the defender has answered it.

    Source: pagat.com, "Knocking" and "Scoring"; a tie is an undercut (Wikipedia), unless the ruleset says otherwise.
    """
    spreads = _by_seat(knocker, laid, answer.laid)
    if answer.laid.deadwood > laid.deadwood:
        return RoundResult("knock", knocker, knocker, spreads, answer.layoffs)
    if answer.laid.deadwood == laid.deadwood and not undercut_on_tie:
        return RoundResult("tie", None, knocker, spreads, answer.layoffs)
    return RoundResult("undercut", 1 - knocker, knocker, spreads, answer.layoffs)


def settle_gin(kind: str, knocker: int, laid: Arrangement, defender: CardSet) -> RoundResult:
    """The result of gin or big gin: the defender's best arrangement counts, and nothing is laid off."""
    return RoundResult(kind, knocker, knocker, _by_seat(knocker, laid, best_arrangement(defender)))


def settle_unknocked(kind: str, hands: tuple[CardSet, CardSet]) -> RoundResult:
    """The result of a round that nobody won, `void` or `resigned`: both hands at their best."""
    return RoundResult(kind, None, None, (best_arrangement(hands[0]), best_arrangement(hands[1])))


def _by_seat(knocker: int, laid: Arrangement, other: Arrangement) -> tuple[Arrangement, Arrangement]:
    return (laid, other) if knocker == 0 else (other, laid)


def named_arrangement(hand: CardSet, melds: NamedMelds) -> Arrangement:
    """A hand laid out as its owner named it; cards in no named meld are deadwood.

    Raises CardNotInHand, InvalidMeld or MeldsOverlap.
    """
    used = EMPTY
    masks = []
    for meld in melds:
        for card in meld:
            if not holds(hand, card):
                raise CardNotInHand(name(card))
            if holds(used, card):
                raise MeldsOverlap(name(card))
        mask = cardset(meld)
        if mask.bit_count() != len(meld) or not is_meld(mask):
            raise InvalidMeld([name(card) for card in meld])
        used |= mask
        masks.append(mask)
    return arrange(hand, tuple(masks))


def laid_out(hand: CardSet, thrown: CardSet, melds: NamedMelds | None, limit: int) -> Arrangement:
    """A knocker's hand laid out as named, or as serves best. limit: the most deadwood it may have.

    Raises CardNotInHand, InvalidMeld, MeldsOverlap or DeadwoodOverLimit.
    """
    laid = best_arrangement(hand, thrown) if melds is None else named_arrangement(hand, melds)
    if laid.deadwood > limit:
        raise DeadwoodOverLimit(laid.deadwood, limit)
    return laid


def checked_answer(
    laid: Arrangement, defender: CardSet, melds: NamedMelds | None, layoffs: tuple[Layoff, ...] | None
) -> Answer:
    """The defender's answer as named: layoffs first, in their order, then melds of what is left.

    melds alone: nothing is laid off. layoffs alone: the best melds of the rest. Neither: the joint optimum.
    Raises CardNotInHand, LayoffDoesNotFit, InvalidMeld or MeldsOverlap.
    """
    if melds is None and layoffs is None:
        return best_answer(laid, defender)
    rest = _lay_off(laid.melds, defender, layoffs or ())
    gone = defender ^ rest
    if melds is None:
        return Answer(best_arrangement(rest, thrown=gone), layoffs or ())
    for card in (card for meld in melds for card in meld):
        if holds(gone, card):
            raise MeldsOverlap(name(card))
    return Answer(named_arrangement(rest, melds), layoffs or ())


def _lay_off(melds: tuple[CardSet, ...], hand: CardSet, layoffs: tuple[Layoff, ...]) -> CardSet:
    """What is left of a hand after laying cards off one by one; each card laid makes its meld longer."""
    grown = list(melds)
    for layoff in layoffs:
        if not holds(hand, layoff.card):
            raise CardNotInHand(name(layoff.card))
        bit = 1 << layoff.card
        if not 0 <= layoff.meld < len(grown) or not is_meld(grown[layoff.meld] | bit):
            raise LayoffDoesNotFit(name(layoff.card), layoff.meld)
        grown[layoff.meld] |= bit
        hand ^= bit
    return hand


def best_answer(laid: Arrangement, defender: CardSet) -> Answer:
    """The defender's joint optimum of layoffs and melds: least deadwood, then fewest layoffs, then the arrangement.

    Melding first and laying off afterwards misses it where breaking an own meld frees cards to lay off.
    """
    choices: dict[CardSet, tuple[Layoff, ...]] = {}
    for layoffs in _all_layoffs(laid.melds, 0, defender):
        choices.setdefault(cardset(layoff.card for layoff in layoffs), layoffs)
    price = {gone: (deadwood(defender ^ gone), gone.bit_count()) for gone in choices}
    cheapest = min(price.values())
    return min(
        (
            Answer(best_arrangement(defender ^ gone, thrown=gone), layoffs)
            for gone, layoffs in choices.items()
            if price[gone] == cheapest
        ),
        key=lambda answer: (
            extending_cards(answer.laid.melds, defender).bit_count(),
            len(answer.laid.melds),
            [cards_in(meld) for meld in answer.laid.melds],
        ),
    )


def _all_layoffs(melds: tuple[CardSet, ...], index: int, hand: CardSet) -> Iterator[tuple[Layoff, ...]]:
    """Every way to lay cards of a hand off on melds[index:], each in an order in which it can be done."""
    if index == len(melds):
        yield ()
        return
    for cards in _chains(melds[index], hand):
        here = tuple(Layoff(card, index) for card in cards)
        for rest in _all_layoffs(melds, index + 1, hand & ~cardset(cards)):
            yield here + rest


def _chains(meld: CardSet, hand: CardSet) -> list[tuple[Card, ...]]:
    """Every way to lay cards of a hand off on one meld: the fourth of a set, or cards on either end of a run."""
    cards = cards_in(meld)
    if is_set(meld):
        return [(), *((card,) for card in range(cards[0] % 13, 52, 13) if holds(hand & ~meld, card))]
    suit = cards[0] // 13
    below = _held_in_a_row(hand, range(cards[0] - 1, suit * 13 - 1, -1))
    above = _held_in_a_row(hand, range(cards[-1] + 1, suit * 13 + 13))
    return [below[:low] + above[:high] for low in range(len(below) + 1) for high in range(len(above) + 1)]


def _held_in_a_row(hand: CardSet, order: range) -> tuple[Card, ...]:
    held = []
    for card in order:
        if not holds(hand, card):
            break
        held.append(card)
    return tuple(held)
