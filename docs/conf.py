"""Configure Sphinx: `python -m sphinx -W --keep-going -c docs . docs/_build`.

The source folder is the repository, so that one relative link works on a code host and in the built pages, and no page
stands twice. Nothing is fetched: there are no inventories of other projects, and the theme brings its own files.
"""

from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.util.typing import stringify_annotation

from p2p_shanghaien.fairplay.effects import Effect
from p2p_shanghaien.games.api import Node, Step
from p2p_shanghaien.ui.verifier import verifier_page

project = "p2p-shanghaien"
author = "the p2p-shanghaien contributors"
release = version = installed(project)

extensions = ["myst_parser", "sphinx.ext.autodoc"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "examples/pig/README.md", "fuzz/README.md", "protocol/**.md"]
# folders that need not be searched
exclude_patterns = [".*", "**/_build", "**/node_modules", "build", "dist", "p2p_shanghaien", "tests"]

# anchors as code hosts make them, so that links to headings work there and here
myst_heading_anchors = 4

# docstrings write `name`, whether it is a parameter or has an entry of its own
default_role = "py:obj"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 88
python_use_unqualified_type_names = True
add_module_names = False

html_theme = "furo"
html_title = project
html_copy_source = False
html_show_copyright = False
html_extra_path = ["redirect"]

ALIASES = {"Effect": Effect, "Step": Step, "Node": Node}
"""Unions that signatures name by their alias; Python itself keeps only the members."""


DECISIONS = """
```{toctree}
:hidden:
:glob:

[0-9]*
```
"""


def list_decisions(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Put each decision below the list of decisions, in which a code host would show the directive as it stands."""
    if docname == "protocol/decisions/README":
        source[0] += DECISIONS


VERIFIER = """
These pages have one, too: <a href="verify.html">verify logs</a>.
"""


def link_to_verifier(_app: Sphinx, docname: str, source: list[str]) -> None:
    """Link to the page that verifies logs, which only the built documentation has."""
    if docname == "docs/proof":
        source[0] = source[0].replace("\n## One draw\n", f"{VERIFIER}\n## One draw\n")


def write_verifier(app: Sphinx, error: Exception | None) -> None:
    """Write the page that verifies logs beside the others."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir) / "docs" / "verify.html").write_text(verifier_page(), encoding="utf-8")


def shorten_signature(
    _app: Sphinx, _what: str, _name: str, _obj: object, _options: object, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Write unions as their aliases, and the default of a dataclass's factory as `...`, which can be parsed."""
    return shortened(signature), shortened(returns)


def shortened(text: str | None) -> str | None:
    """Return a part of a signature, where there is one, in fewer words."""
    if text is None:
        return None
    for name, union in ALIASES.items():
        text = text.replace(stringify_annotation(union, "smart"), name)
    return text.replace("<factory>", "...")


def drop_field_numbers(_app: Sphinx, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Leave out what Python says of a named tuple's field that has no docstring: its number."""
    if lines and lines[0].startswith("Alias for field number"):
        lines.clear()


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect the functions of this file."""
    app.connect("source-read", list_decisions)
    app.connect("source-read", link_to_verifier)
    app.connect("build-finished", write_verifier)
    app.connect("autodoc-process-signature", shorten_signature)
    app.connect("autodoc-process-docstring", drop_field_numbers)
    return {"parallel_read_safe": True}
