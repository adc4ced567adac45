"""A round of basic rummy: draw, lay cards on the table, discard; until somebody is out, or nobody can go on.

Hands, stock, discard pile and table always hold the 52 cards between them.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from service.cards.card import Card, name
from service.cards.cardset import EMPTY, CardSet, cards_in, cardset, holds
from service.rulebooks.base import ROUND_OVER
from service.rulebooks.errors import (
    CardNotInHand,
    DiscardJustTaken,
    InvalidMeld,
    LayoffDoesNotFit,
    NotYourTurn,
    RuleViolation,
    SourceNotOpen,
    WrongPhase,
)
from service.rulebooks.public import PublicTurn, Took
from service.rulebooks.rummy.errors import (
    AlreadyMelded,
    LastCardMustBeDiscarded,
    MeldBeforeLayoffs,
    OwnMeldFirst,
    TakenCardLeft,
)
from service.rulebooks.rummy.melds import is_rummy_meld, rummy_melds_in
from service.rulebooks.rummy.moves import TYPES, Discard, Draw, LayOff, Meld, Move
from service.rulebooks.rummy.ruleset import Ruleset

MOST_TAKES = 50
"""So many takes from the discard pile in a row, with no other card moving, block the round."""


class TableMeld(Struct, frozen=True):
    """A meld on the table, and the seat that laid it."""

    seat: int
    cards: CardSet


class Round(Struct, frozen=True):
    """A round in play, or over.

    seats: dealt to, in order. gone: those of them that have resigned. hands: one a seat of the table, empty where
    nothing was dealt. stock: in draw order. discards: the top last. taken: the card taken from the discard pile this
    turn. melded, laid_off: whether this turn has a meld, or a layoff. begun: seats that laid cards in earlier turns.
    takes: from the discard pile in a row. turned: how often the pile was turned over.
    """

    rules: Ruleset
    number: int
    dealer: int
    phase: str
    turn: int | None
    seats: tuple[int, ...]
    hands: tuple[CardSet, ...]
    stock: tuple[Card, ...]
    discards: tuple[Card, ...]
    table: tuple[TableMeld, ...] = ()
    gone: tuple[int, ...] = ()
    public: tuple[PublicTurn, ...] = ()
    taken: Card | None = None
    melded: bool = False
    laid_off: bool = False
    begun: tuple[int, ...] = ()
    takes: int = 0
    turned: int = 0

    @property
    def high_ace(self) -> bool:
        """Whether the ace may follow the king."""
        return self.rules.ace == "either"

    @property
    def in_play(self) -> tuple[int, ...]:
        """The seats that were dealt to and have not resigned."""
        return tuple(seat for seat in self.seats if seat not in self.gone)


class RoundResult(Struct, frozen=True):
    """What happened in a round: `out`, `rummy`, `blocked` or `resigned`; who went out; and what each seat holds.

    seats: dealt to. gone: those that resigned. hands: one a seat of the table.
    """

    kind: str
    out: int | None
    seats: tuple[int, ...]
    gone: tuple[int, ...]
    hands: tuple[CardSet, ...]


class Played(Struct, frozen=True):
    """A round after a move, and its result if it is over."""

    round: Round
    result: RoundResult | None = None


def hand_size(seats: int) -> int:
    """How many cards each of so many seats is dealt. Source: pagat.com, "Rummy"."""
    return 10 if seats == 2 else 7 if seats <= 4 else 6


def dealt(rules: Ruleset, number: int, dealer: int, deck: Sequence[Card], *, seats: Sequence[int], table: int) -> Round:
    """A round just dealt, one card at a time from the dealer's left on, then the upcard, then the stock.

    seats: dealt to, in order. table: how many seats the table has.
    """
    left = seats.index(dealer) + 1
    order = [*seats[left:], *seats[:left]]
    size = hand_size(len(order))
    cards = size * len(order)
    hands = {seat: cardset(deck[place : cards : len(order)]) for place, seat in enumerate(order)}
    return Round(
        rules=rules,
        number=number,
        dealer=dealer,
        phase="draw",
        turn=order[0],
        seats=tuple(seats),
        hands=tuple(hands.get(seat, EMPTY) for seat in range(table)),
        stock=tuple(deck[cards + 1 :]),
        discards=(deck[cards],),
    )


def legal_moves(round: Round) -> tuple[Move, ...]:
    """Every move that the seat on turn may make."""
    return PHASES[round.phase][0](round) if round.phase in PHASES else ()


def play(round: Round, seat: int, move: Move) -> Played:
    """The round after a seat's move. Raises RuleViolation; then nothing has changed."""
    if round.turn is None:
        raise WrongPhase(TYPES[type(move)], round.phase)
    if round.turn != seat:
        raise NotYourTurn(round.turn)
    return PHASES[round.phase][1](round, move)


