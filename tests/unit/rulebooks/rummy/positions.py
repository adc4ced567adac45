"""Matches at every kind of point, for tests of what is stored and what is shown."""

from service.rulebooks import rummy
from tests.unit.rulebooks.rummy.tables import UNSHUFFLED, dealt, play, rules, table, throw_every_draw

KINGS = "1 KS KH KD"
ENDLESS = rules("block", target=10_000)

_FIRST = table("5S 6S KC", "9C 4D", "AC QD", pile="2C JD", stock="7S TD", laid=(KINGS,))
_BLOCKED = throw_every_draw(dealt(3, ruleset=ENDLESS), 30)

POSITIONS = {
    "before the first deal": rummy.start(rules(), 3, None),
    "before the first deal, the dealer named": rummy.start(rules("bicycle", target=50), 6, 5),
    "before the first deal, one resigned": rummy.resign(rummy.start(rules(), 3, None), 1, (0, 1, 2)).state,
    "just dealt": dealt(4),
    "dealt to some of the seats": rummy.deal(rummy.start(rules(), 6, 3), UNSHUFFLED, (0, 3, 5), 0),
    "a card is drawn": play(_FIRST, "0 draw stock"),
    "a card is taken": play(_FIRST, "0 draw discard"),
    "the card taken is laid off": play(
        table("5S 6S JD", "9C", pile="2C KC", laid=(KINGS,)), "0 draw discard", "0 lay KC>0"
    ),
    "melded and laid off": play(_FIRST, "0 draw stock", "0 lay KC>0"),
    "the turn has passed": play(_FIRST, "0 draw stock", "0 lay KC>0", "0 discard 7S"),
    "one has resigned": play(_FIRST, "1 resign"),
    "the pile is turned over": play(
        table("AS", "9C", "", pile="2C 3C", stock="9D", rest=2), "0 draw stock", "0 discard 9D"
    ),
    "out": play(table("5S 6S", "9C 4D", "AC QD", stock="7S", laid=("0 2H 3H 4H",)), "0 draw stock", "0 meld 5S6S7S"),
    "rummy": play(table("5S 6S", "9C", stock="7S", ruleset=rules("pagat")), "0 draw stock", "0 meld 5S6S7S"),
    "blocked": _BLOCKED,
    "blocked, and one has resigned since": play(_BLOCKED, "2 resign"),
    "the second round": rummy.deal(_BLOCKED, UNSHUFFLED, (0, 1, 2), 0),
    "the match is won": play(
        table("5S 6S", "9C", stock="7S", ruleset=rules(target=1)), "0 draw stock", "0 meld 5S6S7S"
    ),
    "won together": throw_every_draw(
        table("KS", "KH", "KD", pile="2C", stock="3C", rest="pile", ruleset=rules("block", target=1)), 1
    ),
    "all but one have resigned": play(_FIRST, "1 resign", "0 resign"),
    "given up before the first deal": rummy.abandon(rummy.start(rules(), 3, None)),
    "given up during a round": rummy.abandon(_FIRST),
}
