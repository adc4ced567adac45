from dataclasses import fields
from pathlib import Path

import pytest

from service.config import ConfigError, Settings, declared, table

ROOT = Path(__file__).parents[2]
SECRET = "an example that signs nothing 012345"
HASH = "0123456789abcdef" * 4
OTHER = "another example; also no real one 67"


def test_the_page_of_the_documentation_is_the_one_that_the_code_writes():
    assert (ROOT / "docs" / "configuration.md").read_text() == table()


def test_an_empty_environment_gives_the_defaults():
    assert Settings.read({}) == Settings()


def test_every_field_is_a_declared_setting():
    assert list(declared()) == [field.name for field in fields(Settings)]


def test_blank_is_the_same_as_missing():
    assert Settings.read({"UPCARD_REDIS_POOL": " ", "UPCARD_SECRET": "", "REDIS_URL": "\n"}) == Settings()


def test_values_are_read_with_their_types():
    settings = Settings.read(
        {
            "REDIS_URL": "rediss://user:word@[::1]:6380/2?ssl_ca_certs=/ca.pem\n",
            "UPCARD_SECRET": f"{SECRET}, {OTHER}",
            "UPCARD_SANDBOX": "yes",
            "UPCARD_EXPIRE_WAITING": "60",
            "UPCARD_REDIS_TIMEOUT": "0.25",
            "UPCARD_API_KEYS": f"shop:{HASH}, club:{HASH[::-1]},",
            "UPCARD_CORS_ORIGINS": "https://play.example, http://[::1]:5173",
            "UPCARD_RATE_CREATE": "0",
            "UPCARD_LOG_LEVEL": "WARNING",
        }
    )
    assert settings == Settings(
        redis_url="rediss://user:word@[::1]:6380/2?ssl_ca_certs=/ca.pem",
        secrets=(SECRET, OTHER),
        sandbox=True,
        expire_waiting=60,
        redis_timeout=0.25,
        listed_keys=((HASH, "shop"), (HASH[::-1], "club")),
        cors_origins=("https://play.example", "http://[::1]:5173"),
        rate_create=0,
        log_level="warning",
    )


def test_no_secret_and_no_password_is_in_the_repr():
    shown = repr(Settings.read({"REDIS_URL": "redis://:word@host", "UPCARD_SECRET": SECRET}))
    assert "word" not in shown
    assert SECRET not in shown


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("REDIS_URL", "http://host", "must look like redis://"),
        ("REDIS_URL", "redis://", "must look like redis://"),
        ("REDIS_URL", "redis://host:word", "port is not a number"),
        ("UPCARD_SECRET", "short-word", "at least 32 characters"),
        ("UPCARD_SECRET", f"{SECRET},", "at least 32 characters"),
        ("UPCARD_SECRET", "\udcff" * 40, "printable ASCII"),
        ("UPCARD_SANDBOX", "perhaps", "boolean"),
        ("UPCARD_EXPIRE_IDLE", "59", "greater than or equal to 60"),
        ("UPCARD_EXPIRE_FINISHED", "9" * 30, "less than or equal to"),
        ("UPCARD_EXPIRE_WAITING", "1.5", "integer"),
        ("UPCARD_REDIS_TIMEOUT", "nan", "not permitted"),
        ("UPCARD_REDIS_TIMEOUT", "0", "greater than or equal to 0.01"),
        ("UPCARD_REDIS_POOL", "0", "greater than or equal to 1"),
        ("UPCARD_API_KEYS", "shop", "upcard keys new"),
        ("UPCARD_API_KEYS", f"shop:{HASH[1:]}", "upcard keys new"),
        ("UPCARD_API_KEYS", f"shop:{HASH.upper()}", "upcard keys new"),
        ("UPCARD_API_KEYS", f"my shop:{HASH}", "upcard keys new"),
        ("UPCARD_API_KEYS", f"shop:{HASH},uk_word", "upcard keys new"),
        ("UPCARD_API_KEYS", ",", "no key is in it"),
        ("UPCARD_API_KEYS", f"shop:{HASH},club:{HASH}", "two tenants"),
        ("UPCARD_API_KEYS_FILE", "/no/such/word", "cannot be read: No such file"),
        ("UPCARD_CORS_ORIGINS", "https://word.example/", "without a path"),
        ("UPCARD_CORS_ORIGINS", "word.example", "without a path"),
        ("UPCARD_CORS_ORIGINS", "https://*.word.example", "or be \\* alone"),
        ("UPCARD_CORS_ORIGINS", "https://a.example,", "without a path"),
        ("UPCARD_RATE_CALLS", "-1", "greater than or equal to 0"),
        ("UPCARD_TRUSTED_PROXIES", "11", "less than or equal to 10"),
        ("UPCARD_LOG_LEVEL", "loud", "Must be one of: debug"),
    ],
)
def test_a_bad_value_is_refused_with_the_name_and_the_reason_and_without_the_value(name, value, reason):
    with pytest.raises(ConfigError, match=reason) as refused:
        Settings.read({name: value})
    assert str(refused.value).startswith(f"{name}: ")
    assert "word" not in str(refused.value)


def test_a_shared_redis_needs_a_secret_and_the_message_says_how_to_make_one():
    with pytest.raises(ConfigError, match=r"UPCARD_SECRET: is needed with REDIS_URL.*token_hex"):
        Settings.read({"REDIS_URL": "redis://host"})


def test_keys_of_a_file_are_added_to_those_of_the_list(tmp_path):
    """A tenant may have one in each, which is how one is exchanged."""
    file = tmp_path / "keys"
    file.write_text(f"shop:{HASH}\n\n  club:{HASH[::-1]}\n")
    settings = Settings.read({"UPCARD_API_KEYS": f"shop:{'0' * 64}", "UPCARD_API_KEYS_FILE": str(file)})
    assert settings.api_keys == {"0" * 64: "shop", HASH: "shop", HASH[::-1]: "club"}


@pytest.mark.parametrize("content", [b"", b"\n \n", b",\n", b"\xff\xfe"])
def test_a_file_without_a_key_stops_the_start_and_does_not_open_the_service(tmp_path, content):
    file = tmp_path / "keys"
    file.write_bytes(content)
    with pytest.raises(ConfigError, match=r"^UPCARD_API_KEYS_FILE: "):
        Settings.read({"UPCARD_API_KEYS_FILE": str(file)})


def test_a_key_of_the_list_is_not_another_tenants_in_the_file(tmp_path):
    file = tmp_path / "keys"
    file.write_text(f"club:{HASH}")
    with pytest.raises(ConfigError, match="two tenants"):
        Settings.read({"UPCARD_API_KEYS": f"shop:{HASH}", "UPCARD_API_KEYS_FILE": str(file)})
    file.write_text(f"shop:{HASH}")
    same = Settings.read({"UPCARD_API_KEYS": f"shop:{HASH}", "UPCARD_API_KEYS_FILE": str(file)})
    assert same.api_keys == {HASH: "shop"}