def resigned(round: Round, seat: int) -> Played:
    """The round once a seat's hand has left play; its turn passes on, and the last seat left ends the round."""
    left = replace(round, gone=(*round.gone, seat))
    if len(left.in_play) == 1:
        return _over(left, "resigned", None)
    return _next_turn(left) if round.turn == seat else Played(left)


def _in_draw(round: Round) -> tuple[Move, ...]:
    return (Draw("stock"), Draw("discard")) if round.discards else (Draw("stock"),)


def _play_in_draw(round: Round, move: Move) -> Played:
    match move:
        case Draw("stock"):
            card, *rest = round.stock
            return Played(replace(_holding(round, card, "stock"), stock=tuple(rest), takes=0))
        case Draw("discard") if round.discards:
            *under, card = round.discards
            taken = replace(_holding(round, card, card), discards=tuple(under), taken=card, takes=round.takes + 1)
            return Played(taken)
        case Draw(source):
            raise SourceNotOpen(source)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _holding(round: Round, card: Card, took: Took) -> Round:
    seat = _turn(round)
    hands = _with_hand(round, seat, round.hands[seat] | 1 << card)
    return replace(round, phase="play", hands=hands, public=(*round.public, PublicTurn(seat, took)))


def _in_play(round: Round) -> tuple[Move, ...]:
    return tuple(move for move in _thinkable(round) if _accepted(round, move))


def _thinkable(round: Round) -> Iterator[Move]:
    """Every move of the hand that could be legal, taken by itself."""
    hand = round.hands[_turn(round)]
    for meld in rummy_melds_in(hand, round.high_ace):
        yield Meld(tuple(cards_in(meld)))
    for card in cards_in(hand):
        for index in range(len(round.table)):
            yield LayOff(card, index)
    for card in cards_in(hand):
        yield Discard(card)


def _accepted(round: Round, move: Move) -> bool:
    try:
        _play_in_play(round, move)
    except RuleViolation:
        return False
    return True


def _play_in_play(round: Round, move: Move) -> Played:
    match move:
        case Meld(cards):
            return _after_laying(_meld(round, cards))
        case LayOff(card, index):
            return _after_laying(_lay_off(round, card, index))
        case Discard(card):
            return _discard(round, card)
    raise WrongPhase(TYPES[type(move)], round.phase)


def _meld(round: Round, cards: Sequence[Card]) -> Round:
    if round.rules.melds_per_turn == "one":
        if round.melded:
            raise AlreadyMelded
        if round.laid_off:
            raise MeldBeforeLayoffs
    seat = _turn(round)
    for card in cards:
        _check_held(round, seat, card)
    mask = cardset(cards)
    if mask.bit_count() != len(cards) or not is_rummy_meld(mask, round.high_ace):
        raise InvalidMeld([name(card) for card in cards])
    hands = _with_hand(round, seat, round.hands[seat] ^ mask)
    return replace(round, hands=hands, table=(*round.table, TableMeld(seat, mask)), melded=True, takes=0)


