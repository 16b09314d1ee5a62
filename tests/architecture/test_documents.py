"""What the documents and container files say is so, as far as a parser can tell."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGES = [path for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & set(path.parts)]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target for target in LINK.findall(text) if "://" not in target]
    assert [target for target in targets if not (page.parent / target).exists()] == []


def test_decisions_are_numbered_in_order_and_by_their_titles() -> None:
    files = sorted((ROOT / "docs" / "adr").glob("*.md"))
    for number, path in enumerate(files, 1):
        assert path.name.startswith(f"{number:04d}-")
        assert path.read_text(encoding="utf-8").startswith(f"# {number}. ")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return loaded


def test_compose_starts_two_nodes_on_a_durable_store_behind_a_proxy(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services.keys() == {"valkey", "node1", "node2", "proxy"}
    valkey = services["valkey"]
    assert "--appendonly yes --appendfsync always" in valkey["command"]
    assert valkey["healthcheck"]["test"] == ["CMD", "valkey-cli", "ping"]
    assert [volume.split(":")[0] for volume in valkey["volumes"]] == list(compose["volumes"])
    for node in ("node1", "node2"):
        assert services[node]["environment"]["CELLRACE_REDIS"] == "redis://valkey:6379/0"
        assert services[node]["depends_on"]["valkey"]["condition"] == "service_healthy"
        assert f"--to {node}:8617" in services["proxy"]["command"]
    assert services["proxy"]["ports"] == ["8617:8617"]


def test_the_image_is_built_from_files_that_are_there(compose: dict[str, Any]) -> None:
    build = compose["services"]["node1"]["build"]
    lines = (ROOT / build["dockerfile"]).read_text(encoding="utf-8").splitlines()
    copied = [
        word
        for line in lines
        if line.startswith("COPY ") and "--from" not in line
        for word in line.split()[1:-1]
    ]
    assert copied
    assert [name for name in copied if not (ROOT / name).exists()] == []
    assert "USER cellrace" in lines
    assert not any("alpine" in line for line in lines)
