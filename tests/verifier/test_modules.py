"""The modules of the verifier in JavaScript import what its README says, and keep to one form."""

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
    lock = (VERIFIER / "package-lock.json").read_text(encoding="utf-8")
    packages = set(re.findall(r'"node_modules/([^"]+)"', lock))
    assert {name for name in packages if "esbuild" not in name} == {"@noble/curves", "@noble/hashes"}
    assert '"resolved"' not in lock, "which names the registry that somebody happened to use"


def test_lines() -> None:
    for path in SOURCES:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            assert len(line) <= 120, f"{path}:{number}"
            assert not SUMMARY.match(line), f"{path}:{number}"
