"""Calls are told as the user writes them."""

from __future__ import annotations

from pincer.checking.supervise import Limits
from pincer.checking.task import Asked, Options, Source, Task
from pincer.report.call import call_about, context_of, whole_call

TASK = Task(
    Source("a b.c", "ILP32", "f", ("inc",), (("N", 3),)),
    Asked(("memory",), ("r.rule",), ("3",)),
    Options(engine="agse", spurious_wakeups=True),
)
WORDS = "--property memory --rule r.rule --target 3 --spurious-wakeups --data-model ILP32 --entry f -I inc"


def test_a_call_about_a_file_has_what_belongs_to_every_command_about_it() -> None:
    assert call_about(TASK) == f"pincer check 'a b.c' {WORDS}"
    assert call_about(Task(Source("p.gcl"))) == "pincer check p.gcl"


def test_the_whole_call_names_paths_engine_and_constants() -> None:
    assert whole_call(["x", "y"], TASK) == f"pincer check x y --engine agse -D N=3 {WORDS}"


def test_a_suggestion_knows_the_call() -> None:
    context = context_of(TASK, Limits(2.0, 100), one_of_many=True)
    assert (context.timeout, context.memory_mb, context.one_of_many) == (2.0, 100, True)
    assert context.command("--timeout", "20") == f"pincer check 'a b.c' -D N=3 {WORDS} --engine agse --timeout 20"
