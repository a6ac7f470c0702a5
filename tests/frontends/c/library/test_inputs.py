"""What comes from outside leaves a way on: with usual inputs every function returns, in both data models."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.property import DataModel
from tests.frontends.c.lowered_c import outcome

_NAMES = (
    "errno",
    "poll",
    "stdio",
    "stdlib",
    "string",
    "sys/stat",
    "sys/time",
    "sys/utsname",
    "termios",
    "time",
    "unistd",
)
_HEADERS = "".join(f"#include <{name}.h>\n" for name in _NAMES)
_CALLS = (
    "time(0);",
    "time_t t; time(&t); localtime(&t);",
    "struct timeval t; gettimeofday(&t, 0);",
    "struct timespec t; clock_gettime(CLOCK_REALTIME, &t);",
    "char b[8]; fgets(b, 8, stdin); fread(b, 1, 8, stdin); read(0, b, 8); getchar(); getc(stdin);",
    "char *l = 0; size_t n = 0; getline(&l, &n, stdin); free(l);",
    'FILE *f = fopen("a", "r"); fseek(f, 0, SEEK_END); ftell(f); rewind(f); feof(f); ferror(f); fclose(f);',
    'FILE *f = tmpfile(); fputs("a", f); fputc(65, f); fwrite("a", 1, 1, f); fflush(f); ungetc(65, f); fclose(f);',
    'getenv("HOME"); strerror(2); perror("a"); puts("a"); printf("%d", printf("a")); putchar(65);',
    "int p[2]; pipe(p); lseek(0, 0, SEEK_SET); write(1, p, 4); isatty(0); getpid(); rand(); clock();",
    'struct stat s; stat("a", &s); struct pollfd q = {0, 1, 0}; poll(&q, 1, 0); struct utsname u; uname(&u);',
    'struct termios t; tcgetattr(0, &t); tcsetattr(0, 0, &t); char b[8]; getcwd(b, 8); readlink("a", b, 8);',
    'char n[] = "/tmp/XXXXXX"; mkstemp(n); char b[8]; gethostname(b, 8); remove("a"); access("a", 0); unlink("a");',
    'time_t t = 5; char b[32]; strftime(b, 32, "%Y", gmtime(&t));',
)


@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
@pytest.mark.parametrize("calls", _CALLS)
def test_every_function_returns(calls: str, data_model: DataModel, tmp_path: Path) -> None:
    text = f"{_HEADERS}int main(void) {{ {calls} reach_error(); return 0; }}"
    assert outcome(tmp_path, text, data_model=data_model).stop.kind == "fail"
