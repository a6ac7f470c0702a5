/* Harnesses: what a function is given when it is checked without a program around it. See docs/c.md. */
#ifndef PINCER_H
#define PINCER_H
#include <stddef.h>
#include <stdlib.h>

void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
size_t __VERIFIER_nondet_size_t(void);
unsigned char __VERIFIER_nondet_bytes_of_pincer_bytes(void);
unsigned char __VERIFIER_nondet_bytes_of_pincer_string(void);
void __pincer_assert(int);

/* Only runs go on in which the condition holds. */
#define pincer_assume(condition) __VERIFIER_assume((condition) != 0)

/* It is an error if the condition does not hold, whether or not NDEBUG is defined. */
#define pincer_assert(condition) __pincer_assert((condition) != 0)

/* Any number, or any size up to a bound. */
static inline int pincer_int(void) { return __VERIFIER_nondet_int(); }

static inline size_t pincer_size(size_t most) {
  size_t size = __VERIFIER_nondet_size_t();
  pincer_assume(size <= most);
  return size;
}

/* Any contents for the bytes from `object` on. */
static inline void pincer_bytes(void *object, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)object)[i] = __VERIFIER_nondet_bytes_of_pincer_bytes();
}

/* Any terminated string of at most `most` characters, in an object that ends behind it and may be freed. */
static inline char *pincer_string(size_t most) {
  size_t length = pincer_size(most);
  char *text = (char *)malloc(length + 1);
  pincer_assume(text != 0);
  for (size_t i = 0; i < length; i++) {
    text[i] = (char)__VERIFIER_nondet_bytes_of_pincer_string();
    pincer_assume(text[i] != 0);
  }
  text[length] = 0;
  return text;
}
#endif
