"""Commands about one file: what a worker tells becomes answers, complaints and an exit status."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable

import pytest

from pincer.checking.messages import Done, Judge, MistakeMade, Text
from pincer.cli.answers import Answers, ask
from pincer.errors import Mistake

ARGUMENTS = Namespace(quiet=True, verbose=False, timeout=None, memory=None)
REQUEST = Judge("p")


def test_answers_of_the_kind_that_is_asked_for_are_collected(worker_says: Callable[..., list[str]]) -> None:
    worker_says([Text("one"), Text("two"), Done()])
    answers = ask(REQUEST, ARGUMENTS, Text)
    assert [answer.text for answer in answers.items] == ["one", "two"]
    assert answers.failure_status() is None


@pytest.mark.parametrize(("kind", "status"), [("error", 2), ("unsupported", 3), ("internal", 3)])
def test_a_mistake_is_printed_and_decides_the_status(
    kind: str, status: int, worker_says: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says([MistakeMade(Mistake(kind, "it is wrong", "formula")), Done()])  # type: ignore[arg-type]
    assert ask(REQUEST, ARGUMENTS, Text).failure_status() == status
    assert "it is wrong" in capsys.readouterr().err


def test_a_worker_that_dies_is_a_mistake_of_ours(
    worker_says: Callable[..., list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    worker_says(behaviour="os._exit(7)")
    assert ask(REQUEST, ARGUMENTS, Text).failure_status() == 3
    assert "status 7" in capsys.readouterr().err


def test_wrong_input_weighs_more_than_what_is_broken() -> None:
    assert Answers[Text](wrong_input=True, broken=True).failure_status() == 2
