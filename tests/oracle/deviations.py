"""Where OpenSpiel is known to differ from the rules: one function each, which says when it applies and what follows.

A function over a list of moves answers with the `Gap` it makes: what is listed only here, and only there. A function
over a figure answers with OpenSpiel's figure instead of ours. None: it does not apply. `docs/oracle.md` tells them.
"""

from dataclasses import dataclass
from typing import Any, TypeAlias

from service.cards.card import NAMES, Card, suit
from service.cards.cardset import CardSet, cardset, holds, names, points
from service.cards.deadwood import best_throws, deadwood, throws
from service.cards.melds import is_set, melds_in
from service.rulebooks.gin.moves import Layoff
from service.rulebooks.gin.round import Round
from service.rulebooks.gin.scoring import SPADES
from tests.oracle.cards import LONGEST_THERE
from tests.oracle.formulas import layoffs_offered, run_ends, shortcut, within

Item: TypeAlias = tuple[Any, ...]
Items: TypeAlias = frozenset[Item]
NOTHING: Items = frozenset()


@dataclass(frozen=True)
class Gap:
    """What only our side lists, and what only OpenSpiel lists."""

    here: Items = NOTHING
    there: Items = NOTHING

    def __bool__(self) -> bool:
        return bool(self.here or self.there)


@dataclass(frozen=True)
class Eleven:
    """A seat with eleven cards, or at the end of the stock with ten and the last discard in reach.

    taken: the card from the discard pile. limit_there: OpenSpiel's knock limit. wall: only a knock may follow.
    """

    round: Round
    cards: CardSet
    taken: Card | None
    limit_there: int
    wall: bool

    def __str__(self) -> str:
        taken = "none" if self.taken is None else NAMES[self.taken]
        seen, least = self.seen_there, best_throws(self.cards, self.taken)[0]
        return f"{_named(self.cards)}, taken {taken}, limit {self.limit}, deadwood {least} here and {seen} there"

    @property
    def limit(self) -> int:
        """Our knock limit."""
        return self.round.knock_limit

    @property
    def seen_there(self) -> int:
        """The deadwood by which OpenSpiel judges whether a knock is legal."""
        return shortcut(self.cards)

    def knocks(self, limit: int) -> set[Card]:
        """The throws allowed here that leave a knock within a limit."""
        return within(self.cards, throws(self.cards, self.taken), limit)

    @property
    def thrown_back_knock(self) -> bool:
        """Whether OpenSpiel lists the knock that throws the taken card."""
        thrown = set() if self.taken is None else within(self.cards, [self.taken], self.limit_there)
        return bool(thrown) and self.seen_there <= self.limit_there


def _named(cards: CardSet) -> str:
    return " ".join(names(cards)) or "none"


def _knocks(cards: set[Card]) -> Items:
    return frozenset(("knock", card) for card in cards)


# --- Throws and knocks with eleven cards ---------------------------------------


def taken_card_thrown_back(spot: Eleven) -> Gap | None:
    """There the card just taken from the discard pile may be thrown again, also with a knock."""
    if spot.taken is None:
        return None
    thrown = NOTHING if spot.wall else frozenset({("throw", spot.taken)})
    return Gap(there=thrown | _knocks({spot.taken} if spot.thrown_back_knock else set()))


def knock_denied_by_shortcut(spot: Eleven) -> Gap | None:
    """There no knock is listed at all if the best arrangement of eleven, less its dearest card, is over the limit."""
    if spot.seen_there <= max(spot.limit, spot.limit_there):
        return None
    return Gap(here=_knocks(spot.knocks(spot.limit)))


def ace_sets_limit_zero(ace: str | None, limit: int) -> int | None:
    """There an ace as Oklahoma's upcard means a limit of 0, which here only `oklahoma_ace: gin_only` says."""
    return 0 if ace == "one" and limit == 1 else None


LIMIT = (ace_sets_limit_zero,)


def ace_means_gin(spot: Eleven) -> Gap | None:
    """As `ace_sets_limit_zero`: a knock with 1 is listed here only."""
    if spot.limit == spot.limit_there or spot.seen_there > spot.limit:
        return None
    seen = spot.seen_there <= spot.limit_there
    return Gap(here=_knocks(spot.knocks(spot.limit) - (spot.knocks(spot.limit_there) if seen else set())))


def big_gin(spot: Eleven) -> Gap | None:
    """There is no big gin there."""
    played = spot.round.rules.big_gin_bonus is not None and deadwood(spot.cards) == 0
    return Gap(here=frozenset({("big gin",)})) if played else None


AT_ELEVEN = (taken_card_thrown_back, knock_denied_by_shortcut, ace_means_gin, big_gin)

# --- The last discard, at the end of the stock ---------------------------------


def last_discard_denied_by_shortcut(spot: Eleven) -> Gap | None:
    """As `knock_denied_by_shortcut`: there the last discard may then not be taken."""
    denied = spot.seen_there > max(spot.limit, spot.limit_there) and spot.knocks(spot.limit)
    return Gap(here=frozenset({("take",)})) if denied else None


