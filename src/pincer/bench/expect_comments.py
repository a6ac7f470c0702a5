"""Suites that keep their expected verdicts in comments: `// @expect verified` or `// @expect error`.

A `config.yml` beside the programs may say to skip a folder, or give options that say what is checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from pincer.bench.dash_rows import DashRow

_EXPECT = re.compile(r"^\s*(?://|/\*)\s*@expect\s+(\w+)", re.MULTILINE)
_FLAG = re.compile(r"^\s*(?://|/\*)\s*@flag\s+(.*?)\s*(?:\*/)?$", re.MULTILINE)
_SKIP = re.compile(r"^\s*(?://|/\*)\s*@skip\b", re.MULTILINE)
_CHECK = re.compile(r"--check[= ]([\w-]+)")
_VERDICTS: Mapping[str, Literal["safe", "unsafe"]] = {"verified": "safe", "error": "unsafe"}
_PROPERTIES: Mapping[str, tuple[str, Literal["assertions", "memory"]]] = {
    "assertions": ("assertions", "assertions"),
    "memory-safety": ("valid-memsafety.prp", "memory"),
    "valid-deref": ("valid-deref.prp", "memory"),
}
"""What a suite calls a check, as a property of ours. Memory safety has a part we do not decide: leaks."""


def commented_rows(folder: Path) -> Iterator[DashRow]:
    """A row for each program with an expected verdict; what checks a property we do not have is left out."""
    for path in sorted(folder.rglob("*.c")):
        text = path.read_text(encoding="utf-8", errors="replace")
        found = _EXPECT.search(text)
        config = _config(path.parent / "config.yml")
        if found is None or found[1] not in _VERDICTS or config.get("skip") is True or _SKIP.search(text):
            continue
        flags = [*map(str, config.get("flags") or ()), *_FLAG.findall(text)]
        checks = _CHECK.findall(" ".join(flags)) or ["assertions"]
        if len(checks) != 1 or checks[0] not in _PROPERTIES:
            continue
        asked, kind = _PROPERTIES[checks[0]]
        name = path.relative_to(folder).with_suffix("").as_posix()
        group = path.parent.relative_to(folder).as_posix()
        yield DashRow(name, group, path, _VERDICTS[found[1]], ("--property", asked), kind=kind)


def _config(path: Path) -> dict[str, Any]:
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    return data if isinstance(data, dict) else {}
