#ifndef _STRING_H
#define _STRING_H
#include <features.h>
#include <pincer/types.h>
#include <pincer/locale.h>
#include <strings.h>
void *memcpy(void *restrict, const void *restrict, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
void *memchr(const void *, int, size_t);
char *strcpy(char *restrict, const char *restrict);
char *stpcpy(char *restrict, const char *restrict);
char *strncpy(char *restrict, const char *restrict, size_t);
char *strcat(char *restrict, const char *restrict);
char *strncat(char *restrict, const char *restrict, size_t);
int strcmp(const char *, const char *);
int strncmp(const char *, const char *, size_t);
int strcoll(const char *, const char *);
size_t strxfrm(char *restrict, const char *restrict, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);
char *strstr(const char *, const char *);
char *strpbrk(const char *, const char *);
size_t strspn(const char *, const char *);
size_t strcspn(const char *, const char *);
char *strtok(char *restrict, const char *restrict);
char *strtok_r(char *restrict, const char *restrict, char **restrict);
char *strsep(char **restrict, const char *restrict);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
char *strdup(const char *);
char *strndup(const char *, size_t);
char *strerror(int);
#ifdef __USE_GNU
char *strerror_r(int, char *, size_t);
void *mempcpy(void *restrict, const void *restrict, size_t);
void *memrchr(const void *, int, size_t);
void *memmem(const void *, size_t, const void *, size_t);
void *rawmemchr(const void *, int);
char *strchrnul(const char *, int);
char *strcasestr(const char *, const char *);
int strverscmp(const char *, const char *);
char *strfry(char *);
void *memfrob(void *, size_t);
char *basename(const char *);
const char *strerrorname_np(int);
const char *sigabbrev_np(int);
#define strdupa(string) __extension__({ \
  const char *__old = (string); \
  size_t __size = strlen(__old) + 1; \
  (char *)memcpy(__builtin_alloca(__size), __old, __size); \
})
#else
int strerror_r(int, char *, size_t);
#endif
char *strerror_l(int, locale_t);
int strcoll_l(const char *, const char *, locale_t);
char *stpncpy(char *restrict, const char *restrict, size_t);
void *memccpy(void *restrict, const void *restrict, int, size_t);
void explicit_bzero(void *, size_t);
size_t strlcpy(char *restrict, const char *restrict, size_t);
size_t strlcat(char *restrict, const char *restrict, size_t);
char *strsignal(int);
#endif
