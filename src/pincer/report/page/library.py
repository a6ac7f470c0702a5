"""The drawing library that the page embeds: d3, as the `gravis` package carries it.

Only the file is read; nothing of that package is imported. It is wrapped as a module for RequireJS, so the page gives
it the two functions such a module expects.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from pincer.errors import PincerError

_PACKAGE = "gravis"
_FOLDER = "gravis/_internal/plotting/third_party/d3"
_BEFORE = """var d3 = {};
(function () {
  function define(name, needed, body) { body(d3); }
  var require = { defined: function () { return false; } };
"""
_AFTER = "\n})();\n"


def drawing_library() -> str:
    """A script that defines `d3`, under the licence it comes with."""
    try:
        folder = Path(str(distribution(_PACKAGE).locate_file(_FOLDER)))
        text = (folder / "d3.v7.min.def.js").read_text(encoding="utf-8")
        licence = (folder / "ORIGINAL_LICENSE").read_text(encoding="utf-8").strip()
    except (PackageNotFoundError, OSError) as error:
        message = f"the report needs the package {_PACKAGE} 0.1, which carries the drawing library: pip install pincer"
        raise PincerError(message) from error
    return f"/* {licence} */\n{_BEFORE}{text}{_AFTER}"
