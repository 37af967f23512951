"""The files of `deploy` are what their programs read, and name options and paths that there are."""

import re
import tomllib

import pytest
import yaml
from nbdev.config import get_config

from sqlenv.workflow.cli import printed

deploy = get_config().config_path / "deploy"


def documents(file):
    return list(yaml.safe_load_all((deploy / file).read_text(encoding="utf-8")))


(compose,) = documents("replicas/compose.yaml")
deployment, service = documents("replicas/kubernetes.yaml")
(container,) = deployment["spec"]["template"]["spec"]["containers"]


@pytest.mark.parametrize("line", [compose["services"]["sqlenv"]["command"], container["args"]])
def test_the_servers_are_started_with_options_that_there_are(line):
    assert line[:2] == ["sqlenv", "serve"]
    told = printed("serve", "--help")[0]
    assert [a for a in line if a.startswith("--") and not re.search(rf"{a}\b", told)] == []


def test_replicas_of_compose_are_behind_a_balancer_that_keeps_a_socket():
    services = compose["services"]
    assert (deploy / "replicas" / services["sqlenv"]["build"] / "Dockerfile").is_file()
    (volume,) = services["balancer"]["volumes"]
    conf = (deploy / "replicas" / volume.split(":")[0]).read_text()
    assert conf.count("{") == conf.count("}") and "proxy_set_header Upgrade" in conf
    assert "server sqlenv:8000" in conf and services["balancer"]["ports"] == ["127.0.0.1:8000:80"]


def test_replicas_of_kubernetes_are_those_that_the_service_finds():
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels == service["spec"]["selector"]
    assert [p["port"] for p in service["spec"]["ports"]] == [8000]
    assert [p["containerPort"] for p in container["ports"]] == [8000]


def test_the_probes_are_paths_that_need_no_token():
    opened = pytest.importorskip("sqlenv.integrations.serving").OPEN
    probes = container["livenessProbe"], container["readinessProbe"]
    assert tuple(probe["httpGet"]["path"] for probe in probes) == opened


def test_prime_rl_trains_from_our_taskset():
    config = tomllib.loads((deploy / "prime-rl" / "rl.toml").read_text(encoding="utf-8"))
    (source,) = config["orchestrator"]["train"]["source"]
    taskset, agent = source["env"]["taskset"], source["env"]["agent"]
    assert (deploy.parent / f"{taskset['id']}.py").is_file()
    assert agent == dict(harness=dict(id="null"), runtime=dict(type="subprocess"))
    text = (get_config().lib_path / "integrations" / "verifiers_taskset.py").read_text()
    fields = re.search(r"class SQLConfig.*?\n\n\n", text, re.S)[0]
    assert [k for k in taskset if k != "id" and f"    {k}: " not in fields] == []
    assert config["orchestrator"]["batch_size"] % config["orchestrator"]["group_size"] == 0
