import base64
import re
import secrets
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import yaml

from service.config import Settings, declared
from tests.k8s.render import PAGE, ROOT, checkout, documented, rendered, typed

NAMES = {setting.name for setting in declared().values()}
HIDDEN = {"REDIS_URL", "UPCARD_SECRET", "UPCARD_API_KEYS"}


def read(secret):
    return {key: base64.b64decode(value).decode() for key, value in secret["data"].items()}


@pytest.fixture(scope="module")
def made():
    """The Secrets of production, by the commands of the documentation."""
    with checkout() as folder:
        typed(documented("upcard keys new"), folder)
        (lines,) = re.findall(r"```text\n(UPCARD_SECRET=.*?)```", PAGE, re.DOTALL)
        written = lines.replace("=...", f"={secrets.token_hex(32)}")
        (folder / "k8s/overlays/prod/secrets.env").write_text(written)
        applied = list(yaml.safe_load_all(typed(documented("secret upcard"), folder)))
    return {each["metadata"]["name"]: each for each in applied if each}


@pytest.fixture
def kept(overlay, made):
    """The values of every Secret that an overlay meets in its cluster, by the Secret's name."""
    found = made.values() if overlay.name == "prod" else overlay.all("Secret")
    return {each["metadata"]["name"]: read(each) for each in found if each["kind"] == "Secret"}


def api(overlay):
    (container,) = overlay.api()["containers"]
    return container


def environment(overlay, kept):
    """What the API's process finds in its environment."""
    references = {it["name"]: it["valueFrom"]["secretKeyRef"] for it in api(overlay)["env"]}
    return overlay.settings() | {name: kept[it["name"]][it["key"]] for name, it in references.items()}


def test_every_variable_of_the_api_is_a_setting_that_it_knows(overlay):
    given = [*overlay.settings(), *(variable["name"] for variable in api(overlay)["env"])]
    assert set(given) <= NAMES
    assert len(given) == len(set(given))


def test_no_setting_that_is_secret_stands_in_a_config_map(overlay):
    for found in overlay.all("ConfigMap"):
        assert not HIDDEN & set(found["data"])
    assert all(set(variable) == {"name", "valueFrom"} for it in overlay.containers() for variable in it.get("env", []))


def test_the_service_starts_with_the_settings_of_the_overlay(overlay, kept, tmp_path):
    environ = environment(overlay, kept)
    if path := environ.get("UPCARD_API_KEYS_FILE"):
        (tmp_path / "api-keys").write_text(kept["upcard-api-keys"][Path(path).name])
        environ["UPCARD_API_KEYS_FILE"] = str(tmp_path / "api-keys")
    settings = Settings.read(environ)
    assert urlsplit(settings.redis_url).scheme == {"dev": "redis", "prod": "rediss"}[overlay.name]
    assert list(settings.api_keys.values()) == {"dev": [], "prod": ["shop"]}[overlay.name]
    assert settings.sandbox is (overlay.name == "dev")


def test_production_reads_its_api_keys_from_a_secret_that_only_the_pod_can_read(prod):
    path = Path(prod.settings()["UPCARD_API_KEYS_FILE"])
    (mount,) = (mount for mount in api(prod)["volumeMounts"] if Path(mount["mountPath"]) == path.parent)
    (volume,) = (volume for volume in prod.api()["volumes"] if volume["name"] == mount["name"])
    assert volume["secret"] == {"secretName": "upcard-api-keys", "defaultMode": 0o440}
    assert prod.api()["securityContext"]["fsGroup"] == prod.api()["securityContext"]["runAsGroup"]


def test_production_brings_neither_a_redis_nor_a_secret(prod):
    assert not prod.all("StatefulSet", "PersistentVolumeClaim", "Secret")
    assert "redis" not in prod.named("Service")


def test_the_service_of_dev_finds_its_redis_and_knows_the_password(dev):
    (secret,) = dev.all("Secret")
    values = read(secret)
    url = urlsplit(values["REDIS_URL"])
    (port,) = dev.one("Service", url.hostname)["spec"]["ports"]
    assert (url.port, url.password) == (port["port"], values["REDIS_PASSWORD"])


def test_each_deployment_of_dev_has_secrets_of_its_own(dev):
    again = [each for each in yaml.safe_load_all(rendered("dev")) if each["kind"] == "Secret"]
    (secret,) = dev.all("Secret")
    assert all(value not in again[0]["data"].values() for value in secret["data"].values())


def test_no_secret_value_is_committed():
    """Neither a Secret object nor a file of values; the example holds places for them."""
    with checkout() as folder:
        texts = {path.name: path.read_text() for path in (folder / "k8s").rglob("*") if path.is_file()}
    assert not [name for name, text in texts.items() if "kind: Secret" in text]
    values = dict(line.split("=", 1) for line in texts["secrets.env.example"].splitlines())
    assert values == {
        "UPCARD_SECRET": "<secret>",
        "REDIS_PASSWORD": "<password>",
        "REDIS_URL": "redis://:<password>@redis:6379/0",
    }


@pytest.mark.parametrize("path", ["k8s/overlays/dev/secrets.env", "k8s/overlays/prod/secrets.env", "k8s/api-keys"])
def test_git_ignores_the_files_that_hold_secrets(path):
    typed(f"git check-ignore --quiet --no-index {path}", ROOT)
