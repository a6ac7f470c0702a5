"""All functions that are known without a body in the program: what lowers a call of each, and the type it has.

Where the C library or POSIX do more than nothing and that is not modelled, the call says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.c.library import (
    atomics,
    compiler,
    ctype,
    externals,
    inputs,
    klee,
    math,
    objects,
    printing,
    reading,
    scanning,
    setjmp,
    signals,
    stdio,
    stdlib,
    string,
    threads,
    verifier,
)
from pincer.frontends.c.lowering.calls import Known, Site, known
from pincer.frontends.c.lowering.conversions import zero
from pincer.frontends.c.lowering.values import Value
from pincer.frontends.c.semantics.context import Rule

_NAMES = (
    # Formatted and unformatted input and output through memory.
    "__sprintf_chk __snprintf_chk swprintf vswprintf",
    "gets_s fgetws readv preadv recvfrom recvmsg fgetpos vscanf",
    "vfscanf swscanf wscanf fwscanf fmemopen open_memstream",
    # Control flow that is not a call, other processes.
    "on_exit at_quick_exit sigaction raise kill",
    "__builtin_apply",
    "__builtin_va_arg_pack fork vfork execl execlp execle execv execve execvp wait waitpid waitid",
    "sigprocmask sigpending sigwait sigsuspend sigaltstack",
    # Memory.
    "pvalloc malloc_usable_size mmap mremap munmap brk sbrk shmat",
    "swab strverscmp memset_s memfrob",
    "strfry wmempcpy",
    "wcscoll wcstol wcstoul wcstoll wcstoull",
    "tfind tsearch tdelete twalk hsearch insque remque",
    # Numbers.
    "rand_r random_r srandom_r initstate setstate erand48 nrand48 jrand48 seed48 lcong48 drand48_r",
    "getentropy sincos sincosf sincosl lgamma_r",
    "strtold a64l l64a ecvt fcvt gcvt fegetenv",
    "feholdexcept fesetenv feupdateenv fegetexceptflag",
    # Texts and the environment.
    "mblen mbtowc wctomb mbstowcs wcstombs mbrtowc wcrtomb mbsrtowcs wcsrtombs iconv strerror_r",
    "setenv unsetenv putenv setlocale localeconv realpath mkdtemp mktemp tmpnam dirname",
    "getwd getdomainname getlogin_r readlinkat getopt_long getsubopt confstr crypt ctermid",
    "ttyname_r regcomp regexec regerror glob wordexp fnmatch nl_langinfo",
    # Time and the system.
    "ctime asctime asctime_r ctime_r mktime timegm strptime wcsftime",
    "clock_getres times getitimer setitimer getrusage getrlimit",
    "fstatat statfs fstatfs statvfs fstatvfs sysinfo pipe2 socketpair accept getsockname getpeername",
    "getsockopt ioctl ppoll select pselect epoll_wait readdir readdir_r scandir ftw nftw getpwnam getpwuid",
    "getpwnam_r getpwuid_r getgrnam getgrgid getgroups getaddrinfo getnameinfo gethostbyname inet_aton inet_pton",
    "inet_ntop inet_ntoa",
    # The verifier's interface.
    "__VERIFIER_nondet_string",
)
UNMODELLED = tuple(name for line in _NAMES for name in line.split())


def _unmodelled(site: Site) -> Value:
    site.frame.unsupported(f"the function {site.name}", site.node)
    return zero(site.frame, site.result)


FUNCTIONS: Mapping[str, Known] = {
    **atomics.FUNCTIONS,
    **externals.FUNCTIONS,
    **compiler.FUNCTIONS,
    **ctype.FUNCTIONS,
    **klee.FUNCTIONS,
    **math.FUNCTIONS,
    **objects.FUNCTIONS,
    **setjmp.FUNCTIONS,
    **signals.FUNCTIONS,
    **inputs.FUNCTIONS,
    **printing.FUNCTIONS,
    **reading.FUNCTIONS,
    **scanning.FUNCTIONS,
    **stdio.FUNCTIONS,
    **stdlib.FUNCTIONS,
    **string.FUNCTIONS,
    **threads.FUNCTIONS,
    **verifier.FUNCTIONS,
    **known(UNMODELLED, _unmodelled),
}
"""A name that ends in `*` stands for all names that begin so."""

RESULTS: Mapping[str, Rule] = {name: found.result for name, found in FUNCTIONS.items() if found.result is not None}
"""The types of calls, where they do not depend on a declaration alone."""
