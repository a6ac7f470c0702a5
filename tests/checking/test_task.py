"""Tasks are plain data: they travel, and know their languages."""

from __future__ import annotations

import pickle

import pytest

from pincer.checking.task import Asked, Language, Options, Outputs, Source, Task
from pincer.program.c_file import CFlags
from pincer.runtime.codec import plain, typed

TASK = Task(
    Source("p.c", "ILP32", "f", CFlags(("inc",), (("N", "3"), ("M", None)), ("first.h",))),
    Asked(("memory",), ("r.rule",), ("p.c:3",)),
    Options(engine="agse", seed=7, jobs=2),
    Outputs(witness="w.yml", call="pincer check p.c"),
)


@pytest.mark.parametrize(
    ("name", "language"),
    [("a.c", "c"), ("a.i", "c"), ("t.yml", "c"), ("a.gcl", "gcl"), ("a.m", "msvl"), ("absent", "gcl")],
)
def test_languages_are_known_by_the_names_of_files(name: str, language: Language) -> None:
    assert Source(name).language == language


def test_a_task_survives_the_way_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(TASK)) == TASK
    assert typed(plain(TASK), Task, "task") == TASK
