/* Inputs of the harnesses: N symbolic bytes, or as many other numbers. */
#ifndef SYMBOLIC_H
#define SYMBOLIC_H

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

static void symbolic_bytes(unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
}

/* N bytes of any value, and a zero behind them. */
static void symbolic_text(char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        text[i] = (char)__VERIFIER_nondet_uchar();
    text[count] = 0;
}

#endif
