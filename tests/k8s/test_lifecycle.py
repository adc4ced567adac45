import yaml

from service import server
from tests.k8s.render import ROOT

PATHS = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
PROBES = {"startupProbe": "/healthz", "livenessProbe": "/healthz", "readinessProbe": "/readyz"}
LONGEST_POLL = 30
# How long proxies may go on sending requests to a pod that is to end.
NEWS_TRAVELS = 5


def api(overlay):
    (container,) = overlay.api()["containers"]
    return container


def test_only_the_readiness_of_the_api_depends_on_redis(overlay):
    container = api(overlay)
    asked = {probe: container[probe]["httpGet"] for probe in PROBES}
    assert asked == {probe: {"path": path, "port": "http"} for probe, path in PROBES.items()}
    assert set(PROBES.values()) <= set(PATHS)


def test_a_slow_start_is_no_reason_for_a_restart(overlay):
    probe = api(overlay)["startupProbe"]
    assert probe["periodSeconds"] * probe["failureThreshold"] >= 2 * server.timeout


def test_every_container_has_all_three_probes_and_the_time_to_answer_them(overlay):
    for container in overlay.containers():
        for probe in PROBES:
            assert container[probe]["timeoutSeconds"] > 1
        assert container["livenessProbe"]["failureThreshold"] > 1


def before_the_end(overlay):
    """Seconds that a pod still serves after it is told to end."""
    return api(overlay)["lifecycle"]["preStop"]["sleep"]["seconds"]


def test_a_pod_is_not_killed_before_it_has_drained(overlay):
    drained = before_the_end(overlay) + server.graceful_timeout
    assert overlay.api()["terminationGracePeriodSeconds"] > drained


def test_a_pod_serves_until_no_proxy_sends_requests_to_it(overlay):
    assert before_the_end(overlay) > NEWS_TRAVELS


def test_the_longest_poll_that_begins_while_requests_still_come_gets_its_answer(overlay):
    """15 + 20 >= 5 + 30."""
    assert before_the_end(overlay) + server.graceful_timeout >= NEWS_TRAVELS + LONGEST_POLL


def test_a_new_pod_is_ready_before_an_old_one_goes(overlay):
    strategy = overlay.one("Deployment", "api")["spec"]["strategy"]
    assert strategy == {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 0, "maxSurge": 1}}
