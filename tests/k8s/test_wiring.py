"""Names and labels by which objects find each other: a wrong one is no error to Kubernetes, it finds nothing."""


def pods_by(overlay, selector):
    """The workloads whose pods have all these labels."""
    labels = {each["metadata"]["name"]: each["spec"]["template"]["metadata"]["labels"] for each in workloads(overlay)}
    return {name for name, found in labels.items() if selector.items() <= found.items()}


def workloads(overlay):
    return overlay.all("Deployment", "StatefulSet")


def ports_of(pod):
    return {port["name"] for container in pod["spec"]["containers"] for port in container["ports"]}


def test_a_workload_owns_the_pods_that_it_makes_and_no_others(overlay):
    for workload in workloads(overlay):
        assert pods_by(overlay, workload["spec"]["selector"]["matchLabels"]) == {workload["metadata"]["name"]}


def test_a_service_finds_the_pods_of_its_name_and_a_port_that_they_have(overlay):
    assert overlay.named("Service") == {workload["metadata"]["name"] for workload in workloads(overlay)}
    for service in overlay.all("Service"):
        name = service["metadata"]["name"]
        assert pods_by(overlay, service["spec"]["selector"]) == {name}
        (pod,) = (each["spec"]["template"] for each in workloads(overlay) if each["metadata"]["name"] == name)
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports_of(pod)


def test_the_ingress_leads_to_a_port_of_the_service(overlay):
    for rule in overlay.one("Ingress", "api")["spec"]["rules"]:
        for path in rule["http"]["paths"]:
            backend = path["backend"]["service"]
            ports = overlay.one("Service", backend["name"])["spec"]["ports"]
            assert backend["port"]["name"] in {port["name"] for port in ports}


def test_the_budget_counts_the_pods_of_the_api(overlay):
    (budget,) = overlay.all("PodDisruptionBudget")
    assert pods_by(overlay, budget["spec"]["selector"]["matchLabels"]) == {"api"}


def test_every_policy_but_the_first_is_about_pods_that_exist_and_ports_that_they_have(overlay):
    for policy in overlay.all("NetworkPolicy"):
        if policy["metadata"]["name"] == "default-deny":
            continue
        (name,) = pods_by(overlay, policy["spec"]["podSelector"]["matchLabels"])
        (pod,) = (each["spec"]["template"] for each in workloads(overlay) if each["metadata"]["name"] == name)
        for rule in policy["spec"].get("ingress", []):
            assert {port["port"] for port in rule["ports"]} <= ports_of(pod)


def test_the_autoscaler_scales_a_deployment_that_exists(prod):
    target = prod.one("HorizontalPodAutoscaler", "api")["spec"]["scaleTargetRef"]
    assert target["name"] in prod.named(target["kind"])


def test_every_config_map_that_a_pod_names_is_there(overlay):
    for pod in overlay.pods():
        named = [volume["configMap"]["name"] for volume in pod["spec"]["volumes"] if "configMap" in volume]
        named += [each["configMapRef"]["name"] for it in pod["spec"]["containers"] for each in it.get("envFrom", [])]
        assert set(named) <= overlay.named("ConfigMap")
        assert named


def test_the_set_of_redis_is_served_under_the_name_that_it_gives(dev):
    assert dev.one("StatefulSet", "redis")["spec"]["serviceName"] in dev.named("Service")
