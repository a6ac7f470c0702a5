#ifndef _STDLIB_H
#define _STDLIB_H
#include <features.h>
#include <sys/types.h>
#include <pincer/types.h>
#include <alloca.h>
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#define MB_CUR_MAX ((size_t)1)
typedef struct { int quot; int rem; } div_t;
typedef struct { long quot; long rem; } ldiv_t;
typedef struct { long long quot; long long rem; } lldiv_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *reallocarray(void *, size_t, size_t);
void *valloc(size_t);
void *aligned_alloc(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void free(void *);
_Noreturn void abort(void);
_Noreturn void exit(int);
_Noreturn void _Exit(int);
_Noreturn void quick_exit(int);
int atexit(void (*)(void));
int at_quick_exit(void (*)(void));
int on_exit(void (*)(int, void *), void *);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
int putenv(char *);
int system(const char *);
int abs(int);
long labs(long);
long long llabs(long long);
div_t div(int, int);
ldiv_t ldiv(long, long);
lldiv_t lldiv(long long, long long);
int rand(void);
int rand_r(unsigned int *);
void srand(unsigned int);
long random(void);
void srandom(unsigned int);
double drand48(void);
int atoi(const char *);
long atol(const char *);
long long atoll(const char *);
double atof(const char *);
long strtol(const char *restrict, char **restrict, int);
unsigned long strtoul(const char *restrict, char **restrict, int);
long long strtoll(const char *restrict, char **restrict, int);
unsigned long long strtoull(const char *restrict, char **restrict, int);
double strtod(const char *restrict, char **restrict);
float strtof(const char *restrict, char **restrict);
long double strtold(const char *restrict, char **restrict);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *));
int mblen(const char *, size_t);
int mbtowc(wchar_t *restrict, const char *restrict, size_t);
int wctomb(char *, wchar_t);
size_t mbstowcs(wchar_t *restrict, const char *restrict, size_t);
size_t wcstombs(char *restrict, const wchar_t *restrict, size_t);
char *realpath(const char *restrict, char *restrict);
int mkstemp(char *);
int mkstemps(char *, int);
char *mkdtemp(char *);
char *mktemp(char *);
int clearenv(void);
double erand48(unsigned short *);
long lrand48(void);
long nrand48(unsigned short *);
long mrand48(void);
long jrand48(unsigned short *);
void srand48(long);
unsigned short *seed48(unsigned short *);
void lcong48(unsigned short *);
char *initstate(unsigned int, char *, size_t);
char *setstate(char *);
char *ecvt(double, int, int *restrict, int *restrict);
char *fcvt(double, int, int *restrict, int *restrict);
char *gcvt(double, int, char *);
long a64l(const char *);
char *l64a(long);
int getsubopt(char **restrict, char *const *restrict, char **restrict);
int grantpt(int);
int unlockpt(int);
char *ptsname(int);
int posix_openpt(int);
int getloadavg(double *, int);
int rpmatch(const char *);
unsigned int arc4random(void);
unsigned int arc4random_uniform(unsigned int);
void arc4random_buf(void *, size_t);
#ifdef __USE_GNU
typedef int (*comparison_fn_t)(const void *, const void *);
char *secure_getenv(const char *);
char *canonicalize_file_name(const char *);
int mkostemp(char *, int);
void qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
#endif
#endif
