"""How Sphinx makes the site of the documentation: ``./dev docs``.

The source is the whole checkout, so that pages keep the links by which they are read in a
repository; only what `include_patterns` names becomes a page. Nothing is asked of another machine:
fonts are those of the reader, and the search index is a file of the site.
"""

from __future__ import annotations

import gc
import importlib.metadata
import sys
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

project = "Tricklog"
author = "The Tricklog authors"
release = importlib.metadata.version("tricklog")
project_copyright = author
language = "en"

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "tricklog_site",
]
root_doc = "README"
include_patterns = [
    "README.md",
    "docs/**",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/results.md",
]
exclude_patterns = [
    *(".*", "build", "dist", "fuzz", "dashboard", "ingest", "replay", "sample_logs", "schemas"),
    *("tests", "tricklog", "tricklog-data", "docs/site"),
]
source_suffix = {".md": "markdown", ".ipynb": "notebook"}

# Pages link to headings by the names that a repository's reader gives them.
myst_heading_anchors = 6
myst_enable_extensions = ["strikethrough"]
# Rules and figures have headings of one small size below the title of their page.
suppress_warnings = ["myst.header"]
# A grammar, a log or a screen is no programming language.
highlight_language = "text"

autodoc_member_order = "bysource"
# Types stand below a signature, which would be a paragraph of its own with them.
autodoc_typehints = "description"
autodoc_default_options = {"members": True}
napoleon_google_docstring = True

html_theme = "furo"
html_title = "Tricklog"
html_static_path = ["static"]
html_css_files = ["tricklog.css"]
html_theme_options = {"navigation_with_keys": True}
html_show_sphinx = False
html_copy_source = False
html_additional_pages = {"index": "to_the_start.html"}
templates_path = ["templates"]
copybutton_prompt_text = "$ "
copybutton_only_copy_prompt_lines = True


# The collector would go through the nodes of all pages again and again: two fifths of the time.
gc.set_threshold(200_000, 50, 1_000)


def setup(_app: Sphinx) -> dict[str, Any]:
    """Say that pages may be read by several processes."""
    return {"parallel_read_safe": True}
