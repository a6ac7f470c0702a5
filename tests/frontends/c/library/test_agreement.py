"""Library functions compute what those of the machine compute, by the interpreter, in both data models."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.property import DataModel
from tests.frontends.c.compiled_c import compiled_result, needs_compiler
from tests.frontends.c.lowered_c import result_of

_NUMBERS = (
    '"12", "-7", "+0x1F", "077", "  42abc", "", "-", "0x", "0xg", "99999999999999999999", "-99999999999999999999",'
    '"2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",'
    '"18446744073709551615", "18446744073709551616", "-1", "zz", "\\t\\n 5", "08", "1 2"'
)
_PARSED = f"""
  const char *texts[] = {{ {_NUMBERS} }};
  int bases[] = {{ 0, 10, 16, 8, 36, 2, 1, 37, -3 }};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
    for (unsigned j = 0; j < sizeof bases / sizeof *bases; j++) {{
      char *end = (char *)texts[i];
      errno = 0; mix(CALL(texts[i], &end, bases[j])); mix(end - texts[i]); mix(errno);
    }}
"""
_SCANNED = r"""
  const char *texts[] = { "12 abc 0x1f", " -7,8", "", "x", "99999999999 z", "5%6", "077 9 [q]", "1\t2\n3", "ab12" };
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *s = texts[i];
    int a = -9, b = -8, c = -7; short h = 5; long l = 3; char w[8] = "-", v[8] = "+"; unsigned u = 1;
    mix(sscanf(s, "%d %7s %x", &a, w, &u)); mix(a); text(w, 8); mix(u);
    mix(sscanf(s, "%i,%n%d", &b, &c, &a)); mix(a); mix(b); mix(c);
    mix(sscanf(s, "%hd%%%d", &h, &a)); mix(h); mix(a);
    mix(sscanf(s, "%7[a-z0-9]%n", w, &c)); text(w, 8); mix(c);
    mix(sscanf(s, "%ld %*s %o", &l, &u)); mix(l); mix(u);
    mix(sscanf(s, "%2d%d%7[^,q]", &a, &b, v)); mix(a); mix(b); text(v, 8);
    mix(sscanf(s, "%c%c", w, v)); mix(w[0]);
  }
