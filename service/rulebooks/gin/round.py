"""A round of gin rummy, from the deal to the result: one phase, one pair of functions.

Reading the phases in order is reading the rules: opening, draw, discard, spread, and at the end of the stock the
fiftieth card. Hands, stock and discard pile always hold the 52 cards between them.
"""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.cards.arrangement import Arrangement
from service.cards.card import DECK_SIZE, Card, name
from service.cards.cardset import EMPTY, CardSet, cards_in, cardset, holds
from service.cards.deadwood import best_throws, deadwood, deadwood_after_throw
from service.rulebooks.base import ROUND_OVER
from service.rulebooks.errors import CardNotInHand, DiscardJustTaken, NotYourTurn, SourceNotOpen, WrongPhase
from service.rulebooks.gin.errors import (
    BigGinNotPlayed,
    KnockMustFollow,
    NoKnockFollows,
)
from service.rulebooks.gin.moves import TYPES, BigGin, Discard, Draw, Knock, Move, NamedMelds, Pass, Spread
from service.rulebooks.gin.ruleset import Ruleset, knock_limit
from service.rulebooks.gin.showdown import (
    RoundResult,
    best_answer,
    checked_answer,
    laid_out,
    settle,
    settle_gin,
    settle_unknocked,
)
from service.rulebooks.public import PublicTurn

HAND_SIZE = 10
STOCK_END = 2
"""How many cards of the stock are never drawn."""


class Round(Struct, frozen=True):
    """A round in play, or over.

    stock: in draw order. discards: the top last. limit_card: the card that set the knock limit, if the ruleset has it
    so. stock_only: the upcard has been passed twice. taken: the card taken from the discard pile this turn.
    discard_draws: takes from that pile since the opening. laid: the knocker's hand as laid out.
    """

    rules: Ruleset
    number: int
    dealer: int
    phase: str
    turn: int | None
    hands: tuple[CardSet, CardSet]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    limit_card: Card | None
    public: tuple[PublicTurn, ...] = ()
    stock_only: bool = False
    taken: Card | None = None
    discard_draws: int = 0
    knocker: int | None = None
    laid: Arrangement | None = None

    @property
    def knock_limit(self) -> int:
        """The most deadwood a knock may have; set by the first upcard in Oklahoma."""
        return knock_limit(self.rules, self.limit_card)

    @property
    def knock_must_follow(self) -> bool:
        """Whether the fiftieth card was taken: a discard can be taken from a spent stock in no other way."""
        return self.taken is not None and len(self.stock) == STOCK_END


class Played(Struct, frozen=True):
    """A round after a move: the move as it was resolved, and the result if the round is over."""

    round: Round
    move: Move
    result: RoundResult | None = None


_PASS, _TAKE_STOCK, _TAKE_DISCARD = Pass(), Draw("stock"), Draw("discard")
_DISCARDS = tuple(map(Discard, range(DECK_SIZE)))


def dealt(rules: Ruleset, number: int, dealer: int, deck: Sequence[Card]) -> Round:
    """A round just dealt: ten cards each, one at a time from the non-dealer on, then the upcard, then the stock."""
    non_dealer = 1 - dealer
    first, second = cardset(deck[0 : 2 * HAND_SIZE : 2]), cardset(deck[1 : 2 * HAND_SIZE : 2])
    upcard = deck[2 * HAND_SIZE]
    return Round(
        rules=rules,
        number=number,
        dealer=dealer,
        phase="opening" if rules.opening == "offer" else "draw",
        turn=non_dealer,
        hands=(first, second) if non_dealer == 0 else (second, first),
        stock=tuple(deck[2 * HAND_SIZE + 1 :]),
        discards=(upcard,),
        limit_card=upcard if rules.knock_limit == "upcard" else None,
    )


def legal_moves(round: Round) -> Sequence[Move]:
    """Every move that the seat on turn may make, optional fields left out."""
    return PHASES[round.phase][0](round) if round.phase in PHASES else ()


def play(round: Round, seat: int, move: Move) -> Played:
    """The round after a seat's move. Raises RuleViolation; then nothing has changed."""
    if round.turn is None:
        raise WrongPhase(TYPES[type(move)], round.phase)
    if round.turn != seat:
        raise NotYourTurn(round.turn)
    return PHASES[round.phase][1](round, move)


def _in_opening(round: Round) -> Sequence[Move]:
    return _TAKE_DISCARD, _PASS


