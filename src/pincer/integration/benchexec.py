"""The tool-info module for BenchExec: a benchmark definition names it as `tool="pincer.integration.benchexec"`.

It needs BenchExec and this package in one environment; BenchExec is not among Pincer's dependencies.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from benchexec import result
from benchexec.tools.template import BaseTool2

_VERDICT = re.compile(r"SV-COMP result: (true|unknown|false(?:\([\w-]+\))?)\s*")
_WRONG_INPUT = 2


class Tool(BaseTool2):  # type: ignore[misc]
    """How BenchExec finds Pincer, calls it, and reads its verdict."""

    def executable(self, tool_locator: Any) -> str:
        found: str = tool_locator.find_executable("pincer", subdir="bin")
        return found

    def name(self) -> str:
        return "Pincer"

    def version(self, executable: str) -> str:
        found: str = self._version_from_tool(executable, line_prefix="pincer ")
        return found

    def cmdline(self, executable: str, options: Sequence[str], task: Any, rlimits: Any) -> list[str]:
        """A call that ends with the verdict line; time and memory are left to BenchExec, which can tell them apart."""
        words = [executable, "check", "--svcomp", "--quiet", *options]
        if task.property_file:
            words += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("data_model") in ("ILP32", "LP64"):
            words += ["--data-model", task.options["data_model"]]
        return [*words, *task.input_files]

    def determine_result(self, run: Any) -> str:
        """The verdict of the last line that has one; without it something went wrong."""
        for line in reversed(run.output):
            verdict = _VERDICT.fullmatch(line)
            if verdict is not None:
                return verdict[1]
        if run.exit_code.value == _WRONG_INPUT:
            return f"{result.RESULT_ERROR} (wrong input)"
        return str(result.RESULT_ERROR)
