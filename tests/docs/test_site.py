"""The pages build without a warning and without a network, and need nothing from elsewhere to be shown."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from p2p_shanghaien.ui.verifier import verifier_page
from tests.test_examples import ROOT

BUILD = """
import sys, pytest_socket
pytest_socket.disable_socket()
from sphinx.cmd.build import build_main
sys.exit(build_main(["-q", "-W", "--keep-going", "-c", "docs", ".", sys.argv[1]]))
"""
STYLED = re.compile(r"""(?:url\(|@import)\s*['"]?([^'")]*)""")
"""The URLs that a style sheet loads."""
FOREIGN = re.compile(r"\s*([a-z]+:)?//", re.IGNORECASE)


class Page(HTMLParser):
    """The addresses that a browser `loads` to show a page; links are followed by people."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("src", "srcset", "data", "poster") or (tag == "link" and name == "href"):
                self.loads.append(value or "")
            elif name == "style":
                self.loads += STYLED.findall(value or "")


@pytest.mark.thorough
def test_the_site_is_whole(tmp_path: Path) -> None:
    for name in ("furo", "myst_parser", "sphinx"):
        pytest.importorskip(name)
    built = subprocess.run(
        [sys.executable, "-c", BUILD, tmp_path], check=False, cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr

    pages = sorted(tmp_path.rglob("*.html"))
    assert tmp_path / "docs" / "index.html" in pages
    assert 'id="p2p_shanghaien.fairplay.verify.verify"' in (tmp_path / "docs/api/fairplay.html").read_text("utf-8")
    assert (tmp_path / "docs" / "verify.html").read_text("utf-8") == verifier_page()
    assert 'href="verify.html"' in (tmp_path / "docs" / "proof.html").read_text("utf-8")
    loads = {page: Page(page.read_text("utf-8")).loads for page in pages}
    loads |= {sheet: STYLED.findall(sheet.read_text("utf-8")) for sheet in tmp_path.rglob("*.css")}
    assert sum(map(len, loads.values())) > len(pages)
    assert not {path: found for path, each in loads.items() if (found := [*filter(FOREIGN.match, each)])}
