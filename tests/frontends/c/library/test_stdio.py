"""What library functions return and read: nothing beyond what C and POSIX allow, and nothing that is not modelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.program.control_flow import ControlFlowProgram, Unsupported
from pincer.program.property import SequentialKind
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered

_NAMES = ("assert", "stdio", "stdlib", "fcntl", "time", "unistd")
_HEADERS = "".join(f"#include <{name}.h>\n" for name in _NAMES)


def _verdict(program: ControlFlowProgram, property: SequentialKind = "assertions") -> str:
    [claim] = check(EngineTask(program, (property,), SequentialSettings()), Run(timeout=60))
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
        'char b[4]; scanf("%3[a-z]", b);',
        'int n; printf("abc%n", &n);',
        'double d = 1; int n = printf("%a", d);',
        'printf("%d %s", 5);',
        "struct timespec a = {0, 0}, b; nanosleep(&a, &b);",
        "static char b[BUFSIZ]; setbuf(stdout, b);",
        "static char b[64]; setvbuf(stdout, b, _IOFBF, 64);",
    ],
)
def test_what_is_not_modelled_is_unsupported(statement: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert labels(program, Unsupported, "main")


@pytest.mark.parametrize(
    "statement",
    [
        'char b[2] = {97, 98}; printf("%5s", b);',
        'char *b = 0; fprintf(stderr, "%d %s", 1, b);',
        "char b[2]; write(1, b, 3);",
        "char b[2]; fwrite(b, 2, 2, stdout);",
        "char b[2] = {97, 98}; char *f = b; printf(f, 1);",
        'char b[2] = {97, 98}; int k; sscanf(b, "%d", &k);',
        'char b[2] = {97, 98}; fopen(b, "r");',
        'char b[2] = {97, 98}; rename("a", b);',
        *(f"char b[2] = {{97, 98}}; {name}(b);" for name in ("remove", "unlink", "system", "puts", "perror")),
        "char b[2] = {97, 98}; open(b, 0);",
        'FILE *f = fopen("a", "r"); if (f) { fclose(f); fclose(f); }',
        "fgetc((FILE *)0);",
        'FILE *f = 0; fprintf(f, "a");',
        'FILE *f = fopen("a", "r"); int k; fscanf(f, "%d", &k);',
        "FILE *f = 0; setbuf(f, 0);",
    ],
)
def test_what_is_read_through_a_pointer_must_be_there(statement: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert not labels(program, Unsupported, "main")
    assert _verdict(program, "memory") == "unsafe"


@pytest.mark.parametrize(
    "statement",
    [
        'char b[2] = "a"; printf("%5s|%d", b, 3);',
        'char b[2] = {97, 98}; printf("%.2s", b);',
        'char b[2] = {97, 98}; int n = 2; printf("%.*s", n, b);',
        "char b[2]; write(1, b, 2); fwrite(b, 1, 2, stdout); fwrite(b, 9, 0, stdout);",
        'rename("a", "b"); unlink("a"); puts("a"); perror(0);',
        'int k; sscanf("12", "%d", &k);',
        "setbuf(stdout, 0); setvbuf(stdin, NULL, 2, 0);",
        'FILE *f = fopen("a", "r"); if (f) fclose(f); fclose(stdin);',
    ],
)
def test_what_is_there_may_be_read(statement: str, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_HEADERS}int main(void) {{ {statement} return 0; }}")
    assert not labels(program, Unsupported, "main")
    assert _verdict(program, "memory") == "safe"


def test_a_function_that_only_has_the_name_of_one_of_posix_returns_anything(tmp_path: Path) -> None:
    text = "struct device { int n; }; int open(struct device *); int main(void) { struct device d; return open(&d); }"
    assert any("`open` has no body here" in assumed.text for assumed in lowered(tmp_path, text).assumptions)


def test_numbers_that_were_not_read_keep_their_values(tmp_path: Path) -> None:
    text = f'{_HEADERS}int main(void) {{ int x = 5; if (scanf("%d", &x) < 1) assert(x == 5); return 0; }}'
    assert _verdict(lowered(tmp_path, text)) == "safe"


def test_numbers_that_are_passed_as_pointers_are_converted(tmp_path: Path) -> None:
    text = "#include <string.h>\nint main(void) { int n = 7; memset(n, 0, 4); memcpy(n, n + 1, 4); return 0; }"
    assert lowered(tmp_path, text).procedures


@pytest.mark.parametrize(
    "claim",
    [
        "fraction >= 0 && fraction < 1",
        "number >= -2147483648L && number <= 2147483647L",
        "mask <= 0777",
        "ntohl(htonl(x)) == x && htonl(0x01020304u) == 0x04030201u",
        "ntohs(htons((unsigned short)x)) == (unsigned short)x && htons(0x0102) == 0x0201",
        "!ckd_add(&sum, (int)(x & 7), 1) && sum == (int)(x & 7) + 1",
        "stdc_count_ones(x) + stdc_count_zeros(x) == 32 && stdc_leading_zeros((unsigned char)1) == 7",
    ],
)
def test_what_numbers_are_like(claim: str, tmp_path: Path) -> None:
    names = ("assert", "stdlib", "sys/stat", "arpa/inet", "stdckdint", "stdbit")
    headers = "".join(f"#include <{name}.h>\n" for name in names)
    values = "unsigned x = __VERIFIER_nondet_uint() & 0xffffu; double fraction = drand48(); long number = mrand48();"
    text = f"int main(void) {{ int sum; {values} unsigned mask = umask(022); assert({claim}); return 0; }}\n"
    assert _verdict(lowered(tmp_path, headers + "unsigned __VERIFIER_nondet_uint(void);\n" + text)) == "safe"