def _lay_off(round: Round, card: Card, index: int) -> Round:
    seat = _turn(round)
    _check_held(round, seat, card)
    if round.rules.layoff_after_meld and all(meld.seat != seat for meld in round.table):
        raise OwnMeldFirst
    if not _fits(round, card, index):
        raise LayoffDoesNotFit(name(card), index)
    longer = replace(round.table[index], cards=round.table[index].cards | 1 << card)
    table = (*round.table[:index], longer, *round.table[index + 1 :])
    return replace(
        round, hands=_with_hand(round, seat, round.hands[seat] ^ 1 << card), table=table, laid_off=True, takes=0
    )


def _fits(round: Round, card: Card, index: int) -> bool:
    return 0 <= index < len(round.table) and is_rummy_meld(round.table[index].cards | 1 << card, round.high_ace)


def _check_held(round: Round, seat: int, card: Card) -> None:
    if not holds(round.hands[seat], card):
        raise CardNotInHand(name(card))


def _after_laying(round: Round) -> Played:
    """The turn goes on, or the seat is out. Refused if it could then neither go on nor end its turn."""
    seat = _turn(round)
    left = round.hands[seat]
    to_discard = round.rules.discard_to_go_out
    if left == EMPTY:
        if to_discard:
            raise LastCardMustBeDiscarded
        return _out(round, seat)
    if round.taken is not None and left == 1 << round.taken:
        fits = any(_fits(round, round.taken, index) for index in range(len(round.table)))
        if to_discard or not fits:
            raise TakenCardLeft(name(round.taken))
    return Played(round)


def _discard(round: Round, card: Card) -> Played:
    seat = _turn(round)
    _check_held(round, seat, card)
    if card == round.taken:
        raise DiscardJustTaken(name(card))
    thrown = replace(
        round,
        hands=_with_hand(round, seat, round.hands[seat] ^ 1 << card),
        discards=(*round.discards, card),
        public=(*round.public[:-1], round.public[-1]._replace(threw=card)),
    )
    if thrown.hands[seat] == EMPTY:
        return _out(thrown, seat)
    return _next_turn(thrown)


def _out(round: Round, seat: int) -> Played:
    return _over(round, "out" if seat in round.begun else "rummy", seat)


def _next_turn(round: Round) -> Played:
    """The next seat begins its turn, unless there were too many takes in a row, or there is nothing to draw."""
    if round.takes >= MOST_TAKES:
        return _over(round, "blocked", None)
    seat = _turn(round)
    laid = (round.melded or round.laid_off) and seat not in round.begun
    following = [other for other in round.in_play if other > seat] or list(round.in_play)
    passed = replace(
        round,
        phase="draw",
        turn=following[0],
        taken=None,
        melded=False,
        laid_off=False,
        begun=(*round.begun, seat) if laid else round.begun,
    )
    return Played(passed) if passed.stock else _without_stock(passed)


def _without_stock(round: Round) -> Played:
    """A turn that begins without a stock: the pile but its top is turned over, unshuffled, or the round is blocked."""
    spent = round.turned >= round.rules.stock_passes_max or len(round.discards) <= 1
    if round.rules.stock_empty == "block" or spent:
        return _over(round, "blocked", None)
    *under, top = round.discards
    return Played(replace(round, stock=tuple(under), discards=(top,), turned=round.turned + 1))


def _over(round: Round, kind: str, out: int | None) -> Played:
    ended = replace(round, phase=ROUND_OVER, turn=None, taken=None, melded=False, laid_off=False)
    return Played(ended, RoundResult(kind, out, round.seats, round.gone, round.hands))


def _turn(round: Round) -> int:
    assert round.turn is not None
    return round.turn


def _with_hand(round: Round, seat: int, hand: CardSet) -> tuple[CardSet, ...]:
    return (*round.hands[:seat], hand, *round.hands[seat + 1 :])


PHASES: dict[str, tuple[Callable[[Round], tuple[Move, ...]], Callable[[Round, Move], Played]]] = {
    "draw": (_in_draw, _play_in_draw),
    "play": (_in_play, _play_in_play),
}
