/* The verifier's interface that the test programs of smackers/smack expect. */
#ifndef SMACK_H_
#define SMACK_H_
#include <limits.h>
#include <stdbool.h>
/* No types: programs for Windows define size_t and wchar_t themselves. */
#define __need_NULL
#include <stddef.h>
#include <assert.h>
void __VERIFIER_assume(int);
#define assume(condition) __VERIFIER_assume((condition) != 0)
/* Code in the language of that verifier has no meaning here. */
#define __SMACK_code(...) __asm__ volatile("SMACK code")
#define __SMACK_mod(...) __asm__ volatile("SMACK code")
#define __SMACK_decl(...) __asm__ volatile("SMACK code")
#define __SMACK_top_decl(...) __asm__ volatile("SMACK code")
int __SMACK_nondet(void);
_Bool __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
signed char __VERIFIER_nondet_signed_char(void);
unsigned char __VERIFIER_nondet_unsigned_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
signed short __VERIFIER_nondet_signed_short(void);
signed short int __VERIFIER_nondet_signed_short_int(void);
unsigned short __VERIFIER_nondet_unsigned_short(void);
unsigned short int __VERIFIER_nondet_unsigned_short_int(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet(void);
int __VERIFIER_nondet_int(void);
signed int __VERIFIER_nondet_signed_int(void);
unsigned int __VERIFIER_nondet_unsigned(void);
unsigned int __VERIFIER_nondet_unsigned_int(void);
unsigned int __VERIFIER_nondet_uint(void);
long __VERIFIER_nondet_long(void);
long int __VERIFIER_nondet_long_int(void);
signed long __VERIFIER_nondet_signed_long(void);
signed long int __VERIFIER_nondet_signed_long_int(void);
unsigned long __VERIFIER_nondet_unsigned_long(void);
unsigned long int __VERIFIER_nondet_unsigned_long_int(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_long_long(void);
long long int __VERIFIER_nondet_long_long_int(void);
signed long long __VERIFIER_nondet_signed_long_long(void);
signed long long int __VERIFIER_nondet_signed_long_long_int(void);
unsigned long long __VERIFIER_nondet_unsigned_long_long(void);
unsigned long long int __VERIFIER_nondet_unsigned_long_long_int(void);
float __VERIFIER_nondet_float(void);
double __VERIFIER_nondet_double(void);
long double __VERIFIER_nondet_long_double(void);
void *__VERIFIER_nondet_pointer(void);
/* A function that runs before main. */
#define __SMACK_INIT(name) __attribute__((constructor)) static void __smack_init_##name(void)

#endif
