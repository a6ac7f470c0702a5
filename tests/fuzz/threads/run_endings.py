"""`python -m tests.fuzz.threads.run_endings --cases N --seed S`: do programs with threads end? Against brute force."""

from __future__ import annotations

import sys

from tests.fuzz.ending_runs import run
from tests.fuzz.threads.endings import judge_endings

if __name__ == "__main__":
    sys.exit(run(judge_endings))
