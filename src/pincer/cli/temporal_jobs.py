"""Jobs about MSVL programs and PPTL formulas. Heavy imports stay inside the functions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.cli.worker import Emit
    from pincer.temporal.lasso import Lasso
    from pincer.temporal.satisfiability import Word

Request = Mapping[str, Any]


def pptl(request: Request, run: Run, emit: Emit) -> None:
    """Satisfiability and validity of a formula."""
    from pincer.temporal.limits import Limits
    from pincer.temporal.normal_form import normal_form
    from pincer.temporal.parser import parse_formula, parse_ltl
    from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite, valid_finite, valid_infinite
    from pincer.temporal.text import formula_text

    limits = Limits(poll=run.poll)
    parsed = (parse_ltl if request["ltl"] else parse_formula)(request["formula"], "formula", limits=limits)
    answer: dict[str, Any] = {"formula": formula_text(parsed.formula), "reasons": {}, "warnings": list(parsed.warnings)}
    for kind, satisfiable, valid in (
        ("finite", satisfiable_finite, valid_finite),
        ("infinite", satisfiable_infinite, valid_infinite),
    ):
        run.publish("pptl", f"{kind} intervals")
        found, validity = satisfiable(parsed.formula, limits), valid(parsed.formula, limits)
        answer |= {kind: found.verdict, f"valid_{kind}": validity.verdict}
        answer |= {f"{kind}_model": _shown(found.model), f"{kind}_counterexample": _shown(validity.counterexample)}
        answer["reasons"] |= {kind: found.reason, f"valid_{kind}": validity.reason}
    if request["normal_form"]:
        answer["normal_form"] = str(normal_form(parsed.formula))
    emit("answer", answer)


def _shown(model: Word | Lasso | None) -> str | None:
    """The letters of an interval, the loop of a lasso in parentheses."""
    from pincer.temporal.lasso import Lasso

    if model is None:
        return None
    if isinstance(model, Lasso):
        return " ".join([*map(_letter, model.prefix), "(", *map(_letter, model.loop), ")*"])
    return " ".join(map(_letter, model))


def _letter(letter: frozenset[str]) -> str:
    return "{" + ",".join(sorted(letter)) + "}"


def execute(request: Request, run: Run, emit: Emit) -> None:
    """One run of an MSVL program."""
    from pincer.execution.msvl import Options, execute
    from pincer.frontends.msvl import load

    program = load(Path(request["file"]))
    inputs = {name if name.startswith("s_") else f"s_{name}": value for name, value in request["input"].items()}
    execution = execute(program, inputs, Options(**request["options"]), run)
    states = [{name: str(value) for name, value in state.values().items()} for state in execution.states]
    unread = sorted(inputs.keys() - execution.input_values().keys())
    emit(
        "answer",
        {
            "names": list(dict.fromkeys(name for state in states for name in state)),
            "states": states,
            "inputs": execution.input_values(),
            "outputs": [{"state": output.state, "text": output.text} for output in execution.outputs],
            "constraints": [str(c.condition) for c in execution.constraints],
            "ending": execution.ending.kind,
            "reason": execution.ending.reason,
            "warnings": [*execution.warnings, *(f"the program does not read the input {name}" for name in unread)],
        },
    )
