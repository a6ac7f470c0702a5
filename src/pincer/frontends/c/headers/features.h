/* Which names the other headers declare: those of POSIX unless only C is asked for, those of GNU when asked for. */
#ifndef _FEATURES_H
#define _FEATURES_H
#ifdef _GNU_SOURCE
#define __USE_GNU 1
#endif
#if !defined __STRICT_ANSI__ || defined _GNU_SOURCE || defined _DEFAULT_SOURCE || defined _BSD_SOURCE \
    || defined _SVID_SOURCE || defined _POSIX_SOURCE || defined _POSIX_C_SOURCE || defined _XOPEN_SOURCE
#define __USE_POSIX 1
#endif
#define __GLIBC__ 2
#define __GLIBC_MINOR__ 36
#define __GNU_LIBRARY__ 6
#define __GLIBC_PREREQ(major, minor) ((__GLIBC__ << 16) + __GLIBC_MINOR__ >= ((major) << 16) + (minor))
#ifndef __BEGIN_DECLS
#define __BEGIN_DECLS
#define __END_DECLS
#endif
#ifndef __THROW
#define __THROW
#define __nonnull(which)
#define __wur
#endif
#endif