def last_discard_under_an_ace(spot: Eleven) -> Gap | None:
    """As `ace_sets_limit_zero`: there the last discard may not be taken to knock with 1."""
    denied = spot.limit_there < spot.seen_there <= spot.limit and spot.knocks(spot.limit)
    return Gap(here=frozenset({("take",)})) if denied else None


def last_discard_thrown_back(spot: Eleven) -> Gap | None:
    """There the last discard may also be taken if the only knock that follows throws it back."""
    only = spot.seen_there <= spot.limit_there and not spot.knocks(spot.limit)
    return Gap(there=frozenset({("take",)})) if only else None


AT_LAST_DISCARD = (last_discard_denied_by_shortcut, last_discard_under_an_ace, last_discard_thrown_back)

# --- The deadwood shown with eleven cards ---------------------------------------


def taken_card_counts_as_a_throw(spot: Eleven, least: int) -> int | None:
    """There the deadwood of eleven cards is that after the best throw, the taken card among the throws."""
    with_all = best_throws(spot.cards)[0]
    return with_all if with_all < least else None


def shortcut_shows_more(spot: Eleven, least: int) -> int | None:
    """There the deadwood of eleven cards is the shortcut, which may be more than what the best throw leaves."""
    return spot.seen_there if spot.seen_there > least else None


DEADWOOD_OF_ELEVEN = (taken_card_counts_as_a_throw, shortcut_shows_more)

# --- Melds ------------------------------------------------------------------------


@dataclass(frozen=True)
class Spreading:
    """A hand being laid out. legal: its melds that may be laid now. denied: layoffs that were refused there.

    limit_there: OpenSpiel's knock limit where it is less than ours; None where it is the same, or not asked for.
    """

    legal: frozenset[CardSet]
    hand_there: CardSet
    denied: CardSet = 0
    limit_there: int | None = None

    def __str__(self) -> str:
        return f"{_named(self.hand_there)}, refused there {_named(self.denied)}"


def run_of_six(spot: Spreading) -> Gap | None:
    """There no meld has more than five cards: a longer run is laid in pieces."""
    return Gap(here=frozenset(("meld", meld) for meld in spot.legal if meld.bit_count() > LONGEST_THERE))


def ace_means_melds_for_gin(spot: Spreading) -> Gap | None:
    """As `ace_sets_limit_zero`: on gin, no meld is offered there that would leave 1."""
    if spot.limit_there is None:
        return None
    left = {meld: deadwood(spot.hand_there ^ meld) for meld in spot.legal}
    return Gap(here=frozenset(("meld", meld) for meld, count in left.items() if count > spot.limit_there))


def denied_layoff_is_still_held(spot: Spreading) -> Gap | None:
    """A card whose laying off was refused there can be melded there."""
    if not spot.denied:
        return None
    melds = (meld for meld in melds_in(spot.hand_there) if meld & spot.denied and meld.bit_count() <= LONGEST_THERE)
    return Gap(there=frozenset(("meld", meld) for meld in melds))


AT_MELDS = (run_of_six, ace_means_melds_for_gin, denied_layoff_is_still_held)

# --- Layoffs ------------------------------------------------------------------------


@dataclass(frozen=True)
class LayingOff:
    """A defender laying off: on the knocker's melds here, on their pieces there.

    layoffs: as laid here. hand: the cards still held here. denied: those among the layoffs that were refused there.
    """

    melds: tuple[CardSet, ...]
    pieces: tuple[CardSet, ...]
    layoffs: tuple[Layoff, ...]
    hand: CardSet
    denied: CardSet

    def __str__(self) -> str:
        laid = " ".join(f"{NAMES[layoff.card]}>{layoff.meld}" for layoff in self.layoffs)
        return f"on {' | '.join(map(_named, self.melds))} after {laid or 'none'}, held {_named(self.hand)}"

    def here(self) -> set[Card]:
        """The cards that fit on a meld as it has grown."""
        fitting: set[Card] = set()
        for index, meld in enumerate(self.melds):
            grown = meld | cardset(layoff.card for layoff in self.layoffs if layoff.meld == index)
            low = (meld & -meld).bit_length() - 1
            fitting |= set(range(low % 13, 52, 13)) if is_set(meld) else run_ends(grown)
        return {card for card in fitting if holds(self.hand, card)}

    def there(self) -> set[Card]:
        """The cards that OpenSpiel offers."""
        laid = tuple(layoff.card for layoff in self.layoffs if not holds(self.denied, layoff.card))
        return layoffs_offered(self.pieces, laid, self.hand | self.denied)

    def steps_away(self, card: Card) -> int:
        """How far a card is from the nearest run of its suit, as that was laid; 1 is next to it."""
        runs = [meld for meld in self.melds if not is_set(meld) and suit((meld & -meld).bit_length() - 1) == suit(card)]
        ends = [((run & -run).bit_length() - 1, run.bit_length() - 1) for run in runs]
        return min((max(low - card, card - high) for low, high in ends), default=0)

    def next_to_one_laid_elsewhere(self, card: Card) -> bool:
        """Whether the card next to it was laid off on a meld that is not a run of their suit, or on another run."""
        beside = [layoff for layoff in self.layoffs if layoff.card in run_ends(1 << card)]
        return any(card not in run_ends(self._grown(layoff.meld)) for layoff in beside)

    def _grown(self, index: int) -> CardSet:
        meld = self.melds[index]
        return meld if is_set(meld) else meld | cardset(layoff.card for layoff in self.layoffs if layoff.meld == index)


