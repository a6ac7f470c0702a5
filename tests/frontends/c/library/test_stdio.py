"""What library functions return and read: nothing beyond what C and POSIX allow, and nothing that is not modelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.frontends.c.library.stdio import OPEN_STREAMS, OUTPUT_READS
from pincer.program.control_flow import ControlFlowProgram, Unsupported
from pincer.program.property import Assumption
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered

_HEADERS = "#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n"


def _verdict(program: ControlFlowProgram) -> str:
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=60))
    return claim.verdict


@pytest.mark.parametrize(
    "claim",
    [
        "rand() >= 0",
        "getchar() >= -1 && getchar() <= 255",
        "getpid() > 0",
        'printf("abc%%") == 4 || printf("abc%%") < 0',
        "isatty(0) == 0 || isatty(0) == 1",
        "fclose(stdin) <= 0",
        'write(1, "abc", 3) <= 3',
        'scanf("%d", &x) <= 1',
    ],
)
def test_no_value_beyond_a_functions_range_is_returned(claim: str, tmp_path: Path) -> None:
    one = claim.split(" && ")[0].split(" || ")[0]
    calls = f"int x = 0; int r = {one.rsplit(' ', 2)[0]};"
    kept = claim.replace(one.rsplit(" ", 2)[0], "r")
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {calls} assert({kept}); return 0; }}")
    assert _verdict(program) == "safe"


@pytest.mark.parametrize(
    "statement",
    [
        'char c; scanf("%d", &c);',
        'int x; scanf("%lld", &x);',
        'scanf("%d");',
        'char b[4]; scanf("%3s", b);',
        'int n; printf("abc%n", &n);',
        'int n = printf("%d", 5);',
        "int c = putchar(300);",
        "struct timespec a = {0, 0}, b; nanosleep(&a, &b);",
        "static char b[BUFSIZ]; setbuf(stdout, b);",
        "static char b[64]; setvbuf(stdout, b, _IOFBF, 64);",
    ],
)
def test_what_is_not_modelled_is_unsupported(statement: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert labels(program, Unsupported, "main")


@pytest.mark.parametrize(
    ("statement", "assumption"),
    [
        ('char b[2] = "ab"; printf("%5s", b);', OUTPUT_READS),
        ("char b[2]; write(1, b, 100);", OUTPUT_READS),
        ('char *f = "%d"; printf(f, 1);', OUTPUT_READS),
        ('char b[2]; int k; sscanf(b, "%d", &k);', OUTPUT_READS),
        ('char b[2]; fopen(b, "r");', OUTPUT_READS),
        ('char b[2]; rename("a", b);', OUTPUT_READS),
        *((f"char b[2]; {name}(b);", OUTPUT_READS) for name in ("remove", "unlink", "system")),
        ("char b[2]; open(b, 0); access(b, 0);", OUTPUT_READS),
        ("fclose(stdin);", OPEN_STREAMS),
    ],
)
def test_what_is_taken_on_trust_is_listed(statement: str, assumption: Assumption, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert assumption in program.assumptions
    assert not labels(program, Unsupported, "main")


@pytest.mark.parametrize(
    "statement",
    [
        'rename("a", "b"); unlink("a");',
        'int k; sscanf("12", "%d", &k);',
        "setbuf(stdout, 0); setvbuf(stdin, NULL, 2, 0);",
    ],
)
def test_literals_and_null_buffers_need_no_trust(statement: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert OUTPUT_READS not in program.assumptions and not labels(program, Unsupported, "main")


def test_a_function_that_only_has_the_name_of_one_of_posix_returns_anything(tmp_path: Path) -> None:
    text = "struct device { int n; }; int open(struct device *); int main(void) { struct device d; return open(&d); }"
    assert any("`open` has no body here" in assumed.text for assumed in lowered(tmp_path, text).assumptions)


def test_numbers_that_were_not_read_keep_their_values(tmp_path: Path) -> None:
    text = f'{_HEADERS}int main(void) {{ int x = 5; if (scanf("%d", &x) < 1) assert(x == 5); return 0; }}'
    assert _verdict(lowered(tmp_path, text)) == "safe"


def test_numbers_that_are_passed_as_pointers_are_converted(tmp_path: Path) -> None:
    text = "#include <string.h>\nint main(void) { int n = 7; memset(n, 0, 4); memcpy(n, n + 1, 4); return 0; }"
    assert lowered(tmp_path, text).procedures