def _play_in_opening(round: Round, move: Move) -> Played:
    match move:
        case Draw("discard"):
            return Played(_take_discard(round), move)
        case Draw(source):
            raise SourceNotOpen(source)
        case Pass():
            return Played(_pass_upcard(round), move)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _pass_upcard(round: Round) -> Round:
    passed = (*round.public, PublicTurn(_turn(round)))
    if round.turn != round.dealer:
        return replace(round, public=passed, turn=round.dealer)
    stock_only = round.rules.both_pass_draw == "stock_only"
    return replace(round, public=passed, turn=1 - round.dealer, phase="draw", stock_only=stock_only)


def _in_draw(round: Round) -> Sequence[Move]:
    return (_TAKE_STOCK,) if round.stock_only else (_TAKE_STOCK, _TAKE_DISCARD)


def _play_in_draw(round: Round, move: Move) -> Played:
    match move:
        case Draw("stock"):
            return Played(_take_stock(round), move)
        case Draw("discard") if round.stock_only:
            raise SourceNotOpen("discard")
        case Draw("discard"):
            return Played(_take_discard(round, counted=1), move)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _take_stock(round: Round) -> Round:
    seat, card = _turn(round), round.stock[0]
    return replace(
        round,
        phase="discard",
        turn=seat,
        hands=_with_hand(round, seat, round.hands[seat] | 1 << card),
        stock=round.stock[1:],
        public=(*round.public, PublicTurn(seat, "stock")),
        stock_only=False,
    )


def _take_discard(round: Round, counted: int = 0) -> Round:
    """The round with the top of the discard pile taken. counted: 1 if that counts towards the cap on takes."""
    seat, card = _turn(round), round.discards[-1]
    return replace(
        round,
        phase="discard",
        turn=seat,
        hands=_with_hand(round, seat, round.hands[seat] | 1 << card),
        discards=round.discards[:-1],
        public=(*round.public, PublicTurn(seat, card)),
        stock_only=False,
        taken=card,
        discard_draws=round.discard_draws + counted,
    )


def _in_discard(round: Round) -> Sequence[Move]:
    """Throws, knocks and big gin. No throw allows a knock unless the best one does, which is quickly told."""
    hand = round.hands[_turn(round)]
    throwable = cards_in(_throwable(hand, round.taken))
    moves: list[Move] = [] if round.knock_must_follow else [_DISCARDS[card] for card in throwable]
    least, limit = deadwood_after_throw(hand), round.knock_limit
    if least <= limit:
        moves += [Knock(card) for card in throwable if deadwood(hand ^ 1 << card) <= limit]
    if least == 0 and _big_gin_possible(round, hand):
        moves.append(BigGin())
    return moves


def _throwable(hand: CardSet, taken: Card | None) -> CardSet:
    """All cards but the one just taken from the discard pile."""
    return hand if taken is None else hand ^ 1 << taken


def _play_in_discard(round: Round, move: Move) -> Played:
    match move:
        case Discard(card):
            _check_throw(round, card)
            if round.taken is not None and round.knock_must_follow:
                raise KnockMustFollow(name(round.taken))
            return _discard(round, card, move)
        case Knock(card, melds):
            _check_throw(round, card)
            return _knock(_thrown(round, card, "spread"), card, melds)
        case BigGin(melds):
            return _big_gin(round, melds)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _check_throw(round: Round, card: Card) -> None:
    """Refuse a throw that the seat on turn may not make. Raises CardNotInHand or DiscardJustTaken."""
    if not holds(round.hands[_turn(round)], card):
        raise CardNotInHand(name(card))
    if card == round.taken:
        raise DiscardJustTaken(name(card))


def _thrown(round: Round, card: Card, phase: str) -> Round:
    """The round with a card thrown. phase: in which the other seat is on turn then."""
    seat, took = _turn(round), round.public[-1].took
    return replace(
        round,
        phase=phase,
        turn=1 - seat,
        hands=_with_hand(round, seat, round.hands[seat] ^ 1 << card),
        discards=(*round.discards, card),
        public=(*round.public[:-1], PublicTurn(seat, took, card)),
        taken=None,
    )


