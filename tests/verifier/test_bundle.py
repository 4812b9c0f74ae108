"""The scripts of the pages are those that the sources of the verifier make."""

import hashlib
from pathlib import Path

import pytest

from p2p_shanghaien.ui.assets import asset
from tests.verifier.node import VERIFIER, node

BUNDLES = ("worker", "page", "check")
FOLDERS = ("core", "games", "page")
MARKUP = ("</script", "<script", "<!--")
"""Words that would end, or confuse, the element in which a script stands."""
ACTIVE = (
    *("eval(", "new Function", "importScripts", "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write"),
    *("fetch(", "XMLHttpRequest", "WebSocket", "EventSource", "sendBeacon"),
)
"""Words that would make code or markup of text, or ask a network for something."""


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def sources() -> str:
    """Return the digest of everything that a bundle is made of, as `build.js` says."""
    paths = [VERIFIER / "build.js", VERIFIER / "package-lock.json"]
    paths += [path for folder in FOLDERS for path in (VERIFIER / folder).glob("*.js")]
    named = sorted((path.relative_to(VERIFIER).as_posix(), path) for path in paths)
    return digest("".join(f"{digest(path.read_bytes())} {name}\n" for name, path in named).encode())


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_is_current_and_nobody_has_edited_it(name: str) -> None:
    """If it is not: `npm ci` and `npm run build` in protocol/verifier."""
    first, body = asset(f"verifier-{name}.js").split("\n", 1)
    assert first == f"// sources {sources()} body {digest(body.encode())}"


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_can_stand_in_a_page(name: str) -> None:
    text = asset(f"verifier-{name}.js")
    assert text.isascii() or "“Software”" in text
    assert [word for word in (*MARKUP, *ACTIVE) if word in text] == []


def test_the_licences_of_libraries_are_in_it() -> None:
    text = asset("verifier-worker.js")
    assert "With @noble/curves and @noble/hashes" in text
    assert "Copyright (c) 2022 Paul Miller" in text
    assert "The above copyright notice and this permission notice shall be included" in text


@pytest.mark.thorough
def test_building_again_makes_the_same(tmp_path: Path) -> None:
    done = node("build.js", tmp_path)
    assert done.returncode == 0, done.stderr
    for name in BUNDLES:
        file = f"verifier-{name}.js"
        assert (tmp_path / file).read_text(encoding="utf-8") == asset(file)
