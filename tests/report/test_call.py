"""Calls are written as a user would write them."""

from __future__ import annotations

import shlex

from pincer.checking.supervise import Limits
from pincer.checking.task import Asked, Options, Source, Task
from pincer.report.call import call_about, context_of, whole_call

TASK = Task(
    Source("a b.c", "ILP32", "start", ("inc",), (("N", 3),)),
    Asked(("race",), ("lock.rule",), ("12",)),
    Options(engine="agse", spurious_wakeups=True, verbose=True),
)


def test_the_call_about_a_file_has_all_that_belongs_to_the_question() -> None:
    assert shlex.split(call_about(TASK)) == [
        "pincer", "check", "a b.c", "--property", "race", "--rule", "lock.rule", "--target", "12",
        "--spurious-wakeups", "--data-model", "ILP32", "--entry", "start", "-I", "inc",
    ]  # fmt: skip


def test_the_whole_call_names_paths_engine_and_constants() -> None:
    words = shlex.split(whole_call(["a b.c", "c.c"], TASK))
    assert words[:8] == ["pincer", "check", "a b.c", "c.c", "--engine", "agse", "-D", "N=3"]
    assert shlex.split(whole_call(["c.c"], Task(Source("c.c")))) == ["pincer", "check", "c.c"]


def test_a_context_knows_how_to_ask_again() -> None:
    context = context_of(TASK, Limits(timeout=5.0, memory_mb=100), one_of_many=True)
    assert (context.file, context.timeout, context.memory_mb) == ("a b.c", 5.0, 100)
    assert (context.verbose, context.one_of_many) == (True, True)
    assert shlex.split(context.command("--timeout", "50"))[-4:] == ["--engine", "agse", "--timeout", "50"]