def _discard(round: Round, card: Card, move: Move) -> Played:
    """The turn passes; or the round is void, at the cap on takes from the discard pile or at the end of the stock."""
    passed_on = _thrown(round, card, "draw")
    if round.taken is not None and round.discard_draws >= round.rules.max_discard_draws:
        return _void(passed_on, move)
    if len(round.stock) > STOCK_END:
        return Played(passed_on, move)
    if round.rules.fiftieth_card:
        return Played(replace(passed_on, phase="fiftieth"), move)
    return _void(passed_on, move)


def _void(round: Round, move: Move) -> Played:
    return Played(over(round), move, settle_unknocked("void", round.hands))


def over(round: Round) -> Round:
    """The round once nobody is to act in it."""
    return replace(round, phase=ROUND_OVER, turn=None, taken=None)


def _knock(round: Round, thrown: Card, melds: NamedMelds | None) -> Played:
    """A knock with the ten cards left. Source: pagat.com, "Knocking"; named melds decide what can be laid off.

    round: after the throw, with the defender to spread.
    """
    defender = _turn(round)
    knocker = 1 - defender
    laid = laid_out(round.hands[knocker], 1 << thrown, melds, round.knock_limit)
    move = Knock(thrown, _as_named(laid))
    round = replace(round, knocker=knocker, laid=laid)
    if laid.deadwood == 0:
        return Played(over(round), move, settle_gin("gin", knocker, laid, round.hands[defender]))
    if round.rules.layoff == "auto":
        answer = best_answer(laid, round.hands[defender])
        return Played(over(round), move, settle(knocker, laid, answer, round.rules.undercut_on_tie))
    return Played(round, move)


def _big_gin_possible(round: Round, hand: CardSet) -> bool:
    return round.rules.big_gin_bonus is not None and deadwood(hand) == 0


def _big_gin(round: Round, melds: NamedMelds | None) -> Played:
    if round.rules.big_gin_bonus is None:
        raise BigGinNotPlayed
    knocker = _turn(round)
    hand = round.hands[knocker]
    laid = laid_out(hand, EMPTY, melds, limit=0)
    ended = over(replace(round, knocker=knocker, laid=laid))
    return Played(ended, BigGin(_as_named(laid)), settle_gin("big_gin", knocker, laid, round.hands[1 - knocker]))


def _in_spread(round: Round) -> Sequence[Move]:
    return (Spread(),)


def _play_in_spread(round: Round, move: Move) -> Played:
    if not isinstance(move, Spread):
        raise WrongPhase(TYPES[type(move)], round.phase)
    defender = _turn(round)
    assert round.laid is not None
    answer = checked_answer(round.laid, round.hands[defender], move.melds, move.layoffs)
    result = settle(1 - defender, round.laid, answer, round.rules.undercut_on_tie)
    return Played(over(round), Spread(_as_named(answer.laid), answer.layoffs), result)


def _in_fiftieth(round: Round) -> Sequence[Move]:
    return (_TAKE_DISCARD, _PASS) if _knock_would_follow(round) else (_PASS,)


def _play_in_fiftieth(round: Round, move: Move) -> Played:
    match move:
        case Pass():
            return _void(replace(round, public=(*round.public, PublicTurn(_turn(round)))), move)
        case Draw("discard") if _knock_would_follow(round):
            return Played(_take_discard(round), move)
        case Draw("discard"):
            raise NoKnockFollows(name(round.discards[-1]))
        case Draw(source):
            raise SourceNotOpen(source)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _knock_would_follow(round: Round) -> bool:
    """Whether the last discard lets the seat on turn knock; eleven melded cards always leave a gin as well."""
    upcard = round.discards[-1]
    return best_throws(round.hands[_turn(round)] | 1 << upcard, upcard)[0] <= round.knock_limit


def _turn(round: Round) -> int:
    assert round.turn is not None
    return round.turn


def _with_hand(round: Round, seat: int, hand: CardSet) -> tuple[CardSet, CardSet]:
    return (hand, round.hands[1]) if seat == 0 else (round.hands[0], hand)


def _as_named(laid: Arrangement) -> NamedMelds:
    return tuple(tuple(cards_in(meld)) for meld in laid.melds)


PHASES: dict[str, tuple[Callable[[Round], Sequence[Move]], Callable[[Round, Move], Played]]] = {
    "opening": (_in_opening, _play_in_opening),
    "draw": (_in_draw, _play_in_draw),
    "discard": (_in_discard, _play_in_discard),
    "spread": (_in_spread, _play_in_spread),
    "fiftieth": (_in_fiftieth, _play_in_fiftieth),
}
