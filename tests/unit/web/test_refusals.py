"""The page of refusals is made from the code, agrees with openapi.yaml, and is the one in the documents."""

from pathlib import Path

from service.rulebooks.registry import RULEBOOKS
from service.web.refusals import INSTEAD, of_calls, of_rules, page
from tests import contract

PUBLISHED = Path(__file__).parents[3] / "docs/api/refusals.md"
OF_RULES = [refusal for refusals in of_rules().values() for refusal in refusals]
REFUSALS = {refusal.code: refusal for refusal in [*of_calls(), *OF_RULES]}


def test_the_codes_are_those_of_the_contract():
    assert len(REFUSALS) == len(of_calls()) + len(OF_RULES), "a code stands on the page twice"
    assert set(REFUSALS) == set(contract.SPEC["components"]["schemas"]["ProblemCode"]["enum"])


def test_each_has_the_status_and_the_facts_of_the_contract():
    for code, documented in contract.problems().items():
        refusal = REFUSALS[code]
        assert set(refusal.facts) == documented.facts, code
        statuses = {409, 422} if refusal in OF_RULES else {refusal.status}
        assert documented.statuses <= statuses, code


def test_each_says_in_one_sentence_what_it_means_and_what_to_do():
    for refusal in REFUSALS.values():
        for text in (refusal.meaning, refusal.to_do):
            assert text[0].isupper(), refusal.code
            assert text.endswith("."), refusal.code


def test_no_advice_is_left_over_for_a_code_that_is_gone():
    assert INSTEAD.keys() <= REFUSALS.keys()


def test_every_code_has_its_line_under_the_game_that_it_belongs_to():
    general, *games = page().split("\n### Only in ")
    assert [part.splitlines()[0] for part in games] == [rulebook.TITLE.lower() for rulebook in RULEBOOKS.values()]
    assert "| `not_your_turn` | `turn` |" in general
    assert "| `deadwood_over_limit` | `deadwood`, `limit` |" in games[0]
    assert "| `own_meld_first` |" in games[1]
    for code in REFUSALS:
        assert page().count(f"\n| `{code}` |") == 1


def test_the_page_in_the_documents_is_up_to_date():
    assert PUBLISHED.read_text().rstrip() == page()
