"""`pincer pptl`: is a temporal formula satisfiable, is it valid, on finite and on infinite intervals?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pincer.checking.messages import Judge, Judged
from pincer.cli.answers import ask
from pincer.cli.arguments import add_limits, add_loudness
from pincer.errors import PincerError
from pincer.report.terminal import look_of, write_lines

_EPILOG = """\
operators: []  <>  ()  (.)  &&  ||  !  ->  <->  U  ;  *  +  prj  par, or alw som next wnext and or not;
           true false empty skip more len(n) fin keep halt
A formula that begins with @ is read from the file of that name.

exit status: 0 satisfiable, 1 not satisfiable, 2 the formula or the call is wrong, 3 undecided
"""
_WORDS = {"sat": "satisfiable", "unsat": "not satisfiable", "valid": "valid", "invalid": "not valid"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _EPILOG
    parser.add_argument("formula", metavar="FORMULA", help="a PPTL formula")
    parser.add_argument("--ltl", action="store_true", help="the formula is one of LTL: X F G U R W")
    parser.add_argument("--normal-form", action="store_true", help="print the normal form as well")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    add_limits(parser)
    add_loudness(parser)


def run(args: argparse.Namespace) -> int:
    text = args.formula
    if text.startswith("@"):
        try:
            text = Path(text[1:]).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PincerError(f"cannot read {text[1:]}: {error}") from error
    answers = ask(Judge(text, args.ltl, args.normal_form), args, Judged)
    failed = answers.failure_status()
    if failed is not None or not answers.items:
        return 3 if failed is None else failed
    answer = answers.items[0].answer
    if args.format == "json":
        print(json.dumps(answer, indent=1))
    else:
        write_lines(sys.stdout, _quiet_lines(answer) if args.quiet else _lines(answer))
    return _status(answer)


def _status(answer: Mapping[str, Any]) -> int:
    verdicts = (answer["finite"], answer["infinite"])
    if "sat" in verdicts:
        return 0
    return 3 if "unknown" in verdicts else 1


def _quiet_lines(answer: Mapping[str, Any]) -> list[str]:
    return [
        f"{kind}: {_WORDS.get(answer[kind], 'undecided')}, {_WORDS.get(answer[f'valid_{kind}'], 'validity undecided')}"
        for kind in ("finite", "infinite")
    ]


def _lines(answer: Mapping[str, Any]) -> list[str]:
    look = look_of(sys.stdout)
    lines = [look.paint(answer["formula"], "bold")]
    for kind in ("finite", "infinite"):
        lines.append(f"  {kind} intervals")
        for key, example in ((kind, f"{kind}_model"), (f"valid_{kind}", f"{kind}_counterexample")):
            verdict = answer[key]
            said = _WORDS.get(verdict, f"undecided: {answer['reasons'].get(key, '')}")
            word = "    model" if verdict == "sat" else "    counterexample"
            lines.append(f"    {said}")
            if answer[example] is not None:
                lines.append(f"  {word}: {answer[example]}")
    if "normal_form" in answer:
        lines.append(f"  normal form: {answer['normal_form']}")
    return [*lines, *(f"  warning: {warning}" for warning in answer["warnings"])]
