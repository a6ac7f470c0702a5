"""The HTML document: style, scripts and data in one file that may not load anything else."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from pathlib import Path
from typing import Any

from pincer.errors import PincerError
from pincer.report.page.preparation import prepared

_SCRIPTS = (
    "elements",
    "syntax",
    "summary",
    "source",
    "values",
    "timeline",
    "drawing",
    "graph",
    "plots",
    "index",
    "report",
)
_START = "start"
_PACKAGE = "gravis"
_FOLDER = "gravis/_internal/plotting/third_party/d3"
_BEFORE = """var d3 = {};
(function () {
  function define(name, needed, body) { body(d3); }
  var require = { defined: function () { return false; } };
"""
_AFTER = "\n})();\n"
# What could end a script element or, in old parsers of JavaScript, a line. All of it may be escaped in JSON.
_ESCAPES = {ord(char): f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}


def render(data: Mapping[str, Any]) -> str:
    """The whole report as one page. The data are those of a run: see `docs/reports.md`."""
    page = prepared(data)
    style, library, views, start = stylesheet(), drawing_library(), view_scripts(), _asset(f"{_START}.js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {' '.join(map(_hash, (library, views, start)))}",
            f"style-src {_hash(style)}",
            "base-uri 'none'",
            "form-action 'none'",
        ]
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{html.escape(_title(page))}</title>
<style>{style}</style>
</head>
<body>
<noscript>This report is drawn by the script inside it: please allow scripts for this file.</noscript>
<div id="report"></div>
<script type="application/json" id="data">{as_script_data(page)}</script>
<script>{library}</script>
<script>{views}</script>
<script>{start}</script>
</body>
</html>
"""


def drawing_library() -> str:
    """A script that defines `d3`, under the licence it comes with, as the `gravis` package carries it.

    Only the file is read; nothing of that package is imported. It is wrapped as a module for RequireJS, so the page
    gives it the two functions such a module expects.
    """
    try:
        folder = Path(str(distribution(_PACKAGE).locate_file(_FOLDER)))
        text = (folder / "d3.v7.min.def.js").read_text(encoding="utf-8")
        licence = (folder / "ORIGINAL_LICENSE").read_text(encoding="utf-8").strip()
    except (PackageNotFoundError, OSError) as error:
        message = f"the report needs the package {_PACKAGE} 0.1, which carries the drawing library: pip install pincer"
        raise PincerError(message) from error
    return f"/* {licence} */\n{_BEFORE}{text}{_AFTER}"


def stylesheet() -> str:
    """The style of the report's views."""
    return _asset("report.css")


def view_scripts() -> str:
    """The scripts that define `pincer.mountReport(container, data)`; they need `drawing_library()` before them."""
    return "\n".join(_asset(f"{name}.js") for name in _SCRIPTS)


def as_script_data(value: Any) -> str:
    """JSON that can stand in a script element, whatever the strings in it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_ESCAPES)


def _title(page: Mapping[str, Any]) -> str:
    names = [str(file.get("file", "")) for file in page["files"]]
    return f"Pincer: {names[0]}" if len(names) == 1 else f"Pincer: {len(names)} files"


def _asset(name: str) -> str:
    return files("pincer.report.page").joinpath("assets", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
