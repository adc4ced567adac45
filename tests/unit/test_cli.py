import re

from click.testing import CliRunner

from service.cli import main


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
