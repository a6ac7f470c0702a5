"""Calls of `pincer check` as the user writes them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from pincer.checking.supervise import Limits
from pincer.checking.task import Task
from pincer.report.verdicts import Context


def task_words(task: Task) -> tuple[str, ...]:
    """The options that belong to every command about the same program and properties."""
    words: list[str] = []
    for option, values in (
        ("--property", task.asked.properties),
        ("--rule", task.asked.rules),
        ("--target", task.asked.targets),
    ):
        for value in values:
            words += [option, value]
    if task.options.spurious_wakeups:
        words.append("--spurious-wakeups")
    if task.source.data_model:
        words += ["--data-model", task.source.data_model]
    if task.source.entry:
        words += ["--entry", task.source.entry]
    for folder in task.source.include:
        words += ["-I", folder]
    return tuple(words)


def define_words(task: Task) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in task.source.defines)


def call_about(task: Task) -> str:
    """The call about one file, for the record in witnesses."""
    return shlex.join(["pincer", "check", task.source.file, *task_words(task)])


def whole_call(paths: Sequence[str], task: Task) -> str:
    """The call about paths, without options that only say where output goes."""
    engine = [] if task.options.engine == "auto" else ["--engine", task.options.engine]
    defines = [word for define in define_words(task) for word in ("-D", define)]
    return shlex.join(["pincer", "check", *paths, *engine, *defines, *task_words(task)])


def context_of(task: Task, limits: Limits, one_of_many: bool = False) -> Context:
    """What a verdict needs to know about the call."""
    return Context(
        file=task.source.file,
        defines=define_words(task),
        options=task_words(task),
        engine=task.options.engine,
        timeout=limits.timeout,
        memory_mb=limits.memory_mb,
        verbose=task.options.verbose,
        one_of_many=one_of_many,
    )
