import pytest
from flask import Flask, request

from service.web.body import InvalidRequest
from service.web.query import flag, number

APP = Flask(__name__)


def read(reader, query, *arguments):
    with APP.test_request_context(f"/?{query}"):
        return reader(request, "it", *arguments)


def test_a_flag_is_true_or_false_and_false_if_it_is_missing():
    assert (read(flag, "it=true"), read(flag, "it=false"), read(flag, "")) == (True, False, False)


@pytest.mark.parametrize("text", ["", "1", "True", "yes", "true%20"])
def test_anything_else_is_no_flag(text):
    with pytest.raises(InvalidRequest):
        read(flag, f"it={text}")


def test_a_number_is_whole_and_has_a_default():
    assert (read(number, "it=0", 7), read(number, "it=999999999", 7), read(number, "", 7)) == (0, 999_999_999, 7)


@pytest.mark.parametrize("text", ["", "-1", "%2B1", "1.0", "1_0", "x", "%C2%B2", "%D9%A3", "1000000000"])
def test_anything_else_is_no_number(text):
    with pytest.raises(InvalidRequest):
        read(number, f"it={text}", 7)
