"""`python -m tests.fuzz.threads.run_formulas --cases N --seed S`: formulas about threads against a tableau."""

from __future__ import annotations

import sys

from tests.fuzz.ending_runs import run
from tests.fuzz.threads.formulas import judge_formulas

if __name__ == "__main__":
    sys.exit(run(judge_formulas))
