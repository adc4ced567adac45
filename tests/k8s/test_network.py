import yaml

from service.web.body import MOST_BYTES
from tests.k8s.render import ROOT

CONTROLLER = "nginx-ingress/app.kubernetes.io/name=nginx-ingress"
DNS = "kube-system/k8s-app=kube-dns"
EVERYWHERE = {
    (CONTROLLER, "api", "http/TCP"),
    ("api", DNS, "53/UDP"),
    ("api", DNS, "53/TCP"),
}
FLOWS = {
    "dev": EVERYWHERE | {("api", "redis", "6379/TCP"), ("api", "redis", "redis/TCP")},
    "prod": EVERYWHERE | {("api", "192.0.2.0/24", "6379/TCP")},
}
LONGEST_POLL = 30


def named(labels):
    """Ours by component, others by all labels."""
    if labels.get("app.kubernetes.io/name") == "upcard":
        return labels["app.kubernetes.io/component"]
    return ",".join(f"{key}={value}" for key, value in labels.items())


def peer(it):
    """Who is on the other side; a namespace stands before pods that are not in ours."""
    if "ipBlock" in it:
        assert set(it) == {"ipBlock"}
        return it["ipBlock"]["cidr"]
    pods = named(it["podSelector"]["matchLabels"])
    return "/".join([*it.get("namespaceSelector", {}).get("matchLabels", {}).values(), pods])


def flows(policy):
    """What a policy lets through: from whom, to whom, port."""
    spec = policy["spec"]
    for rule in spec.get("ingress", []) + spec.get("egress", []):
        assert len(set(rule) & {"from", "to"}) == 1, "a rule without a peer lets everybody through"
        for port in rule["ports"]:
            through = f"{port['port']}/{port['protocol']}"
            us = named(spec["podSelector"]["matchLabels"])
            yield from ((peer(it), us, through) for it in rule.get("from", []))
            yield from ((us, peer(it), through) for it in rule.get("to", []))


def test_nothing_comes_or_goes_unless_a_policy_says_so(overlay):
    spec = overlay.one("NetworkPolicy", "default-deny")["spec"]
    assert spec == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}


def test_exactly_the_needed_flows_are_let_through(overlay):
    found = [flow for policy in overlay.all("NetworkPolicy") for flow in flows(policy)]
    assert set(found) == FLOWS[overlay.name]
    assert len(found) == len(FLOWS[overlay.name])


def test_events_reach_their_reader_at_once(overlay):
    annotations = overlay.one("Ingress", "api")["metadata"]["annotations"]
    assert annotations["nginx.org/proxy-buffering"] == "false"


def test_the_ingress_waits_longer_than_the_longest_poll(overlay):
    annotations = overlay.one("Ingress", "api")["metadata"]["annotations"]
    assert int(annotations["nginx.org/proxy-read-timeout"].removesuffix("s")) >= 2 * LONGEST_POLL


def test_the_ingress_passes_every_body_that_the_service_reads(overlay):
    annotations = overlay.one("Ingress", "api")["metadata"]["annotations"]
    assert int(annotations["nginx.org/client-max-body-size"].removesuffix("k")) * 1024 > MOST_BYTES


def passed_on(overlay, path):
    """Whether the Ingress leads a path to the service, as Kubernetes matches paths: by whole elements."""
    paths = [each for rule in overlay.one("Ingress", "api")["spec"]["rules"] for each in rule["http"]["paths"]]
    return any(
        path == each["path"] or (each["pathType"] == "Prefix" and path.startswith(each["path"].rstrip("/") + "/"))
        for each in paths
    )


def test_the_ingress_passes_on_every_path_but_that_of_the_figures(overlay):
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text())["paths"]
    assert {path for path in paths if not passed_on(overlay, path)} == {"/metrics"}
    assert passed_on(overlay, "/docs/")


def test_every_host_of_production_is_served_over_tls(prod):
    spec = prod.one("Ingress", "api")["spec"]
    assert {rule["host"] for rule in spec["rules"]} == {host for each in spec["tls"] for host in each["hosts"]}
    assert prod.one("Ingress", "api")["metadata"]["annotations"]["nginx.org/hsts"] == "true"


def test_the_api_believes_the_one_proxy_that_can_reach_it(overlay):
    assert overlay.settings()["UPCARD_TRUSTED_PROXIES"] == "1"
