/* The verifier's interface that the test programs of goblint/analyzer expect. */
#ifndef GOBLINT_H
#define GOBLINT_H
void __pincer_assert(int);
void __VERIFIER_assume(int);
#define __goblint_check(condition) __pincer_assert((condition) != 0)
#define __goblint_assert(condition) __pincer_assert((condition) != 0)
#define __goblint_assume(condition) __VERIFIER_assume((condition) != 0)
/* Hints for that analyser, without effect on the program. */
#define __goblint_assume_join(...) ((void)0)
#define __goblint_split_begin(expression) ((void)0)
#define __goblint_split_end(expression) ((void)0)
#define __goblint_bounded(expression) ((void)0)
#define __goblint_globalize(pointer) ((void)0)
#endif
