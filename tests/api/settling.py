"""Rounds as they are sent to be settled, and what must hold of every result."""

RUNS = "AS 2S 3S 4C 5C 6C 7D 8D 9D 5H"
"""Three runs and a deadwood of 5."""
GIN = "2S 3S 4S 4C 5C 6C 7D 8D 9D TD"
OTHER = "KS QS JC TC 8H 7H 6H 4H 2D AD"
"""A run of hearts, and 10 + 10 + 10 + 10 + 4 + 2 + 1 = 47. None of it goes on the melds of the two above."""
BLOCKED = ("JS QS KS TC TD TH AS AC AD 2H", "4S 4C 4D 4H 5S 5C 5D 5H 9S TS")
"""A knocker and a defender whose TS on the tens would block 9S on the run."""
BREAKING = ("KS KC KD 5S 6S 7S 9C TC JC JD", "2S 8S 9S AC 2C 7C 8C 2D 8D 2H")
"""A knocker and a defender who does best by breaking up the eights."""


def points_of(card):
    return min("A23456789TJQK".index(card[0]) + 1, 10)


def hand(cards, **answer):
    """A hand of a request: cards in one text, melds too: `hand("...", melds="AS 2S 3S|4C 5C 6C", layoffs="8S>0")`."""
    found = {"cards": cards.split()}
    for key, text in answer.items():
        match key:
            case "melds":
                found[key] = [meld.split() for meld in text.split("|")] if text else []
            case "layoffs":
                found[key] = [{"card": each[:2], "meld": int(each[3:])} for each in text.split()]
            case _:
                found[key] = text
    return found


def sent(http, knocker, defender, ruleset="standard", **others):
    return http.post("/v1/analysis/round", json={"ruleset": ruleset, "knocker": knocker, "defender": defender} | others)


def settled(http, knocker, defender, ruleset="standard", **others):
    """The result; the defender's cards are all in it, and the lines add up."""
    answer = sent(http, knocker, defender, ruleset, **others)
    assert answer.status_code == 200, answer.text
    result = answer.json()
    _, other = result["spreads"]
    laid = [card for meld in other["melds"] for card in meld]
    laid_off = [layoff["card"] for layoff in result["layoffs"]]
    assert sorted(laid + other["deadwood_cards"] + laid_off) == sorted(card.upper() for card in defender["cards"])
    assert [spread["deadwood"] for spread in result["spreads"]] == result["deadwood"]
    assert sum(map(points_of, other["deadwood_cards"])) == result["deadwood"][1]
    assert sum(line["points"] for line in result["lines"]) == result["points"]
    assert {line["seat"] for line in result["lines"]} <= {result["winner"]}
    return result


def outcome(result):
    return result["kind"], result["winner"], result["points"], result["deadwood"]


def parts(result):
    return [(line["part"], line["points"], line["rule"]) for line in result["lines"]]


def assert_refused(answer, code, **facts):
    assert (answer.status_code, answer.json()["code"]) == (422, code), answer.text
    assert answer.json().items() >= facts.items()
