"""The modules of the verifier in JavaScript import what its README says, and keep to one form."""

import json
import re

import pytest

from tests.verifier.node import VERIFIER

IMPORT = re.compile(r'\bfrom "([^"]+)"|\bimport\(?\s*"([^"]+)"')
SUMMARY = re.compile(r"^\s*(?:/\*\*|\*) (?:What|Whether|Who|How|Where|That|As)\b")

SOURCES = sorted(path for path in VERIFIER.rglob("*.js") if "node_modules" not in path.parts)


def imports(folder: str) -> set[str]:
    """Return what the modules of a folder import."""
    paths = [path for path in SOURCES if path.parent == VERIFIER / folder]
    assert paths
    return {one or other for path in paths for one, other in IMPORT.findall(path.read_text(encoding="utf-8"))}


@pytest.mark.parametrize(
    ("folder", "allowed"),
    [("core", r"\./\w+\.js|@noble/(curves|hashes)/\w+\.js"), ("games", r"\./\w+\.js")],
)
def test_imports(folder: str, allowed: str) -> None:
    found = imports(folder)
    assert found
    assert [name for name in sorted(found) if not re.fullmatch(allowed, name)] == []


def test_there_are_no_other_dependencies() -> None:
    packages = json.loads((VERIFIER / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    # of the tools that a developer uses there are more
    assert {name for name, found in packages.items() if name and not found.get("dev")} == {
        "node_modules/@noble/curves",
        "node_modules/@noble/hashes",
    }
    assert all("resolved" not in found for found in packages.values()), "it names the registry that somebody used"


def test_lines() -> None:
    for path in SOURCES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= 120, f"{path}:{number}"
            assert not SUMMARY.match(line), f"{path}:{number}"
