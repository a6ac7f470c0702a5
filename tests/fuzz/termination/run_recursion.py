"""`python -m tests.fuzz.termination.run_recursion --cases N --seed S`: do recursive functions end?"""

from __future__ import annotations

import sys

from tests.fuzz.ending_runs import run
from tests.fuzz.termination.recursion import judge_recursion

if __name__ == "__main__":
    sys.exit(run(judge_recursion))