"""
_PROGRAMS = {
    **{name: _PARSED.replace("CALL", name) for name in ("strtol", "strtoul", "strtoll", "strtoull")},
    "memmem": 'for (int n = 0; n < 5; n++) { char *p = memmem("abcabd", 6, "abd", n); mix(p ? n + strlen(p) : -1); }',
    "memccpy": 'char b[8]; for (int c = 97; c < 101; c++) { char *p = memccpy(b, "abc", c, 3); mix(p ? p - b : 9); }',
    "stpncpy": 'char b[8] = "xxxxxxx"; for (int n = 0; n < 7; n++) { mix(stpncpy(b, "abc", n) - b); text(b, 8); }',
    "strcasestr": 'char *p = strcasestr("xAbCy", "bc"); mix(p ? strlen(p) : 0); mix(strcasestr("ab", "c") == 0);',
    "strsep": 'char b[] = "a,b;;c"; char *p = b; for (char *s; (s = strsep(&p, ",;"));) { text(s, strlen(s) + 1); }',
    "strtok_r": 'char b[] = " a b  c", *k; for (char *s = strtok_r(b, " ", &k); s; s = strtok_r(0, " ", &k)) mix(*s);',
    "ffsl": "for (int i = 0; i < 31; i++) { mix(ffsl(5L << i)); mix(ffsll(3LL << 2 * i)); } mix(ffsl(0));",
    "div": "div_t d = div(-7, 2); ldiv_t l = ldiv(7, -3); lldiv_t m = lldiv(-9, 4); mix(d.quot * 100 + d.rem);"
    "mix(l.quot * 100 + l.rem); mix(m.quot * 100 + m.rem); mix(imaxdiv(17, 5).rem);",
    "wide": 'wchar_t w[16]; wcscpy(w, L"hello"); wcscat(w, L" you"); mix(wcslen(w)); mix(wcschr(w, L\'o\') - w);'
    'mix(wcscmp(w, L"help") < 0); mix(wcsspn(w, L"ehl")); wmemset(w, 7, 3); mix(w[2] * 3 + w[3]);'
    "mix(towupper(L'q'));"
    'mix(wcsstr(w, L"you") - w); mix(wmemcmp(w, w + 1, 2)); mix(iswdigit(L\'5\') != 0); mix(wcsncmp(L"ab", L"ac", 1));',
    "signals": "sigset_t s; sigemptyset(&s); sigaddset(&s, SIGINT); mix(sigismember(&s, SIGINT));"
    "mix(sigismember(&s, 3));"
    "sigfillset(&s); sigdelset(&s, SIGTERM); mix(sigismember(&s, SIGTERM)); mix(sigaddset(&s, 0));",
    "getopt": 'char *a[] = {"p", "-ab", "7", "-cx", "-z", "--", "rest", 0}; int c;'
    'while ((c = getopt(7, a, "+:ab:c::")) != -1) { mix(c); mix(optind); mix(optarg ? *optarg : 0); mix(optopt); }'
    "mix(optind);",
    "search": "int v[4] = {5, 3, 9}; size_t n = 3; int k = 9; mix((int *)lfind(&k, v, &n, sizeof k, order) - v); k = 1;"
    "mix((int *)lsearch(&k, v, &n, sizeof k, order) - v); mix(n); mix(v[3]); qsort(v, 4, sizeof k, order); mix(v[0]);",
    "memory": "void *p = 0; mix(posix_memalign(&p, 3, 8)); mix(posix_memalign(&p, 64, 8)); free(p);"
    "errno = 0; mix(reallocarray(0, ~(size_t)0, 2) == 0); mix(errno);",
    "sscanf": _SCANNED,
    "asprintf": 'char *p = 0; mix(asprintf(&p, "%d:%s", 12, "abc")); text(p, 7); free(p);',
    "gmtime": "long t[] = {0, -1, 951782400, 1700000000, -2147483647, 2147483647, 68169599, 86399};"
    "for (int i = 0; i < 8; i++) { time_t k = t[i]; struct tm *m = gmtime(&k); mix(m->tm_sec); mix(m->tm_min);"
    "mix(m->tm_hour); mix(m->tm_mday); mix(m->tm_mon); mix(m->tm_year); mix(m->tm_wday); mix(m->tm_yday); }",
    "time": "mix((long long)(difftime(5, 9) * 2)); mix((long long)difftime(1000000, 1));",
    "vsnprintf": 'char b[32]; mix(into(b, 6, "%d-%s", 12, "abcdef")); text(b, 6);'
    'mix(into(b, 32, "%05.2d|%-4c|", 3, 65)); text(b, 12);',
}
_START = """
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
long long result;
static void mix(long long value) {
  unsigned long long mixed = (unsigned long long)result * 1099511628211ULL + (unsigned long long)value;
  result = (long long)(mixed ^ mixed >> 29);
}
static void text(const char *s, int size) { for (int i = 0; i < size; i++) mix(s[i]); }
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int into(char *b, size_t n, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int count = vsnprintf(b, n, format, list);
  va_end(list);
  return count;
}
"""


@needs_compiler
@pytest.mark.parametrize("data_model", ["LP64", "ILP32"])
@pytest.mark.parametrize("name", _PROGRAMS)
def test_results_are_those_of_the_machine(name: str, data_model: DataModel, tmp_path: Path) -> None:
    text = f"{_START}int main(void) {{ {_PROGRAMS[name]} return 0; }}\n"
    flag = "-m64" if data_model == "LP64" else "-m32"
    assert result_of(tmp_path, text, data_model=data_model) == compiled_result(tmp_path, text, flag)
