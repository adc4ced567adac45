API = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "api"}


def test_dev_runs_one_pod_and_never_another(dev):
    assert dev.one("Deployment", "api")["spec"]["replicas"] == 1
    assert not dev.all("HorizontalPodAutoscaler")


def test_production_runs_three_to_twenty_pods_by_cpu(prod):
    scaler = prod.one("HorizontalPodAutoscaler", "api")["spec"]
    assert (scaler["minReplicas"], scaler["maxReplicas"]) == (3, 20)
    assert scaler["scaleTargetRef"] == API
    (metric,) = scaler["metrics"]
    assert metric["resource"]["name"] == "cpu"


def test_nobody_but_the_autoscaler_says_how_many_pods_production_runs(prod):
    assert "replicas" not in prod.one("Deployment", "api")["spec"]


def test_pods_go_one_at_a_time_since_each_cuts_its_event_streams(prod):
    down = prod.one("HorizontalPodAutoscaler", "api")["spec"]["behavior"]["scaleDown"]
    assert down["policies"] == [{"type": "Pods", "value": 1, "periodSeconds": 60}]


def test_production_keeps_two_pods_when_nodes_are_emptied_and_can_give_one(prod):
    budget = prod.one("PodDisruptionBudget", "api")["spec"]
    least = prod.one("HorizontalPodAutoscaler", "api")["spec"]["minReplicas"]
    assert budget["minAvailable"] == 2
    assert budget["minAvailable"] < least
    assert "maxUnavailable" not in budget


def test_the_one_pod_of_dev_does_not_keep_its_node_from_being_emptied(dev):
    budget = dev.one("PodDisruptionBudget", "api")["spec"]
    assert (budget.get("minAvailable"), budget["maxUnavailable"]) == (None, 1)


def test_pods_are_spread_over_nodes_and_zones_and_each_release_by_itself(overlay):
    template = overlay.one("Deployment", "api")["spec"]["template"]
    spread = template["spec"]["topologySpreadConstraints"]
    assert {each["topologyKey"] for each in spread} == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}
    for each in spread:
        assert each["maxSkew"] == 1
        assert each["labelSelector"]["matchLabels"] == template["metadata"]["labels"]
        assert each["matchLabelKeys"] == ["pod-template-hash"]