def third_in_a_chain(spot: LayingOff) -> Gap | None:
    """There a run grows by one card at each end only: the third card of a chain is refused, and stays in hand."""
    here = {card for card in spot.here() - spot.there() if spot.steps_away(card) >= 3}
    there = {card for card in spot.there() if holds(spot.denied, card)}
    return Gap(frozenset(("lay off", card) for card in here), frozenset(("lay off", card) for card in there))


def layoff_without_target(spot: LayingOff) -> Gap | None:
    """There it is not kept where a card was laid: laid on a set, it also opens the run that it would fit."""
    more = {card for card in spot.there() - spot.here() if spot.next_to_one_laid_elsewhere(card)}
    return Gap(there=frozenset(("lay off", card) for card in more))


AT_LAYOFFS = (third_in_a_chain, layoff_without_target)

# --- The result -----------------------------------------------------------------------


@dataclass(frozen=True)
class Ending:
    """A round that was knocked: its kind here, the deadwood of knocker and defender, and the layoffs refused there."""

    round: Round
    kind: str
    knocker: int
    defender: int
    denied: CardSet

    def __str__(self) -> str:
        return f"{self.kind}, {self.knocker} against {self.defender}, refused there {_named(self.denied)}"


def spades_double(end: Ending, value: int) -> int | None:
    """There a spade as Oklahoma's upcard does not double the points."""
    card = end.round.limit_card
    doubled = end.round.rules.oklahoma_spade_doubles and card is not None and suit(card) == SPADES
    return value // 2 if doubled else None


def big_gin_is_gin(end: Ending, value: int) -> int | None:
    """There the round goes on with a throw and is gin: the gin bonus instead of the one for big gin."""
    big = end.round.rules.big_gin_bonus
    return None if end.kind != "big_gin" or big is None else value - big + end.round.rules.gin_bonus


def tie_scores_nothing(end: Ending, value: int) -> int | None:
    """There a tie is 0 to 0; here it is an undercut with a difference of 0, and the bonus."""
    tied = end.kind == "undercut" and end.knocker == end.defender
    return value + end.round.rules.undercut_bonus if tied else None


def denied_layoff_counts(end: Ending, value: int) -> int | None:
    """There the cards of a chain that were refused count against the defender, and a tie still scores nothing."""
    if not end.denied:
        return None
    difference = end.defender + points(end.denied) - end.knocker
    return difference if difference >= 0 else difference - end.round.rules.undercut_bonus


AT_RESULT = (spades_double, big_gin_is_gin, tie_scores_nothing, denied_layoff_counts)

# --- Ends of the round --------------------------------------------------------------------


def fiftieth_take_ends_the_round(round: Round) -> Gap | None:
    """There the round ends with the fiftieth take, before the card is in hand; here that turn is played to its end.

    round: just after the take. The items are the seat on turn, its hand, and the top of the discard pile.
    """
    if round.discard_draws < 50 or round.taken is None or round.turn is None:
        return None
    hand = round.hands[round.turn]
    return Gap(
        here=frozenset({("turn", round.turn), ("hand", hand), ("top", None)}),
        there=frozenset({("turn", None), ("hand", hand ^ 1 << round.taken), ("top", round.taken)}),
    )


def last_discard_always_in_reach(round: Round, seat: int, limit_there: int) -> Gap | None:
    """There the last discard may always be knocked with; here only with `fiftieth_card`, else the round is void.

    round: void at the end of the stock. seat: the one that did not throw last. The items are the moves left.
    """
    if round.rules.fiftieth_card:
        return None
    knock = shortcut(round.hands[seat] | 1 << round.discards[-1]) <= limit_there
    return Gap(there=frozenset({("pass", seat)} | ({("take", seat)} if knock else set())))


ALL = tuple(
    each.__name__
    for each in (
        *LIMIT,
        *AT_ELEVEN,
        *AT_LAST_DISCARD,
        *DEADWOOD_OF_ELEVEN,
        *AT_MELDS,
        *AT_LAYOFFS,
        *AT_RESULT,
        fiftieth_take_ends_the_round,
        last_discard_always_in_reach,
    )
)
"""The names of all deviations."""
