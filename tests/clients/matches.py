"""Two matches in which every type of move is made, and what they come to. Ann is seat 0 and deals, so Ben begins."""

from tests.api.playing import deck

MATCHES = {
    "gin": {
        "target": 60,
        "decks": [
            deck("AS 2S 3S 4H 5H 6H 7D 7C QC KD", "4S 9S TH JH 2D 5D 6D QD 2C 8C", upcard="8H", stock="JC KS 7S"),
            deck("AS 2S 3S 4S 5H 6H 7H 9H 9D 9C", "JS KS 2H QH AD 6D TD 3C 4C 8C", upcard="8D", stock="5S"),
        ],
    },
    "rummy": {
        "target": 30,
        "decks": [
            deck(
                "9S QS KS 7H 7D 7C AC 2C 3C 4C",
                "2S 4S 6S 8S TS 2H 4H 8H TD KD",
                upcard="5H",
                stock="6H JH 5C QD 6C 3D 7S",
            )
        ],
    },
}
PLAYED = {
    "gin": {
        "types": ["big_gin", "deal", "discard", "draw", "knock", "pass", "spread"],
        "totals": [220, 77],
        "winners": [0],
    },
    "rummy": {"types": ["deal", "discard", "draw", "lay_off", "meld"], "totals": [75, 0], "winners": [1]},
}
"""
Every type of move, and these scores:

Gin, round 1: Ben, seat 1, draws JC, throws KD, draws 7S and knocks with a picture card, 10. Ann has thrown KS and lays
4S off on the spades; 9+10+10+2+5+6+10+2+8 = 62 are left, and Ben scores 62 - 10 = 52. Round 2: Ann draws 5S and has big
gin; Ben holds 10+10+2+10+1+6+10+3+4+8 = 64, and Ann scores 64 + 31 = 95, past the target of 60. A box of 25 for each
round and 100 for the match: 95 + 25 + 100 = 220 to 52 + 25 = 77.

Rummy: Ben goes out with four sevens, the clubs from ace to six, and what he throws, in four turns. Ann throws 2S, 4S
and 6S in three, and is left with 8S TS 2H 4H 8H JH 3D TD QD KD: 8+10+2+4+8+10+3+10+10+10 = 75, past the target of 30.
The least total wins.
"""
