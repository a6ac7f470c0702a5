"""What `main` is started with."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Input
from tests.frontends.c.lowered_c import labels, lowered, outcome


def assumed(folder: Path, text: str) -> list[str]:
    return [assumption.text for assumption in lowered(folder, text).assumptions]


def test_a_main_that_looks_at_its_arguments_gets_texts(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { char *p = argv[1]; return p != 0 && p[0] == 'x'; }"
    found = labels(lowered(tmp_path, text), Input)
    assert found[0].source == "argc" and found[1].source == "argv[1][0]"
    assert {label.kind for label in found} == {"command"}
    assert any("at most 3 arguments of at most 11 characters" in item for item in assumed(tmp_path, text))


def test_argc_alone_is_any_number_from_one_on(tmp_path: Path) -> None:
    text = "int main(int count, char **argv) { return count > 1000; }"
    assert [(label.source, label.kind) for label in labels(lowered(tmp_path, text), Input)] == [("count", "argument")]
    assert assumed(tmp_path, text) == ["`main` is started with its name at least: argc is 1 or more"]


def test_a_null_pointer_follows_the_last_argument(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { if (argv[argc] || argv[0][0] != '.') for (;;) ; return 0; }"
    assert outcome(tmp_path, text).stop.kind == "halt"


def test_the_environment_is_empty_and_that_is_assumed(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv, char **envp) { if (envp[0]) for (;;) ; return 0; }"
    assert outcome(tmp_path, text).stop.kind == "halt"
    assert "`main` is started in an empty environment" in assumed(tmp_path, text)
