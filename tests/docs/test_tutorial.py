"""The tutorial, and other pages with commands, are executed: what they show is what happens."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.docs.chapters import blocks_of, comparable, run_page

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *(
        ROOT / "docs" / f"{name}.md"
        for name in ("api", "architecture", "dse", "extending", "getting-started", "msvl", "pptl")
    ),
]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_shows_what_happens(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    for shown in run_page(page.read_text(encoding="utf-8"), tmp_path):
        place = f"{page.name}:{shown.line}"
        assert f"{place} {comparable(shown.printed)}" == f"{place} {comparable(shown.expected)}"


def test_chapters_have_something_to_run() -> None:
    chapters = [page for page in PAGES if page.name[0].isdigit()]
    assert len(chapters) >= 6
    assert all(any(block.language == "python" for block in blocks_of(page.read_text())) for page in chapters)


PAGE = """
Save this as `a.txt`:

```
hello
```

```python
x = 1
print(x, open("a.txt").read())
```

```
{output}
```

```console
$ cat a.txt
hello
$ echo done in 3.14 s
done in 2.71 s
```
"""


def test_the_runner_tells_wrong_output_from_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    right = list(run_page(PAGE.replace("{output}", "1 hello"), tmp_path))
    assert [comparable(shown.printed) == comparable(shown.expected) for shown in right] == [True, True, True]
    wrong = list(run_page(PAGE.replace("{output}", "2 hello"), tmp_path))
    assert [comparable(shown.printed) == comparable(shown.expected) for shown in wrong] == [False, True, True]


def test_output_that_a_page_does_not_show_is_noticed(tmp_path: Path) -> None:
    [shown] = run_page("```python\nprint(1)\n```\n", tmp_path)
    assert (shown.printed, shown.expected) == ("1\n", "")
