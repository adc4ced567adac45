"""The helper of the guide, as it is printed there: what it sends again happens once."""

import re
import urllib.request
from pathlib import Path
from types import ModuleType

import pytest

from service.bootstrap import create_app
from tests.conftest import running_store, served, settings_for

PAGE = Path(__file__).parents[2] / "docs/api/refusals-and-retries.md"
GIN = {"game": "gin"}


@pytest.fixture
def own_store():
    with running_store() as running:
        yield running


@pytest.fixture
def helper(own_store):
    """The module that the page prints, for a service on a store of its own. waits: how long it would have slept."""
    (printed,) = re.findall(r"^```python\n(# upcard\.py\n.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    module = ModuleType("upcard")
    exec(printed, vars(module))
    waits = []
    module.waits = waits
    module.time = ModuleType("time")
    module.time.sleep = waits.append
    with served(create_app(settings_for(own_store.url))) as url:
        module.URL = url
        yield module


def test_a_call_waits_for_a_store_that_is_away_and_is_then_carried_out(helper, own_store):
    own_store.stop()

    def wait(seconds):
        helper.waits.append(seconds)
        own_store.start()

    helper.time.sleep = wait
    assert helper.call("/v1/games", GIN)["game"]["version"] == 1
    assert helper.waits == [1], "as Retry-After says"
    assert len(own_store.games()) == 1


def test_a_call_whose_answer_is_lost_is_sent_again_and_carried_out_once(helper, own_store):
    lost = []

    def urlopen(request, timeout):
        answer = urllib.request.urlopen(request, timeout=timeout)
        if not lost:
            lost.append(answer.read())
            answer.close()
            raise ConnectionResetError
        return answer

    helper.urlopen = urlopen
    made = helper.call("/v1/games", GIN)
    assert made["tokens"][0]["token"].encode() in lost[0]
    assert len(own_store.games()) == 1


def test_a_call_that_is_refused_for_good_is_sent_once(helper):
    with pytest.raises(helper.Refused) as refused:
        helper.call("/v1/games", GIN | {"ruleset": {"target": 0}})
    assert refused.value.problem["code"] == "ruleset_refused"
    assert helper.waits == []


def test_a_service_that_stays_away_is_given_up_in_the_end(helper, own_store):
    own_store.stop()
    try:
        with pytest.raises(helper.Refused) as refused:
            helper.call("/v1/games", GIN, tries=3)
    finally:
        own_store.start()
    assert refused.value.problem["code"] == "store_unavailable"
    assert helper.waits == [1, 1]
    helper.URL = "http://127.0.0.1:9"
    with pytest.raises(OSError, match="refused"):
        helper.call("/v1/rulesets", tries=1)
