import tomllib

from service import server
from tests.k8s.render import ROOT

VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
UNITS = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
# A volume of another kind is only read.
WRITABLE = {"emptyDir", "claim"}


def octets(quantity):
    return int(quantity[:-2]) * UNITS[quantity[-2:]]


def test_every_pod_would_be_admitted_where_the_restricted_standard_is_enforced(overlay):
    for pod in overlay.pods():
        context = pod["spec"]["securityContext"]
        assert context["runAsNonRoot"] is True
        assert context["runAsUser"] == context["runAsGroup"] == 10001
        assert context["seccompProfile"] == {"type": "RuntimeDefault"}
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod["spec"])
    for container in overlay.containers():
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }


def test_the_namespace_enforces_the_restricted_standard_and_holds_every_object(overlay):
    (namespace,) = overlay.all("Namespace")
    labels = namespace["metadata"]["labels"]
    assert labels["pod-security.kubernetes.io/enforce"] == "restricted"
    others = [each for each in overlay.objects if each["kind"] != "Namespace"]
    assert {each["metadata"]["namespace"] for each in others} == {namespace["metadata"]["name"]}


def test_the_overlays_do_not_meet_in_one_namespace(dev, prod):
    assert dev.named("Namespace").isdisjoint(prod.named("Namespace"))


def test_every_pod_has_an_account_of_its_own_and_no_token_of_it(overlay):
    accounts = [pod["spec"]["serviceAccountName"] for pod in overlay.pods()]
    assert sorted(accounts) == sorted(overlay.named("ServiceAccount")), "one for each"
    assert not any(account["automountServiceAccountToken"] for account in overlay.all("ServiceAccount"))
    assert not any(pod["spec"]["automountServiceAccountToken"] for pod in overlay.pods())


def test_no_pod_is_told_of_services_by_its_environment(overlay):
    assert not any(pod["spec"]["enableServiceLinks"] for pod in overlay.pods())


def test_nothing_gives_anybody_rights_in_the_cluster(overlay):
    assert not overlay.all("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding")


def test_every_container_asks_for_cpu_and_memory_and_only_its_memory_is_limited(overlay):
    for container in overlay.containers():
        resources = container["resources"]
        assert set(resources["requests"]) == {"cpu", "memory"}
        assert set(resources["limits"]) == {"memory"}
        assert octets(resources["requests"]["memory"]) <= octets(resources["limits"]["memory"])


def test_every_image_has_the_tag_of_one_release(overlay):
    for container in overlay.containers():
        name, _, tag = container["image"].rpartition(":")
        assert name
        assert tag not in ("", "latest")
        assert container["imagePullPolicy"] == "IfNotPresent"


def test_production_runs_this_version(prod):
    (container,) = prod.api()["containers"]
    assert container["image"].endswith(f"/upcard:{VERSION}")


def kinds(pod):
    """What kind of volume each name stands for."""
    return {volume["name"]: next(key for key in volume if key != "name") for volume in pod["volumes"]}


def test_what_can_be_written_lies_in_memory_or_on_a_claim(overlay):
    for workload in overlay.all("Deployment", "StatefulSet"):
        pod = workload["spec"]["template"]["spec"]
        claims = {claim["metadata"]["name"]: "claim" for claim in workload["spec"].get("volumeClaimTemplates", [])}
        mounts = [mount for container in pod["containers"] for mount in container["volumeMounts"]]
        assert {mount["name"] for mount in mounts} == set(claims | kinds(pod)), "each is mounted"
        for mount in mounts:
            assert mount.get("readOnly", False) is ((claims | kinds(pod))[mount["name"]] not in WRITABLE)


def test_the_api_has_room_for_temporary_files_and_the_workers_heartbeats(overlay):
    """16 MiB and 4 MiB count as the container's memory, so both and what is asked for fit under the limit."""
    pod = overlay.api()
    (container,) = pod["containers"]
    paths = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    volumes = {volume["name"]: volume.get("emptyDir") for volume in pod["volumes"]}
    found = [volumes[paths[path]] for path in ("/tmp", server.SHARED_MEMORY)]
    assert all(volume["medium"] == "Memory" for volume in found)
    resources = container["resources"]
    used = octets(resources["requests"]["memory"]) + sum(octets(volume["sizeLimit"]) for volume in found)
    assert used < octets(resources["limits"]["memory"])


def test_the_api_listens_where_its_image_does(overlay):
    (container,) = overlay.api()["containers"]
    assert container["ports"] == [{"name": "http", "containerPort": 8000}]
    assert not {"command", "args"} & set(container)
