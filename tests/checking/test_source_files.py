"""The files that a program is read from are found as far as its texts tell; no header is missed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pincer.checking.source_files import absolute, files_of
from pincer.checking.task import Source
from pincer.program.c_file import CFile, CFlags


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(**files: str) -> None:
    """Files by name, with `__` for a slash and `_` for the dot."""
    for name, text in files.items():
        path = Path(name.replace("__", "/").replace("_", "."))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def found(source: Source) -> set[str]:
    return {os.path.relpath(path) for path in files_of(source).paths}


def test_headers_are_followed_at_any_depth() -> None:
    written(p_c='#include "a.h"\n', a_h='#include "b.h"\n', b_h='#include "a.h"\n', other_h="")
    assert found(Source("p.c")) == {"p.c", "a.h", "b.h"}


@pytest.mark.parametrize(
    "line",
    ['#include "a.h"', '  #  include "a.h" // so', '#include"a.h"', '\t#include_next "a.h"', 'int x;\n#include "a.h"'],
)
def test_ways_to_write_an_include(line: str) -> None:
    written(p_c=f"{line}\n", a_h="")
    assert found(Source("p.c")) == {"p.c", "a.h"}


@pytest.mark.parametrize(
    "line", ["#include <stdio.h>", '// #include "a.h"', '#define "a.h"', '"#include a.h"', "#include"]
)
def test_what_is_no_include_of_a_file_here_adds_nothing(line: str) -> None:
    written(p_c=f"{line}\n", a_h="")
    assert found(Source("p.c")) == {"p.c"}


def test_folders_are_searched_for_both_and_the_own_only_for_quoted_names() -> None:
    written(p_c='#include <a.h>\n#include "b.h"\n#include <near.h>\n', near_h="", inc__a_h="", inc__b_h="", b_h="")
    assert found(Source("p.c", flags=CFlags(include=("inc",)))) == {"p.c", "inc/a.h", "inc/b.h", "b.h"}


def test_a_header_is_near_to_who_includes_it() -> None:
    written(src__p_c='#include "lib/a.h"\n', src__lib__a_h='#include "b.h"\n', src__lib__b_h="", src__b_h="")
    assert found(Source("src/p.c")) == {"src/p.c", "src/lib/a.h", "src/lib/b.h"}


def test_files_that_are_always_included_count() -> None:
    written(p_c="", forced_h='#include "a.h"\n', a_h="")
    assert found(Source("p.c", flags=CFlags(forced=("forced.h",)))) == {"p.c", "forced.h", "a.h"}


def test_each_file_has_its_own_flags() -> None:
    written(p_c="#include <a.h>\n", q_c="#include <a.h>\n", one__a_h="", two__a_h="")
    other = CFile("q.c", CFlags(include=("two",)))
    assert found(Source("p.c", flags=CFlags(include=("one",)), others=(other,))) == {
        "p.c", "q.c", "one/a.h", "two/a.h",
    }  # fmt: skip


def test_a_header_of_two_files_is_read_with_the_flags_of_each() -> None:
    """Trap: what it includes may be found by one of them only."""
    written(p_c='#include "common.h"\n', q_c='#include "common.h"\n', common_h="#include <deep.h>\n", two__deep_h="")
    for flags in ((CFlags(), CFlags(include=("two",))), (CFlags(include=("two",)), CFlags())):
        source = Source("p.c", flags=flags[0], others=(CFile("q.c", flags[1]),))
        assert found(source) == {"p.c", "q.c", "common.h", "two/deep.h"}


def test_a_macro_may_name_any_file_of_the_folders() -> None:
    written(p_c='#include NAME\n#include "a.h"\n', a_h="", inc__b_h="")
    known = files_of(Source("p.c", flags=CFlags(include=("inc",))))
    assert {os.path.relpath(path) for path in known.anywhere} == {".", "inc"}
    assert {os.path.relpath(path) for path in known.paths} == {"p.c", "a.h"}
    assert files_of(Source("a.h")).anywhere == frozenset()


def test_files_that_are_not_there_are_no_mistake_here() -> None:
    written(p_c='#include "gone.h"\n')
    assert found(Source("p.c")) == {"p.c"}
    assert found(Source("gone.c")) == {"gone.c"}
    Path("folder.h").mkdir()
    written(q_c='#include "folder.h"\n')
    assert found(Source("q.c")) == {"q.c"}


def test_names_that_are_no_text_are_followed() -> None:
    name = os.fsdecode(b"\xff.h")
    Path("p.c").write_bytes(b'#include "\xff.h"\n')
    Path(name).write_text("", encoding="utf-8")
    assert found(Source("p.c")) == {"p.c", name}


def test_a_task_is_read_with_its_program_and_its_properties() -> None:
    written(p_c='#include "a.h"\n', a_h="", reach_prp="CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    task = (
        "format_version: '2.0'\ninput_files: 'p.c'\nproperties:\n  - property_file: reach.prp\n"
        "    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n"
    )
    Path("t.yml").write_text(task, encoding="utf-8")
    assert found(Source("t.yml")) == {"t.yml", "p.c", "a.h", "reach.prp"}
    Path("t.yml").write_text("format_version: [", encoding="utf-8")
    assert found(Source("t.yml")) == {"t.yml"}


def test_links_are_not_followed(here: Path) -> None:
    written(real__a_h="")
    Path("link").symlink_to("real")
    written(p_c='#include "link/../link/a.h"\n')
    assert found(Source("p.c")) == {"p.c", "link/a.h"}
    assert absolute(Path("link/../x.c")) == here / "x.c"
